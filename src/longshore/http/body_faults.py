"""Faults of a JSON body as such: malformed, a name that is repeated or unknown, too much of it."""

import json
from collections.abc import Collection
from difflib import get_close_matches
from typing import Final

import msgspec

from longshore.kit.errors import ErrorCode, ErrorDetail

MAX_NAME_CHARS: Final = 60  # of an unknown name that is repeated in an error text


def fault(code: ErrorCode, param: str | None, message: str) -> ErrorDetail:
    """Return a fault of one member, or of the whole body if ``param`` is None."""
    return ErrorDetail(code=code, message=message, param=param)


def malformed(body: bytes, error: Exception) -> ErrorDetail:
    """Return the fault of a body that is no JSON object, from the error of its decoder."""
    code = ErrorCode.INVALID_JSON
    match error:
        case UnicodeDecodeError(start=position):
            text = f"The body is not UTF-8: byte {position} cannot be read."
        case RecursionError():
            text = "The body is nested too deeply."
        case msgspec.ValidationError():
            code, text = ErrorCode.NOT_AN_OBJECT, "The body must be a JSON object."
        case _ if not body.strip():
            text = "The body is empty. Send a JSON object."
        case _:
            # msgspec names the byte and the kind of fault, and quotes nothing.
            text = f"The body is not valid JSON: {error}."
    return fault(code, None, text)


def unknown_member(prefix: str, name: str, known: Collection[str]) -> ErrorDetail:
    """Return the fault of a member that the object at ``prefix`` does not have."""
    shown = name[:MAX_NAME_CHARS]
    param = prefix + shown
    nearest = get_close_matches(shown, known, n=1, cutoff=0)[0]
    text = f'Unknown parameter "{param}"; did you mean "{nearest}"?'
    return fault(ErrorCode.UNKNOWN_PARAMETER, param, text)


def repeated_name(text: str) -> ErrorDetail | None:
    """Return the fault of a text that has a member name twice in one object."""
    repeated: list[str] = []

    def note_repeated(pairs: list[tuple[str, object]]) -> None:
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                repeated.append(name)
            seen.add(name)

    # Numbers as text: int() refuses long ones with an error of its own.
    json.loads(text, object_pairs_hook=note_repeated, parse_int=str, parse_float=str)
    if not repeated:
        return None
    name = repeated[0][:MAX_NAME_CHARS]
    return fault(ErrorCode.INVALID_JSON, name, f'The member "{name}" appears more than once.')
