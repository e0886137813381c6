"""Findings: every problem of a document, as data.

The API, the browser, the command line and the acknowledgements use one shape (contract.md section
10). The message of a finding never holds document content.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final, NamedTuple


@unique
class Severity(StrEnum):
    """The severity of a finding; only an ``error`` makes a document invalid."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@unique
class FindingCode(StrEnum):
    """Every word a finding can have as its code. A value is never renamed or reused."""

    # About reading: x12.md sections 1.2 to 1.4
    LEADING_GARBAGE = "leading_garbage"
    ISA_NOT_FIXED_WIDTH = "isa_not_fixed_width"
    SEPARATOR_OVERRIDE_CONFLICT = "separator_override_conflict"
    NO_ENVELOPE = "no_envelope"
    WRAPPED_LINES = "wrapped_lines"
    LINE_BREAK_IN_DATA = "line_break_in_data"
    EMPTY_SEGMENT = "empty_segment"
    LOWERCASE_SEGMENT_ID = "lowercase_segment_id"
    BAD_SEGMENT_ID = "bad_segment_id"
    MISSING_FINAL_TERMINATOR = "missing_final_terminator"
    TRAILING_DATA = "trailing_data"
    TRAILING_SEPARATORS = "trailing_separators"
    BINARY_LENGTH_MISMATCH = "binary_length_mismatch"
    BINARY_BASE64 = "binary_base64"
    EXTENDED_CHARSET = "extended_charset"
    RELEASE_CHARACTER_INVALID = "release_character_invalid"
    POSITION_OUT_OF_RANGE = "position_out_of_range"
    NO_DEFINITION = "no_definition"
    NEAREST_DEFINITION = "nearest_definition"
    GUIDE_UNKNOWN = "guide_unknown"
    CONVENTION_NOT_CHECKED = "convention_not_checked"
    FINDINGS_TRUNCATED = "findings_truncated"
    # About the envelope, accepted: x12.md sections 1.5 and 4
    CONTROL_NUMBER_PADDING = "control_number_padding"
    TA1_ONLY_GROUP_COUNT = "ta1_only_group_count"
    TA1_AFTER_GROUP = "ta1_after_group"
    UNKNOWN_QUALIFIER = "unknown_qualifier"
    # About acknowledgements received: x12.md sections 2.3 and 2.6
    ACK_CODE_UNKNOWN = "ack_code_unknown"
    ACK_COUNTS = "ack_counts"
    # About the interchange, answered in TA105
    INTERCHANGE_NUMBER_MISMATCH = "interchange_control_number_mismatch"
    TERMINATOR_INVALID = "segment_terminator_invalid"
    SENDER_QUALIFIER_INVALID = "sender_qualifier_invalid"
    SENDER_ID_INVALID = "sender_id_invalid"
    RECEIVER_QUALIFIER_INVALID = "receiver_qualifier_invalid"
    RECEIVER_ID_INVALID = "receiver_id_invalid"
    AUTHORIZATION_QUALIFIER_INVALID = "authorization_qualifier_invalid"
    SECURITY_QUALIFIER_INVALID = "security_qualifier_invalid"
    INTERCHANGE_DATE_INVALID = "interchange_date_invalid"
    INTERCHANGE_TIME_INVALID = "interchange_time_invalid"
    STANDARDS_ID_INVALID = "standards_id_invalid"
    INTERCHANGE_VERSION_INVALID = "interchange_version_invalid"
    INTERCHANGE_NUMBER_INVALID = "interchange_control_number_invalid"
    ACK_REQUESTED_INVALID = "acknowledgment_requested_invalid"
    USAGE_INDICATOR_INVALID = "usage_indicator_invalid"
    GROUP_COUNT_WRONG = "group_count_wrong"
    CONTROL_STRUCTURE_INVALID = "control_structure_invalid"
    INTERCHANGE_TRAILER_MISSING = "interchange_trailer_missing"
    INTERCHANGE_CONTENT_INVALID = "interchange_content_invalid"
    ELEMENT_SEPARATOR_INVALID = "element_separator_invalid"
    COMPONENT_SEPARATOR_INVALID = "component_separator_invalid"
    GROUP_DATE_INVALID = "group_date_invalid"
    GROUP_TIME_INVALID = "group_time_invalid"
    GROUP_AGENCY_INVALID = "group_agency_invalid"
    GROUP_ELEMENTS_SURPLUS = "too_many_group_elements"
    INTERCHANGE_ELEMENTS_SURPLUS = "too_many_interchange_elements"
    # About the functional group, answered in AK905
    GROUP_TRAILER_MISSING = "group_trailer_missing"
    GROUP_NUMBER_MISMATCH = "group_control_number_mismatch"
    SET_COUNT_WRONG = "set_count_wrong"
    GROUP_NUMBER_INVALID = "group_control_number_invalid"
    GROUP_NUMBER_REPEATED = "group_control_number_repeated"
    # About the transaction set, answered in AK502
    SET_TRAILER_MISSING = "set_trailer_missing"
    SET_NUMBER_MISMATCH = "set_control_number_mismatch"
    SEGMENT_COUNT_WRONG = "segment_count_wrong"
    SET_ID_INVALID = "set_id_invalid"
    SET_NUMBER_INVALID = "set_control_number_invalid"
    SET_NUMBER_REPEATED = "set_control_number_repeated"
    SET_NOT_IN_GROUP = "set_not_in_group"
    SET_REFERENCE_UNEXPECTED = "set_reference_unexpected"
    # About segments and loops, answered in AK304 and IK304: x12.md sections 2.3 and 2.4
    SEGMENT_UNKNOWN = "segment_unknown"
    SEGMENT_UNEXPECTED = "segment_unexpected"
    SEGMENT_MISSING = "segment_missing"
    LOOP_OVER_MAXIMUM = "loop_over_maximum"
    SEGMENT_OVER_MAXIMUM = "segment_over_maximum"
    SEGMENT_NOT_IN_SET = "segment_not_in_set"
    SEGMENT_OUT_OF_ORDER = "segment_out_of_order"
    SEGMENT_NOT_USED = "segment_not_used"
    LOOP_UNDER_MINIMUM = "loop_under_minimum"
    SEGMENT_UNDER_MINIMUM = "segment_under_minimum"
    # About separators of the ISA that the data does not use, with their consequences
    COMPONENT_SEPARATOR_MISMATCH = "component_separator_mismatch"
    REPETITION_SEPARATOR_MISMATCH = "repetition_separator_mismatch"
    REPETITION_SEPARATOR_IN_DATA = "repetition_separator_in_data"
    # About elements, answered in AK403 and IK403
    ELEMENT_MISSING = "element_missing"
    ELEMENT_CONDITION_MISSING = "element_condition_missing"
    TOO_MANY_ELEMENTS = "too_many_elements"
    ELEMENT_TOO_SHORT = "element_too_short"
    ELEMENT_TOO_LONG = "element_too_long"
    CHARACTER_INVALID = "element_character_invalid"
    CODE_INVALID = "element_code_invalid"
    DATE_INVALID = "element_date_invalid"
    TIME_INVALID = "element_time_invalid"
    EXCLUSION_VIOLATED = "element_exclusion"
    TOO_MANY_REPETITIONS = "too_many_repetitions"
    TOO_MANY_COMPONENTS = "too_many_components"
    CODE_NOT_USED = "element_code_not_used"
    ELEMENT_NOT_USED = "element_not_used"
    HIERARCHY_INVALID = "hierarchy_invalid"
    NUMBER_FORM = "number_form"
    CHECK_DIGIT_WRONG = "check_digit_wrong"
    # About amounts and counts that have to agree: SNIP level 3, in no acknowledgement
    PAYMENT_OUT_OF_BALANCE = "payment_out_of_balance"
    CLAIM_OUT_OF_BALANCE = "claim_out_of_balance"
    SERVICE_OUT_OF_BALANCE = "service_out_of_balance"
    INVOICE_OUT_OF_BALANCE = "invoice_out_of_balance"
    REMITTANCE_OUT_OF_BALANCE = "remittance_out_of_balance"
    LINE_COUNT_WRONG = "line_count_wrong"
    HASH_TOTAL_WRONG = "hash_total_wrong"


# The acknowledgement codes a finding leads to; codes not listed here never appear in one.
ACK_CODES: Final[Mapping[FindingCode, Mapping[str, str]]] = {
    FindingCode.INTERCHANGE_NUMBER_MISMATCH: {"interchange": "001"},
    FindingCode.TERMINATOR_INVALID: {"interchange": "004"},
    FindingCode.SENDER_QUALIFIER_INVALID: {"interchange": "005"},
    FindingCode.SENDER_ID_INVALID: {"interchange": "006"},
    FindingCode.RECEIVER_QUALIFIER_INVALID: {"interchange": "007"},
    FindingCode.RECEIVER_ID_INVALID: {"interchange": "008"},
    FindingCode.AUTHORIZATION_QUALIFIER_INVALID: {"interchange": "010"},
    FindingCode.SECURITY_QUALIFIER_INVALID: {"interchange": "012"},
    FindingCode.INTERCHANGE_DATE_INVALID: {"interchange": "014"},
    FindingCode.INTERCHANGE_TIME_INVALID: {"interchange": "015"},
    FindingCode.STANDARDS_ID_INVALID: {"interchange": "016"},
    FindingCode.INTERCHANGE_VERSION_INVALID: {"interchange": "017"},
    FindingCode.INTERCHANGE_NUMBER_INVALID: {"interchange": "018"},
    FindingCode.ACK_REQUESTED_INVALID: {"interchange": "019"},
    FindingCode.USAGE_INDICATOR_INVALID: {"interchange": "020"},
    FindingCode.GROUP_COUNT_WRONG: {"interchange": "021"},
    FindingCode.CONTROL_STRUCTURE_INVALID: {"interchange": "022"},
    FindingCode.INTERCHANGE_TRAILER_MISSING: {"interchange": "023"},
    FindingCode.INTERCHANGE_CONTENT_INVALID: {"interchange": "024"},
    FindingCode.ELEMENT_SEPARATOR_INVALID: {"interchange": "026"},
    FindingCode.COMPONENT_SEPARATOR_INVALID: {"interchange": "027"},
    FindingCode.GROUP_DATE_INVALID: {"interchange": "024"},
    FindingCode.GROUP_TIME_INVALID: {"interchange": "024"},
    FindingCode.GROUP_AGENCY_INVALID: {"interchange": "024"},
    FindingCode.GROUP_ELEMENTS_SURPLUS: {"interchange": "024"},
    FindingCode.INTERCHANGE_ELEMENTS_SURPLUS: {"interchange": "022"},
    FindingCode.GROUP_TRAILER_MISSING: {"group": "3"},
    FindingCode.GROUP_NUMBER_MISMATCH: {"group": "4"},
    FindingCode.SET_COUNT_WRONG: {"group": "5"},
    FindingCode.GROUP_NUMBER_INVALID: {"group": "6"},
    FindingCode.GROUP_NUMBER_REPEATED: {"group": "19"},
    FindingCode.SET_TRAILER_MISSING: {"set": "2"},
    FindingCode.SET_NUMBER_MISMATCH: {"set": "3"},
    FindingCode.SEGMENT_COUNT_WRONG: {"set": "4"},
    FindingCode.SET_ID_INVALID: {"set": "6"},
    FindingCode.SET_NUMBER_INVALID: {"set": "7"},
    FindingCode.SET_NUMBER_REPEATED: {"set": "23"},
    FindingCode.SET_NOT_IN_GROUP: {"set": "18"},
    FindingCode.SET_REFERENCE_UNEXPECTED: {"set": "19"},
    FindingCode.SEGMENT_UNKNOWN: {"segment": "1"},
    FindingCode.SEGMENT_UNEXPECTED: {"segment": "2"},
    FindingCode.SEGMENT_MISSING: {"segment": "3"},
    FindingCode.LOOP_OVER_MAXIMUM: {"segment": "4"},
    FindingCode.SEGMENT_OVER_MAXIMUM: {"segment": "5"},
    FindingCode.SEGMENT_NOT_IN_SET: {"segment": "6"},
    FindingCode.SEGMENT_OUT_OF_ORDER: {"segment": "7"},
    FindingCode.SEGMENT_NOT_USED: {"segment": "I4"},
    FindingCode.LOOP_UNDER_MINIMUM: {"segment": "I7"},
    FindingCode.SEGMENT_UNDER_MINIMUM: {"segment": "I8"},
    FindingCode.ELEMENT_MISSING: {"segment": "8", "element": "1"},
    FindingCode.ELEMENT_CONDITION_MISSING: {"segment": "8", "element": "2"},
    FindingCode.TOO_MANY_ELEMENTS: {"segment": "8", "element": "3"},
    FindingCode.ELEMENT_TOO_SHORT: {"segment": "8", "element": "4"},
    FindingCode.ELEMENT_TOO_LONG: {"segment": "8", "element": "5"},
    FindingCode.CHARACTER_INVALID: {"segment": "8", "element": "6"},
    FindingCode.CODE_INVALID: {"segment": "8", "element": "7"},
    FindingCode.DATE_INVALID: {"segment": "8", "element": "8"},
    FindingCode.TIME_INVALID: {"segment": "8", "element": "9"},
    FindingCode.EXCLUSION_VIOLATED: {"segment": "8", "element": "10"},
    FindingCode.TOO_MANY_REPETITIONS: {"segment": "8", "element": "12"},
    FindingCode.TOO_MANY_COMPONENTS: {"segment": "8", "element": "13"},
    FindingCode.CODE_NOT_USED: {"segment": "8", "element": "I6"},
    FindingCode.ELEMENT_NOT_USED: {"segment": "8", "element": "I10"},
    FindingCode.HIERARCHY_INVALID: {"segment": "8", "element": "7"},
}

# Amounts that disagree are an error, though no acknowledgement speaks of them.
_ERRORS_OF_AMOUNT: Final = frozenset((
    FindingCode.PAYMENT_OUT_OF_BALANCE,
    FindingCode.CLAIM_OUT_OF_BALANCE,
    FindingCode.SERVICE_OUT_OF_BALANCE,
))

CAUSES: Final = frozenset((
    FindingCode.COMPONENT_SEPARATOR_MISMATCH,
    FindingCode.REPETITION_SEPARATOR_MISMATCH,
    FindingCode.REPETITION_SEPARATOR_IN_DATA,
))
"""Findings that count others, which acknowledgements speak of; as severe as the worst of these."""


def _severity_of(code: FindingCode) -> Severity:
    if code in {FindingCode.NEAREST_DEFINITION, FindingCode.CONVENTION_NOT_CHECKED}:
        return Severity.INFO
    is_error = code in ACK_CODES or code in _ERRORS_OF_AMOUNT or code in CAUSES
    return Severity.ERROR if is_error else Severity.WARNING


# What each finding is to everybody; a partner's leniency alone may say otherwise (``leniency``).
SEVERITIES: Final[Mapping[str, Severity]] = {code: _severity_of(code) for code in FindingCode}

MAX_FINDINGS: Final = 400
"""Findings of reading and of envelopes that are listed: of errors, and of the others.

A document of a million empty segments must not become a million findings: the answer stays below
40 times the request and 256 KiB (reliability.md section 9). Findings about the content have a limit
of their own (``validate.reports.MAX_LISTED``).
"""


# Everybody's severities hold.
NO_LENIENCY: Final[Mapping[str, Severity]] = {}


class Trigger(NamedTuple):
    """The position that a situational rule depends on: it required or forbade another element."""

    segment_id: str
    segment_position: int
    loop_id: str | None = None
    element_position: int | None = None
    component_position: int | None = None
    element_ref: str | None = None


# What a finding carries for acknowledgements alone; no answer has it.
INTERNAL_MEMBERS: Final = ("bad_value", "trigger")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is noteworthy about a document.

    For acknowledgements alone: ``bad_value``, the value as received, None where it must not be
    quoted; of an id too long for ``segment_id`` that id. ``trigger``, of a situational rule.
    """

    code: str
    severity: Severity
    layer: str = "standard"
    message: str
    tx_index: int | None = None
    """The transaction set, from 1; None outside sets."""
    segment_id: str | None = None
    segment_position: int | None = None
    """Within the set, ST = 1; outside a set, the position in the document from 1."""
    loop_id: str | None = None
    element_position: int | None = None
    component_position: int | None = None
    repeat: int | None = None
    element_ref: str | None = None
    path: str | None = None
    """The flat key concerned."""
    offset: int | None = None
    """0-based character of the decoded document."""
    line: int | None = None
    """1-based."""
    allowed: tuple[str, ...] | None = None
    ack_code: Mapping[str, str] | None = None
    """The acknowledgement codes it leads to, such as ``{"set": "4"}`` (x12.md, opening)."""
    folded: int | None = None
    """For a cause (``CAUSES``): the number of findings that follow from it and are not listed."""
    bad_value: str | None = None
    trigger: Trigger | None = None


class FindingLog:
    """Collects the findings of one document: at most ``MAX_FINDINGS`` errors, as many others.

    What comes beyond is counted by code.

    Args:
        leniency: Severities other than everybody's, by code.
    """

    def __init__(self, leniency: Mapping[str, Severity] = NO_LENIENCY) -> None:
        self._severities = {**SEVERITIES, **leniency} if leniency else SEVERITIES
        self._errors: list[Finding] = []
        self._others: list[Finding] = []
        self._left_out: dict[str, int] = {}

    def severity_of(self, code: str) -> Severity:
        """Return how much a finding with this code matters here."""
        return self._severities[code]

    def is_full(self, code: str) -> bool:
        """Return whether findings like this are only counted and need no position."""
        return len(self._kept(self._severities[code])) >= MAX_FINDINGS

    def add(self, finding: Finding) -> None:
        """Add a finding, after ``is_full`` returned False."""
        self._kept(finding.severity).append(finding)

    def count(self, code: str, times: int = 1) -> None:
        """Count findings that are left out."""
        self._left_out[code] = self._left_out.get(code, 0) + times

    @property
    def error_total(self) -> int:
        """The number of all errors, listed or not."""
        left_out = self._left_out.items()
        errors = (times for code, times in left_out if self._severities[code] is Severity.ERROR)
        return len(self._errors) + sum(errors)

    @property
    def total(self) -> int:
        """The number of all findings, listed or not."""
        return len(self._errors) + len(self._others) + sum(self._left_out.values())

    def errors(self) -> tuple[Finding, ...]:
        """Return the listed findings of severity ``error``, in order of appearance."""
        return tuple(self._errors)

    def warnings(self) -> tuple[Finding, ...]:
        """Return the other findings in order of position.

        The last one gives the number of findings of any kind that were left out.
        """
        others = sorted(self._others, key=lambda each: each.offset or 0)
        return (*others, self._truncation()) if self._left_out else tuple(others)

    def _kept(self, severity: Severity) -> list[Finding]:
        return self._errors if severity is Severity.ERROR else self._others

    def _truncation(self) -> Finding:
        counts = ", ".join(f"{code} {count}" for code, count in self._left_out.items())
        return Finding(
            code=FindingCode.FINDINGS_TRUNCATED,
            severity=Severity.WARNING,
            message=f"only {MAX_FINDINGS} errors and as many warnings are listed; more: {counts}",
        )
