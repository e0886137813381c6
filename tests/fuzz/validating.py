"""What has to hold when any X12 document is validated and acknowledged."""

from collections import Counter
from functools import lru_cache
from random import Random
from unittest import mock

from longshore.engine import parse
from longshore.engine.validate import Validated, validate
from longshore.kit.errors import LongshoreError
from longshore.x12.acks.assessment import SetAssessment
from longshore.x12.acks.build import AckPlan, WrittenAck, preview_acks
from longshore.x12.acks.codes import Form
from longshore.x12.acks.profile import AckProfile, AckType, RejectLevel, Ta1Rule
from longshore.x12.acks.read import SetAck
from longshore.x12.dictionary.library import shipped
from longshore.x12.findings import ACK_CODES, Finding, FindingCode, Severity
from longshore.x12.loops.documents import DocumentPlacement
from longshore.x12.results import STANDARD_LAYER
from longshore.x12.validate import kinds, rules
from longshore.x12.validate.outcome import ValidationOutcome
from longshore.x12.validate.validation import Validation
from longshore.x12.validate.validation import validate as validate_text
from longshore.x12.walk import Walk
from tests.fuzz.answers import group_acks, own_reading
from tests.fuzz.mutations import cuts
from tests.fuzz.oracles import expected, in_time, strict
from tests.unit.x12.test_fast_and_slow import AIDS, without

# Acknowledgements repeat these as they were received, so they may be wrong in them.
ECHOED = frozenset({"GS", "AK1", "AK2", "TA1"})
# A bad address is the other party's in the acknowledgement.
ADDRESS_FAULTS = {
    "sender_qualifier_invalid": "007",
    "sender_id_invalid": "008",
    "receiver_qualifier_invalid": "005",
    "receiver_id_invalid": "006",
}
_WITHOUT_ACK = (
    FindingCode.NUMBER_FORM,
    FindingCode.CHECK_DIGIT_WRONG,
    FindingCode.PAYMENT_OUT_OF_BALANCE,
    FindingCode.CLAIM_OUT_OF_BALANCE,
    FindingCode.SERVICE_OUT_OF_BALANCE,
    FindingCode.INVOICE_OUT_OF_BALANCE,
    FindingCode.REMITTANCE_OUT_OF_BALANCE,
    FindingCode.LINE_COUNT_WRONG,
    FindingCode.HASH_TOTAL_WRONG,
    FindingCode.NO_DEFINITION,
    FindingCode.NEAREST_DEFINITION,
    FindingCode.GUIDE_UNKNOWN,
    FindingCode.CONVENTION_NOT_CHECKED,
    FindingCode.COMPONENT_SEPARATOR_MISMATCH,
    FindingCode.REPETITION_SEPARATOR_MISMATCH,
    FindingCode.REPETITION_SEPARATOR_IN_DATA,
    FindingCode.SET_NOT_IN_GROUP,
    FindingCode.SET_REFERENCE_UNEXPECTED,
)
# What parse says about the fields it gives, which a validation does not make.
ABOUT_FIELDS = frozenset({FindingCode.POSITION_OUT_OF_RANGE, FindingCode.BINARY_BASE64})
ABOUT_CONTENT = frozenset((
    *_WITHOUT_ACK,
    *(code for code, where in ACK_CODES.items() if "segment" in where),
))


def validating(text: str, draw: Random, *, is_thorough: bool) -> None:
    """Validate a document, and compare what is said with what every other way says."""
    if not is_thorough and draw.randrange(4):
        _validated_alone(text)
        return
    validated = _validated(text)
    if validated is not None:
        _is_consistent(validated.validation, text)
    if is_thorough:
        _exact_way(validated, text)
        _in_pieces(validated, cuts(text, draw))
        _next_to_parse(validated, text)
        _each_segment_has_a_place(validated, text)
        _answered(validated)
        _acknowledged(validated, draw)


def _validated_alone(text: str) -> None:
    """Validate a document, and make no acknowledgement."""
    try:
        said = in_time(lambda: validate_text(lambda: (text,)))
    except LongshoreError as refused:
        expected(refused)
    else:
        _is_consistent(said, text)


def _validated(text: str) -> Validated | None:
    try:
        return in_time(lambda: validate(text))
    except LongshoreError as refused:
        expected(refused)
        return None


def _is_consistent(said: Validation, text: str) -> None:
    findings, count = said.findings, said.finding_count
    assert count >= len(findings), "fewer findings are counted than listed"
    assert said.is_truncated == (count > len(findings))
    has_error = any(each.severity is Severity.ERROR for each in findings)
    assert (said.outcome is ValidationOutcome.INVALID) is has_error, (
        "the outcome contradicts the findings"
    )
    unchecked = [each for each in said.sets() if not each.check.is_complete]
    assert not (said.is_valid and unchecked), "what was not checked is called valid"
    offsets = [each.offset or 0 for each in findings]
    assert offsets == sorted(offsets), "findings are not in order of place"
    assert all(0 <= each <= len(text) for each in offsets), "a place is outside the document"


def _answered(validated: Validated | None) -> None:
    if validated is not None:
        answer = strict(validated.result_json())
        assert answer["finding_count"] == validated.validation.finding_count
        assert answer["truncated"] or len(answer["findings"]) == answer["finding_count"]


def _exact_way(validated: Validated | None, text: str) -> None:
    """Validate without anything that makes it fast: segment by segment and element by element."""
    with (
        # The rules that are kept stay as they are: they learn from one document to the next.
        mock.patch.object(rules, "rules_of", lru_cache(rules.SetRules)),
        mock.patch.object(kinds, "rules_of", rules.SetRules),
        without(*AIDS),
    ):
        slow = _validated(text)
    assert _said(slow) == _said(validated), "the fast and the exact way differ"


def _in_pieces(validated: Validated | None, pieces: list[str]) -> None:
    try:
        said = _of(validate_text(lambda: iter(pieces)))
    except LongshoreError:
        said = None
    assert said == _said(validated), "another split is judged otherwise"


def _said(validated: Validated | None) -> object:
    return None if validated is None else _of(validated.validation)


def _of(said: Validation) -> object:
    results = {index: each.faults for index, each in said.results.items()}
    return said.findings, said.finding_count, said.error_count, results


def _next_to_parse(validated: Validated | None, text: str) -> None:
    try:
        parsed = parse(text)
    except LongshoreError:
        assert validated is None, "parse refuses what validate does not"
        return
    assert validated is not None, "validate refuses what parse does not"
    if validated.validation.is_truncated:
        return
    said = (each for each in (*parsed.errors, *parsed.warnings) if each.code not in ABOUT_FIELDS)
    envelope = Counter(map(_key, said))
    checked = Counter(map(_key, validated.findings))
    missing = {code for code, *_ in envelope - checked}
    if any(each.folded for each in validated.findings):
        missing.discard(FindingCode.EXTENDED_CHARSET)  # it is counted in its cause
    assert not missing, "a finding of parse is missing"
    others = {code for code, *_ in checked - envelope}
    assert others <= ABOUT_CONTENT, "a finding about the envelope is new"


def _key(each: Finding) -> tuple[object, ...]:
    place = (each.offset, each.line, each.path, each.tx_index, each.segment_position)
    return (each.code, *place, each.element_position, each.message, each.severity)


def _each_segment_has_a_place(validated: Validated | None, text: str) -> None:
    """Every segment of a set with a definition is placed, or a finding says that it is not."""
    if validated is None or validated.validation.is_truncated:
        return
    reported = {(each.tx_index, each.segment_position) for each in validated.findings}
    # Within a loop whose trigger has a wrong code nothing more is said.
    excused = {each.tx_index for each in validated.findings if each.element_position}
    walk, placement = Walk(lambda: (text,)), DocumentPlacement(shipped())
    for spans in walk.span_lists():
        for span in spans:
            for ahead, cursor in enumerate(placement.of(span)):
                if cursor is not None and not (cursor.slot or span.occurrence):
                    place = (span.tx_index, span.position + ahead)
                    assert place in reported or place[0] in excused, f"{place} is nowhere"


# ---- acknowledgements ------------------------------------------------------------------------


def _acknowledged(validated: Validated | None, draw: Random) -> None:
    if validated is None:
        return
    checked = validated.validation
    profile = AckProfile(
        ack_type=draw.choice((AckType.AUTO, AckType.AUTO, AckType.A997, AckType.A999)),
        ta1=draw.choice(tuple(Ta1Rule)),
        reject_level=draw.choice(tuple(RejectLevel)),
    )
    for plan, written in preview_acks(checked.envelope, checked.results, profile):
        _is_clean(plan, written)
        _reads_back(plan, written)
    if validated.ack:
        assert validate(validated.ack).ack == "", "an acknowledgement is acknowledged"


def _is_clean(plan: AckPlan, written: WrittenAck) -> None:
    for each in validate(written.text).findings:
        if each.severity is not Severity.ERROR:
            continue
        is_echo = each.segment_id in ECHOED and each.element_position is not None
        is_address = ADDRESS_FAULTS.get(each.code) in plan.summary.codes
        where = f"{each.code} {each.segment_id}.{each.element_position}"
        assert is_echo or is_address or _is_name(each), f"{where} in an acknowledgement"


def _is_name(finding: Finding) -> bool:
    """Tell whether it is about a name that has its own length.

    The id of a received segment may have one character only; a loop of a guide may have six, which
    element 447 has not in 005010.
    """
    if finding.segment_id not in {"AK3", "IK3"}:
        return False
    return (finding.element_position, finding.code) in {
        (1, FindingCode.ELEMENT_TOO_SHORT),
        (3, FindingCode.ELEMENT_TOO_LONG),
    }


def _reads_back(plan: AckPlan, written: WrittenAck) -> None:
    answered = [each for planned in plan.groups for each in planned.answered]
    for (ack, rows), checked in zip(group_acks(written.text), answered, strict=True):
        own_reading(ack, rows)
        assert ack.status == checked.status
        assert ack.codes == tuple(checked.form.group_errors(checked.codes))
        assert (ack.received, ack.accepted) == (len(checked.sets), checked.accepted_count)
        is_rejected = checked.status == "R"
        listed = [each for each in checked.sets if not (is_rejected and each.is_faultless)]
        for said, meant in zip(ack.sets, listed, strict=True):
            assert said.status == meant.status
            assert said.codes == tuple(checked.form.set_errors(meant.codes))
            _notes_agree(said, meant, checked.form)


def _notes_agree(said: SetAck, meant: SetAssessment, form: Form) -> None:
    """Every error that is kept is in some note, and no note says anything else."""
    kept = [
        each.ack_code
        for each in meant.result.findings
        if each.ack_code is not None and (form.carries_guide or each.layer == STANDARD_LAYER)
    ]
    assert {note.code for note in said.segments} == {each["segment"] for each in kept}
    of_elements = {note.code for each in said.segments for note in each.elements}
    assert of_elements <= {form.element_error(each.get("element", "")) for each in kept}
