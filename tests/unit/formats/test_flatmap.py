import pytest

from longshore.formats.flatmap import MAX_FIELDS, MAX_NODES, FlatMap
from longshore.kit.errors import LongshoreError
from tests.unit.formats.claims import fields_of, limit_of

ALLOWANCE = 256 * 1024


def test_fields_keep_the_order_in_which_they_came() -> None:
    flat = FlatMap(document_bytes=0)
    flat.add("b", "1")
    flat.add("a", "2")
    assert flat.parsed("json").fields_json == b'{"b":"1","a":"2"}'


def test_a_reserved_place_is_filled_later_or_leaves_no_trace() -> None:
    flat = FlatMap(document_bytes=0)
    unused, used = flat.reserve(), flat.reserve()
    flat.add("child", "1")
    flat.fill(used, "parent", "text")
    assert unused != used
    assert list(fields_of(flat.parsed("xml")).items()) == [("parent", "text"), ("child", "1")]


def test_fields_are_utf_8_and_only_what_json_demands_is_escaped() -> None:
    flat = FlatMap(document_bytes=0)
    flat.add("größe", 'a"\\\x00\n😀')
    assert flat.parsed("json").fields_json == '{"größe":"a\\"\\\\\\u0000\\n😀"}'.encode()


@pytest.mark.parametrize(
    ("_case", "document_bytes", "most"),
    [
        ("the allowance alone", 0, ALLOWANCE),
        ("forty times the document", 1000, ALLOWANCE + 40_000),
        ("never more than a server bears", 32 * 1024 * 1024, 128 * 1024 * 1024),
    ],
)
def test_output_may_reach_its_budget_and_not_one_byte_more(
    _case: str, document_bytes: int, most: int
) -> None:
    flat = FlatMap(document_bytes)
    flat.charge(b"x" * (most - 1))
    assert limit_of(lambda: flat.charge(b"")) == ("output_bytes", most)


def test_a_field_costs_the_bytes_it_takes_in_the_answer() -> None:
    exact, one_more = FlatMap(document_bytes=0), FlatMap(document_bytes=0)
    member = len('"ké":"",'.encode())
    exact.add("ké", "x" * (ALLOWANCE - member))
    assert limit_of(lambda: one_more.add("ké", "x" * (ALLOWANCE - member + 1))) == (
        "output_bytes",
        ALLOWANCE,
    )


def test_fields_null_fields_and_empty_containers_share_one_budget() -> None:
    flat = FlatMap(document_bytes=0)
    third = ALLOWANCE // 3
    flat.add("a", "x" * third)
    flat.add_null("n" * third)
    assert limit_of(lambda: flat.add_empty("e" * third)) == ("output_bytes", ALLOWANCE)
    assert flat.parsed("json").empty_containers == ()


@pytest.mark.parametrize("collect", ["add_null", "add_empty"])
def test_each_list_of_paths_has_as_many_as_fields_are_allowed(collect: str) -> None:
    flat = FlatMap(document_bytes=1024 * 1024)
    note = getattr(flat, collect)
    for _ in range(MAX_FIELDS):
        note("a")
    assert limit_of(lambda: note("a")) == ("fields", 400_000)


def test_nodes_are_counted_to_the_limit() -> None:
    flat = FlatMap(document_bytes=0)
    for _ in range(MAX_NODES):
        flat.count_node()
    with pytest.raises(LongshoreError):
        flat.count_node()
    assert limit_of(flat.count_node) == ("nodes", 1_048_576)
