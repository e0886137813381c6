"""Read and check the member ``envelope`` of a request: sender, receiver, version, separators.

Source: fields-and-mapping.md section 7, X12, point 4; contract.md section 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.mapping.addressing import Addressing
from longshore.mapping.members import echo
from longshore.x12.delimiters import Delimiters
from longshore.x12.writer.separators import DEFAULT_DELIMITERS

SEPARATORS: Final = "separators"
_TEXTS: Final = tuple(each.name for each in fields(Addressing) if each.name != SEPARATORS)
SEPARATOR_MEMBERS: Final = ("elem_sep", "seg_term", "comp_sep", "rep_sep")
"""The members of ``separators``, in the order of ``Delimiters``."""


def read_envelope(given: object) -> Addressing:
    """Return the addressing in a request. A member that is null or ``""`` is not given.

    ``separators`` is an object of ``SEPARATOR_MEMBERS``, or a text of them in this order, such as
    ``* ~ > ^``; missing ones are the default separators.

    Raises:
        LongshoreError: invalid_parameter or unknown_parameter, with a detail for each fault, such
            as of ``envelope.version``.
    """
    faults: list[ErrorDetail] = []
    members = _members("envelope", given, (*_TEXTS, SEPARATORS), faults)
    separators = members.pop(SEPARATORS, None)
    texts = _texts("envelope", members, faults)
    marks = None if separators is None else _delimiters(separators, faults)
    if faults:
        raise LongshoreError(ErrorCode(faults[0].code), faults[0].message, details=tuple(faults))
    return Addressing(**texts, separators=marks)


def _members(
    param: str, given: object, known: tuple[str, ...], faults: list[ErrorDetail]
) -> dict[str, object]:
    """Return the members of an object that are known and not null."""
    if not isinstance(given, Mapping):
        faults.append(_fault(param, "must be an object"))
        return {}
    for name in given:
        if name not in known:
            nearest = get_close_matches(name, known, 1, cutoff=0)[0]
            message = f'Unknown parameter "{param}.{echo(name)}"; did you mean "{nearest}"?'
            code = ErrorCode.UNKNOWN_PARAMETER
            faults.append(ErrorDetail(code=code, param=f"{param}.{echo(name)}", message=message))
    return {name: value for name, value in given.items() if name in known and value is not None}


def _texts(param: str, members: Mapping[str, object], faults: list[ErrorDetail]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for name, value in members.items():
        if isinstance(value, str):
            texts[name] = value
        else:
            faults.append(_fault(f"{param}.{name}", "must be a string"))
    return texts


def _delimiters(given: object, faults: list[ErrorDetail]) -> Delimiters:
    param = f"envelope.{SEPARATORS}"
    if isinstance(given, str):
        given = dict(zip(SEPARATOR_MEMBERS, given.replace(" ", ""), strict=False))
    chosen = _texts(param, _members(param, given, SEPARATOR_MEMBERS, faults), faults)
    for name, mark in chosen.items():
        if len(mark) > 1 and (name, mark) != ("seg_term", "\r\n"):
            faults.append(_fault(f"{param}.{name}", "must be one character"))
    return Delimiters(
        *(
            chosen.get(name) or default
            for name, default in zip(SEPARATOR_MEMBERS, DEFAULT_DELIMITERS, strict=False)
        )
    )


def _fault(param: str, what: str) -> ErrorDetail:
    message = f'Parameter "{param}" {what}.'
    return ErrorDetail(code=ErrorCode.INVALID_PARAMETER, param=param, message=message)
