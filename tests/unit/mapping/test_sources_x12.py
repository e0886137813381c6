"""What X12 source paths lead to: the examples of fields-and-mapping.md, and their edges."""

import pytest

from longshore.mapping.document_x12 import X12Document
from longshore.mapping.rules import compile_rules
from longshore.mapping.run import run
from longshore.mapping.sources_x12 import X12Source
from longshore.x12.dictionary.library import shipped
from tests.unit.mapping.outcomes import case, entries_of, outcome_of, rule, values_of

HEAD = (
    "ISA*00*          *00*          *ZZ*A              *ZZ*B              "
    "*240115*0930*^*{version}*000000101*0*T*:~GS*PO*A*B*20240115*0930*101*X*{release}~"
)
TAIL = "GE*{count}*101~IEA*1*000000101~"


def interchange(*sets: str, release: str = "005010", version: str = "00501") -> str:
    """Return an interchange of sets, each written as its segments between ST and SE."""
    framed = []
    for number, body in enumerate(sets, 1):
        set_id, _, segments = body.partition(" ")
        count = segments.count("~") + 2
        framed.append(f"ST*{set_id}*{number:04}~{segments}SE*{count}*{number:04}~")
    head = HEAD.format(release=release, version=version)
    return head + "".join(framed) + TAIL.format(count=len(sets))


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("BEG.03", ["PO-4711"]),
        ("BEG03", ["PO-4711"]),
        ("N104", ["0001"]),
        ("PO102", ["10"]),
        ("N1[01=ST]>N401", ["Peoria"]),
        ("N1[01=ST]>N4.01", ["Peoria"]),
        ("N1[01=ST]>N3.01", []),
        ("N1[01=BT]>N3.02", ["Suite 5"]),
        ("N1[01=ST]>PID.05", []),
        ("PO1[-1].07", ["012345678929"]),
        ("PO1[-3].07", ["012345678905"]),
        ("PO1[-4].07", []),
        ("PO1[4].07", []),
        ("PO1[04=.5].01", ["3"]),
        ("PO1[04!=.5][2].01", ["2"]),
        ("PO1[08=''].01", ["2"]),
        ("PO1[03=EA,04=.5].01", ["3"]),
        ("PO1[03=EA][04!=.5].01", ["1"]),
        ("N1.02", ["Acme Retail"]),
        ("N1[01=ZZ].02", []),
        ("BEG.04", []),
        ("BEG.99", []),
        ("BEG.03.01", ["PO-4711"]),
        ("BEG.03.02", []),
        ("BEG.03[2]", []),
        ("ISA.06", ["ACMERETAIL"]),
        ("ISA.06.01", ["ACMERETAIL"]),
        ("ISA.06.02", []),
        ("ISA.06[2]", []),
        ("ISA[2].06", []),
        ("ISA[02=''].13", ["000000101"]),
        ("GS.02", ["ACMERETAIL"]),
        ("SE.01", ["16"]),
        ("IEA.01", ["1"]),
        ("ST[2]/BEG.03", []),
        ("ST[1]/BEG.03", ["PO-4711"]),
        ("ST[0]/BEG.03", []),
        ("ZZZ.01", []),
    ],
)
def test_a_path_leads_to_one_value_or_none(path: str, values: list[str]) -> None:
    assert values_of(rule(path)) == values


@pytest.mark.parametrize(
    ("path", "entries"),
    [
        ("PO1[*].02", [((0,), "10"), ((1,), "4"), ((2,), "1")]),
        ("PO1[*]>PID.05", [((0,), "Blue widget"), ((2,), "Red widget")]),
        ("N1[01=ST|BT][*].04", [((0,), "0001"), ((1,), "0012")]),
        ("PO1[03=EA][*].01", [((0,), "1"), ((1,), "3")]),
        ("ZZZ[*].01", []),
        ("ZZZ.01[*]", []),
        ("BEG.03[*]", [((0,), "PO-4711")]),
        ("ISA.06[*]", [((0,), "ACMERETAIL")]),
        ("ST[*]/BEG.03", [((0,), "PO-4711")]),
    ],
)
def test_a_wildcard_binds_each_occurrence(path: str, entries: list[object]) -> None:
    target = "t[*]"
    assert entries_of([rule(path, target)]) == [entries]


def test_levels_are_descended_by_their_numbers() -> None:
    path = "HL[03=O][*]>HL[03=P][*]>HL[03=I][*]>LIN.03"
    target = "orders[*].packs[*].items[*].upc"
    assert entries_of([rule(path, target)], case("22_856_hl.edi")) == [
        [
            ((0, 0, 0), "012345678905"),
            ((0, 1, 0), "012345678912"),
            ((1, 0, 0), "012345678929"),
        ]
    ]


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("HL[03=S]>LIN.03", []),
        ("HL[03=S]>REF.02", ["BOL9"]),
        ("HL[03=S]>>LIN[2].03", ["012345678912"]),
        ("HL[03=O][2]>>LIN.03", ["012345678929"]),
        ("HL[03=S]>>HL[03=I][3].01", ["9"]),
        ("HL[03=S]>>HL[-1].01", ["9"]),
        ("HL[03=S]>HL[2].01", ["7"]),
        ("HL[-1]>CTT.01", []),
        ("HL[-1]>>HL.01", []),
        ("HL[03=I]>SN1.02", ["10"]),
        ("HL[03=I]>PID.05", []),
    ],
)
def test_an_hl_holds_its_own_segments_or_all_below(path: str, values: list[str]) -> None:
    assert values_of(rule(path), case("22_856_hl.edi")) == values


def test_totals_that_stand_in_a_level_are_its_own_and_no_summary() -> None:
    notice = (
        "ISA*00*          *00*          *ZZ*S              *ZZ*R              "
        "*240101*1200*U*00401*000000001*0*P*>~GS*BS*S*R*20240101*1200*1*X*004010~ST*857*0001~"
        "BHT*0017*00*1*20240101~HL*1**S~G05*1*CT~HL*2*1*O~TDS*100~PRF*PO-1~DTM*011*20240101~"
        "HL*3*1*O~TDS*200~PRF*PO-2~SE*12*0001~GE*1*1~IEA*1*000000001~"
    )
    assert values_of(rule("HL[03=O][2]>PRF.01"), notice) == ["PO-2"]


def test_repetitions_and_components_are_addressed() -> None:
    claim = case("21_837_composite_repetition.edi")
    rules = [
        rule("HI.01[*].02", "dx[*]"),
        rule("LX[*]>DTP[01=472].03", "l[*].d"),
        rule("HI.01[2]", "a"),
        rule("HI.01", "b"),
        rule("HI.01[3].01", "c"),
        rule("SV1[*].07.01", "s[*]"),
        rule("SV1.01.03", "e"),
        rule("SV1.01.04", "f"),
        rule("CLM.05.03", "g"),
        rule("HI[01.01=ABK].01.02", "h"),
        rule("HI.02[*].01", "i[*]"),
    ]
    assert entries_of(rules, claim) == [
        [((0,), "J069"), ((1,), "R05")],
        [((0,), "20240110-20240112"), ((1,), "20240112")],
        [((), "ABF:R05")],
        [((), "ABK:J069")],
        [],
        [((0,), "1"), ((1,), "1")],
        [((), "25")],
        [],
        [((), "1")],
        [((), "J069")],
        [],
    ]


TWO = interchange(
    "850 BEG*00*SA*A**20240115~PO1*1*5*EA~PO1*2*6*EA~",
    "850 BEG*00*SA*B**20240116~PO1*1*7*EA~",
)


def test_rules_see_the_first_set_or_the_one_they_are_for() -> None:
    rules = [rule(path, f"t{at}") for at, path in enumerate(("BEG.03", "ST.02", "GS.06", "SE.01"))]
    first = [[((), "A")], [((), "0001")], [((), "101")], [((), "5")]]
    second = [[((), "B")], [((), "0002")], [((), "101")], [((), "4")]]
    assert entries_of(rules, TWO) == first
    assert entries_of(rules, TWO, tx_index=2) == second


@pytest.mark.parametrize("tx_index", [1, 2, 3])
def test_a_document_read_for_one_set_answers_alike(tx_index: int) -> None:
    text = "".join(f"{each}~\n" for each in TWO.split("~")[:-1]).replace("~\nPO1", "~\n~PO1")
    paths = ("BEG.03", "ST.02", "GS.06", "SE.01", "ISA.13", "PO1[2].02", "PO1>PID.05")
    rules = [rule(path, f"t{at}") for at, path in enumerate(paths)]
    compiled = compile_rules(rules, source_format="x12", target_format="json")
    assert compiled.is_about_one_set
    whole, part = (X12Document(text, only=only) for only in (None, tx_index))
    sources = [X12Source(each, shipped(), tx_index) for each in (whole, part)]
    one, other = (run(compiled, each).writes for each in sources)
    assert [each.entries for each in one] == [each.entries for each in other]
    assert set(part.sets) == {tx_index} & {1, 2}


def test_further_sets_are_addressed_by_number_and_all_by_a_wildcard() -> None:
    rules = [
        rule("ST[2]/PO1.02", "a"),
        rule("ST[*]/PO1[*].02", "b[*].c[*]"),
        rule("ST[2].02", "d"),
        rule("ST[*].02", "e[*]"),
    ]
    assert entries_of(rules, TWO) == [
        [((), "7")],
        [((0, 0), "5"), ((0, 1), "6"), ((1, 0), "7")],
        [((), "0002")],
        [((0,), "0001"), ((1,), "0002")],
    ]


def test_a_set_that_is_not_there_has_no_values() -> None:
    rules = [rule("BEG.03", "a"), rule("PO1[*].02", "b[*]"), rule("PO1>PID[*].02", "c[*]")]
    assert entries_of([*rules, rule("ST.02", "d")], TWO, tx_index=3) == [
        [],
        [],
        [],
        [((), "0001")],
    ]


def test_what_stands_outside_every_set_is_set_zero() -> None:
    text = case("14_two_sets_one_group.edi").replace("GE*", "REF*ZZ*OUT~\nGE*", 1)
    assert values_of(rule("ST[0]/REF.02"), text) == ["OUT"]


def test_a_document_without_st_is_set_one() -> None:
    assert values_of(rule("REF.02"), "BEG*00*SA*PO-1~REF*ZZ*X~") == ["X"]


UNKNOWN = interchange(
    "123 N1*ST*X~N4*Y~N1*BT*Z~PO1*1~N4*P~PO1*2~N4*Q~CTT*2~N4*R~HL*1**S~N4*H~CTT*1~N4*I~"
)


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("N1>N4.01", ["Y"]),
        ("N1[2]>N4.01", []),
        ("PO1[*]>N4.01", ["P", "Q"]),
        ("PO1[2]>N4[2].01", []),
        ("HL>N4.01", ["H"]),
        ("HL>N4[2].01", []),
    ],
)
def test_without_a_structure_table_scopes_are_guessed(path: str, values: list[str]) -> None:
    outcome = outcome_of([rule(path, "t", on_duplicate="append")], UNKNOWN)
    assert [value for _, value in outcome.writes[0].entries] == values
    expected = [] if path.startswith("HL") else ["loop_scope_guessed"]
    assert [warning.code for warning in outcome.warnings] == expected


def test_a_guess_is_said_once_for_each_path() -> None:
    rules = [rule("PO1[*]>N4.01", "a[*]"), rule("PO1[*]>N4.02", "b[*]"), rule("N1>N4.01", "c")]
    assert [each.message for each in outcome_of(rules, UNKNOWN).warnings] == [
        "no structure table says what belongs to the loops of PO1[*]>N4.01: guessed",
        "no structure table says what belongs to the loops of N1>N4.01: guessed",
    ]


def test_a_segment_that_begins_no_loop_holds_nothing() -> None:
    outcome = outcome_of([rule("BEG>REF.02")])
    assert (outcome.writes[0].entries, outcome.warnings) == ([], [])


def test_a_segment_without_a_place_stays_in_the_loop_around_it() -> None:
    text = case().replace("PID*F****Red", "ZZZ*1~\nPID*F****Red")
    rules = [rule("PO1[3]>PID.05", "a"), rule("PO1[3]>ZZZ.01", "b"), rule("ZZZ>PID.05", "c")]
    outcome = outcome_of(rules, text)
    assert [each.entries for each in outcome.writes] == [
        [((), "Red widget")],
        [((), "1")],
        [((), "Red widget")],
    ]
    assert [warning.code for warning in outcome.warnings] == ["loop_scope_guessed"]


def test_a_level_whose_parent_is_unknown_or_itself_is_nobodys_child() -> None:
    text = interchange("856 BSN*00*1*20240101*1200~HL*1*1*S~HL*2*9*O~HL~HL*3*1*O~LIN**UP*1~")
    assert values_of(rule("HL>>LIN.03"), text) == ["1"]
    assert values_of(rule("HL>HL[*].01", "t[*]"), text) == ["3"]
    assert values_of(rule("HL[2]>>HL[*].01", "t[*]"), text) == []


def test_binary_data_is_never_split() -> None:
    text = case("23_bin.edi")
    (value,) = values_of(rule("BIN.02"), text)
    assert "~" in value
    assert values_of(rule("BIN.02.01"), text) == [value]
    assert values_of(rule("BIN.02.02"), text) == []


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("BEG.03", ["PO*1"]),
        ("ZZZ.01", ["A:B:C^D"]),
        ("ZZZ.01.01", ["A:B"]),
        ("ZZZ.01.02", ["C^D"]),
        ("ZZZ.01[2]", ["E"]),
        ("ZZZ[01.01='A:B'].01[2]", ["E"]),
        ("BEG>ZZZ.01", []),
    ],
)
def test_released_separators_are_data(path: str, values: list[str]) -> None:
    text = case("38_isx_release_007040.edi").replace("CTT*0", "ZZZ*A?:B:C?^D^E~CTT*0")
    text = text.replace("*X*007040", "*X*005010")  # a release that has a definition
    assert values_of(rule(path), text) == values


def test_separators_may_change_from_interchange_to_interchange() -> None:
    text = case("13_two_interchanges_diff_seps.edi")
    values = values_of(rule("ST[*]/BEG.03", "t[*]"), text)
    assert len(values) == 2
    assert values_of(rule("ISA[*].13", "t[*]"), text) == [
        *values_of(rule("ISA.13"), text),
        *values_of(rule("ISA[2].13"), text),
    ]
