"""A parsed document as people read it on a terminal."""

import json
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from longshore.cli.terminal import output, print_pairs, visible
from longshore.engine import Parsed
from longshore.formats.document import ParsedDocument
from longshore.x12.findings import Finding, Severity

# More than a person reads; --json has them all.
FINDINGS_SHOWN: Final = 50
STYLE_BY_SEVERITY: Final = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "yellow",
    Severity.INFO: "dim",
}


def print_report(parsed: Parsed) -> None:
    """Write format, separators, counts, findings with their place, then the fields or the tree."""
    console = output()
    print_pairs(console, _summary(parsed.document))
    findings = parsed.errors + parsed.warnings
    if findings:
        console.print()
        print_findings(console, findings)
    console.print()
    console.out("\n".join(_tree(parsed) or _fields(parsed)), highlight=False)


def _fields(parsed: Parsed) -> list[str]:
    width = max(map(len, parsed.fields), default=0)
    return [f"{visible(key):{width}}  {visible(value)}" for key, value in parsed.fields.items()]


def _tree(parsed: Parsed) -> list[str]:
    view = parsed.document.views.get("tree")
    if view is None:
        return []
    text = json.dumps(json.loads(view), ensure_ascii=False, indent=2)
    return [visible(line) for line in text.splitlines()]


def _summary(parsed: ParsedDocument) -> dict[str, str]:
    separators = {
        "element": parsed.elem_sep,
        "segment": parsed.seg_term,
        "component": parsed.comp_sep,
        "repetition": parsed.rep_sep,
    }
    counts = {"segments": parsed.segment_count, "fields": parsed.field_count}
    return {
        "format": " ".join(filter(None, (parsed.format, parsed.version))),
        "set": parsed.tx_set,
        "separators": "  ".join(f"{name} {visible(s)}" for name, s in separators.items() if s),
        "charset": parsed.charset,
        "counts": "  ".join(f"{count} {name}" for name, count in counts.items() if count),
    }


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
