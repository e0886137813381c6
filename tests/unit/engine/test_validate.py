"""Validation and acknowledgement of X12 by the library: findings, answers and their limits."""

import json

import pytest

from longshore.engine import Acknowledgement, Validated, acknowledge, parse, validate
from longshore.engine.acknowledgement import ACK_TYPES
from longshore.formats.flatmap import OUTPUT_ALLOWANCE_BYTES, OUTPUT_PER_INPUT
from longshore.kit.errors import LongshoreError
from tests.unit.x12.documents import an_850, interchange, isa

BEG = "BEG*00*SA*PO-1**20260115"
LINE = "PO1*1*2*EA*3.50"
VALID = an_850(BEG, LINE)
HEAD = isa(e14="1")
GUIDED = interchange(
    "GS*HC*A*B*20260115*1405*7*X*005010X222A1", "ST*837*0001*005010X222A1", "SE*2*0001",
    "GE*1*7", "IEA*1*000000101", head=isa(e11="^", e12="00501"),
)  # fmt: skip


def refused(document: str | bytes, **options: object) -> LongshoreError:
    with pytest.raises(LongshoreError) as caught:
        validate(document, **options)  # type: ignore[arg-type]  # wrong options are the point
    return caught.value


def test_a_faultless_document_is_valid_and_answered_by_a_997() -> None:
    validated = validate(VALID)
    assert isinstance(validated, Validated)
    assert (validated.is_valid, validated.findings, validated.text) == (True, (), VALID)
    assert validated.ack == validated.acknowledgement.text
    assert validated.ack.split("~")[3:7] == [
        "AK1*PO*7", "AK2*850*0001", "AK5*A", "AK9*A*1*1*1",
    ]  # fmt: skip
    assert validated.acknowledgement == acknowledge(VALID)


def test_an_error_makes_it_invalid_and_rejects_the_set() -> None:
    validated = validate(an_850(BEG, "PO1*1*2x*EA*3.50"))
    assert (validated.is_valid, [each.code for each in validated.findings]) == (
        False,
        ["element_character_invalid"],
    )
    assert "~AK3*PO1*3**8~AK4*2*330*6~AK5*R*5~AK9*R*1*1*0~" in validated.ack


def test_result_members_stand_in_one_order() -> None:
    result = json.loads(validate(an_850(BEG, "QQQ*1", LINE)).result_json())
    assert list(result) == [
        "outcome", "valid", "tx_set", "version", "definition", "own_definition", "guide",
        "named_guide", "snip_level", "codes_checked", "codes", "sets", "findings", "set_count",
        "sets_truncated", "finding_count", "truncated", "ack_withheld", "ack_truncated",
        "ack_type", "ack",
    ]  # fmt: skip
    assert (result["valid"], result["finding_count"], result["truncated"]) == (False, 1, False)
    assert "bad_value" not in result["findings"][0]


@pytest.mark.parametrize(
    ("ack_type", "kind", "segment"),
    [("auto", "999", "IK5*"), ("997", "997", "AK5*"), ("999", "999", "IK5*")],
)
def test_the_form_of_the_acknowledgement_may_be_chosen(
    ack_type: str, kind: str, segment: str
) -> None:
    answer = acknowledge(GUIDED, ack_type=ack_type)
    assert (answer.ack_type, segment in answer.text, "TA1" in answer.text) == (kind, True, False)


def test_a_ta1_is_made_alone_though_nobody_asked() -> None:
    answer = acknowledge(VALID, ack_type="TA1")
    assert answer.ack_type == "TA1"
    assert answer.text.split("~")[1:] == [
        "TA1*000000101*240115*0930*A*000", "IEA*0*000000001", "",
    ]  # fmt: skip


def test_a_ta1_that_was_asked_for_stands_before_the_997() -> None:
    answer = acknowledge(an_850(BEG, LINE, head=HEAD))
    tags = [segment[:3] for segment in answer.text.split("~")]
    assert tags[:4] == ["ISA", "TA1", "GS*", "ST*"]
    assert answer.ack_type == "997"


def test_a_rejected_interchange_is_answered_by_a_ta1_alone() -> None:
    document = an_850(BEG, LINE, head=HEAD).replace("IEA*1*000000101", "IEA*1*000000102")
    answer = acknowledge(document)
    assert (answer.ack_type, "*R*001~" in answer.text, "GS*" in answer.text) == ("TA1", True, False)


@pytest.mark.parametrize("ack_type", ACK_TYPES)
def test_acknowledgements_and_fragments_are_not_acknowledged(ack_type: str) -> None:
    nothing = Acknowledgement(text="", ack_type="", is_truncated=False)
    for document in (acknowledge(VALID).text, "ST*850*0001~BEG*00*SA*PO-1**20260115~SE*3*0001~"):
        assert acknowledge(document, ack_type=ack_type) == nothing


def test_each_interchange_is_answered_by_one_of_its_own() -> None:
    other = an_850(BEG, "PO1*1*2*EA*x").replace("~", "'").replace("000000101", "000000102")
    text = acknowledge(VALID + other).text
    assert [part.count("IEA*") for part in text.split("ISA*")] == [0, 1, 1]
    assert "AK5*A~" in text
    assert "AK5*R*5'" in text


def test_more_errors_than_a_note_has_room_for_are_reported() -> None:
    reported = [acknowledge(an_850(BEG, LINE, *["Q"] * count)) for count in (10_000, 10_001)]
    assert [(each.text.count("AK3*Q*"), each.is_truncated) for each in reported] == [
        (10_000, False),
        (10_000, True),
    ]


def test_octets_are_answered_in_their_charset() -> None:
    bad = an_850("BEG*00*SA*PO-1**Zürich")
    latin = acknowledge(bad.encode("iso-8859-1"))
    assert (latin.charset, "*Zürich~".encode("iso-8859-1") in latin.content()) == (
        "iso-8859-1",
        True,
    )
    for data, charset in ((bad.encode(), "utf-8"), (bad.encode("utf-16"), "utf-16")):
        answer = acknowledge(data)
        assert (answer.charset, "*Zürich~".encode() in answer.content()) == (charset, True)


def test_how_far_it_is_is_reported_and_changes_nothing() -> None:
    document = an_850(BEG, *[LINE] * 30_000)
    reported: list[tuple[int, int]] = []
    validated = validate(document, on_read=lambda done, total: reported.append((done, total)))
    assert {total for _, total in reported} == {len(document)}
    assert (reported[0][0], reported[-1][0]) == (0, len(document))
    assert len(reported) >= 2 * len(document) // 262_144
    assert validated.result_json() == validate(document).result_json()


def test_the_separators_in_use_are_reported() -> None:
    other = VALID.replace("~", "'").replace("000000101", "000000102")
    marks = [each.segment for each in validate(VALID + other + VALID).delimiters]
    assert marks == ["~", "'"]
    fragment = validate("ST+850+0001|BEG+00|SE+3+0001|", seg_term="|", release="004010")
    assert [(each.element, each.segment) for each in fragment.delimiters] == [("+", "|")]


def test_an_answer_has_room_for_its_findings_in_proportion_to_the_document() -> None:
    document = an_850(BEG, LINE, *["QQQ"] * 2_000)
    validated = validate(document)
    result = json.loads(validated.result_json())
    assert (result["finding_count"], len(result["findings"])) == (2_000, 1_000)
    assert result["truncated"] is True
    room = len(json.dumps(result["ack"])) + 5_000
    short = validated.result_json(room)
    listed = len(json.loads(short)["findings"])
    assert 0 < listed < 20
    assert len(short) < room + 400  # the other members
    assert json.loads(validated.result_json(0))["findings"] == []


@pytest.mark.parametrize("segment", ["A", "QQ", "N1", "PO1*x", "SE*", "ISA", "é"])
def test_no_answer_grows_beyond_proportion(segment: str) -> None:
    document = an_850(BEG, *[segment] * 5_000)
    for ack_type in ACK_TYPES:
        result = validate(document, ack_type=ack_type).result_json()
        assert len(result) <= OUTPUT_PER_INPUT * len(document) + OUTPUT_ALLOWANCE_BYTES + 1_000


@pytest.mark.parametrize(
    ("options", "param", "allowed"),
    [
        ({"ack_type": "855"}, "ack_type", ("auto", "997", "999", "TA1", "277CA", "824")),
        ({"ack_type": "none"}, "ack_type", ("auto", "997", "999", "TA1", "277CA", "824")),
        ({"release": "4010"}, "release", None),
        ({"release": "00401\uff10"}, "release", None),
        ({"elem_sep": "A"}, "elem_sep", None),
    ],
)
def test_a_bad_option_is_refused_by_its_parameter(
    options: dict[str, str], param: str, allowed: tuple[str, ...] | None
) -> None:
    error = refused(VALID, **options)
    (detail,) = error.details
    assert (error.code, detail.param, detail.allowed) == ("invalid_parameter", param, allowed)


@pytest.mark.parametrize(
    ("document", "code", "detail"),
    [
        ("", "document_empty", "document_empty"),
        (b" \r\n", "document_empty", "document_empty"),
        ("Dear partner", "document_unparseable", "not_x12"),
        ("ST*850*0001~BEG*\ud800~", "document_unparseable", "lone_surrogate"),
    ],
)
def test_what_cannot_be_read_is_refused(document: str | bytes, code: str, detail: str) -> None:
    error = refused(document)
    assert (error.code, error.details[0].code) == (code, detail)


def test_parse_has_the_same_validation_as_a_view() -> None:
    document = an_850(BEG, "QQQ*1")
    parsed = parse(document.encode(), include=["validation", "segments"])
    assert list(parsed.document.views) == ["segments", "validation"]
    assert parsed.document.views["validation"] == validate(document).result_json()
    assert parsed.errors == ()
    chosen = parse(document, include=["validation"], release="005010").document
    assert chosen.views["validation"] == validate(document, release="005010").result_json()


def test_views_and_validation_share_the_room_of_an_answer() -> None:
    document = "ST*850*1~" + "N~" * 6_000
    parsed = parse(document, include=["validation"], release="004010")
    room = OUTPUT_PER_INPUT * len(document) + OUTPUT_ALLOWANCE_BYTES
    assert len(parsed.result_json()) <= room + 1_000
    for view in ("json", "xml", "csv"):
        with pytest.raises(LongshoreError) as caught:
            parse('{"a":1}', format=view, include=["validation"])
        assert (caught.value.code, caught.value.details[0].param) == (
            "invalid_parameter",
            "include",
        )
