"""A partner's leniency: what it may say, whom it reaches, and what it does to acknowledgements."""

from pathlib import Path
from typing import NamedTuple

import pytest

from longshore.engine import acknowledge, validate
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.x12.acks.read import read_group_ack, read_ta1
from longshore.x12.delimiters import Delimiters
from longshore.x12.findings import CAUSES, MAX_FINDINGS, SEVERITIES, FindingCode, Severity
from longshore.x12.leniency import FIXED, read_leniency
from tests.docs.pages import ROOT
from tests.unit.x12.documents import a_group, a_set, interchange, isa

BEG, LINE = "BEG*00*SA*PO-1**20240115", "PO1*1*1*EA*1"
IEA = "IEA*1*000000101"


class Faulty(NamedTuple):
    """A document, and the one error in it."""

    text: str
    code: str


def faulty(code: str, *segments: str, iea: str = IEA, **elements: str) -> Faulty:
    head = isa(padded=True, e14="1", **elements)
    return Faulty(interchange(*segments, iea, head=head), code)


def with_set(code: str, *body: str) -> Faulty:
    return faulty(code, *a_group(*a_set(*body)))


GOOD = a_group(*a_set(BEG, LINE))
# Of each kind of finding that leads into an acknowledgement one.
FAULTY = [
    faulty("usage_indicator_invalid", *GOOD, e15="X"),
    faulty("interchange_date_invalid", *GOOD, e9="240230"),
    faulty("group_count_wrong", *GOOD, iea="IEA*2*000000101"),
    faulty("interchange_content_invalid", "NTE**X", *GOOD),
    faulty("group_time_invalid", GOOD[0].replace("0930", "2430"), *GOOD[1:]),
    faulty("group_control_number_mismatch", *GOOD[:-1], "GE*1*8"),
    faulty("set_trailer_missing", *a_group(*a_set(BEG, LINE)[:-1])),
    faulty("segment_count_wrong", *a_group(*a_set(BEG, LINE)[:-1], "SE*9*0001")),
    faulty("set_not_in_group", GOOD[0].replace("PO", "IN"), *GOOD[1:]),
    with_set("segment_missing", BEG),
    with_set("segment_unknown", BEG, LINE, "QQQ*1"),
    with_set("segment_over_maximum", BEG, "BEG*00*SA*PO-2**20240115", LINE),
    with_set("element_missing", "BEG*00*SA***20240115", LINE),
    with_set("element_date_invalid", "BEG*00*SA*PO-1**20240230", LINE),
    with_set("too_many_elements", BEG, LINE, "CTT*1*******X"),
]
IDS = [each.code for each in FAULTY]


@pytest.mark.parametrize("case", FAULTY, ids=IDS)
def test_an_error_is_acknowledged(case: Faulty) -> None:
    found = validate(case.text)
    [finding] = found.findings
    assert (finding.code, finding.severity, found.is_valid) == (case.code, "error", False)
    assert finding.ack_code
    assert "*A*1*1*1~" not in found.ack or "TA1*000000101*240115*0930*A*000" not in found.ack


@pytest.mark.parametrize("severity", ["warning", "info"])
@pytest.mark.parametrize("case", FAULTY, ids=IDS)
def test_what_is_no_error_to_a_partner_is_said_and_not_acknowledged(
    case: Faulty, severity: str
) -> None:
    everybody = validate(case.text)
    found = validate(case.text, leniency={case.code: severity})
    [finding], [strict] = found.findings, everybody.findings
    assert (finding.severity, finding.ack_code, found.is_valid) == (severity, None, True)
    assert (finding.path, finding.offset, finding.message) == (
        *(strict.path, strict.offset), strict.message
    )  # fmt: skip
    assert found.validation.finding_count == 1
    assert f"~TA1*000000101*{case.text[70:76]}*0930*A*000~" in found.ack
    assert "~AK2*850*0001~AK5*A~AK9*A*1*1*1~" in found.ack


def test_leniency_is_for_the_codes_it_names_alone() -> None:
    text = with_set("", "BEG*00*SA*PO-1**20240230", LINE.replace("EA", "EACH")).text
    found = validate(text, leniency={"element_date_invalid": "info"})
    assert [(each.code, each.severity) for each in found.findings] == [
        ("element_date_invalid", "info"),
        ("element_too_long", "error"),
    ]
    assert "~AK3*PO1*3**8~AK4*3*355*5*EACH~AK5*R*5~" in found.ack


DOCUMENTS = sorted((*ROOT.glob("tests/cases/*.edi"), *ROOT.glob("samples/*/input.edi")))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_without_leniency_each_finding_has_everybodys_severity(path: Path) -> None:
    content = path.read_bytes()
    try:
        found = validate(content).findings
    except LongshoreError:
        return  # not X12
    assert [each.severity for each in found] == [SEVERITIES[each.code] for each in found]
    everything = dict.fromkeys({str(each.code) for each in found}, "info")
    everything.pop(FindingCode.FINDINGS_TRUNCATED, None)
    eased = validate(content, leniency=everything)
    assert len(eased.findings) == len(found)
    assert not eased.validation.error_count
    assert {each.ack_code for each in eased.findings} <= {None}


RAISED = [
    faulty("unknown_qualifier", *GOOD, e5="99"),
    faulty("control_number_padding", *GOOD, iea="IEA*1*101"),
    faulty("line_count_wrong", *a_group(*a_set(BEG, LINE, "CTT*2"))),
    faulty("number_form", *a_group(*a_set(BEG, "PO1*1*1.*EA*1"))),
    faulty("trailing_separators", *a_group(*a_set(BEG, f"{LINE}*"))),
    Faulty("VAN " + faulty("", *GOOD).text, "leading_garbage"),
    Faulty(faulty("", *GOOD).text.replace("~GS", "~~GS"), "empty_segment"),
    faulty("no_definition", *a_group(*a_set("ZZZ*1", set_id="999"))),
]


@pytest.mark.parametrize("case", RAISED, ids=[each.code for each in RAISED])
def test_a_warning_may_be_an_error_but_no_acknowledgement_says_it(case: Faulty) -> None:
    everybody = validate(case.text)
    found = validate(case.text, leniency={case.code: "error"})
    severities = [each.severity for each in found.findings if each.code == case.code]
    assert severities == ["error"]
    assert not found.is_valid
    assert found.ack == everybody.ack
    assert SEVERITIES[case.code] == "warning"


def test_amounts_that_disagree_follow_leniency_too() -> None:
    lines = ("BIG*20240115*1", "IT1*1*1*EA*5", "TDS*600")
    group = a_group(*a_set(*lines, set_id="810"))
    text = interchange(group[0].replace("PO", "IN", 1), *group[1:], IEA)
    assert validate(text).is_valid
    found = validate(text, leniency={"invoice_out_of_balance": "error"})
    assert [(each.code, each.severity) for each in found.findings] == [
        ("invoice_out_of_balance", "error")
    ]
    assert not found.is_valid


def test_what_is_counted_only_is_counted_by_its_severity() -> None:
    many = MAX_FINDINGS + 7
    sets = [each for at in range(many) for each in a_set(BEG, LINE, number=f"{at:04d}")[:-1]]
    text = interchange(*a_group(*sets, sets=many), IEA)
    strict = validate(text).validation
    lenient = validate(text, leniency={"set_trailer_missing": "info"}).validation
    assert (strict.error_count, lenient.error_count) == (many, 0)
    assert strict.finding_count == lenient.finding_count == many
    assert lenient.is_valid


def test_an_acknowledgement_alone_follows_leniency() -> None:
    case = with_set("segment_missing", BEG)
    assert "~AK5*R*5~" in acknowledge(case.text).text
    assert "~AK5*A~" in acknowledge(case.text, leniency={case.code: "warning"}).text


def test_received_acknowledgements_follow_leniency() -> None:
    leniency = read_leniency({"ack_code_unknown": "error", "ack_counts": "info"})
    rows = [["ST", "997", "0001"], ["AK1", "PO", "1"], ["AK9", "Q", "1", "1", "2"]]
    ack = read_group_ack(rows, Delimiters("*", "~", ":", ""), 1, leniency)
    assert [(each.code, each.severity) for each in ack.warnings] == [
        ("ack_code_unknown", "error"),
        ("ack_counts", "info"),
    ]
    ta1 = read_ta1(["TA1", "000000001", "240115", "0930", "Q", "000"], 2, leniency)
    assert [each.severity for each in ta1.warnings] == [Severity.ERROR]


# ---- what it may say ----------------------------------------------------------------------------


def refused(settings: object) -> list[tuple[str | None, str, tuple[str, ...] | None]]:
    with pytest.raises(LongshoreError) as raised:
        read_leniency(settings, "settings.leniency")
    error = raised.value
    assert error.code is ErrorCode.INVALID_PARAMETER
    assert error.message == f"{error.details[0].message}."
    return [(each.param, each.message, each.allowed) for each in error.details]


def test_every_code_but_those_about_findings_takes_every_severity() -> None:
    assert {FindingCode.FINDINGS_TRUNCATED, *CAUSES} == FIXED
    codes = [code for code in FindingCode if code not in FIXED]
    for severity in Severity:
        words = {code.value: severity.value for code in codes}
        assert read_leniency(words) == dict.fromkeys(codes, severity)
    assert read_leniency({}) == {}


WORDS = ("error", "warning", "info")
PARAM = "settings.leniency"


@pytest.mark.parametrize(
    ("code", "word", "said", "allowed"),
    [
        ("segment_mising", "info", "is not the code of a finding; perhaps segment_missing",
         ("segment_missing", "element_missing", "bad_segment_id")),
        ("§", "info", "is not the code of a finding", None),
        ("segment_missing", "off",
         "must be one of: error, warning, info; a finding cannot be switched off", WORDS),
        ("findings_truncated", "info",
         "cannot be changed: it is about the list of findings", None),
    ],
)  # fmt: skip
def test_what_it_may_not_say_is_refused_with_its_place(
    code: str, word: str, said: str, allowed: tuple[str, ...] | None
) -> None:
    name = f"{PARAM}.{code}"
    assert refused({code: word}) == [(name, f"{name} {said}", allowed)]


@pytest.mark.parametrize("settings", [[], "off", None, 1])
def test_it_is_an_object(settings: object) -> None:
    message = f"{PARAM} must be an object of severities by code"
    assert refused(settings) == [(PARAM, message, None)]


@pytest.mark.parametrize("word", ["Error", "", None, False, 1, ["info"], {"info": 1}])
def test_a_severity_is_one_of_three_words(word: object) -> None:
    [(param, message, allowed)] = refused({"segment_missing": word})
    assert (param, allowed) == ("settings.leniency.segment_missing", WORDS)
    assert message.endswith("must be one of: error, warning, info")


def test_all_faults_are_named_at_once_and_long_names_are_cut() -> None:
    found = refused({"x" * 500: "off", "segment_missing": "none"})
    assert [param for param, _, _ in found] == [
        *["settings.leniency." + "x" * 64] * 2,
        "settings.leniency.segment_missing",
    ]
    assert len(refused({str(at): "info" for at in range(500)})) == 100


def test_the_engine_refuses_what_it_may_not_say() -> None:
    with pytest.raises(LongshoreError) as raised:
        validate(FAULTY[0].text, leniency={"segment_missing": "off"})
    assert raised.value.details[0].param == "leniency.segment_missing"
