"""The segments view, lossless with exact spans, and the tree view, of sets without definition."""

import json

import pytest
from hypothesis import given

from longshore.engine import parse
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.x12.loops.nesting import MAX_LEVELS
from tests.unit.x12.documents import a_group, a_set, interchange, isa, segments_of
from tests.unit.x12.generated import documents, wrapped

UNDEFINED = "ZZZ"
LATER = isa(e11="^", e12="00501", e16=":")


def of_no_kind(*body: str, head: str = "", break_: str = "") -> str:
    """Return an interchange with one set that has no definition."""
    group = a_group(*a_set(*(body or ("BEG*00",)), set_id=UNDEFINED))
    return interchange(*group, "IEA*1*000000101", break_=break_, head=head)


def trees_of(document: str) -> list[dict[str, object]]:
    trees: list[dict[str, object]] = json.loads(
        parse(document, include=["tree"]).document.views["tree"]
    )
    return trees


def nodes_of(*segments: str, head: str = "") -> list[object]:
    """Return the nodes of the only set, those of ST and SE left out."""
    (tree,) = trees_of(of_no_kind(*segments, head=head))
    nodes = tree["nodes"]
    assert isinstance(nodes, list)
    return nodes[1:-1]


def test_a_segment_tells_place_key_set_span_and_every_element() -> None:
    document = of_no_kind("PO1*1*10*EA*9.25**UP* *VN*", "PO1*2", break_="\n")
    at = document.index("PO1*1")
    assert segments_of(document)[3] == {
        "n": 4, "pos": 2, "id": "PO1", "key": "PO1", "tx": 1, "loop": None, "span": [at, at + 26],
        "e": ["1", "10", "EA", "9.25", "", "UP", " ", "VN", ""],
    }  # fmt: skip
    assert segments_of(document)[4]["key"] == "PO1[2]"


def test_an_isa_keeps_its_padding_and_is_never_split() -> None:
    isa_segment = segments_of(of_no_kind(head=LATER))[0]
    assert isa_segment["e"] == LATER.split("*")[1:]
    assert isa_segment["span"] == [0, 105]


def test_repetitions_are_lists_and_an_id_alone_has_no_elements() -> None:
    view = segments_of(of_no_kind("HI*A:B^C:D**^E^", "LE", head=LATER))
    assert view[3]["e"] == [["A:B", "C:D"], "", ["", "E", ""]]
    assert view[4]["e"] == []


@pytest.mark.parametrize("break_", ["\n", "\r\n"])
def test_spans_of_a_wrapped_document_hold_its_line_breaks(break_: str) -> None:
    document = wrapped(of_no_kind(*["N1*ST*NAME"] * 20), 80, break_)
    view = segments_of(document)
    texts = [document[slice(*each["span"])].replace(break_, "") for each in view]
    assert texts == of_no_kind(*["N1*ST*NAME"] * 20).split("~")[:-1]
    assert not any(document[each["span"][0]].isspace() for each in view)


@given(text=documents)
def test_id_and_elements_make_up_the_text_between_the_spans(text: str) -> None:
    try:
        view = segments_of(text)
    except LongshoreError:
        return
    ends = 0
    for number, segment in enumerate(view, 1):
        start, end = segment["span"]
        assert segment["n"] == number
        assert ends <= start <= end <= len(text)
        ends = end
        plain = [each for each in segment["e"] if isinstance(each, str)]
        raw = text[start:end].replace("\r", "").replace("\n", "")
        if "?" in raw:  # a release character is not part of the value
            continue
        for element in (segment["id"], *plain):
            assert element.replace("\r", "").replace("\n", "") in raw


def test_segments_outside_sets_have_no_set_unless_there_is_none() -> None:
    view = segments_of("N1*A~ST*850*0001~SE*2*0001~N1*B~")
    assert [(each["tx"], each["pos"], each["key"]) for each in view] == [
        (0, 0, "ST[0]/N1"), (1, 1, "ST"), (1, 2, "SE"), (0, 0, "ST[0]/N1[2]"),
    ]  # fmt: skip
    view = segments_of("N1*A~N1*B~")
    assert [(each["tx"], each["pos"], each["key"]) for each in view] == [
        (1, 0, "N1"),
        (1, 0, "N1[2]"),
    ]


def test_a_tree_holds_each_set_and_no_envelope() -> None:
    sets = (*a_set("BEG*00", set_id=UNDEFINED), *a_set("BIG*1", set_id="YYY", number="0002"))
    trees = trees_of(interchange(*a_group(*sets, sets=2), "IEA*1*000000101"))
    assert trees == [
        {"tx": 1, "tx_set": "ZZZ", "nodes": [
            {"key": "ST", "e": ["ZZZ", "0001"]}, {"key": "BEG", "e": ["00"]},
            {"key": "SE", "e": ["3", "0001"]}]},
        {"tx": 2, "tx_set": "YYY", "nodes": [
            {"key": "ST[2]", "e": ["YYY", "0002"]}, {"key": "ST[2]/BIG", "e": ["1"]},
            {"key": "SE[2]", "e": ["3", "0002"]}]},
    ]  # fmt: skip


def test_composites_and_repetitions_are_shaped_in_the_tree() -> None:
    assert nodes_of("SV1*HC:1*2:3", "HI*A:B^C", "MSG*1:2", head=LATER) == [
        {"key": "SV1", "e": [{"c": ["HC", "1"]}, "2:3"]},
        {"key": "HI", "e": [[{"c": ["A", "B"]}, "C"]]},
        {"key": "MSG", "e": ["1:2"]},
    ]


def test_hl_loops_nest_by_their_parent() -> None:
    nodes = nodes_of(
        "BSN*00", "HL*1**S", "TD1*A", "HL*2*1*O", "PRF*B", "HL*3*2*I", "HL*4*1*O", "CTT*4"
    )
    assert nodes == [
        {"key": "BSN", "e": ["00"]},
        {"loop": "HL", "n": 1, "level": "S", "nodes": [
            {"key": "HL", "e": ["1", "", "S"]},
            {"key": "TD1", "e": ["A"]},
            {"loop": "HL", "n": 2, "level": "O", "nodes": [
                {"key": "HL[2]", "e": ["2", "1", "O"]},
                {"key": "PRF", "e": ["B"]},
                {"loop": "HL", "n": 3, "level": "I", "nodes": [
                    {"key": "HL[3]", "e": ["3", "2", "I"]}]}]},
            {"loop": "HL", "n": 4, "level": "O", "nodes": [
                {"key": "HL[4]", "e": ["4", "1", "O"]},
                {"key": "CTT", "e": ["4"]}]}]},
    ]  # fmt: skip


@pytest.mark.parametrize("parent", ["", "9", "2"])
def test_an_hl_without_an_open_parent_stands_at_the_top(parent: str) -> None:
    nodes = nodes_of("HL*1**S", f"HL*2*{parent}*O")
    assert [(each["n"], each["level"]) for each in nodes if isinstance(each, dict)] == [
        (1, "S"), (2, "O"),
    ]  # fmt: skip


def test_of_two_open_loops_with_one_number_the_outer_is_the_parent() -> None:
    (outer,) = nodes_of("HL*1**S", "HL*1*1*O", "HL*2*1*I", "HL*3*1*I")
    assert isinstance(outer, dict)
    assert [each["level"] for each in outer["nodes"][1:]] == ["O", "I", "I"]


@pytest.mark.parametrize("hl", ["HL", "HL*1", "HL*1*", "HL**1"])
def test_a_short_hl_has_an_empty_level(hl: str) -> None:
    (node,) = nodes_of(hl)
    assert isinstance(node, dict)
    assert (node["loop"], node["n"], node["level"]) == ("HL", 1, "")


def test_a_chain_of_twenty_thousand_levels_nests_sixty_four_and_keeps_the_rest_in_place() -> None:
    depth = 20_000
    chain = [f"HL*{at}*{at - 1}*P" for at in range(1, depth + 1)]
    tree = parse(of_no_kind(*chain), include=["tree"]).document.views["tree"]
    assert tree.count(b'"loop":"HL"') == MAX_LEVELS == 64
    assert tree.count(b'"unplaced":true') == depth - MAX_LEVELS
    assert tree.endswith(b"]}" * MAX_LEVELS + b',{"key":"SE","e":["20002","0001"]}]}]')


def test_an_hl_next_to_a_chain_too_deep_is_placed_again() -> None:
    chain = [f"HL*{at}*{at - 1}*P" for at in range(1, MAX_LEVELS + 3)]
    (outer,) = nodes_of(*chain, "HL*900*1*Q")
    assert isinstance(outer, dict)
    assert [each["level"] for each in outer["nodes"] if "loop" in each] == ["P", "Q"]


def test_views_that_would_be_too_long_are_refused() -> None:
    with pytest.raises(LongshoreError) as refused:
        parse(of_no_kind(*["A"] * 30_000), include=["segments", "tree"])
    detail = refused.value.details[0]
    assert (refused.value.code, detail.limit) == (ErrorCode.LIMIT_EXCEEDED, "output_bytes")


def test_segments_of_a_document_without_st_are_a_tree_of_set_one() -> None:
    assert trees_of("N1*A~N1*B~") == [
        {"tx": 1, "tx_set": "", "nodes": [
            {"key": "N1", "e": ["A"]}, {"key": "N1[2]", "e": ["B"]}]}
    ]  # fmt: skip


def test_binary_data_stays_whole_in_the_tree() -> None:
    assert nodes_of("BIN*3*A:~", "BIN*1*\0", head=LATER) == [
        {"key": "BIN", "e": ["3", "A:~"]},
        {"key": "BIN[2]", "e": ["1", {"b64": "AA=="}]},
    ]


def test_views_come_in_one_order_and_do_not_change_the_fields() -> None:
    document = of_no_kind("ref*A", "N1**B*")
    both = parse(document, include=["tree", "segments"])
    assert list(both.document.views) == ["segments", "tree"]
    assert both.document.fields_json == parse(document).document.fields_json
    assert (both.warnings, both.errors) == (parse(document).warnings, parse(document).errors)
