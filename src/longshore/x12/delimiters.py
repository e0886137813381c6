"""The separators of an interchange: read from its ISA, overridden by a request, checked.

Source: x12.md sections 1.1 and 1.2 (X12.5, Interchange Control Structures).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, NamedTuple

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.x12.findings import FindingCode

# An ISA without padding has under 200 characters; the rest is slack for a sloppy sender.
HEAD_CHARS: Final = 2048
ISA_CHARS: Final = 105  # 3 of the tag, 16 separators, 86 of elements; the terminator follows
_ISA_ELEMENTS: Final = 16
_separators_of = itemgetter(3, 6, 17, 20, 31, 34, 50, 53, 69, 76, 81, 83, 89, 99, 101, 103)

# A segment that ended before ISA16: the tag of the next one is at the end of an "element".
# Marks that are usual inside an id (``ACME-ST``) do not count as its terminator.
_NEXT_SEGMENT = re.compile(r"[^A-Za-z0-9 .,&/_#-][ \t\r\n]{0,64}(?:GS|TA1|ISB|ISE|ISX|IEA|ST)\Z")
_ESCAPES: Final = {r"\n": "\n", r"\r\n": "\r\n", r"\t": "\t", r"\r": "\r"}
_NEW_ENOUGH = re.compile("(?:0040[2-9]|004[1-9][0-9]|00[5-9][0-9]{2}|0[1-9][0-9]{3}|[1-9][0-9]{4})")
_HEX = re.compile(r"(?:\\x|0x)([0-9A-Fa-f]{2})\Z")


class Delimiters(NamedTuple):
    """The separators in force, one character each; ``segment`` may be CR LF.

    ``repetition`` and ``release`` are ``""`` when none is in force. A tuple, as are the other
    values made for every document: a small one is parsed in the time of a few dozen of them.
    """

    element: str
    segment: str
    component: str
    repetition: str = ""
    release: str = ""

    @property
    def marks(self) -> str:
        """All characters that are a separator."""
        return self.element + self.segment + self.component + self.repetition + self.release


@dataclass(frozen=True, slots=True, kw_only=True)
class DelimiterOverrides:
    """The separators that a request sets; they hold for everything after the ISA."""

    element: str = ""
    segment: str = ""


class InterchangeHead(NamedTuple):
    """An ISA that could be read."""

    delimiters: Delimiters
    """The separators in force after the ISA."""
    element: str
    """The separator inside the ISA itself."""
    chars: int
    """Its length without terminator."""
    terminator: str
    """The text that ends it."""
    is_fixed_width: bool
    contradicts_override: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadFault:
    """An ISA that cannot be read: why, and at which character, counted from its I."""

    code: FindingCode
    message: str
    offset: int


NO_OVERRIDES: Final = DelimiterOverrides()


def parse_overrides(elem_sep: str | None, seg_term: str | None) -> DelimiterOverrides:
    r"""Read the request parameters ``elem_sep`` and ``seg_term``.

    Accepted: one literal character, CR LF for the terminator, or one of the spellings ``\n``,
    ``\r\n``, ``\t``, ``\xHH``, ``0xHH``. None and ``""`` mean: detect.

    Raises:
        LongshoreError: invalid_parameter, with one detail for each bad parameter.
    """
    element, segment = _spelled(elem_sep), _spelled(seg_term)
    details = []
    if element and not is_usable(element):
        details.append(_bad_override("elem_sep", "one character"))
    if segment and segment != "\r\n" and not is_usable(segment):
        details.append(_bad_override("seg_term", "one character, or CR LF,"))
    if not details and element and element in ends_of(segment):
        details.append(
            ErrorDetail(
                code="invalid_parameter",
                param="seg_term",
                message="seg_term and elem_sep must differ",
            )
        )
    if details:
        raise LongshoreError(
            ErrorCode.INVALID_PARAMETER, details[0].message, details=tuple(details)
        )
    return DelimiterOverrides(element=element, segment=segment)


def _spelled(text: str | None) -> str:
    if not text:
        return ""
    if match := _HEX.match(text):
        return chr(int(match[1], 16))
    return _ESCAPES.get(text, text)


def is_usable(character: str) -> bool:
    """Return whether a separator can be distinguished from data: no letter, digit, space or NUL."""
    return len(character) == 1 and not character.isalnum() and character not in " \0"


def ends_of(terminator: str) -> str:
    """Return the characters at the end of a segment: with LF, a CR before it belongs to the end."""
    return "\r\n" if "\n" in terminator else terminator


def _bad_override(param: str, what: str) -> ErrorDetail:
    return ErrorDetail(
        code="invalid_parameter",
        param=param,
        message=f"{param} must be {what} that is no letter, digit, space or NUL; "
        r"spellings: \n, \r\n, \t, \xHH, 0xHH",
    )


def has_fixed_width_isa(text: str, at: int) -> bool:
    """Return whether the 16-separator layout of an ISA holds at offset ``at``."""
    head = text[at : at + ISA_CHARS]
    if len(head) < ISA_CHARS or not head.startswith("ISA"):
        return False
    element = head[3]
    return (
        _separators_of(head) == (element,) * _ISA_ELEMENTS and head.count(element) == _ISA_ELEMENTS
    )


def read_head(
    text: str, at: int, overrides: DelimiterOverrides = NO_OVERRIDES
) -> InterchangeHead | HeadFault:
    """Read the ISA that starts at offset ``at``: by its fixed widths, else by its 16 separators.

    Only the ISA segment is read; ``text`` must hold all of it, with the two characters after it if
    they exist.
    """
    is_fixed_width = has_fixed_width_isa(text, at)
    element = text[at + 3 : at + 4]
    chars = ISA_CHARS if is_fixed_width else _trimmed_chars(text[at : at + HEAD_CHARS], element)
    if isinstance(chars, HeadFault):
        return chars
    elements = text[at : at + chars].split(element, _ISA_ELEMENTS)
    terminator = text[at + chars : at + chars + 1]
    if terminator == "\r" and text.startswith("\n", at + chars + 1):
        terminator = "\r\n"
    marks = (
        overrides.element or element,
        overrides.segment or terminator,
        elements[_ISA_ELEMENTS],
    )
    fault = _fault(*marks, chars)
    if fault is None and overrides is not NO_OVERRIDES:
        # What ends the ISA must be a terminator, even where a request overrides it further on.
        fault = _fault(element, terminator, marks[2], chars)
    if fault is not None:
        return fault
    return InterchangeHead(
        delimiters=Delimiters(
            element=marks[0],
            segment=marks[1],
            component=marks[2],
            repetition=_repetition(elements[11], elements[12], "".join(marks)),
        ),
        element=element,
        chars=chars,
        terminator=terminator,
        is_fixed_width=is_fixed_width,
        contradicts_override=marks[:2] != (element, terminator),
    )


def distinct_delimiters(
    element: str, terminator: str, isa11: str, isa12: str, isa16: str
) -> Delimiters | None:
    """Return the separators of an ISA of fixed widths, or None if ``read_head`` finds a fault."""
    if _fault(element, terminator, isa16, ISA_CHARS) is not None:
        return None
    marks = element + terminator + isa16
    return Delimiters(element, terminator, isa16, _repetition(isa11, isa12, marks))


def _trimmed_chars(text: str, element: str) -> int | HeadFault:
    """Return the length of an ISA whose padding was trimmed, or the reason why it is uncertain."""
    if not is_usable(element):
        return _separator_fault("element", FindingCode.ELEMENT_SEPARATOR_INVALID, 3)
    parts = text.split(element, _ISA_ELEMENTS)
    inner = parts[1:_ISA_ELEMENTS]
    if len(parts) <= _ISA_ELEMENTS or any(_NEXT_SEGMENT.search(part) for part in inner):
        return HeadFault(
            code=FindingCode.CONTROL_STRUCTURE_INVALID,
            message="the ISA has fewer than 16 elements",
            offset=0,
        )
    return len(text) - len(parts[_ISA_ELEMENTS]) + len(parts[_ISA_ELEMENTS][:1])


def _fault(element: str, segment: str, component: str, chars: int) -> HeadFault | None:
    if not is_usable(element):
        return _separator_fault("element", FindingCode.ELEMENT_SEPARATOR_INVALID, 3)
    if not is_usable(component) or component == element:
        at = chars - len(component)
        return _separator_fault("component", FindingCode.COMPONENT_SEPARATOR_INVALID, at)
    is_pair = segment == "\r\n"
    ends = ends_of(segment)
    if not (is_pair or is_usable(segment)) or element in ends or component in ends:
        return HeadFault(
            code=FindingCode.TERMINATOR_INVALID,
            message="the segment terminator after ISA16 is missing, a letter, digit, space or NUL, "
            "or equal to another separator",
            offset=chars,
        )
    return None


def _separator_fault(name: str, code: FindingCode, offset: int) -> HeadFault:
    message = (
        f"the {name} separator of the ISA is missing, a letter, digit, space or NUL, "
        "or equal to another separator"
    )
    return HeadFault(code=code, message=message, offset=offset)


def _repetition(mark: str, version: str, others: str) -> str:
    """Return ISA11 where it is a repetition separator (x12.md section 1.2, rule 6), else ``""``."""
    if mark == "U" or not is_usable(mark) or mark in others:
        return ""
    return mark if _NEW_ENOUGH.fullmatch(version) else ""
