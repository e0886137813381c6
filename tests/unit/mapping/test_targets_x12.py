"""X12 output: segments from cells, order, what is left out, separators, types, explain."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.mapping.addressing import Addressing
from longshore.mapping.instances import instances_of
from longshore.mapping.ordering import in_order
from longshore.mapping.targets_x12 import X12Options, build_x12
from longshore.mapping.writes import NULL, JsonLiteral
from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.library import Dictionary
from longshore.x12.dictionary.model import SegmentType, SegmentUse
from tests.unit.mapping.written_rules import rules_of
from tests.unit.mapping.written_x12 import (
    OPTIONS,
    STAMP,
    body,
    built,
    header,
    options,
    refusals,
    warnings,
)
from tests.unit.x12.documents import fields_of

FAILED = "conversion_failed"
UNFIT = "invalid_mapping_rule"
CONST = ("last", "const")
UNKNOWN = options(tx_set="999")
RELEASE_5 = options(version="005010")


def fixed(replacement: str = "", separators: Delimiters | None = None) -> X12Options:
    layer = Addressing(tx_set="850", separators=separators)
    return X12Options(layers=(layer,), stamp=STAMP, is_fixed=True, replacement=replacement)


# ---- cells ---------------------------------------------------------------------------------------


def test_a_line_a_binding_and_constants_next_to_it() -> None:
    rules = [("PO1[*].07", ["A", "B"]), ("PO1[*].03", ["EA", "EA"], *CONST)]
    assert body(*rules) == "PO1***EA****A PO1***EA****B"


def test_components_and_repetitions() -> None:
    of = options(version="005010X222A1", tx_set="837")
    assert body(("SV1.01.02", "99213"), ("SV1.01.01", "HC"), of=of) == "SV1*HC:99213"
    assert body(("SV1.07", "1"), ("SV1.02", "40"), of=of) == "SV1**40*****1"
    assert body(("SV1.07.02", "2"), ("SV1.07", "1"), of=of) == "SV1*******1:2"
    assert body(("HI.01[2].01", "ABF"), ("HI.01.01", "ABK"), of=of) == "HI*ABK^ABF"
    found = {(0,): "J069", (2,): "R05"}
    assert body(("HI.01[*].02", found), of=of) == "HI*:J069^:R05"


def test_repetitions_need_a_version_that_has_them() -> None:
    assert body(("REF.02[2]", "B"), ("REF.02", "A"), of=RELEASE_5) == "REF**A^B"
    assert refusals(("REF.02", "A"), ("REF.02[2]", "B")) == (
        FAILED,
        [("repetition_not_allowed", "field_map[1]")],
    )
    rule = ("ISA.12", "00402", *CONST)
    assert body(("REF.02", "A"), ("REF.02[2]", "B"), rule) == "REF**A^B"


def test_empty_values_and_nulls_are_no_elements() -> None:
    rules = [("REF.01", "DP"), ("REF.02", ""), ("REF.03", NULL, "last", "filler")]
    assert body(*rules) == "REF*DP"
    assert body(("REF.01", ""), ("REF.02", NULL, *CONST)) == ""
    assert body(("BEG.03", JsonLiteral("4711"))) == "BEG***4711"


def test_the_last_present_value_wins_unless_the_rule_says_otherwise() -> None:
    assert body(("BEG.03", "1"), ("BEG.03", "2")) == "BEG***2"
    assert body(("BEG.03", "1"), ("BEG.03", "2", "first")) == "BEG***1"
    assert body(("BEG.03", ["1", "2"], "join:-")) == "BEG***1-2"
    assert refusals(("BEG.03", "1"), ("BEG.03", "2", "error")) == (
        FAILED,
        [("duplicate_target", "field_map[1]")],
    )
    assert refusals(("BEG.03", "1", "append")) == (UNFIT, [(UNFIT, "field_map[0].on_duplicate")])


# ---- what is left out ----------------------------------------------------------------------------


def test_a_segment_none_of_whose_sources_gave_a_value_is_left_out_with_its_constants() -> None:
    assert body(("N1.01", "ST", *CONST), ("N1.02", [])) == ""
    assert body(("N1.01", "ST", *CONST), ("N1.02", "")) == ""
    assert body(("N1.01", "ST", *CONST), ("N1.02", "Acme")) == "N1*ST*Acme"
    lines = [("PO1[*].03", ["EA", "EA"], *CONST), ("PO1[*].02", [None, "4"])]
    assert body(*lines) == "PO1**4*EA"


def test_a_segment_of_constants_alone_is_written() -> None:
    assert body(("BEG.01", "00", *CONST), ("BEG.02", "SA", *CONST)) == "BEG*00*SA"
    party = [("N1.01", "SE", *CONST), ("N1>N4.01", "Peoria", *CONST)]
    assert body(*party) == "N1*SE N4*Peoria"


def test_within_a_loop_constants_alone_are_written_as_long_as_the_loop_is() -> None:
    note = ("PO1[*]>PID.01", ["F", "F"], *CONST)
    assert body(("PO1[*].02", ["1", "2"]), note) == "PO1**1 PID*F PO1**2 PID*F"
    assert body(("PO1[*].02", [None, "2"]), note) == "PO1**2 PID*F"
    assert body(("PO1[*].02", ["1", "2"]), note, ("PO1[*]>PID.05", [None, "Red"])) == (
        "PO1**1 PO1**2 PID*F****Red"
    )
    trigger = ("N1.01", "ST", *CONST)
    assert body(trigger, ("N1>N4.01", [])) == ""
    assert body(trigger, ("N1>N4.01", "Peoria")) == "N1*ST N4*Peoria"


def test_a_trigger_without_values_stays_so_that_its_members_do_not_change_loops() -> None:
    rules = [("PO1[*].02", ["1", None]), ("PO1[*]>PID.05", ["Blue", "Red"])]
    assert body(*rules) == "PO1**1 PID*****Blue PO1 PID*****Red"
    assert warnings(*rules) == [("segment_without_elements", "", "")]


# ---- order ---------------------------------------------------------------------------------------


def test_segments_stand_in_the_order_of_the_dictionary() -> None:
    rules = [("CTT.01", "1"), ("PO1.02", "1"), ("N1.01", "ST"), ("REF.01", "DP"), ("BEG.01", "00")]
    assert body(*rules) == "BEG*00 REF*DP N1*ST PO1**1 CTT*1"


def test_an_unknown_set_keeps_the_order_of_the_rules() -> None:
    rules = [("ZZ1.01", "a"), ("CTT.01", "1"), ("BEG.01", "00"), ("CTT[2].01", "2")]
    of = options(tx_set="850", version="002040")
    assert body(*rules, of=of) == "ZZ1*a CTT*1 CTT*2 BEG*00"
    nested = [("LX[2]>REF.01", "c"), ("LX.01", "1"), ("LX[2].01", "2"), ("BEG.01", "00")]
    assert body(*nested, of=of) == "LX*1 LX*2 REF*c BEG*00"


def test_a_segment_the_dictionary_does_not_know_stands_last() -> None:
    rules = [("ZZ1.01", "a"), ("PO1>ZZ2.01", "b"), ("PO1.01", "1"), ("PO1>PID.01", "F")]
    assert body(*rules) == "PO1*1 PID*F ZZ2*b ZZ1*a"


def test_members_of_a_loop_stand_in_it_instances_by_ordinals() -> None:
    rules = [
        ("PO1[*]>SCH[*].01", {(0, 1): "2", (0, 0): "1", (1, 0): "3"}),
        ("PO1[*].01", ["1", "2"]),
        ("PO1[*]>PID.05", [None, "Red"]),
    ]
    assert body(*rules) == "PO1*1 SCH*1 SCH*2 PO1*2 PID*****Red SCH*3"


def test_a_member_further_in_goes_into_the_inner_loop() -> None:
    assert body(("PO1>N4.01", "Peoria"), ("PO1>N1.01", "ST"), ("PO1.01", "1")) == (
        "PO1*1 N1*ST N4*Peoria"
    )
    assert body(("CTT>AMT.01", "TT"), ("CTT.01", "1"), ("AMT.01", "1")) == "AMT*1 CTT*1 AMT*TT"


def test_a_member_named_without_its_loop_goes_to_the_loop_of_its_number() -> None:
    one = [("N4.01", "Peoria"), ("N1.01", "ST")]
    assert body(*one) == "N1*ST N4*Peoria"
    assert warnings(*one) == []
    two = [*one, ("N1[2].01", "BT"), ("N4[2].01", "Rome"), ("N4[3].01", "Bonn")]
    assert body(*two) == "N1*ST N4*Peoria N1*BT N4*Rome N4*Bonn"
    assert [each[0] for each in warnings(*two)] == ["loop_scope_guessed"] * 3
    assert warnings(*two)[1] == ("loop_scope_guessed", "field_map[3]", "N4[2].01")
    assert body(("N4.01", "Peoria"), ("REF.01", "DP")) == "REF*DP N4*Peoria"
    assert body(("N4.01", "x"), ("N4>ZZ1.01", "y"), ("PO1.01", "1")) == "PO1*1 N4*x ZZ1*y"


TEXTS = {
    "segments.xd": "REF 127\nDTM 127\n",
    "composites.xd": "",
    "elements.xd": "127 AN 1/30\n",
    "sets/850.xd": 'set 850 PO 005010 "Order"\n  REF O1\n  DTM O1\n  loop REF O*\n    REF M1\n',
    "guides/G.xd": (
        'guide 005010X001 on 850@005010 "Order"\n  REF N1\n  DTM R1 : 01R\n'
        "  loop REF R1 when REF.01=A\n    REF R1 : 01R\n"
        "  loop REF S1 when REF.01=B|C\n    REF R1 : 01R\n"
    ),
}


def test_a_maximum_a_condition_and_what_a_guide_leaves_out_choose_the_place() -> None:
    rules = [("REF[1].01", "C"), ("REF[2].01", "A"), ("REF[3].01", "x"), ("DTM.01", "1")]
    of = replace(RELEASE_5, dictionary=Dictionary(TEXTS))
    assert body(*rules, of=of) == "REF*C DTM*1 REF*A REF*x"
    layers = (Addressing(tx_set="850", version="005010X001"),)
    assert body(*rules, of=replace(of, layers=layers)) == "DTM*1 REF*A REF*C REF*x"


def test_what_an_overlay_does_not_use_is_no_place() -> None:
    known = {tag: SegmentType(tag, ()) for tag in ("REF", "DTM")}
    body = (
        SegmentUse(segment=known["REF"], requirement="N", maximum=1),
        SegmentUse(segment=known["DTM"], requirement="O", maximum=1),
        SegmentUse(segment=known["REF"], requirement="O", maximum=1),
    )
    instances = instances_of(rules_of("x12", ("REF.01", "1"), ("DTM.01", "1")))
    assert [each.segment_id for each in in_order(instances, body).segments] == ["DTM", "REF"]


def test_levels_stand_within_each_other_and_are_numbered() -> None:
    auto = [
        (f"{path}.{position}", dict.fromkeys(bindings, "auto"), *CONST)
        for path, bindings in (("HL", [()]), ("HL>HL[*]", [(0,), (1,)]), ("HL>HL[*]>HL[*]", ITEMS))
        for position in ("01", "02")
    ]
    upcs = {(0, 0): "05", (0, 1): "12", (1, 0): "29"}
    rules = [*auto, ("HL>HL[*]>HL[*]>LIN.03", upcs), ("CTT.01", "auto", *CONST)]
    assert body(*rules, of=options(tx_set="856")) == (
        "HL*1 HL*2*1 HL*3*2 LIN***05 HL*4*2 LIN***12 HL*5*1 HL*6*5 LIN***29 CTT*6"
    )


ITEMS = [(0, 0), (0, 1), (1, 0)]


def test_numbers_given_by_rules_are_kept_and_pointed_to() -> None:
    rules = [("HL.01", "7"), ("HL>LIN.01", "1"), ("HL>HL.02", "auto", *CONST), ("HL>HL.03", "I")]
    of = options(tx_set="856")
    assert body(*rules, of=of) == "HL*7 LIN*1 HL**7*I"
    nested = [("PO1.01", "1"), ("PO1>HL.02", "auto", *CONST), ("PO1>HL.03", "x")]
    assert body(*nested, of=of) == "PO1*1 HL***x"


def test_auto_counts_lines_in_ctt_and_is_a_text_elsewhere() -> None:
    count = ("CTT.01", "auto", *CONST)
    assert body(("PO1[*].01", ["1", "2"]), count) == "PO1*1 PO1*2 CTT*2"
    assert body(count) == "CTT*0"
    assert body(("BEG.03", "auto", *CONST)) == "BEG***auto"
    assert refusals(("CTT.01", "auto"))[1] == [("type_mismatch", "field_map[0]")]
    assert body(("CTT.01", "5"), ("CTT.02", "1")) == "CTT*5*1"


# ---- values --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tgt", "value", "written"),
    [
        ("PO1.04", "1.5e2", "150"),
        ("PO1.04", "+2.50", "2.50"),
        ("PO1.04", "-1E-2", "-0.01"),
        ("PO1.04", ".5", ".5"),
        ("PO1.04", "5.", "5"),
        ("PO1.04", "007", "007"),
        ("TDS.01", "-00125", "-00125"),
        ("BEG.05", "20240230", "20240230"),
        ("DTM.03", "2359", "2359"),
        ("BEG.03", "+1e5", "+1e5"),
        ("BEG.20", "anything", "anything"),
        ("ZZ1.01", "+1e5", "+1e5"),
        ("SLN.05.01", "EA", "EA"),
    ],
)
def test_values_are_written_as_their_type_demands(tgt: str, value: str, written: str) -> None:
    assert body((tgt, value)).split("*")[-1] == written


@pytest.mark.parametrize(
    ("tgt", "value"),
    [
        ("PO1.04", "1,5"),
        ("PO1.04", "1e1000"),
        ("PO1.04", "."),
        ("TDS.01", "1.25"),
        ("TDS.01", "+125"),
        ("TDS.01", "٣"),
        ("BEG.05", "2024-01-15"),
        ("DTM.03", "23:59"),
        ("SLN.05.02", "x"),
    ],
)
def test_values_of_another_type_are_refused(tgt: str, value: str) -> None:
    assert refusals(("BEG.01", "00"), (tgt, value)) == (FAILED, [("type_mismatch", "field_map[1]")])


def test_a_component_the_dictionary_does_not_know_is_not_validated() -> None:
    assert body(("SLN.05.99", "+1")).endswith(":+1")
    assert body(("PO1.04.02", "x")) == "PO1****:x"


def test_lengths_are_those_of_the_release_and_of_digits_alone() -> None:
    assert body(("BEG.03", "x" * 22)) == f"BEG***{'x' * 22}"
    assert refusals(("BEG.03", "x" * 23)) == (FAILED, [("value_too_long", "field_map[0]")])
    assert body(("TDS.01", f"-{'1' * 15}")) == f"TDS*-{'1' * 15}"
    later = options(version="006020")
    assert body(("BEG.03", "x" * 23), of=later) == f"BEG***{'x' * 23}"
    assert warnings(("BEG.03", "x" * 23), of=later) == [
        ("value_too_long", "field_map[0]", "BEG.03")
    ]


def test_line_breaks_become_spaces_with_one_warning_a_rule() -> None:
    rules = [("MSG[*].01", ["a\r\nb", "c\nd\re"]), ("BEG.03", "x")]
    assert body(*rules).endswith("MSG*a b MSG*c d e")
    assert warnings(*rules) == [("line_break_replaced", "field_map[0]", "MSG[*].01")]


def test_binary_data_is_written_as_it_is_behind_its_length() -> None:
    data = ("BIN.02", "A~B*C:\nD~")
    for rules in ([data], [("BIN.01", "1", *CONST), data]):
        assert "BIN*9*A~B*C:\nD~~SE*3*" in built(*rules).text
    for tgt in ("BIN.03", "BIN.02.01", "BIN.02[2]", "BDS.04"):
        assert refusals((tgt, "x")) == (UNFIT, [(UNFIT, "field_map[0].tgt")])


def test_a_lone_surrogate_is_refused() -> None:
    assert refusals(("BEG.03", "\ud800")) == (FAILED, [("character_not_allowed", "field_map[0]")])


def test_the_output_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(built(("BEG.03", "x")).text)
    monkeypatch.setattr("longshore.mapping.output.MAX_OUTPUT_BYTES", size)
    assert body(("BEG.03", "x")) == "BEG***x"
    code, details = refusals(("BEG.03", "xy"))
    assert (code, details) == ("limit_exceeded", [("limit_exceeded", None)])
    many = {(at,): "x" * 22 for at in range(size)}
    assert refusals(("MSG[*].01", many))[0] == "limit_exceeded"


# ---- separators ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "marks", "said"),
    [
        ("A*B~C", "|\x1c:", "element |, segment 0x1C"),
        ("*|", "\x1d~:", "element 0x1D"),
        ("a:b", "*~>", "component >"),
        (":>", "*~\x1f", "component 0x1F"),
    ],
)
def test_other_separators_where_a_value_holds_one(value: str, marks: str, said: str) -> None:
    found = built(("BEG.03", value))
    assert found.text[3] + found.text[105] + found.text[104] == marks
    (warning,) = found.warnings
    assert warning.code == "separators_changed"
    assert warning.message == f"values hold separators, so others were chosen: {said}"
    assert fields_of(found.text)["BEG.03"] == value


def test_the_repetition_separator_counts_only_where_there_is_one() -> None:
    assert built(("BEG.03", "a^b")).warnings == ()
    found = built(("BEG.03", "a^b"), of=RELEASE_5)
    assert header("ISA", ("BEG.03", "a^b"), of=RELEASE_5)[11] == "\x1e"
    assert found.warnings[0].message.endswith("repetition 0x1E")


def test_separators_can_be_wished_for() -> None:
    wanted = Delimiters("|", "\n", "^")
    of = X12Options(layers=(Addressing(tx_set="850", separators=wanted),), stamp=STAMP)
    assert body(("BEG.03", "a*b~c:"), of=of) == "BEG|||a*b~c:"
    assert body(("BEG.03", "a|b"), of=of) == "BEG***a|b"


@pytest.mark.parametrize(
    "marks",
    [("*", "*", ":"), ("a", "~", ":"), ("*", "~", ""), ("*", " ", ":"), ("*", "\r\n", "\n")],
)
def test_separators_that_cannot_separate(marks: tuple[str, str, str]) -> None:
    of = replace(OPTIONS, layers=(Addressing(tx_set="850", separators=Delimiters(*marks)),))
    assert refusals(of=of) == ("invalid_parameter", [("invalid_parameter", "envelope.separators")])


def test_fixed_separators_refuse_or_replace() -> None:
    rules = [("BEG.01", "00"), ("BEG.03", "a*b~c")]
    delimiter = "delimiter_in_data"
    assert refusals(*rules, of=fixed()) == (delimiter, [(delimiter, "field_map[1]")])
    assert body(*rules, of=fixed("-")) == "BEG*00**a-b-c"
    assert warnings(*rules, of=fixed("-")) == [("separator_replaced", "field_map[1]", "BEG.03")]
    assert body(("BEG.03", "a^b"), of=fixed()) == "BEG***a^b"
    assert refusals(("ISA.06", "A*B"), of=fixed()) == (delimiter, [(delimiter, "ISA.06")])
    wanted = Delimiters("|", "~", ":")
    assert body(("BEG.03", "a*b"), of=fixed("", wanted)) == "BEG|||a*b"
    assert refusals(("BEG.03", "a:"), of=fixed("", wanted))[0] == delimiter


def test_nothing_left_to_separate_with() -> None:
    everything = "".join(map(chr, [*range(0x1C, 0x20), *range(0x21, 0x7F)]))
    found = {(number,): everything[number * 20 : number * 20 + 20] for number in range(5)}
    code = "delimiter_in_data"
    assert refusals(("MSG[*].01", found)) == (code, [(code, "separators")])


# ---- explain -------------------------------------------------------------------------------------


def test_explain_lists_all_elements_with_the_rules_that_wrote_them() -> None:
    rules = rules_of(
        "x12",
        ("PO1[*].02", ["1", "2e1"]),
        ("BEG.03", ["x", "y"], "join:-"),
        ("CTT.01", "auto", *CONST),
        ("GS.06", "33"),
        ("SLN.05.01", "EA"),
        ("REF.02[3]", "b"),
        ("ISA.14", ""),
    )
    found = build_x12(rules, RELEASE_5, is_traced=True)
    assert found.text == build_x12(rules, RELEASE_5).text
    listed = [(each.tgt, each.rule, each.after) for each in found.written]
    generated = {each for each in listed if each[1] is None}
    assert [each for each in listed if each not in generated] == [
        ("GS.06", 3, "33"),
        ("BEG.03", 1, "x"),
        ("BEG.03", 1, "y"),
        ("REF.02", 5, "b"),
        ("PO1.02", 0, "1"),
        ("SLN.05", 4, "EA"),
        ("PO1[2].02", 0, "20"),
        ("CTT.01", 2, "2"),
    ]
    assert {("ISA.11", None, "^"), ("ISA.14", None, "0"), ("SE.01", None, "8")} < generated
    assert {("GE.02", None, "33"), ("IEA.02", None, "000000001")} < generated
    assert {each.origin for each in found.written if each.rule is None} == {None}
    assert list(dict.fromkeys(each[0] for each in listed)) == list(fields_of(found.text))


def test_explain_names_components_where_there_are_several() -> None:
    rules = rules_of("x12", ("SLN.05", "EA"), ("SLN.05.02", "2"), ("PO1.01", "1"))
    found = build_x12(rules, OPTIONS, is_traced=True)
    listed = [(each.tgt, each.after) for each in found.written if each.rule is not None]
    assert listed == [("PO1.01", "1"), ("SLN.05.01", "EA"), ("SLN.05.02", "2")]


_PLACES = [
    "BEG.03",
    "REF[2].02",
    "REF.02",
    "REF.04.02",
    "REF.04.04",
    "MSG[*].01",
    "N1[2].02",
    "N1.02",
    "N1[2]>N2.01",
]
_VALUES = st.text("aB1*~:^|>\x1c\x1d\x1e\x1f é", min_size=1, max_size=6)


@given(st.dictionaries(st.sampled_from(_PLACES), _VALUES))
def test_parsing_the_output_gives_every_written_cell_back(values: dict[str, str]) -> None:
    rules = rules_of("x12", *((tgt, value) for tgt, value in values.items() if "*" not in tgt))
    rules += rules_of("x12", ("MSG[*].01", [values.get("MSG[*].01", "x")] * 2))
    found = build_x12(rules, RELEASE_5, is_traced=True)
    fields = fields_of(found.text)
    for each in found.written:
        shown = each.after.rstrip(" ") if each.tgt.startswith("ISA") else each.after
        assert fields[each.tgt] == shown
