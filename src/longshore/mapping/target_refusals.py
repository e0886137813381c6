"""Errors about values that a target format cannot hold. Their messages hold no document content.

Source: contract.md section 2, fields-and-mapping.md sections 5, 7 and 10.
"""

from __future__ import annotations

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

CHARACTER_NOT_ALLOWED = "character_not_allowed"
VALUE_TOO_LONG = "value_too_long"
TYPE_MISMATCH = "type_mismatch"


def conversion_failed(code: str, rule: int | None, message: str) -> LongshoreError:
    """Return the refusal of a value; ``rule`` is the index of the rule that wrote it, from 0."""
    param = None if rule is None else f"field_map[{rule}]"
    detail = ErrorDetail(code=code, param=param, message=message)
    return _refusal(ErrorCode.CONVERSION_FAILED, detail)


def delimiter_in_data(rule: int) -> LongshoreError:
    """Return the refusal of a value that holds one of the separators a profile fixes."""
    code = ErrorCode.DELIMITER_IN_DATA
    message = "the value holds a separator of the document, and the separators are fixed"
    return _refusal(code, ErrorDetail(code=code, param=f"field_map[{rule}]", message=message))


def unfit_rules(faults: list[tuple[int, str, str]]) -> LongshoreError:
    """Return the refusal of rules that the target format has no use for.

    Args:
        faults: Rule, its member, and what is wrong with it, in order of rules.
    """
    code = ErrorCode.INVALID_MAPPING_RULE
    details = [
        ErrorDetail(code=code, param=f"field_map[{rule}].{member}", message=message)
        for rule, member, message in faults
    ]
    return _refusal(code, *details)


def invalid_envelope(member: str, message: str) -> LongshoreError:
    """Return the refusal of a member of the request's ``envelope``."""
    code = ErrorCode.INVALID_PARAMETER
    return _refusal(code, ErrorDetail(code=code, param=f"envelope.{member}", message=message))


def output_too_long(most: int) -> LongshoreError:
    """Return the refusal of an output of more than ``most`` bytes."""
    return _too_much("output_bytes", most, f"the output is longer than {most} bytes", None)


def index_too_far(most: int, rule: int) -> LongshoreError:
    """Return the refusal of an index more than ``most`` beyond the end of its array."""
    message = f"the index is more than {most} beyond the end of its array"
    return _too_much("array_index", most, message, rule)


def _too_much(limit: str, most: int, message: str, rule: int | None) -> LongshoreError:
    code = ErrorCode.LIMIT_EXCEEDED
    param = None if rule is None else f"field_map[{rule}].tgt"
    return _refusal(
        code, ErrorDetail(code=code, param=param, message=message, limit=limit, max=most)
    )


def _refusal(code: ErrorCode, *details: ErrorDetail) -> LongshoreError:
    message, param = details[0].message, details[0].param
    place = "" if param is None else f" ({param})"
    return LongshoreError(
        code, f"{message[0].upper()}{message[1:]}{place}.", details=tuple(details)
    )
