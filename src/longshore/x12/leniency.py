"""A partner's leniency: the severities of findings in the documents of one partner.

    {"segment_out_of_order": "warning", "group_date_invalid": "info", "line_count_wrong": "error"}

A code that is not named keeps its default severity (``findings.SEVERITIES``). Leniency applies to
each finding of validation: of reading, envelope, frame, structure, elements and amounts. No check
is switched off: a finding that does not matter is ``info``, and still listed and counted.

Only errors are acknowledged: a finding that is no longer an error leaves no code in TA1, 997 or
999, and a finding without such a code gets none by being an error.

Source: contract.md section 15, ``leniency``; docs/reference/leniency.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.x12.findings import CAUSES, SEVERITIES, FindingCode, Severity

# The one finding about our own list, and not about the document.
FIXED: Final = frozenset((FindingCode.FINDINGS_TRUNCATED, *CAUSES))

_CODES: Final = tuple(code.value for code in FindingCode if code not in FIXED)
_WORDS: Final = tuple(severity.value for severity in Severity)
_MAX_ECHOED_CHARS: Final = 64
_MAX_FAULTS: Final = 100


def read_leniency(settings: object, param: str = "leniency") -> Mapping[str, Severity]:
    """Return the severities by finding code that a JSON object names.

    Args:
        settings: The object.
        param: The name of the object in error messages.

    Raises:
        LongshoreError: invalid_parameter, with a detail for each unknown code or severity.
    """
    if not isinstance(settings, Mapping):
        settings, faults = {}, [_detail(f"{param} must be an object of severities by code", param)]
    else:
        faults = [each for code, word in settings.items() for each in _faults(code, word, param)]
    if faults:
        details = tuple(faults[:_MAX_FAULTS])
        message = f"{details[0].message}."
        raise LongshoreError(ErrorCode.INVALID_PARAMETER, message, details=details)
    return {FindingCode(code): Severity(word) for code, word in settings.items()}


def _faults(code: object, word: object, param: str) -> Iterator[ErrorDetail]:
    """Yield what is wrong with one member."""
    name = str(code)[:_MAX_ECHOED_CHARS]
    named = f"{param}.{name}"
    if code in FIXED:
        yield _detail(f"{named} cannot be changed: it is about the list of findings", named)
    elif code not in SEVERITIES:
        nearest = tuple(get_close_matches(name, _CODES))
        hint = f"; perhaps {nearest[0]}" if nearest else ""
        yield _detail(f"{named} is not the code of a finding{hint}", named, nearest or None)
    if not isinstance(word, str) or word not in _WORDS:
        off = "; a finding cannot be switched off" if word == "off" else ""
        yield _detail(f"{named} must be one of: {', '.join(_WORDS)}{off}", named, _WORDS)


def _detail(message: str, param: str, allowed: tuple[str, ...] | None = None) -> ErrorDetail:
    code = ErrorCode.INVALID_PARAMETER
    return ErrorDetail(code=code, message=message, param=param, allowed=allowed)
