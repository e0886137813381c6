"""Rules from a file: a list of them, or a saved map."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from longshore.engine import RuleList, compile_rules
from longshore.formats.charset import decode
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.mapping.exact_json import exact_json
from longshore.mapping.rule_texts import lookups_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversionRules:
    """Compiled rules of a file."""

    compiled: RuleList
    tx_set: str
    """The transaction set that a saved map names; ``""`` if it names none."""


def read_conversion_rules(
    file: Path, source_format: str | None, target_format: str | None
) -> ConversionRules:
    """Return the rules of a file; formats that are given go before those of a saved map.

    Raises:
        LongshoreError: invalid_json, invalid_parameter: it holds no rules; as ``compile_rules``.
    """
    content = read_json_file(file)
    saved = content
    if isinstance(content, Mapping) and isinstance(content.get("map"), Mapping):
        saved = content["map"]  # as the HTTP answer has it
    members = saved if isinstance(saved, Mapping) else {"field_map": saved}
    rules = members.get("field_map")
    if not isinstance(rules, list):
        message = f"{file.name} contains no rules: expected a list, or a map with a list field_map."
        raise LongshoreError(ErrorCode.INVALID_PARAMETER, message)
    compiled = compile_rules(
        rules,
        source_format=source_format or _format(members, "source_fmt", "x12"),
        target_format=target_format or _format(members, "target_fmt", "json"),
        lookups={} if members.get("lookups") is None else lookups_of(members["lookups"]),
    )
    tx_set = members.get("tx_set")
    return ConversionRules(compiled=compiled, tx_set=tx_set if isinstance(tx_set, str) else "")


def read_json_file(file: Path) -> object:
    """Return the value of a JSON file, numbers exact.

    Raises:
        LongshoreError: invalid_json.
    """
    text, _ = decode(file.read_bytes())
    return exact_json(text, file.name)


def _format(members: Mapping[str, object], name: str, otherwise: str) -> str:
    given = members.get(name) or otherwise
    if given not in {"x12", "json", "csv", "xml"}:
        message = f"{name} of the map must be x12, json, csv or xml."
        raise LongshoreError(ErrorCode.UNSUPPORTED_FORMAT, message)
    return str(given)
