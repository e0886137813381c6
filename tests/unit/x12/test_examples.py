"""The examples of docs/reference/x12.md section 5 that concern content and acknowledgements.

Each from the text of a document to the text of the answer; the numbers are those of the examples.
"""

import pytest

from longshore.x12.acks.build import preview_acks
from longshore.x12.acks.contexts import add_contexts
from longshore.x12.acks.outcome import AckOutcome, SentSet, outcomes
from longshore.x12.acks.profile import AckProfile, Ta1Rule
from longshore.x12.acks.read import AckContext, GroupAck, read_group_ack, read_ta1
from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.library import Dictionary
from longshore.x12.validate.validation import Options, Validation, validate
from longshore.x12.walk import Walk
from tests.unit.x12.acks.acknowledged import a_document, case
from tests.unit.x12.documents import a_set, fields_of

SEPARATORS = Delimiters("*", "~", ">", "")
ON_ERROR = AckProfile(ta1=Ta1Rule.ON_ERROR)
BEG = "BEG*00*SA*PO-1**20240115"
LINE = "PO1*1*1*EA*9.25"


def validated(text: str, options: Options | None = None) -> Validation:
    validation = validate(lambda: (text,), options=options)
    add_contexts(Walk(lambda: (text,)), validation.results)
    return validation


def answers(text: str, profile: AckProfile | None = None, options: Options | None = None) -> str:
    """Return all acknowledgements of a document, ``""`` if there is none."""
    validation = validated(text, options)
    made = preview_acks(validation.envelope, validation.results, profile or AckProfile())
    return "".join(written.text for _, written in made)


def answer(text: str, profile: AckProfile | None = None, options: Options | None = None) -> str:
    """Return what stands in the only 997 or 999, from AK1 to AK9; ``""`` if there is none."""
    segments = answers(text, profile, options).split("~")
    starts = [at for at, each in enumerate(segments) if each.startswith("AK1*")]
    ends = [at for at, each in enumerate(segments) if each.startswith("SE*")]
    assert len(starts) == len(ends) <= 1
    return "".join(f"{each}~" for start in starts for each in segments[start : ends[0]])


def about_set(*body: str, version: str = "004010", options: Options | None = None) -> str:
    """Return what a 997 says of an 850 with this body, from AK2 to AK5, both left out."""
    text = answer(a_document(version, a_set(*body)), options=options)
    return text.split("AK2*850*0001~")[1].split("AK5*")[0]


def found(text: str) -> list[tuple[str, str | None, int | None]]:
    return [
        (each.code, each.segment_id, each.segment_position) for each in validated(text).findings
    ]


# ---- documents received -------------------------------------------------------------------------


def test_01_an_ordinary_order_is_accepted() -> None:
    assert found(case(1)) == []
    assert answer(case(1)) == "AK1*PO*101~AK2*850*0001~AK5*A~AK9*A*1*1*1~"


def test_12_a_cut_document_has_a_ta1_if_one_is_due_and_nothing_else() -> None:
    assert sorted(code for code, _, _ in found(case(12))) == [
        "group_trailer_missing",
        "interchange_trailer_missing",
        "set_trailer_missing",
    ]
    assert answers(case(12)) == ""
    assert answers(case(12), ON_ERROR).split("~")[1] == "TA1*000000101*240115*0930*R*023"
    assert answer(case(12), ON_ERROR) == ""


def test_14_two_sets_of_one_group() -> None:
    assert answer(case(14)) == ("AK1*PO*101~AK2*850*0001~AK5*A~AK2*850*0002~AK5*A~AK9*A*2*2*2~")
    fields = fields_of(case(14))
    assert (fields["ST[2].02"], fields["ST[2]/BEG.03"]) == ("0002", "PO-4712")


def test_15_a_trimmed_isa_is_rejected() -> None:
    assert found(case(15)) == [("isa_not_fixed_width", "ISA", 1)]
    assert "~TA1*000000101*240115*0930*R*022~IEA*0*" in answers(case(15), ON_ERROR)
    assert answer(case(15), ON_ERROR) == ""


@pytest.mark.parametrize(
    ("number", "findings"),
    [
        (16, [("trailing_separators", "PO1", 3), ("trailing_separators", "CTT", 4)]),
        (17, [("empty_segment", None, None)]),
    ],
)
def test_16_17_what_is_only_odd_is_accepted(
    number: int, findings: list[tuple[str, str | None, int | None]]
) -> None:
    assert found(case(number)) == findings
    assert validated(case(number)).is_valid
    assert answer(case(number)) == "AK1*PO*101~AK2*850*0001~AK5*A~AK9*A*1*1*1~"


def test_16_what_is_cut_off_has_no_keys() -> None:
    fields = fields_of(case(16))
    assert [key for key in fields if key.startswith("PO1")] == [
        "PO1.01",
        "PO1.02",
        "PO1.03",
        "PO1.04",
    ]


def test_18_a_lower_case_id_is_no_id() -> None:
    assert found(case(18)) == [("segment_unknown", "ref", 3), ("lowercase_segment_id", "ref", 3)]
    assert answer(case(18)) == ("AK1*PO*101~AK2*850*0001~AK3*ref*3**1~AK5*R*5~AK9*R*1*1*0~")


def test_20_a_component_separator_in_a_simple_element_is_data() -> None:
    assert [each for each in found(case(20)) if each[1] == "MSG"] == []
    fields = fields_of(case(20))
    assert fields["MSG.01"] == "Call at 10:30, see http://x"
    assert "MSG.01.01" not in fields


def test_21_a_repetition_of_a_composite_is_split_and_validated() -> None:
    assert fields_of(case(21))["HI.01[2].02"] == "R05"
    [finding] = [each for each in validated(case(21)).findings if each.segment_id == "HI"]
    place = (finding.element_position, finding.repeat, finding.component_position)
    assert (finding.code, *place, finding.path) == ("too_many_repetitions", 1, 2, None, "HI.01[2]")


@pytest.mark.parametrize(
    ("number", "body"),
    [
        (25, "AK1*PO*101~AK2*850*0001~AK5*R*4~AK9*R*1*1*0~"),
        (26, "AK1*PO*101~AK2*850*0001~AK5*R*3~AK9*R*1*1*0~"),
        (28, "AK1*PO*101~AK9*R*1*1*0*3~"),
        (29, "AK1*PO*101~AK2*850*0001~AK5*A~AK2*850*0001~AK5*R*23~AK9*P*2*2*1~"),
    ],
)
def test_25_26_28_29_faults_of_the_frame(number: int, body: str) -> None:
    assert answer(case(number)) == body


def test_25_the_997_counts_its_own_segments() -> None:
    assert "~SE*6*0001~" in answers(case(25))


def test_27_an_interchange_with_another_number_at_its_end_is_not_processed() -> None:
    assert "~TA1*000000101*240115*0930*R*001~IEA*0*" in answers(case(27), ON_ERROR)
    assert answer(case(27), ON_ERROR) == ""


def test_28_a_group_without_end_leaves_the_interchange_accepted() -> None:
    asked = case(28).replace("*0*T*>", "*1*T*>")
    assert "~TA1*000000101*240115*0930*A*000~" in answers(asked)


def test_39_signs_and_points_are_kept_and_right() -> None:
    fields = fields_of(case(39))
    assert (fields["TDS.01"], fields["ISS.03"]) == ("-12345", ".5")
    assert not {"TDS", "ISS"} & {segment_id for _, segment_id, _ in found(case(39))}


def test_42_an_interchange_is_accepted_and_its_set_rejected() -> None:
    document = a_document("004010", a_set(LINE), e14="1")
    text = answers(document)
    assert text.split("~")[1] == "TA1*000000101*240115*0930*A*000"
    assert answer(document) == ("AK1*PO*101~AK2*850*0001~AK3*BEG*2**3~AK5*R*5~AK9*R*1*1*0~")


@pytest.mark.parametrize(
    ("body", "said_of_it"),
    [
        ((BEG, "PO1*1**EA*9.25"), "AK3*PO1*3**8~AK4*2*330*2~"),  # 43
        ((BEG, "DTM*002*20240230", LINE), "AK3*DTM*3**8~AK4*2*373*8*20240230~"),  # 44
        ((BEG, "PO1*1*1x0*EA"), "AK3*PO1*3**8~AK4*2*330*6~"),  # 45
        ((BEG, "N1*ST*X*92", LINE), "AK3*N1*3**8~AK4*4*67*2~"),  # 46
        ((LINE,), "AK3*BEG*2**3~"),  # 47
        ((BEG, "QQQ*1", LINE), "AK3*QQQ*3**1~"),  # 48
        ((BEG, "CLM*1", LINE), "AK3*CLM*3**6~"),
        ((BEG, BEG, LINE), "AK3*BEG*3**5~"),  # 49
        ((BEG, "DTM*002*20240201", "CUR*BY*USD", LINE), "AK3*CUR*4**7~"),
    ],
)
def test_43_to_49_what_is_wrong_with_a_set(body: tuple[str, ...], said_of_it: str) -> None:
    assert about_set(*body) == said_of_it
    assert answer(a_document("004010", a_set(*body))).endswith("AK5*R*5~AK9*R*1*1*0~")


@pytest.mark.parametrize(("version", "code"), [("004010", "6"), ("005010", "18")])
def test_50_a_set_in_a_group_of_others(version: str, code: str) -> None:
    document = a_document(version, a_set(BEG, LINE), group_id="IN")
    assert [each[0] for each in found(document)] == ["set_not_in_group"]
    assert f"AK2*850*0001~AK5*R*{code}~AK9*R*1*1*0~" in answer(document)


HOUSE = """# sources: made up
set 850 PO 004010..005010 "Order"
  ZZA O1
"""


@pytest.mark.parametrize(
    ("version", "note"), [("004010", "AK4*1>4**3~"), ("005010", "AK4*1:4**13~")]
)
def test_51_a_component_more_than_are_defined(version: str, note: str) -> None:
    texts = {
        "segments.xd": "# sources: made up\nZZA C801\n",
        "composites.xd": "# sources: made up\nC801 352 352 352\n",
        "elements.xd": "# sources: made up\n352 AN 1/80\n",
        "sets/850.xd": HOUSE,
    }
    options = Options(dictionary=Dictionary(texts))
    value = "A>B>C>D" if version == "004010" else "A:B:C:D"
    assert about_set(f"ZZA*{value}", version=version, options=options) == f"AK3*ZZA*2**8~{note}"


# ---- acknowledgements received ------------------------------------------------------------------


def read(*rows: str) -> GroupAck:
    return read_group_ack([row.split("*") for row in rows], SEPARATORS)


def rows_of(document: str) -> list[list[str]]:
    """Return the segments of the only set of a document."""
    rows = [line.split("*") for line in document.replace("\n", "").split("~")]
    tags = [row[0] for row in rows]
    return rows[tags.index("ST") : tags.index("SE") + 1]


SENT = [SentSet("850", f"000{number}") for number in (1, 2, 3)]


def test_31_a_ta1_by_itself_is_read_and_not_answered() -> None:
    [row] = [line.split("*") for line in case(31).replace("\n", "").split("~") if "TA1" in line]
    ack = read_ta1(row, 2)
    assert (ack.control_number, ack.date, ack.time) == ("000000077", "240114", "2359")
    assert (ack.status, ack.warnings) == ("A", ())
    assert found(case(31)) == []
    assert answers(case(31).replace("*0*T*", "*1*T*"), ON_ERROR) == ""


def test_32_a_997_that_accepts_a_part() -> None:
    assert found(case(32)) == []
    assert answers(case(32)) == ""
    ack = read_group_ack(rows_of(case(32)), SEPARATORS)
    assert (ack.functional_id, ack.control_number) == ("PO", "55")
    assert (ack.status, ack.included, ack.received, ack.accepted) == ("P", 2, 2, 1)
    assert [each.outcome for each in outcomes(ack, SENT[:2])] == [
        AckOutcome.ACCEPTED,
        AckOutcome.REJECTED,
    ]
    [segment] = ack.sets[1].segments
    assert (segment.segment_id, segment.position, segment.code) == ("PO1", 9, "8")
    [element] = segment.elements
    assert (element.element_position, element.element_ref) == (2, "330")
    assert (element.code, element.bad_value) == ("1", "")


def test_33_a_999_that_speaks_of_a_claim() -> None:
    assert found(case(33)) == []
    assert answers(case(33)) == ""
    ack = read_group_ack(rows_of(case(33)), Delimiters("*", "~", ":", "^"))
    [listed] = ack.sets
    assert (listed.set_id, listed.control_number) == ("837", "0001")
    assert (listed.status, listed.codes) == ("R", ("I5",))
    [segment] = listed.segments
    assert (segment.segment_id, segment.position, segment.loop_id) == ("CLM", 22, "2300")
    assert (segment.code, segment.contexts) == ("8", [AckContext("CLM01", "A1", ())])
    [element] = segment.elements
    assert (element.element_position, element.component_position) == (5, 3)
    assert (element.element_ref, element.code, element.bad_value) == ("1325", "I6", "7")


def test_41_an_unknown_status_is_kept_with_a_warning_and_never_answered() -> None:
    document = case(32).replace("AK5*A~", "AK5*Q~").replace("*0*T*", "*1*T*")
    assert answers(document, ON_ERROR) == ""
    ack = read_group_ack(rows_of(document), SEPARATORS)
    assert ack.sets[0].status == "Q"
    assert "ack_code_unknown" in [each.code for each in ack.warnings]


@pytest.mark.parametrize("spelling", ["55", "000000055"])
def test_53_the_number_of_the_group_is_kept_as_received(spelling: str) -> None:
    ack = read("ST*997*0001", f"AK1*PO*{spelling}", "AK9*A*1*1*1", "SE*4*0001")
    assert int(ack.control_number) == 55


def test_54_an_accepted_group_without_its_sets() -> None:
    ack = read("ST*997*0001", "AK1*PO*55", "AK9*A*2*2*2", "SE*4*0001")
    assert [each.outcome for each in outcomes(ack, SENT[:2])] == [AckOutcome.ACCEPTED] * 2


def test_55_a_part_is_accepted_and_only_the_rejected_set_listed() -> None:
    rejected = ("AK2*850*0002", "AK5*R*5")
    ack = read("ST*997*0001", "AK1*PO*55", *rejected, "AK9*P*3*3*2", "SE*6*0001")
    assert [each.outcome for each in outcomes(ack, SENT)] == [
        AckOutcome.ACCEPTED,
        AckOutcome.REJECTED,
        AckOutcome.ACCEPTED,
    ]


def test_56_a_rejected_group_without_its_sets() -> None:
    ack = read("ST*997*0001", "AK1*PO*55", "AK9*R*2*2*0*5", "SE*4*0001")
    assert [each.outcome for each in outcomes(ack, SENT[:2])] == [AckOutcome.REJECTED] * 2
    assert ack.codes == ("5",)
