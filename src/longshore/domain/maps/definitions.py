"""Checks the definition of a map, and makes the definition of a new one: empty or a starter map.

Source: contract.md section 9.
"""

import json
import re
from collections.abc import Iterator
from typing import Final

from longshore.domain.maps.errors import InvalidMapError
from longshore.domain.maps.model import DIRECTIONS, FORMATS, MapDefinition
from longshore.kit.errors import ErrorCode, ErrorDetail
from longshore.mapping.starters import starter

BLANK: Final = MapDefinition(
    name="",
    description="",
    source_fmt="x12",
    target_fmt="json",
    tx_set="",
    direction="inbound",
    field_map="[]",
    lookups="[]",
    sample=None,
    target_sample="",
    tests=(),
)


def copy_of_starter(key: str) -> MapDefinition:
    """Return the definition that a copy of a starter map begins with.

    Raises:
        LongshoreError: not_found.
    """
    found = starter(key)
    return MapDefinition(
        name=found.name,
        description=BLANK.description,
        source_fmt=found.source_fmt,
        target_fmt=found.target_fmt,
        tx_set=found.tx_set,
        direction=found.direction,
        field_map=json.dumps(found.field_map, ensure_ascii=False, separators=(",", ":")),
        lookups=json.dumps(found.lookups, ensure_ascii=False, separators=(",", ":")),
        sample=None,
        target_sample="",
        tests=(),
    )


NAME_MAX_CHARS: Final = 200
DESCRIPTION_MAX_CHARS: Final = 2_000
NOTE_MAX_CHARS: Final = 500
MAX_TESTS: Final = 100
MAX_LOOKUPS: Final = 100
MAX_LOOKUP_ROWS: Final = 50_000  # of all tables together
MAX_BYTES: Final = 8_388_608  # of everything a version holds

_TX_SET: Final = re.compile(r"(?:[A-Z0-9]{3})?")


def check_definition(definition: MapDefinition) -> None:
    """Refuse a definition whose members are out of bounds.

    Raises:
        InvalidMapError: With a detail for each fault.
    """
    faults = definition_faults(definition)
    if faults:
        raise InvalidMapError(faults)


def definition_faults(definition: MapDefinition) -> tuple[ErrorDetail, ...]:
    """Return the faults of a definition outside its rules."""
    return (*_faults(definition), *_limits(definition))


def can_check_rules(definition: MapDefinition, faults: tuple[ErrorDetail, ...]) -> bool:
    """Return whether the rules can be assessed in spite of these faults.

    Their formats have to be known, and nothing may be too large.
    """
    is_known = {definition.source_fmt, definition.target_fmt} <= set(FORMATS)
    return is_known and all(fault.code != ErrorCode.LIMIT_EXCEEDED for fault in faults)


def _faults(definition: MapDefinition) -> Iterator[ErrorDetail]:
    name = definition.name
    if not 1 <= len(name) <= NAME_MAX_CHARS or not name.isprintable() or name != name.strip():
        yield _fault(
            "name",
            f"The name of a map has 1 to {NAME_MAX_CHARS} characters that print, and no spaces at"
            " its ends.",
        )
    if len(definition.description) > DESCRIPTION_MAX_CHARS:
        text = f"A description has at most {DESCRIPTION_MAX_CHARS} characters."
        yield _fault("description", text)
    for param in ("source_fmt", "target_fmt"):
        yield from _choice(param, getattr(definition, param), FORMATS)
    yield from _choice("direction", definition.direction, DIRECTIONS)
    if definition.sample is not None:
        yield from _choice("sample.format", definition.sample.format, FORMATS)
    if _TX_SET.fullmatch(definition.tx_set) is None:
        text = "A transaction set code has three capital letters or digits, such as 850."
        yield _fault("tx_set", text)
    names = [table["name"] for table in definition.lookup_tables()]
    if len(set(names)) < len(names):
        yield _fault("lookups", "Two lookup tables have the same name.")
    tests = [test.name for test in definition.tests]
    if len(set(tests)) < len(tests):
        yield _fault("tests", "Two tests have the same name.")


def _limits(definition: MapDefinition) -> Iterator[ErrorDetail]:
    tables = definition.lookup_tables()
    rows = sum(len(table["rows"]) for table in tables)
    yield from _limit("tests", "tests", len(definition.tests), MAX_TESTS)
    yield from _limit("lookups", "lookup tables", len(tables), MAX_LOOKUPS)
    yield from _limit("lookups", "lookup rows", rows, MAX_LOOKUP_ROWS)
    yield from _limit("map", "bytes", len(definition.to_json()), MAX_BYTES)


def _choice(param: str, value: str, allowed: tuple[str, ...]) -> Iterator[ErrorDetail]:
    if value not in allowed:
        yield ErrorDetail(
            code=ErrorCode.INVALID_PARAMETER,
            param=param,
            message=f'Parameter "{param}" must be one of: {", ".join(allowed)}.',
            allowed=allowed,
        )


def _limit(param: str, what: str, count: int, most: int) -> Iterator[ErrorDetail]:
    if count > most:
        yield ErrorDetail(
            code=ErrorCode.LIMIT_EXCEEDED,
            param=param,
            message=f"A map has at most {most:,} {what}.",
            limit=what.replace(" ", "_"),
            max=most,
        )


def _fault(param: str, message: str) -> ErrorDetail:
    return ErrorDetail(code=ErrorCode.INVALID_PARAMETER, param=param, message=message)
