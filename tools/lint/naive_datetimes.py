"""No time without its zone, where ruff's own rules (DTZ) do not look.

Danger: a naive datetime is compared with an aware one only at run time, and then raises; written
to the database it is an hour off for half a year on a machine outside UTC.
"""

import ast
from collections.abc import Iterator

from tools.lint.source import Source, Violation, dotted_name

NAME = "naive-datetimes"
WITHOUT_ZONE = {
    "fromisoformat": "says nothing of the zone: follow it by .replace(tzinfo=UTC)",
    "combine": "makes a naive datetime: give tzinfo=",
}


def check(source: Source) -> Iterator[Violation]:
    """Find constructors that give a naive datetime, and zones that are taken away."""
    if not source.is_under("src"):
        return
    zoned = {
        id(node.func.value)
        for node in source.walk()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"replace", "astimezone"}
        and _zone_of(node) not in {"", "None"}
    }
    for node in source.walk():
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        method = node.func.attr
        if method == "replace" and _zone_of(node) == "None":
            yield source.violation(node, "takes the zone away")
        elif (
            method in WITHOUT_ZONE
            and dotted_name(node.func.value).rpartition(".")[2] == "datetime"
            and not _zone_of(node)
            and id(node) not in zoned
        ):
            yield source.violation(node, f"datetime.{method} {WITHOUT_ZONE[method]}")


def _zone_of(call: ast.Call) -> str:
    """Return the source text of the zone that ``call`` gives, empty if none."""
    for keyword in call.keywords:
        if keyword.arg in {"tzinfo", "tz"}:
            return ast.unparse(keyword.value)
    return ""
