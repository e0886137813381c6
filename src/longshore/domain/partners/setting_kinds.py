"""The kinds of a partner's settings: their words, and how each is read from JSON.

Source: contract.md section 15 (``settings``), x12.md sections 1.7, 2 and 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum, unique
from ipaddress import IPv4Network, IPv6Network, ip_network
from types import MappingProxyType
from typing import Final, NamedTuple

from longshore.domain.partners.members import RefusedValueError, ValueKind, several, text, whole
from longshore.domain.ports import CodeListSource
from longshore.kit.errors import LongshoreError
from longshore.mapping.envelope_members import SEPARATOR_MEMBERS, SEPARATORS, read_envelope
from longshore.mapping.output_separators import wanted_separators
from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.own_codes import CodeLists
from longshore.x12.findings import Severity
from longshore.x12.leniency import read_leniency

MAX_NUMBER: Final = 999_999_999  # ISA13 has nine digits
PARTNER_DELIMITERS: Final = Delimiters("*", "~", ">", "^")
_DEFAULT_SEPARATORS: Final = dict(zip(SEPARATOR_MEMBERS, PARTNER_DELIMITERS, strict=False))
_WITH_REPETITION: Final = "00501"  # so that the repetition separator is checked as well
MAX_OVERLAYS: Final = 10
MAX_NETWORKS: Final = 100


@unique
class Charset(StrEnum):
    """The characters a partner takes (x12.md section 1.7)."""

    BASIC = "basic"
    EXTENDED = "extended"


@unique
class CodeCheck(StrEnum):
    """The lists that codes are compared with."""

    STANDARD = "standard"
    PARTNER = "partner"
    OFF = "off"

    @property
    def refuses_codes(self) -> bool:
        """Return whether a code outside a strict list is an error."""
        return self is not CodeCheck.OFF

    def lists_of(self, source: CodeListSource) -> CodeLists | None:
        """Return the operator's own codes, if they are used."""
        return source() if self is CodeCheck.PARTNER else None


@unique
class AdviceRule(StrEnum):
    """The received sets that are answered by an 824."""

    NEVER = "never"
    ON_ERROR = "on_error"
    """Those whose map failed."""


@unique
class OnError(StrEnum):
    """The extent that a rejected set holds back: itself, its group, or its interchange."""

    SPLIT = "split"
    SUSPEND_GROUP = "suspend_group"
    SUSPEND_INTERCHANGE = "suspend_interchange"


@unique
class DuplicateNumber(StrEnum):
    """The treatment of another document under a number already used."""

    REJECT = "reject"
    ACCEPT_WARN = "accept_warn"


@unique
class OnHeadFailure(StrEnum):
    """The treatment of a document that only its partner refuses, with others waiting behind it."""

    PARK = "park"
    WAIT = "wait"


@unique
class SetNumbering(StrEnum):
    """Whether ST02 begins anew in each group."""

    PER_GROUP = "per_group"
    CONTINUOUS = "continuous"


# ---- kinds ---------------------------------------------------------------------------------------


def _separators(value: object, _param: str) -> Delimiters:
    if isinstance(value, str):
        marks = value.replace(" ", "")
        value = dict(zip(SEPARATOR_MEMBERS, marks, strict=False))
        if len(marks) > len(SEPARATOR_MEMBERS):
            raise RefusedValueError
    if not isinstance(value, Mapping):
        raise RefusedValueError
    chosen = {name: mark for name, mark in value.items() if mark}
    try:
        said = read_envelope({SEPARATORS: _DEFAULT_SEPARATORS | chosen}).separators
        return wanted_separators(said, _WITH_REPETITION)
    except LongshoreError as refused:
        raise RefusedValueError from refused


def _mark_instead(value: object, _param: str) -> str:
    if not isinstance(value, str) or len(value) != 1 or not value.isprintable():
        raise RefusedValueError
    return value


def _leniency(value: object, param: str) -> Mapping[str, Severity]:
    try:
        return dict(read_leniency(value, param))
    except LongshoreError as refused:
        raise RefusedValueError(refused.details) from refused


def _network(value: object, _param: str) -> str:
    if not isinstance(value, str):
        raise RefusedValueError
    try:
        network = ip_network(value)
    except ValueError as error:
        raise RefusedValueError from error
    if isinstance(network, IPv6Network):
        # The address of a caller is compared as IPv4 where IPv6 merely wraps it.
        inner, wrapping_bits = network.network_address.ipv4_mapped, 96
        if inner is not None and network.prefixlen >= wrapping_bits:
            return str(IPv4Network((inner, network.prefixlen - wrapping_bits)))
    return str(network)


SEPARATORS_KIND: Final = ValueKind(
    "the element separator, segment terminator, component and repetition separator, such as"
    f' "* ~ > ^", or an object with {", ".join(SEPARATOR_MEMBERS)}: four different characters,'
    " no letters, digits or spaces",
    _separators,
)
ZONE: Final = text(
    "[A-Za-z][A-Za-z0-9_+-]{0,31}(?:/[A-Za-z0-9_+-]{1,32}){0,2}",
    "the name of a time zone, such as UTC or America/Chicago",
)
OVERLAYS: Final = several(
    text("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", "the name of an overlay"),
    MAX_OVERLAYS,
    "names of overlays",
)
NETWORKS: Final = several(
    ValueKind("an IP address or a network, such as 192.0.2.7 or 2001:db8::/48", _network),
    MAX_NETWORKS,
    "IP addresses and networks, such as 192.0.2.7 or 2001:db8::/48",
)
MARK_INSTEAD: Final = ValueKind("one printable character", _mark_instead)
LENIENCY: Final = ValueKind("an object of severities by code of a finding", _leniency)
CONTROL_NUMBER: Final = whole(1, MAX_NUMBER)


# ---- how the pages show them ---------------------------------------------------------------------


@unique
class SettingGroup(StrEnum):
    """The headings under which the pages show settings, in this order."""

    SENT = "What is sent"
    NUMBERS = "Control numbers"
    ACKS = "Acknowledgements"
    RECEIVED = "What is received"


SENT, NUMBERS, ACKS, RECEIVED = SettingGroup


class SettingEntry(NamedTuple):
    """A setting as the pages show it and let a person enter it."""

    group: SettingGroup
    label: str
    form: str = ""
    """``text``, ``separators``, ``names`` or ``severities``; ``""``: as its kind says."""
    words: Mapping[str, str] = MappingProxyType({})
    """The label of each word of a choice."""
    none: str = ""
    """The meaning of no value; ``""`` if the setting always has one."""
    example: str = ""
    most_chars: int = 0
    """The length of the longest text."""


def about(
    kind: ValueKind, meaning: str, entry: SettingEntry, *, is_planned: bool = False
) -> Mapping[str, object]:
    """Return the metadata of the field of a setting.

    Raises:
        TypeError: The entry does not name exactly the words of the kind.
    """
    if {*(kind.words or ())} != {*entry.words}:
        raise TypeError(f"the words of {entry.label!r} are {kind.words}")
    return {"kind": kind, "meaning": meaning, "entry": entry, "is_planned": is_planned}
