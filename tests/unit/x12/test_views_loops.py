"""The views of sets with a definition: loops, iterations, labels, levels, what has no place."""

import json
from collections.abc import Iterator

from longshore.x12.dictionary.library import Dictionary
from longshore.x12.loops.documents import DocumentPlacement
from longshore.x12.loops.nesting import MAX_LEVELS
from longshore.x12.views import SegmentLister, TreeBuilder
from longshore.x12.walk import Numbering, Walk
from tests.unit.x12.documents import GS, a_set, interchange, isa
from tests.unit.x12.loops.sets import CLAIM, CLAIM_GUIDE, GUIDE, ORDER, dictionary

ORDERS, CLAIMS = dictionary(ORDER), dictionary(CLAIM, CLAIM_GUIDE)


def walk_of(body: str, version: str) -> Walk:
    """Return the walk through a document with one set of this body."""
    segments = a_set(*body.split(), set_id="900")
    group = (GS.replace("004010", version), *segments, "GE*1*7", "IEA*1*000000101")
    document = interchange(*group, head=isa(e11="^", e12="00501"))
    return Walk(lambda: (document,))


def tree_of(of: Dictionary, body: str, version: str = "005010") -> tuple[list[object], int]:
    """Return the nodes between ST and SE, and how long the tree says it is."""
    walk = walk_of(body, version)
    tree = TreeBuilder(walk, Numbering(), DocumentPlacement(of))
    chars = sum(tree.add(span) for spans in walk.span_lists() for span in spans)
    (found,) = json.loads(tree.json())
    nodes = found["nodes"]
    assert [nodes[0]["key"], nodes[-1]["key"]] == ["ST", "SE"]
    return nodes[1:-1], chars


def short(nodes: object) -> Iterator[str]:
    """Yield the nodes as words: ``BEG``, ``?ZZZ`` for one without a place, ``N1/2( N1 N3 )``."""
    assert isinstance(nodes, list)
    for node in nodes:
        if "loop" in node:
            level = f":{node['level']}" if "level" in node else ""
            yield f"{node['loop']}/{node['n']}{level}("
            yield from short(node["nodes"])
            yield ")"
        else:
            yield ("?" if "unplaced" in node else "") + node["key"].partition("[")[0]


def drawn(of: Dictionary, body: str, version: str = "005010") -> str:
    """Return the tree of a set in one line."""
    return " ".join(short(tree_of(of, body, version)[0]))


def test_loops_nest_and_carry_iteration_and_label_and_so_do_segments() -> None:
    nodes, _ = tree_of(ORDERS, "BEG*00 N1*ST N1*BT N4*X PO1*1 PID SCH TD5 CTT*1")
    assert nodes == [
        {"key": "BEG", "label": "header", "e": ["00"]},
        {"loop": "N1", "n": 1, "label": "parties", "nodes": [
            {"key": "N1", "label": "party", "e": ["ST"]}]},
        {"loop": "N1", "n": 2, "label": "parties", "nodes": [
            {"key": "N1[2]", "label": "party", "e": ["BT"]}, {"key": "N4", "e": ["X"]}]},
        {"loop": "PO1", "n": 1, "label": "lines", "nodes": [
            {"key": "PO1", "e": ["1"]}, {"key": "PID", "e": []},
            {"loop": "SCH", "n": 1, "label": "schedules", "nodes": [
                {"key": "SCH", "e": []}, {"key": "TD5", "e": []}]}]},
        {"key": "CTT", "e": ["1"]},
    ]  # fmt: skip


def test_loops_close_where_the_definition_says() -> None:
    body = "BEG PO1 PID SCH TD5 SCH TD5 LS LDT LDT LE PO1 PID SCH TD5 CTT"
    assert drawn(ORDERS, body) == (
        "BEG PO1/1( PO1 PID SCH/1( SCH TD5 ) SCH/2( SCH TD5 ) LS/1( LS LDT/1( LDT ) LDT/2( LDT ) "
        "LE ) ) PO1/2( PO1 PID SCH/1( SCH TD5 ) ) CTT"
    )


def test_a_segment_without_a_place_stays_where_it_is() -> None:
    assert drawn(ORDERS, "BEG N1 ZZZ N3 CUR N4 SCH TD5 PO1 PID") == (
        "BEG N1/1( N1 ?ZZZ N3 ?CUR N4 ?SCH ?TD5 ) PO1/1( PO1 PID )"
    )


def test_a_loop_out_of_order_is_a_loop_where_it_stands() -> None:
    assert drawn(ORDERS, "BEG PO1 PID N1 N3 SCH TD5") == (
        "BEG PO1/1( PO1 PID ) N1/1( N1 N3 ) PO1/1( SCH/1( SCH TD5 ) )"
    )


def test_levels_nest_by_their_parent_with_the_other_loops_in_them() -> None:
    body = "BHT NM1 N3 HL*1**20 NM1 N3 HL*2*1*22 CLM LX HL*3*2*23 CLM HL*4*1*22 NM1 SVD"
    assert drawn(CLAIMS, body) == (
        "BHT 1000/1( NM1 N3 ) 2000/1:20( HL 2010/1( NM1 N3 ) 2000/2:22( HL 2300/1( CLM "
        "2400/1( LX ) ) 2000/3:23( HL 2300/1( CLM ) ) ) 2000/4:22( HL 2010/1( NM1 ) ) ) SVD"
    )


def test_levels_of_a_guide_are_loops_of_their_own() -> None:
    body = "BHT NM1*41 NM1*40 HL*1**20 NM1*85 N3 REF*EI HL*2*1*22 SBR CLM HL*3*1*22 SBR HL*4**20"
    nodes, _ = tree_of(CLAIMS, body, GUIDE)
    assert " ".join(short(nodes)) == (
        "BHT 1000A/1( NM1 ) 1000B/1( NM1 ) 2000A/1:20( HL 2010AA/1( NM1 N3 REF ) "
        "2000B/1:22( HL SBR 2300/1( CLM ) ) 2000B/2:22( HL SBR ) ) 2000A/2:20( HL )"
    )
    level = nodes[3]
    assert isinstance(level, dict)
    assert list(level) == ["loop", "n", "label", "level", "nodes"]
    assert (level["label"], level["nodes"][1]["nodes"][2]["label"]) == ("billing", "tax")


def test_a_level_without_a_place_begins_no_loop() -> None:
    body = "BHT NM1*41 NM1*40 HL*1**20 NM1*85 N3 REF*EI HL*2*1*22 SBR ZZZ"
    assert drawn(CLAIMS, body, GUIDE).endswith("2000B/1:22( HL SBR ?ZZZ ) )")
    body = "\n  BHT M1\n  loop 1 O1\n    NM1 M1\n    loop HL O*\n      HL M1\n"
    assert drawn(dictionary(body), "BHT HL*1") == "BHT ?HL"


def test_levels_and_other_loops_together_nest_at_most_sixty_four_deep() -> None:
    chain = [f"HL*{at}*{at - 1 or ''}*P" for at in range(1, MAX_LEVELS + 2)]
    full = drawn(CLAIMS, " ".join(["BHT", *chain[:MAX_LEVELS], "CLM", "DTP", chain[-1], "CLM"]))
    assert full.count("(") == MAX_LEVELS == 64
    assert full.endswith("HL ?CLM DTP ?HL ?CLM" + " )" * MAX_LEVELS)
    maximum = drawn(CLAIMS, " ".join(["BHT", *chain[: MAX_LEVELS - 1], "CLM", "LX", "SV1"]))
    assert maximum.endswith("HL 2300/1( CLM ?LX SV1" + " )" * MAX_LEVELS)


def test_the_length_counts_loops_as_well_as_segments() -> None:
    nodes, chars = tree_of(ORDERS, "BEG" + " PO1 PID" * 500)
    assert 0.9 < chars / len(json.dumps(nodes, separators=(",", ":"))) < 1.1


def test_the_segments_view_names_the_innermost_loop() -> None:
    walk = walk_of("BEG N1 N3 ZZZ PO1 PID SCH TD5 CTT", "005010")
    lister = SegmentLister(walk, placement=DocumentPlacement(ORDERS))
    loops = [
        json.loads(line)["loop"]
        for spans in walk.span_lists()
        for span in spans
        for line in lister.lines(span)
    ]
    assert loops == [
        None, None, "heading", "heading", "N1", "N1", "N1", "PO1", "PO1", "SCH", "SCH", "summary",
        "summary", None, None,
    ]  # fmt: skip
