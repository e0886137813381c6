"""ISA, GS, ST and their trailers: who says what, what rules may override, what is refused."""

import re
from pathlib import Path

import pytest

from longshore.mapping.addressing import Addressing, merge_addressings, source_addressing
from longshore.mapping.envelopes import FUNCTIONAL_IDS, Stamp
from longshore.mapping.targets_x12 import X12Options
from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.library import shipped
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
from tests.unit.x12.documents import codes

REFERENCE = Path(__file__).parents[3] / "docs/reference/fields-and-mapping.md"
FAILED = "conversion_failed"
UNFIT = "invalid_mapping_rule"
INVALID = "invalid_parameter"

SOURCE_TEXT = (
    "ISA*00*          *00*          *ZZ*ACMERETAIL     *14*0614141SUPPLIER*240115*0930*U*00401"
    "*000000101*0*P*>~GS*PO*ACME*SUPPLIER*20240115*0930*101*X*005010"
)
SOURCE_ISA, SOURCE_GS = (each.split("*") for each in SOURCE_TEXT.split("~"))
SOURCE = Addressing(
    sender_qualifier="ZZ",
    sender_id="ACMERETAIL",
    receiver_qualifier="14",
    receiver_id="0614141SUPPLIER",
    gs_sender_id="ACME",
    gs_receiver_id="SUPPLIER",
    version="005010",
    usage_indicator="P",
    tx_set="850",
)


# ---- addressing ----------------------------------------------------------------------------------


def test_the_headers_of_a_source_say_how_it_was_addressed() -> None:
    assert source_addressing(SOURCE_ISA, SOURCE_GS, "850") == SOURCE
    assert source_addressing([], [], "") == Addressing()
    swapped = SOURCE.swapped()
    assert (swapped.sender_qualifier, swapped.sender_id) == ("14", "0614141SUPPLIER")
    assert (swapped.receiver_qualifier, swapped.receiver_id) == ("ZZ", "ACMERETAIL")
    assert (swapped.gs_sender_id, swapped.gs_receiver_id) == ("SUPPLIER", "ACME")
    assert swapped.swapped() == SOURCE


def test_each_member_comes_from_the_first_that_says_it() -> None:
    request = Addressing(sender_id="US", version="004010")
    partner = Addressing(receiver_id="THEM", version="004060", tx_set="855")
    said = merge_addressings([request, partner, SOURCE])
    assert said == Addressing(
        sender_qualifier="ZZ",
        sender_id="US",
        receiver_qualifier="14",
        receiver_id="THEM",
        gs_sender_id="US",
        gs_receiver_id="THEM",
        version="004010",
        usage_indicator="P",
        tx_set="855",
    )
    marks = Delimiters("|", "~", ":")
    assert merge_addressings([request, Addressing(separators=marks)]).separators == marks


def test_what_nobody_says_has_a_default() -> None:
    assert merge_addressings([]) == Addressing(
        sender_qualifier="ZZ",
        sender_id="SENDER",
        receiver_qualifier="ZZ",
        receiver_id="RECEIVER",
        gs_sender_id="SENDER",
        gs_receiver_id="RECEIVER",
        version="004010",
        usage_indicator="T",
    )


# ---- the whole envelope --------------------------------------------------------------------------


def test_a_preview_under_defaults() -> None:
    assert built(("BEG.03", "PO-1")).text == (
        "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *260115*1405*U*00401"
        "*000000001*0*T*:~GS*PO*SENDER*RECEIVER*20260115*1405*1*X*004010~ST*850*0001~"
        "BEG***PO-1~SE*3*0001~GE*1*1~IEA*1*000000001~"
    )
    assert built(("BEG.03", "PO-1")).tx_set == "850"


def test_an_empty_set_is_a_whole_interchange_too() -> None:
    assert body() == ""
    assert codes(built().text) == []


def test_a_reply_to_a_source_swaps_sender_and_receiver() -> None:
    of = X12Options(layers=(SOURCE.swapped(),), stamp=STAMP)
    assert header("ISA", of=of)[5:9] == ["14", "0614141SUPPLIER", "ZZ", "ACMERETAIL     "]
    assert header("ISA", of=of)[11:13] == ["^", "00501"]
    assert header("GS", of=of)[2:4] == ["SUPPLIER", "ACME"]


def test_the_numbers_of_the_stamp() -> None:
    stamp = Stamp(
        date="20251231",
        time="2359",
        interchange_number="417",
        group_number="88",
        set_number="0009",
    )
    text = built(of=X12Options(layers=OPTIONS.layers, stamp=stamp)).text
    assert "*251231*2359*U*00401*000000417*" in text
    assert "*20251231*2359*88*X*" in text
    assert text.endswith("~ST*850*0009~SE*2*0009~GE*1*88~IEA*1*000000417~")


@pytest.mark.parametrize(
    ("version", "isa12", "isa11", "reference"),
    [
        ("004010", "00401", "U", ""),
        ("004010VICS", "00401", "U", ""),
        ("004010X098", "00401", "U", ""),
        ("004020", "00402", "^", ""),
        ("005010", "00501", "^", ""),
        ("005010X222A1", "00501", "^", "005010X222A1"),
    ],
)
def test_what_follows_from_the_version(
    version: str, isa12: str, isa11: str, reference: str
) -> None:
    of = options(version=version)
    isa, st = header("ISA", of=of), header("ST", of=of)
    assert (isa[12], isa[11], header("GS", of=of)[8]) == (isa12, isa11, version)
    assert st == ["ST", "850", "0001", reference][: 4 if reference else 3]


def test_a_remittance_advice_has_no_reference_unless_a_rule_writes_it() -> None:
    of = options(version="005010X221A1", tx_set="835")
    assert header("ST", of=of) == ["ST", "835", "0001"]
    assert header("ST", ("ST.03", "005010X221A1"), of=of)[3] == "005010X221A1"


def test_the_functional_group_follows_from_the_set() -> None:
    (listed,) = re.findall(r"^5\. GS01 by set: (.*)\.$", REFERENCE.read_text(), re.MULTILINE)
    pairs = re.findall("([0-9]{3}) (?:and ([0-9]{3}) )?([A-Z]{2})", listed)
    assert {tx_set: group for *sets, group in pairs for tx_set in sets if tx_set} == FUNCTIONAL_IDS
    for tx_set, functional_id in FUNCTIONAL_IDS.items():
        assert header("GS", of=options(tx_set=tx_set))[1] == functional_id
    assert dict(shipped().functional_ids).items() <= FUNCTIONAL_IDS.items()
    assert refusals(of=options(tx_set="104")) == (FAILED, [("functional_id_missing", None)])
    assert header("GS", ("GS.01", "SA"), of=options(tx_set="104"))[1] == "SA"


def test_a_set_must_be_named_by_somebody() -> None:
    nobody = X12Options(layers=(), stamp=STAMP)
    assert refusals(of=nobody) == (FAILED, [("tx_set_missing", None)])
    assert built(("ST.01", "810", "last", "const"), of=nobody).tx_set == "810"


# ---- rules for the envelope ----------------------------------------------------------------------


def test_rules_override_what_others_say() -> None:
    rules = [("ISA.06", "US"), ("ISA.13", "77"), ("ISA.15", "P"), ("GS.02", "UNIT"), ("GS.06", "5")]
    text = built(*rules, ("ST.02", "A123"), ("ISA.02", "AUTH"), ("ISA.01", "03")).text
    assert text.startswith("ISA*03*AUTH      *00*          *ZZ*US             *ZZ*RECEIVER       *")
    assert "*U*00401*000000077*0*P*:~GS*PO*UNIT*RECEIVER*20260115*1405*5*X*004010~" in text
    assert text.endswith("~ST*850*A123~SE*2*A123~GE*1*5~IEA*1*000000077~")


def test_rules_without_a_value_override_nothing() -> None:
    assert header("ISA", ("ISA.06", []), ("ISA.08", ""))[6:9:2] == [
        "SENDER         ",
        "RECEIVER       ",
    ]
    assert header("ISA", ("ISA.06", "A"), ("ISA.06", "B", "first"))[6].strip() == "A"
    assert header("ISA", ("ISA.06", ["A", "B"], "join:-"))[6].strip() == "A-B"


@pytest.mark.parametrize("tgt", ["ISA.11", "ISA.16", "SE.01", "SE.02", "GE.01", "GE.02", "IEA.01"])
def test_what_is_computed_is_computed_whatever_rules_say(tgt: str) -> None:
    assert built((tgt, "9")).text == built().text
    assert warnings((tgt, "9")) == [("envelope_computed", "field_map[0]", tgt)]
    assert warnings((tgt, [])) == []


def test_a_version_by_rule_validates_the_elements() -> None:
    long = "x" * 23
    rule = ("REF.02", "y" * 40)
    assert refusals(rule) == (FAILED, [("value_too_long", "field_map[0]")])
    assert body(rule, ("GS.08", "005010")) == f"REF**{'y' * 40}"
    assert refusals(("BEG.03", long), ("GS.08", "005010"))[1][0][0] == "value_too_long"


@pytest.mark.parametrize(
    ("tgt", "value", "code"),
    [
        ("ISA.06", "LONGERTHANFIFTEENCHARS", "value_too_long"),
        ("ISA.05", "ZZZ", "value_too_long"),
        ("ISA.05", "-Z", "type_mismatch"),
        ("ISA.08", "   ", "type_mismatch"),
        ("ISA.02", "A\nB", "type_mismatch"),
        ("GS.02", "A\rB", "type_mismatch"),
        ("ISA.01", "07", "type_mismatch"),
        ("ISA.03", "02", "type_mismatch"),
        ("ISA.09", "2401", "type_mismatch"),
        ("ISA.10", "9:30", "type_mismatch"),
        ("ISA.12", "0040A", "type_mismatch"),
        ("ISA.13", "A1", "type_mismatch"),
        ("ISA.13", "1234567890", "value_too_long"),
        ("ISA.14", "2", "type_mismatch"),
        ("ISA.15", "X", "type_mismatch"),
        ("GS.01", "PO2", "value_too_long"),
        ("GS.02", "X" * 16, "value_too_long"),
        ("GS.04", "240115", "type_mismatch"),
        ("GS.05", "9", "type_mismatch"),
        ("GS.06", "x", "type_mismatch"),
        ("GS.07", "1", "type_mismatch"),
        ("GS.08", "4010", "type_mismatch"),
        ("GS.08", "005010X222A1X", "value_too_long"),
        ("ST.01", "85", "type_mismatch"),
        ("ST.02", "1", "type_mismatch"),
        ("ST.03", "X" * 36, "value_too_long"),
    ],
)
def test_a_value_that_the_envelope_cannot_hold(tgt: str, value: str, code: str) -> None:
    assert refusals(("BEG.01", "00"), (tgt, value)) == (FAILED, [(code, "field_map[1]")])


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("sender_qualifier", "Z"),
        ("sender_id", "X" * 16),
        ("receiver_qualifier", "Z!"),
        ("receiver_id", " "),
        ("gs_sender_id", "X" * 16),
        ("gs_receiver_id", " "),
        ("version", "4010"),
        ("usage_indicator", "Q"),
        ("tx_set", "8500"),
    ],
)
def test_a_member_of_the_envelope_that_cannot_be_written(member: str, value: str) -> None:
    said = options(**{member: value})
    assert refusals(of=said) == (INVALID, [(INVALID, f"envelope.{member}")])


@pytest.mark.parametrize(
    "tgt",
    [
        *("ISA.17", "GS.09", "ST.04", "ISA[2].06", "ISA[*].06", "ISA.06[2]", "ISA.06.01"),
        *("GS>BEG.03", "PO1>ISA.06", "ST>SE.01", "TA1.01", "ISB.01", "ISE.01", "ISX.01"),
        *("PO1>TA1.01", "SE[2].01"),
    ],
)
def test_targets_that_no_interchange_has(tgt: str) -> None:
    assert refusals(("BEG.01", "00"), (tgt, [])) == (UNFIT, [(UNFIT, "field_map[1].tgt")])


def test_all_unfit_targets_are_named_at_once() -> None:
    code, details = refusals(("TA1.01", "1"), ("BEG.01", "00"), ("ISX.01", "?"))
    assert code == UNFIT
    assert details == [(UNFIT, "field_map[0].tgt"), (UNFIT, "field_map[2].tgt")]
