"""Read rules and lookup tables from JSON texts in a request, a file or a saved map.

Source: fields-and-mapping.md sections 5 and 9, contract.md section 15.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.mapping.exact_json import exact_json
from longshore.mapping.members import scalar_text
from longshore.mapping.rule import Lookups
from longshore.mapping.rules import RuleList, compile_rules

FIELD_MAP = "field_map"
LOOKUPS = "lookups"


class RuleText(NamedTuple):
    """Rules with what they were written for, as JSON texts: numbers are as they were written."""

    field_map: str
    """A list of rules."""
    lookups: str = "[]"
    """``[{"name", "rows": [{"from", "to"}]}]``."""
    source_format: str = "x12"
    target_format: str = "json"

    @property
    def chars(self) -> int:
        """The length of the texts."""
        return len(self.field_map) + len(self.lookups)

    def compiled(self) -> RuleList:
        """Return the rules ready to run.

        Raises:
            LongshoreError: as ``compile_rules``; invalid_json, invalid_parameter.
        """
        return compile_rules(
            read_rules(self.field_map),
            source_format=self.source_format,
            target_format=self.target_format,
            lookups=read_lookups(self.lookups),
        )


def read_rules(text: str) -> list[object]:
    """Return the rules of a JSON text, numbers exact, ready for ``compile_rules``.

    Raises:
        not_that: A LongshoreError, invalid_parameter: it is no list; invalid_json.
    """
    rules = exact_json(text, FIELD_MAP)
    if not isinstance(rules, list):
        raise not_that(FIELD_MAP, "an array of rules")
    return rules


def read_lookups(text: str) -> Lookups:
    """Return the tables of a JSON text ``[{"name", "rows": [{"from", "to"}]}]`` by name.

    Raises:
        not_that: A LongshoreError, invalid_parameter; invalid_json.
    """
    return lookups_of(exact_json(text, LOOKUPS))


def lookups_of(given: object) -> Lookups:
    """Return lookup tables by name; numbers and truth values in them count as their texts.

    Raises:
        not_that: A LongshoreError, invalid_parameter.
    """
    if not isinstance(given, list):
        raise not_that(LOOKUPS, "an array of tables")
    return dict(_table(f"{LOOKUPS}[{at}]", table) for at, table in enumerate(given))


def _table(param: str, given: object) -> tuple[str, Mapping[str, str]]:
    name = given.get("name") if isinstance(given, Mapping) else None
    rows = given.get("rows") if isinstance(given, Mapping) else None
    if not isinstance(name, str) or not isinstance(rows, list):
        raise not_that(param, 'an object with name and rows: [{"from": "EA", "to": "each"}]')
    found: dict[str, str] = {}
    for at, row in enumerate(rows):
        key, value = _row(f"{param}.rows[{at}]", row)
        if found.setdefault(key, value) != value:
            raise not_that(f"{param}.rows[{at}].from", "another text than in the rows before")
    return name, found


def _row(param: str, given: object) -> tuple[str, str]:
    members = given if isinstance(given, Mapping) else {}
    key, value = scalar_text(members.get("from")), scalar_text(members.get("to"))
    if key is None or value is None:
        raise not_that(param, "an object with two texts, from and to")
    return key, value


def not_that(param: str, what: str) -> LongshoreError:
    """Return the refusal of a member that is not what it must be."""
    code, message = ErrorCode.INVALID_PARAMETER, f'Parameter "{param}" must be {what}.'
    detail = ErrorDetail(code=code, param=param, message=message)
    return LongshoreError(code, message, details=(detail,))
