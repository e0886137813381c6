"""Read JSON texts of rules, lookup tables and envelopes without rounding numbers.

Source: contract.md section 1, fields-and-mapping.md section 5.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from json import JSONDecodeError, dumps, loads
from typing import Final, NoReturn

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

_MAX_INTEGER_DIGITS: Final = 1_000  # int() takes the square of the digits of a longer one
_MAX_ECHOED_CHARS: Final = 60


def exact_json(text: str, param: str) -> object:
    """Return the value of a JSON text; numbers with a fraction or an exponent are ``Decimal``.

    Args:
        text: The JSON text.
        param: The name of the parameter that holds it, such as ``field_map``, for messages.

    Raises:
        _refusal: A LongshoreError, invalid_json; also for NaN, Infinity, a repeated member, and
            values nested too deeply.
    """
    try:
        value: object = loads(
            text,
            object_pairs_hook=_object,
            parse_float=Decimal,
            parse_int=_integer,
            parse_constant=_constant,
        )
    except JSONDecodeError as error:
        fault = f"it is not valid JSON: {error.msg} (line {error.lineno}, column {error.colno})"
        raise _refusal(param, fault) from error
    except RecursionError as error:
        raise _refusal(param, "it is nested too deeply") from error
    except ArithmeticError as error:
        raise _refusal(param, "an exponent is too large") from error
    except ValueError as error:
        raise _refusal(param, str(error)) from error
    if "\\u" in text and not _has_utf8(value):
        raise _refusal(param, "a lone surrogate is not a character")
    return value


def _has_utf8(value: object) -> bool:
    try:
        dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        return False
    return True


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the members of an object.

    Raises:
        ValueError: A member occurs twice.
    """
    members = dict(pairs)
    if len(members) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        name = next(name for name, count in counts.items() if count > 1)
        shown = name[:_MAX_ECHOED_CHARS] if name.isprintable() else "…"
        raise ValueError(f'the member "{shown}" appears more than once in an object')
    return members


def _integer(digits: str) -> int | Decimal:
    return int(digits) if len(digits) <= _MAX_INTEGER_DIGITS else Decimal(digits)


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _refusal(param: str, fault: str) -> LongshoreError:
    code = ErrorCode.INVALID_JSON
    detail = ErrorDetail(code=code, param=param, message=fault)
    return LongshoreError(code, f"In {param}: {fault}.", details=(detail,))
