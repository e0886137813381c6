"""Documents made to hurt: refused or read in time and memory that grow no faster than they do."""

import json
import time
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.formats import csvdoc, flatmap, jsondoc, xmldoc
from longshore.formats.document import ParsedDocument
from longshore.kit.errors import LongshoreError
from tests.unit.formats.claims import TREE, fields_of, limit_of, refusal_of

Parse = Callable[[str], ParsedDocument]
PARSERS: list[Parse] = [
    lambda document: jsondoc.parse(document, views=TREE),
    lambda document: xmldoc.parse(document, views=TREE),
    lambda document: csvdoc.parse(document, views=TREE),
    lambda document: csvdoc.parse(document, views=TREE, header=False),
]
ATTRIBUTE = "b{}='1'".format
MARKED = "patient_name"


def budget(document: str) -> int:
    return 40 * len(document.encode()) + 256 * 1024


def a_wide_json(name: str) -> str:
    return json.dumps({name: [1] * 20_000})


def a_deep_json(name: str) -> str:
    return f'{{"{name}":[{"[" * 60 + "]" * 60},{",".join(["[[[]]]"] * 20_000)}]}}'


def a_wide_xml(name: str) -> str:
    return f"<{name}>{'<b>1</b>' * 20_000}</{name}>"


def an_xml_of_nils(name: str) -> str:
    root = f'<{name} xmlns:x="http://www.w3.org/2001/XMLSchema-instance">'
    return root + '<b x:nil="1"/>' * 20_000 + f"</{name}>"


def a_long_csv(name: str) -> str:
    return f"{name}\n" + "1\n" * 20_000


@pytest.mark.parametrize(
    ("parse", "build"),
    [
        (PARSERS[0], a_wide_json),
        (PARSERS[0], a_deep_json),
        (PARSERS[1], a_wide_xml),
        (PARSERS[1], an_xml_of_nils),
        (PARSERS[2], a_long_csv),
    ],
)
def test_a_long_name_over_many_leaves_stops_at_the_budget(
    parse: Parse, build: Callable[[str], str]
) -> None:
    document = build("n" * 200_000)
    tracemalloc.start()
    try:
        assert limit_of(lambda: parse(document)) == ("output_bytes", budget(document))
        assert tracemalloc.get_traced_memory()[1] < 2 * budget(document)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("_case", "parse", "build", "limit"),
    [
        ("brackets", PARSERS[0], lambda: "[" * 1_000_000, ("depth", 64)),
        ("tags", PARSERS[1], lambda: "<a>" * 1_000_000, ("depth", 64)),
        ("empty containers", PARSERS[0], lambda: "[" + "[]," * 400_001, ("fields", 400_000)),
        ("nulls", PARSERS[0], lambda: "[" + "null," * 400_001, ("fields", 400_000)),
        (
            "a long namespace",
            PARSERS[1],
            lambda: f"<a xmlns='{'u' * 2**20}'/>",
            ("namespace_chars", 1024),
        ),
    ],
)
def test_a_flood_of_nothing_meets_a_limit(
    _case: str, parse: Parse, build: Callable[[], str], limit: tuple[str, int]
) -> None:
    document = build()
    assert limit_of(lambda: parse(document)) == limit


@pytest.mark.parametrize(
    ("_case", "parse", "build"),
    [
        ("containers", PARSERS[0], lambda n: "[" * (n - 3) + "[],[],[]" + "]" * (n - 3)),
        ("elements", PARSERS[1], lambda n: f"<a>{'<b/>' * (n - 1)}</a>"),
        ("rows", PARSERS[2], lambda n: ",\n" * (n + 1)),
    ],
)
def test_containers_elements_and_rows_are_counted_even_without_values(
    _case: str, parse: Parse, build: Callable[[int], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flatmap, "MAX_NODES", 50)  # test_flatmap.py has the limit itself
    assert fields_of(parse(build(50))) == {}
    assert limit_of(lambda: parse(build(51))) == ("nodes", 50)


@pytest.mark.parametrize(
    ("_case", "parse", "before", "repeated", "behind", "value"),
    [
        ("digits", PARSERS[0], "[", "9", "]", "9"),
        ("escapes", PARSERS[0], '["', r"\n", '"]', "\n"),
        ("entities", PARSERS[1], "<a>", "&lt;", "</a>", "<"),
        ("comments", PARSERS[1], "<a>", "b<!---->", "</a>", "b"),
        ("quotes", PARSERS[3], '"', '""', '"', '"'),
    ],
)
def test_a_million_of_anything_in_one_value_arrives_whole(
    _case: str, parse: Parse, before: str, repeated: str, behind: str, value: str
) -> None:
    document = before + repeated * 10**6 + behind
    assert list(fields_of(parse(document)).values()) == [value * 10**6]


def cpu_seconds(parse: Parse, document: str) -> float:
    """Return the least of three runs, so that a busy machine weighs little."""
    runs = []
    for _ in range(3):
        start = time.process_time()
        parse(document)
        runs.append(time.process_time() - start)
    return min(runs)


@pytest.mark.parametrize(
    ("_case", "parse", "build"),
    [
        ("JSON leaves", PARSERS[0], lambda n: json.dumps([{"a": 1, "b": [None, "x"]}] * n)),
        ("JSON names", PARSERS[0], lambda n: json.dumps({str(i): i for i in range(3 * n)})),
        ("JSON name of dots", PARSERS[0], lambda n: json.dumps({"." * 100 * n: 1})),
        ("XML elements", PARSERS[1], lambda n: "<a>" + "<b c='1'>2</b>" * n + "</a>"),
        ("XML names", PARSERS[1], lambda n: f"<a>{''.join(f'<b{i}/>' for i in range(n))}</a>"),
        ("XML attributes", PARSERS[1], lambda n: f"<a {' '.join(map(ATTRIBUTE, range(n)))}/>"),
        ("XML brackets", PARSERS[1], lambda n: f"<a b='{'>' * 100 * n}'/>"),
        ("CSV rows", PARSERS[2], lambda n: "a,b\n" + '1,"2"\n' * n),
        ("CSV columns", PARSERS[2], lambda n: "a," * n + "\n" + "1," * n),
        ("CSV quotes", PARSERS[2], lambda n: '"' * 100 * n),
    ],
)
def test_time_grows_with_the_document_and_not_with_its_square(
    _case: str, parse: Parse, build: Callable[[int], str]
) -> None:
    small, sixteenfold = build(2_000), build(32_000)
    assert cpu_seconds(parse, sixteenfold) < 128 * cpu_seconds(parse, small)  # a square: 256


@given(text=st.text(alphabet=st.characters(exclude_categories=()), max_size=200))
def test_any_text_is_read_or_refused_and_nothing_else(text: str) -> None:
    for parse in PARSERS:
        try:
            answer = parse(text).result_json()
        except LongshoreError:
            continue
        json.loads(answer.decode("utf-8", "strict"))


@given(
    text=st.text(alphabet="<>/ax:=\"'&;![]-?{},|\t\n\r\\\ud800\ufeff\x00"),
    frame=st.sampled_from(["{}", "<a xmlns:x='x'>{}</a>", "[{}]", 'a;"b"\n{}']),
)
def test_any_markup_is_read_or_refused_and_nothing_else(text: str, frame: str) -> None:
    document = frame.replace("{}", text)
    for parse in PARSERS:
        try:
            answer = parse(document).result_json()
        except LongshoreError:
            continue
        json.loads(answer.decode("utf-8", "strict"))


@pytest.mark.parametrize(
    ("parse", "document"),
    [
        (PARSERS[0], f'{{"{MARKED}":1,"{MARKED}":1}}'),
        (PARSERS[0], f'["{MARKED}'),
        (PARSERS[0], f"[{MARKED}]"),
        (PARSERS[1], f"<a>{MARKED}</b>"),
        (PARSERS[1], f"<a>&{MARKED};</a>"),
        (PARSERS[1], f"<!DOCTYPE {MARKED} []><a/>"),
        (PARSERS[2], f'a\n"{MARKED}"{MARKED}'),
    ],
)
def test_no_refusal_repeats_what_stands_in_the_document(parse: Parse, document: str) -> None:
    _, detail = refusal_of(lambda: parse(document))
    assert "patient" not in repr(detail)
