"""What a fault says: the layer, the place, the limits; and what several breaks give."""

import pytest

from longshore.x12.loops.faults import LoopFaultKind, LoopStep, StructureFault
from longshore.x12.loops.placement import Placement
from longshore.x12.loops.table import table_of
from tests.unit.x12.loops.sets import (
    CLAIM,
    CLAIM_GUIDE,
    DELIMITERS,
    GUIDE,
    ORDER,
    definition,
    path_text,
    paths,
    placed,
    rows_of,
    said,
)

BILLING = "BHT NM1*41 NM1*40 HL*1**20 NM1*85 N3 REF*EI "


def test_a_wrong_code_tells_its_place_and_what_is_allowed() -> None:
    _, (fault,) = placed(definition(CLAIM, CLAIM_GUIDE), BILLING + "HL*2*1*22 SBR CLM HI*X:1^BK:2")
    billing = LoopStep("2000A", 1, "billing", "HL")
    path = (billing, LoopStep("2000B", 1, "", "HL"), LoopStep("2300", 1, "", "CLM"))
    assert fault == StructureFault(
        LoopFaultKind.QUALIFIER_NOT_ALLOWED, "HI", 12, "2300", GUIDE, path, 1, 1, 0, ("BK", "BP")
    )
    assert path_text(fault.path) == "billing[1].2000B[1].2300[1]"


@pytest.mark.parametrize(
    ("segments", "layer", "maximum"),
    [
        ("BHT REF REF", GUIDE, 1),
        ("BHT REF REF REF DTM", GUIDE, 1),
        ("BHT REF DTM DTM DTM", "standard", 2),
        ("BHT REF N1 N1", GUIDE, 1),
    ],
)
def test_what_only_the_guide_limits_is_a_fault_of_its_layer(
    segments: str, layer: str, maximum: int
) -> None:
    base = "\n  BHT M1\n  REF O9\n  DTM O2\n  loop N1 O9\n    N1 M1\n"
    guide = "\n  BHT R1\n  REF S1\n  DTM S2\n  loop 1000 S1\n    N1 R1\n"
    _, faults = placed(definition(base, guide), segments)
    assert {(each.layer, each.maximum) for each in faults} == {(layer, maximum)}


def test_what_only_the_guide_demands_is_missing_by_its_layer() -> None:
    _, faults = placed(definition(CLAIM, CLAIM_GUIDE), "HL*1**20 NM1*85 N3")
    assert [(each.kind.name, each.segment_id, each.layer) for each in faults] == [
        ("SEGMENT_MISSING", "BHT", "standard"), ("LOOP_MISSING", "NM1", GUIDE),
        ("LOOP_MISSING", "NM1", GUIDE), ("SEGMENT_MISSING", "REF", GUIDE),
    ]  # fmt: skip


def test_an_hl_fault_is_at_its_second_element() -> None:
    _, (fault,) = placed(definition(CLAIM), "BHT HL*1*7")
    assert fault == StructureFault(
        LoopFaultKind.PARENT_UNKNOWN,
        "HL",
        3,
        "2000",
        "standard",
        (LoopStep("2000", 1, "", "HL"),),
        2,
    )


def test_one_loop_for_all_levels_lets_any_level_hold_any() -> None:
    of = definition(CLAIM)
    assert said(of, "BHT HL*1**20 HL*2*1*20 HL*3*2*22 HL*4*1*19 HL*5") == []
    assert said(of, "BHT HL*1 HL**1 HL HL*3*2") == []
    assert said(of, "BHT HL*1 HL*3*2 HL*4*2") == [
        "PARENT_UNKNOWN HL 4 2000", "PARENT_UNKNOWN HL 5 2000",
    ]  # fmt: skip


def test_a_level_without_a_place_still_is_a_parent() -> None:
    body = "\n  BHT M1\n  loop 1 O1\n    NM1 M1\n    loop HL O*\n      HL M1\n      REF O1\n"
    assert said(definition(body), "BHT HL*1 REF HL*2*1 REF") == ["UNEXPECTED HL 3 heading"]
    assert said(definition(body), "BHT NM1 HL*1 HL*2*1 NM1 HL*3") == ["LOOP_OVER_MAXIMUM NM1 6 1"]


def test_the_levels_of_a_guide_stand_beneath_the_one_of_the_standard() -> None:
    guide = definition(CLAIM, CLAIM_GUIDE)
    assert said(guide, BILLING + "HL*2*1*22 SBR DTP CLM") == ["NOT_USED DTP 11 2000B"]
    assert said(guide, BILLING + "HL*2*1*22 SBR CLM NM1*QC N3") == ["UNEXPECTED NM1 12 2300"]


@pytest.mark.parametrize(
    ("segments", "faults"),
    [
        ("PO1 PO1", ["SEGMENT_MISSING BEG 2 heading", "SEGMENT_MISSING PID 3 PO1",
                     "SEGMENT_MISSING PID 4 PO1"]),
        ("BEG PO1 PID SCH PO1 PID SCH QTY", ["SEGMENT_MISSING TD5 6 SCH",
                                             "SEGMENT_MISSING TD5 9 SCH"]),
        ("BEG SCH TD5 REF CUR PO1 PID", ["UNEXPECTED SCH 3 heading",
                                         "OUT_OF_ORDER CUR 6 heading"]),
        ("BEG CTT PO1 CTT", ["OUT_OF_ORDER PO1 4 PO1", "SEGMENT_MISSING PID 5 PO1",
                             "SEGMENT_OVER_MAXIMUM CTT 5 summary"]),
        ("BEG PO1 PID CTT N1 N4 N3", ["OUT_OF_ORDER N1 6 N1", "OUT_OF_ORDER N3 8 N1"]),
        ("BEG PO1 PID CTT PO1 SCH TD5 PID SCH TD5 N1",
         ["OUT_OF_ORDER PO1 6 PO1", "OUT_OF_ORDER PID 9 PO1", "OUT_OF_ORDER N1 12 N1"]),
        ("BEG N3 SCH N3 PO1 PID", ["UNEXPECTED N3 3 heading", "UNEXPECTED SCH 4 heading",
                                   "UNEXPECTED N3 5 heading"]),
        ("BEG N4 N3 PO1 PID", ["UNEXPECTED N4 3 heading", "OUT_OF_ORDER N3 4 N1"]),
        ("PID PO1 PO1 PID BEG", ["UNEXPECTED PID 2 heading", "SEGMENT_MISSING PID 4 PO1",
                                 "OUT_OF_ORDER BEG 6 heading"]),
    ],
)  # fmt: skip
def test_several_breaks_give_a_fault_each(segments: str, faults: list[str]) -> None:
    assert said(definition(ORDER), segments) == faults


def test_a_segment_without_a_place_stays_out_of_the_loops() -> None:
    order = definition(ORDER)
    assert paths(order, "BEG N1 CUR N3 ZZZ N4 SCH TD5 PO1 PID") == [
        "", "parties[1]", "-", "parties[1]", "-", "parties[1]", "-", "-", "lines[1]", "lines[1]",
    ]  # fmt: skip
    assert paths(order, "CTT BEG PO1 PID N1 N3") == [
        "", "-", "lines[1]", "lines[1]", "parties[1]", "parties[1]",
    ]  # fmt: skip


def test_segments_of_a_loop_astray_have_a_slot_to_be_validated_by() -> None:
    placement = Placement(table_of(definition(ORDER)), DELIMITERS, ())
    slots, astray = [], []
    for row in rows_of("BEG N3 N4 DTM SCH TD5 PO1 PID"):
        slot = placement.place(row)
        slots.append("" if slot is None else f"{slot.loop_id} {slot.tag}")
        astray.append(placement.is_astray)
    assert slots == [
        "heading BEG", "", "N1 N4", "heading DTM", "SCH SCH", "SCH TD5", "PO1 PO1", "PO1 PID",
    ]  # fmt: skip
    assert astray == [False, True, True, False, True, True, False, False]
    assert placement.path() == (LoopStep("PO1", 1, "lines", "PO1"),)


def test_what_the_fast_way_leaves_is_untouched() -> None:
    placement = Placement(table_of(definition(ORDER)), DELIMITERS, ())
    assert len(placement.place_all(rows_of("BEG N1 N1 CUR N3"))) == 3
    assert (placement.position, placement.faults) == (4, [])
    assert placement.place(["CUR"]) is not None
    assert placement.pending_positions == frozenset()
    assert placement.place_all(rows_of("N3")) == []
    assert placement.place(["N3"]) is not None
    assert len(placement.place_all(rows_of("N4 PO1 PID"))) == 3
    placement.finish()
    assert [fault.kind for fault in placement.faults] == [LoopFaultKind.OUT_OF_ORDER]


def test_positions_that_a_missing_segment_may_yet_be_reported_at_are_known() -> None:
    placement = Placement(table_of(definition(ORDER)), DELIMITERS, ())
    for row in rows_of("REF PID CTT"):
        placement.place(row)
    assert placement.pending_positions == {2, 3}
    placement.finish()
    assert (placement.pending_positions, len(placement.faults)) == (frozenset(), 2)


REVIEW = """
  BHT R1
  loop 2000C R1 as subscriber when HL.03=22
    HL R1
    loop 2000D S1 as dependent when HL.03=23
      HL R1
      loop 2000E S1 when HL.03=EV
        HL R1
    loop 2000E S1 when HL.03=EV
      HL R1
      loop 2010E S1 when NM1.01=X3
        NM1 R1
"""


@pytest.mark.parametrize(
    ("segments", "loops", "faults"),
    [
        ("HL*1**22 HL*2*1*EV", ["subscriber[1].2000E[1]"], []),
        ("HL*1**22 HL*2*1*23 HL*3*2*EV", ["subscriber[1].dependent[1].2000E[1]"], []),
        (
            "HL*1**22 HL*2*1*23 HL*3*2*EV HL*4*1*EV NM1*X3",
            ["subscriber[1].dependent[1].2000E[1]", "subscriber[1].2000E[1]"],
            [],
        ),
        ("HL*1**22 HL*2*1*23 HL*3*1*EV", ["subscriber[1].2000E[1]"], []),
        (
            "HL*1**22 HL*2*1*23 HL*3*2*EV HL*4*2*EV",
            ["subscriber[1].dependent[1].2000E[1]", "subscriber[1].dependent[1].2000E[2]"],
            ["LOOP_OVER_MAXIMUM HL 6 2000E"],
        ),
        (
            "HL*1**22 HL*2*1*23 HL*3*8*EV",
            ["subscriber[1].dependent[1].2000E[1]"],
            ["PARENT_UNKNOWN HL 5 2000E"],
        ),
    ],
)
def test_a_level_at_two_places_is_in_the_one_that_its_parent_names(
    segments: str, loops: list[str], faults: list[str]
) -> None:
    of = definition(CLAIM, REVIEW)
    assert said(of, f"BHT {segments}") == faults
    found = zip(rows_of(segments), paths(of, f"BHT {segments}")[1:], strict=True)
    assert [path for row, path in found if row[-1] == "EV"] == loops
