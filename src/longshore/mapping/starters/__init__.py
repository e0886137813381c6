"""Starter maps: common documents to JSON and back, remittances to CSV.

Theory. A map that loses nothing needs a rule for each element of each position of its set, so the
rules are generated from the dictionary and from tables of names; they are ordinary rules, to be
copied and edited. docs/reference/starter-maps.md describes their output.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from types import MappingProxyType
from typing import Final

from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.mapping.rules import RuleList, compile_rules
from longshore.mapping.starters.places import places_of
from longshore.mapping.starters.remittance_rows import remittance_rows
from longshore.mapping.starters.rule_lists import FieldRule, to_json, to_x12
from longshore.mapping.starters.shipment_tree import shipment_tree

THERE_AND_BACK: Final = ("850", "855", "856", "810")
CLAIMS_GUIDE: Final = "005010X222A1"
REMITTANCE_GUIDE: Final = "005010X221A1"


@dataclass(frozen=True, slots=True, kw_only=True)
class StarterInfo:
    """An entry of the list of starter maps; the members are those of a saved map."""

    key: str
    name: str
    source_fmt: str
    target_fmt: str
    tx_set: str

    @property
    def direction(self) -> str:
        """``outbound`` for maps that make X12."""
        return "outbound" if self.target_fmt == "x12" else "inbound"


@dataclass(frozen=True, slots=True, kw_only=True)
class Starter(StarterInfo):
    """A starter map with its rules, as JSON would have them, and the tables they name: none."""

    field_map: tuple[FieldRule, ...]
    lookups: tuple[Mapping[str, object], ...] = ()


def starters() -> tuple[StarterInfo, ...]:
    """Return all starter maps."""
    return tuple(_BY_KEY.values())


@cache
def starter(key: str) -> Starter:
    """Return a starter map.

    Raises:
        LongshoreError: not_found.
    """
    info = _BY_KEY.get(key)
    if info is None:
        known = ", ".join(_BY_KEY)
        raise LongshoreError(ErrorCode.NOT_FOUND, f"No such starter map. There are: {known}.")
    return Starter(
        key=info.key,
        name=info.name,
        source_fmt=info.source_fmt,
        target_fmt=info.target_fmt,
        tx_set=info.tx_set,
        field_map=_RULES[key](),
    )


@cache
def compiled(key: str) -> RuleList:
    """Return the rules of a starter map ready for ``convert``.

    Raises:
        LongshoreError: not_found.
    """
    found = starter(key)
    return compile_rules(
        found.field_map, source_format=found.source_fmt, target_format=found.target_fmt
    )


def _info(key: str, name: str, source_fmt: str, target_fmt: str, tx_set: str) -> StarterInfo:
    return StarterInfo(
        key=key, name=name, source_fmt=source_fmt, target_fmt=target_fmt, tx_set=tx_set
    )


_BY_KEY: Final[Mapping[str, StarterInfo]] = MappingProxyType({
    info.key: info
    for info in (
        _info("850-to-json", "850 purchase order to JSON order", "x12", "json", "850"),
        _info("json-to-850", "JSON order to 850 purchase order", "json", "x12", "850"),
        _info("855-to-json", "855 acknowledgement to JSON", "x12", "json", "855"),
        _info("json-to-855", "JSON acknowledgement to 855", "json", "x12", "855"),
        _info("856-to-json", "856 ship notice to JSON shipment", "x12", "json", "856"),
        _info("json-to-856", "JSON shipment to 856 ship notice", "json", "x12", "856"),
        _info("810-to-json", "810 invoice to JSON invoice", "x12", "json", "810"),
        _info("json-to-810", "JSON invoice to 810 invoice", "json", "x12", "810"),
        _info(
            "856-to-nested-json", "856 ship notice to orders, packs, items", "x12", "json", "856"
        ),
        _info("835-to-json", "835 remittance advice to JSON", "x12", "json", "835"),
        _info("835-to-csv", "835 remittance advice to rows of service lines", "x12", "csv", "835"),
        _info("837p-to-json", "837P professional claims to JSON", "x12", "json", "837"),
    )
})


def _forth(tx_set: str, guide: str = "") -> tuple[FieldRule, ...]:
    return tuple(to_json(places_of(tx_set, guide)))


def _back(tx_set: str) -> tuple[FieldRule, ...]:
    return tuple(to_x12(tx_set, places_of(tx_set)))


def _tree() -> tuple[FieldRule, ...]:
    return tuple(shipment_tree(places_of("856")))


def _rows() -> tuple[FieldRule, ...]:
    return tuple(remittance_rows())


_RULES: Final[Mapping[str, Callable[[], tuple[FieldRule, ...]]]] = MappingProxyType({
    **{f"{tx_set}-to-json": partial(_forth, tx_set) for tx_set in THERE_AND_BACK},
    **{f"json-to-{tx_set}": partial(_back, tx_set) for tx_set in THERE_AND_BACK},
    "856-to-nested-json": _tree,
    "835-to-json": partial(_forth, "835", REMITTANCE_GUIDE),
    "835-to-csv": _rows,
    "837p-to-json": partial(_forth, "837", CLAIMS_GUIDE),
})
