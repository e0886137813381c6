"""Sets without structure faults: every segment finds its slot, its loop, its iteration."""

from dataclasses import replace

from longshore.x12.dictionary.model import ValueCondition
from longshore.x12.loops.placement import Placement
from longshore.x12.loops.slots import code_of
from longshore.x12.loops.table import MAX_TABLES, table_of
from tests.unit.x12.loops.sets import (
    CLAIM,
    CLAIM_GUIDE,
    DELIMITERS,
    ORDER,
    definition,
    paths,
    placed,
    rows_of,
    said,
)

LINE = "PO1 PID"


def test_the_least_set_and_a_full_one_have_no_faults() -> None:
    order = definition(ORDER)
    assert said(order, "BEG PO1 PID") == []
    full = (
        "BEG CUR REF REF DTM DTM DTM N1 N3 N3 N4 N1 N1 PO1 PID CUR SCH TD5 QTY SCH TD5 "
        "LS LDT LDT LE PO1 PID CTT"
    )
    assert said(order, full) == []
    slots, _ = placed(order, full)
    assert [slot.tag for slot in slots if slot is not None] == full.split()


def test_paths_name_the_open_loops_with_labels_and_iterations() -> None:
    segments = "BEG N1 N3 N1 PO1 PID PO1 PID SCH TD5 SCH TD5 LS LDT LE CTT"
    assert paths(definition(ORDER), segments) == [
        "", "parties[1]", "parties[1]", "parties[2]", "lines[1]", "lines[1]", "lines[2]",
        "lines[2]", "lines[2].schedules[1]", "lines[2].schedules[1]", "lines[2].schedules[2]",
        "lines[2].schedules[2]", "lines[2].LS[1]", "lines[2].LS[1].LDT[1]", "lines[2].LS[1]", "",
    ]  # fmt: skip


def test_outside_loops_the_area_is_heading_or_behind_the_detail_loop_summary() -> None:
    placement = Placement(table_of(definition(ORDER)), DELIMITERS, ())
    areas = [placement.loop_id]
    for row in rows_of("BEG N1 PO1 PID CTT"):
        placement.place(row)
        areas.append(placement.loop_id)
    assert areas == ["heading", "heading", "N1", "PO1", "PO1", "summary"]


def test_a_set_without_detail_loop_is_all_heading() -> None:
    slots, _ = placed(definition("\n  BEG M1\n  loop N1 O1\n    N1 M1\n  CTT O1\n"), "BEG N1 CTT")
    assert [slot.loop_id for slot in slots if slot is not None] == ["heading", "N1", "heading"]


def test_siblings_in_a_row_with_one_id_come_in_any_order() -> None:
    body = "\n  BEG M1\n  REF M1 as a when REF.01=A\n  REF O1 as b when REF.01=B\n  REF O1 as c\n"
    of = definition(body)
    for segments in ("BEG REF*A", "BEG REF*B REF*X REF*A", "BEG REF*X REF*A REF*B"):
        slots, faults = placed(of, segments)
        assert faults == []
        labels = [slot.use.label for slot in slots[1:] if slot is not None]
        assert labels == [{"A": "a", "B": "b", "X": "c"}[each[4]] for each in segments.split()[1:]]


def test_a_full_position_gives_way_to_the_next_one_of_its_id() -> None:
    of = definition(
        "\n  BEG M1\n  REF O1 as first\n  REF O2 as second\n  DTM O1\n  REF O1 as third\n"
    )
    slots, faults = placed(of, "BEG REF REF REF REF")
    labels = [slot.use.label for slot in slots[1:] if slot is not None]
    assert (labels, faults) == (["first", "second", "second", "third"], [])


def test_conditions_on_different_elements_decide_in_turn() -> None:
    of = definition("\n  BEG M1\n  REF O1 as a when REF.01=A\n  REF O1 as b when REF.02=B\n")
    slots, faults = placed(of, "BEG REF*X*B REF*A*X")
    assert ([slot.use.label for slot in slots[1:] if slot is not None], faults) == (["b", "a"], [])


def test_nested_levels_and_codes_in_components_of_a_guide() -> None:
    guide = definition(CLAIM, CLAIM_GUIDE)
    segments = (
        "BHT NM1*40 NM1*41 PER HL*1**20 NM1*85 N3 REF*0B REF*EI HL*2*1*22 SBR CLM DTP*431 HI*BP:1 "
        "HI*BK:2^BP HL*3*1*22 SBR HL*4**20 NM1*85 N3 REF*EI HL*5*4*22 SBR"
    )
    assert said(guide, segments) == []
    assert paths(guide, segments)[13] == "billing[1].2000B[1].2300[1]"
    assert paths(guide, segments)[-1] == "billing[2].2000B[1]"


def test_a_condition_looks_at_an_element_or_a_component_of_its_first_repetition() -> None:
    row = ["HI", "BK:1^BP:2", "A^B"]
    found = [
        code_of(row, ValueCondition(position, component, ()), DELIMITERS)
        for position, component in ((1, 1), (1, 2), (1, 3), (2, None), (2, 1), (3, None), (3, 1))
    ]
    assert found == ["BK", "1", "", "A^B", "A", "", ""]
    old = DELIMITERS._replace(repetition="")
    assert code_of(row, ValueCondition(1, 2, ()), old) == "1^BP"


def test_positions_not_used_have_no_slot() -> None:
    base = definition("\n  BEG M1\n  REF O1\n  DTM O1\n")
    beg, ref, dtm = base.body
    of = replace(base, body=(beg, replace(ref, requirement="N"), dtm), base=base, layer="acme")
    assert said(of, "BEG DTM") == []
    assert said(of, "BEG REF") == ["NOT_USED REF 3 heading"]


def test_a_position_that_an_overlay_adds_has_none_of_the_standard_beneath() -> None:
    base = definition("\n  BEG M1\n  REF O1\n  SVD O1\n")
    wider = definition("\n  BEG M1\n  DTM O1\n  REF O1\n  loop N1 O1\n    N1 M1\n  N9 O1\n")
    of = replace(wider, base=base, layer="acme")
    assert said(of, "BEG DTM REF N1 N9") == []
    assert said(of, "BEG DTM SVD REF") == ["NOT_USED SVD 4 heading"]
    assert said(of, "BEG N1 SVD N9") == ["NOT_USED SVD 4 N1"]


def test_behind_the_detail_only_segments_outside_loops_are_the_summary() -> None:
    of = definition("\n  BEG M1\n  loop PO1 O1\n    PO1 M1\n  loop SAC O1\n    SAC M1\n  CTT O1\n")
    slots, _ = placed(of, "BEG PO1 SAC CTT")
    areas = [slot.loop_id for slot in slots if slot is not None]
    assert areas == ["heading", "PO1", "SAC", "summary"]


def test_tables_are_kept_for_the_last_definitions() -> None:
    of = definition(ORDER)
    assert table_of(of) is table_of(of)
    assert table_of.cache_info().maxsize == MAX_TABLES == 64


def test_a_set_can_be_empty_and_its_faults_are_at_the_trailer() -> None:
    assert said(definition(ORDER), "") == [
        "SEGMENT_MISSING BEG 2 heading", "LOOP_MISSING PO1 2 PO1",
    ]  # fmt: skip
