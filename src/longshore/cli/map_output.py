"""What ``longshore maps`` tells of a map and of its tests, for people and as JSON."""

import json
from collections.abc import Mapping
from typing import Final

import click

from longshore.cli.terminal import output, print_pairs, print_table, timestamp, visible
from longshore.domain.maps.files import definition_members
from longshore.domain.maps.model import MapHead, MapVersion, SavedMap
from longshore.engine.trials import TestReport, TestResult

_SHOWN_DIFFERENCES: Final = 20  # of a test; --json has them all
_VERSION_COLUMNS: Final = ("version", "rules", "saved_by", "saved_at", "note")
_RULE_COLUMNS: Final = ("", "src", "tgt", "transform", "note")


def head_members(head: MapHead) -> dict[str, object]:
    """Return a map as lists show it."""
    return {
        "id": head.id,
        "name": head.name,
        "source_fmt": head.source_fmt,
        "target_fmt": head.target_fmt,
        "tx_set": head.tx_set,
        "updated_at": f"{head.updated_at:%b} {head.updated_at.day}, {head.updated_at.year}",
        "updated_at_iso": timestamp(head.updated_at),
        "created_at": timestamp(head.created_at),
        "direction": head.direction,
        "version": head.version,
        "rule_count": head.rule_count,
        "locked": head.is_locked,
    }


def detail_text(saved: SavedMap) -> str:
    """Return a map as the HTTP answer has it; its rules are the text that they were saved as."""
    members = {name: _json(value) for name, value in head_members(saved.head).items()}
    members |= definition_members(saved.definition)
    rule_count = len(json.loads(saved.definition.field_map))
    members |= {"version": str(saved.version), "rule_count": str(rule_count)}
    return json_object(members)


def json_object(members: Mapping[str, str]) -> str:
    """Return a JSON object of members whose values are JSON texts."""
    return "{" + ", ".join(f"{_json(name)}: {text}" for name, text in members.items()) + "}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def print_map(saved: SavedMap, versions: tuple[MapVersion, ...]) -> None:
    """Write what a map is, its rules, and its versions."""
    definition = saved.definition
    newest = saved.head.version
    pairs = {
        "map": f"{saved.head.id} {definition.name}",
        "about": definition.description,
        "version": f"{saved.version}"
        if saved.version == newest
        else f"{saved.version} of {newest}",
        "converts": f"{definition.source_fmt} to {definition.target_fmt}, {definition.direction}",
        "set": definition.tx_set,
        "state": "locked" if saved.head.is_locked else "",
        "tests": str(len(definition.tests)),
    }
    print_pairs(output(), pairs)
    click.echo()
    rules = json.loads(definition.field_map)
    print_table(_RULE_COLUMNS, (_rule_row(at, rule) for at, rule in enumerate(rules)))
    click.echo()
    rows = (
        (each.version, each.rule_count, each.saved_by, timestamp(each.saved_at), each.note)
        for each in versions
    )
    print_table(_VERSION_COLUMNS, rows)


def _rule_row(at: int, rule: Mapping[str, object]) -> tuple[object, ...]:
    source = rule.get("src")
    if source is None:
        source = f"constant {_json(rule.get('const'))}"
    elif isinstance(source, list):
        source = " + ".join(source)
    return at, source, rule["tgt"], rule.get("transform"), rule.get("note")


# ---- how tests went ----------------------------------------------------------------------------


def report_text(report: TestReport) -> str:
    """Return how tests went, as the HTTP answer has it."""
    results = ", ".join(_result_text(result) for result in report.results)
    members = {"passed": str(report.passed), "failed": str(report.failed)}
    return json_object({**members, "results": f"[{results}]"})


def _result_text(result: TestResult) -> str:
    places = [
        json_object({
            name: text
            for name, text in (
                ("path", _json(place.path)),
                ("expected", place.before),
                ("actual", place.after),
            )
            if text is not None
        })
        for place in result.diff
    ]
    members = {
        "name": _json(result.name),
        "passed": _json(result.has_passed),
        "diff": f"[{', '.join(places)}]",
    }
    if result.error:
        members["error"] = _json(result.error)
    if result.warnings:
        members["warnings"] = _json([each.to_members() for each in result.warnings])
    return json_object(members)


def print_report(report: TestReport) -> None:
    """Write how tests went: a line each, and where an output is not the expected one."""
    for result in report.results:
        click.echo(f"{'passed' if result.has_passed else 'FAILED'}  {visible(result.name)}")
        if result.error:
            click.echo(f"        {visible(result.error)}")
        for warning in result.warnings:
            click.echo(f"        warning: {visible(warning.message)} ({warning.code})")
        for place in result.diff[:_SHOWN_DIFFERENCES]:
            before, after = (text or "nothing" for text in (place.before, place.after))
            line = f"{place.path or 'the document'}: {before} expected, {after} made"
            click.echo(f"        {visible(line)}")
        if len(result.diff) > _SHOWN_DIFFERENCES:
            click.echo(f"        and {len(result.diff) - _SHOWN_DIFFERENCES} more; --json has them")
    click.echo(count_of_tests(report))


def count_of_tests(report: TestReport) -> str:
    """Return in a sentence how many tests passed."""
    if not report.results:
        return "There are no tests."
    return f"{report.passed} of {len(report.results)} tests passed."
