"""A parsed document as people read it on a terminal."""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from longshore.cli.files import Write
from longshore.cli.terminal import output, print_pairs, visible
from longshore.engine import Parsed
from longshore.engine.listing import DocumentListing, ListingSummary
from longshore.x12.findings import Finding, Severity

# More than a person reads; --json has them all.
FINDINGS_SHOWN: Final = 50
_SET_IDS_SHOWN: Final = 5
_KEY_WIDTH, _NAME_WIDTH = 14, 36
_INDENT: Final = "  "
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+')  # of JSON
_SET_BEGINS: Final = re.compile(r"ST(\[[0-9]+\])?\.01")
STYLE_BY_SEVERITY: Final = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "yellow",
    Severity.INFO: "dim",
}


def show_parsed(parsed: Parsed, write: Write, *, most_lines: int | None) -> None:
    """Write format, separators, counts and findings, then the fields or the tree, line by line."""
    document = parsed.document
    pairs = _head(document.format, document.version, document.charset)
    separator = {"element": document.elem_sep}
    counts = {"segments": document.segment_count, "fields": document.field_count}
    pairs |= {
        "separators": _separators(separator if document.format == "csv" else {}),
        "counts": "  ".join(f"{count:,} {name}" for name, count in counts.items() if count),
    }
    _show_top(write, pairs, parsed.errors + parsed.warnings)
    lines = tree_lines(parsed) if "tree" in document.views else _fields(parsed)
    for line in islice(lines, most_lines):
        write(f"{line}\n")
    hidden = sum(1 for _ in lines)
    if hidden > 0:
        write(f"… and {hidden:,} more lines; --all shows them\n")


def show_summary(found: ListingSummary, size_bytes: int, write: Write) -> None:
    """Write what an X12 document is made of, and its findings."""
    _show_top(write, _listing_pairs(found, size_bytes), found.errors + found.warnings)


def show_listing(
    listing: DocumentListing, found: ListingSummary, write: Write, *, most_segments: int | None
) -> None:
    """Write the first segments of an X12 document, then how many are left.

    Each field stands on a line with its key, the name of its element and its value.
    """
    for fields in listing.fields(most_segments):
        for key, name, value in fields:
            gap = "\n" if _SET_BEGINS.fullmatch(key) else ""
            write(f"{gap}{visible(key):{_KEY_WIDTH}}  {name:{_NAME_WIDTH}}  {visible(value)}\n")
    show_hidden_segments(found, write, most_segments)


def show_hidden_segments(found: ListingSummary, write: Write, most_segments: int | None) -> None:
    """Write how many segments of an X12 document are left, if any are."""
    hidden = 0 if most_segments is None else found.segments - most_segments
    if hidden > 0:
        write(f"\n… and {hidden:,} more segments; --all shows them\n")


def _listing_pairs(found: ListingSummary, size_bytes: int) -> dict[str, str]:
    delimiters = found.delimiters
    counts = {
        "interchange": found.interchanges,
        "group": found.groups,
        "set": found.sets,
        "segment": found.segments,
    }
    sets = found.sets_by_id.most_common(_SET_IDS_SHOWN)
    ids = [set_id if found.sets == count else f"{set_id} ({count:,})" for set_id, count in sets]
    more = ["…"] if len(found.sets_by_id) > _SET_IDS_SHOWN else []
    separators = {
        "element": delimiters.element,
        "segment": delimiters.segment,
        "component": delimiters.component,
        "repetition": delimiters.repetition,
    }
    return _head("x12", found.version, found.charset) | {
        "size": f"{size_bytes:,} bytes",
        "set": "  ".join(ids + more),
        "separators": _separators(separators),
        "counts": "  ".join(
            f"{count:,} {name}{'s' * (count > 1)}" for name, count in counts.items() if count
        ),
    }


def _head(document_format: str, version: str, charset: str) -> dict[str, str]:
    """Return the first lines of a report, some of which are filled later but keep their place."""
    return {
        "format": " ".join(filter(None, (document_format, version))),
        "set": "",
        "separators": "",
        "charset": charset,
    }


def _separators(separators: Mapping[str, str]) -> str:
    return "  ".join(f"{name} {visible(s)}" for name, s in separators.items() if s)


def _show_top(write: Write, pairs: Mapping[str, str], findings: tuple[Finding, ...]) -> None:
    console = output()
    with console.capture() as captured:
        print_pairs(console, pairs)
        if findings:
            console.print()
            print_findings(console, findings)
        console.print()
    write(captured.get())


def _fields(parsed: Parsed) -> Iterator[str]:
    width = max(map(len, parsed.fields), default=0)
    return (f"{visible(key):{width}}  {visible(value)}" for key, value in parsed.fields.items())


def tree_lines(parsed: Parsed) -> Iterator[str]:
    """Yield the lines of the tree of a document, indented by 2, without a second tree in memory."""
    line, depth, is_opened = "", 0, False
    for match in _TOKEN.finditer(parsed.document.views["tree"].decode()):
        piece = match[0]
        if piece in "]}":
            depth -= 1
            if not is_opened:
                yield line
                line = _INDENT * depth
            is_opened = False
            line += piece
            continue
        if is_opened:
            yield line
            line, is_opened = _INDENT * depth, False
        if piece == ",":
            yield f"{line},"
            line = _INDENT * depth
        elif piece == ":":
            line += ": "
        elif piece in "[{":
            line += piece
            depth, is_opened = depth + 1, True
        else:
            is_escaped = "\\" in piece
            text = json.dumps(json.loads(piece), ensure_ascii=False) if is_escaped else piece
            line += visible(text)
    yield line


def print_findings(console: Console, findings: tuple[Finding, ...]) -> None:
    """Write findings as a table, the gravest first, as many as a person reads."""
    table = Table("severity", "place", "code", "what", box=None, pad_edge=False)
    for finding in findings[:FINDINGS_SHOWN]:
        style = STYLE_BY_SEVERITY[finding.severity]
        cells = (place_of(finding), finding.code, finding.message)
        table.add_row(Text(finding.severity, style), *(Text(visible(cell)) for cell in cells))
    console.print(table)
    hidden = len(findings) - FINDINGS_SHOWN
    if hidden > 0:
        console.print(f"… and {hidden} more; parse with --json has them all")


def place_of(finding: Finding) -> str:
    """Return line, character and key of a finding, as far as it has them."""
    parts = (
        f"line {finding.line}" if finding.line else "",
        f"offset {finding.offset}" if finding.offset is not None else "",
        finding.path or finding.segment_id or "",
    )
    return " ".join(filter(None, parts))
