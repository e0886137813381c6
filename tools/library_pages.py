"""The reference page of the library, from its signatures and docstrings."""

import ast
import inspect
import re
from collections.abc import Iterator
from textwrap import dedent

from longshore import library
from longshore.library.table_columns import TABLES
from longshore.library.table_sources import ROW_SOURCES

LIBRARY_OPENING = (
    "`import longshore as ls` has all names of this page. "
    "[Documents in Python](../howto/documents-in-python.md) shows their use. "
    "`parse`, `validate` and `convert` take text or bytes, and their options have the names of "
    "the members of the HTTP requests."
)
_FUNCTIONS = (
    *("read", "stream", "new", "write", "convert", "tables"),
    *("parse", "validate", "acknowledge", "sample", "redact", "schemas", "schema"),
    "stream_segments",
    "compile_rules",
)
_CLASSES = (
    *("Document", "DocumentInterchange", "DocumentGroup", "CheckedTransactionSet"),
    *("TransactionSet", "DocumentLoop", "DocumentSegment", "DocumentStream", "DocumentBuilder"),
    "DocumentTables",
)
_TITLES = {"Raises (while iterating):": "Raises while iterating:", "Args:": "Arguments:"}
_PRIVATE = re.compile(r"^_\w+: A LongshoreError ")  # the maker of an error
_SPECIAL = {
    "__getitem__": "[…]",
    "__iter__": "iteration",
    "__len__": "len()",
    "__bool__": "truth",
    "__getattr__": "attributes",
}


def library_lines() -> Iterator[str]:
    """Yield the lines of the page below its opening."""
    for name in _FUNCTIONS:
        function = getattr(library, name)
        yield f"## `{name}`\n"
        yield _in_markdown(inspect.getdoc(function) or "") + "\n"
        yield f"```text\n{name}{_signature(function)}\n```\n"
    for name in _CLASSES:
        yield f"## `{name}`\n"
        yield _in_markdown(inspect.getdoc(getattr(library, name)) or "") + "\n"
        rows = [f"| `{member}` | {meaning} |" for member, meaning in _members(name)]
        yield "\n".join(["| member | meaning |", "|---|---|", *rows, ""])
    yield from table_lines()


def table_lines() -> Iterator[str]:
    """Yield the tables of ``tables`` with the columns of each."""
    sets: dict[str, list[str]] = {}
    for tx_set, sources in ROW_SOURCES.items():
        for source in sources:
            sets.setdefault(source.table, []).append(f"{source.trigger} of {tx_set}")
    yield "## Tables\n"
    yield (
        "The first five columns of every table are its keys; `interchange`, `group`, "
        "`transaction_set` and `segment` are positions in the file, from 1. Rows are in the order "
        "of the file. A text that is no number or date of its column is null, and a row of "
        "`findings` with the code `column_type` names it: nothing is guessed, rounded or cut. A "
        "date without a century is none. An amount has four decimals; where the definition implies "
        "a point, as in N2, it is set. A file that cannot be read has a row in `files`, whose "
        "status is `rejected`, and none elsewhere. Planned: tables "
        "of maps.\n"
    )
    for name, columns in TABLES.items():
        rows = sets.get(name)
        yield f"### `{name}`\n"
        if rows:
            yield f"A row for each {', '.join(rows)}.\n"
        yield ", ".join(f"`{column.name}` {column.type.name.lower()}" for column in columns) + "\n"


def undescribed_names() -> set[str]:
    """Return the names of the library that are no exception, no value and not on the page."""
    values = {
        *("Acknowledgement", "Converted", "ErrorCode", "ErrorDetail", "Finding", "FindingCode"),
        *("LongshoreError", "Parsed", "RedactedDocument", "Severity", "Stamp", "Validated"),
    }
    return {*library.__all__} - values - {*_FUNCTIONS, *_CLASSES}


def _signature(function: object) -> str:
    assert callable(function)
    parameters = inspect.signature(function).parameters.values()
    lines, is_marked = [], False
    for each in parameters:
        if each.kind is each.KEYWORD_ONLY and not is_marked:
            lines.append("    *,")
            is_marked = True
        default = "" if each.default is each.empty else f" = {each.default!r}".replace("'", '"')
        lines.append(f"    {each.name}: {each.annotation}{default},")
    text = "\n".join(lines)
    return f"(\n{text}\n) -> {inspect.signature(function).return_annotation}"


def _in_markdown(docstring: str) -> str:
    """Return a docstring with its sections as lists and its names as code."""
    head, *sections = re.split(r"\n\n(?=(?:Args|Raises)[^\n]*:\n)", docstring)
    lines = [re.sub(r"\s*\n(?!\n)\s*", " ", part) for part in head.split("\n\n")]
    for section in sections:
        title, _, body = section.partition("\n")
        entries = re.split(r"\n(?=\S)", dedent(body))
        items = [" ".join(entry.split()) for entry in entries]
        named = [
            re.sub(
                r"^(\w+): ",
                r"`\1`: ",
                re.sub(r"^_\w+: A LongshoreError ", "LongshoreError: ", item),
            )
            for item in items
        ]
        lines.append(f"{_TITLES.get(title, title)}\n\n" + "\n".join(f"- {item}" for item in named))
    return "\n\n".join(lines).replace("``", "`")


def _members(name: str) -> Iterator[tuple[str, str]]:
    """Yield the members of a class and of those it is made from, each with its first sentence."""
    seen = set()
    for owner in getattr(library, name).__mro__:
        if not owner.__module__.startswith("longshore.library"):
            continue
        for member, docstring in _described(owner):
            if member not in seen and (not member.startswith("_") or member in _SPECIAL):
                seen.add(member)
                text = " ".join(docstring.split("\n\n")[0].split()).replace("``", "`")
                yield _SPECIAL.get(member, member), text.replace("|", "\\|")


def _described(owner: type) -> Iterator[tuple[str, str]]:
    """Yield the names that a class defines with the docstring of each, those of fields too."""
    (definition,) = ast.parse(dedent(inspect.getsource(owner))).body
    assert isinstance(definition, ast.ClassDef)
    for node in definition.body:
        if isinstance(node, ast.FunctionDef):
            if node.name == "__init__":
                yield from _fields(node)
            elif docstring := ast.get_docstring(node):
                is_method = not any(
                    getattr(each, "id", "").endswith("property") for each in node.decorator_list
                )
                is_called = is_method and not node.name.startswith("_")
                yield f"{node.name}()" if is_called else node.name, docstring


def _fields(node: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    for statement, following in zip(node.body, node.body[1:], strict=False):
        target = (
            statement.targets[0]
            if isinstance(statement, ast.Assign)
            else getattr(statement, "target", None)
        )
        if (
            isinstance(target, ast.Attribute)
            and isinstance(following, ast.Expr)
            and isinstance(following.value, ast.Constant)
        ):
            yield target.attr, str(following.value.value)
