"""Writes the pages of docs/reference that the code knows best.

``python -m tools.gen_docs`` writes them; ``--check`` only exits with 1 if one of them is stale.
"""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType

import click

from longshore.cli.main import longshore
from longshore.compute.documents import CONVERSION_CPU_SECONDS
from longshore.domain.maps.definitions import MAX_BYTES
from longshore.domain.partners.settings import SETTINGS
from longshore.engine.conversion_parts import MAX_EXPLAINED_CHARS
from longshore.formats.flatmap import (
    MAX_DEPTH,
    MAX_FIELDS,
    MAX_NODES,
    MAX_OUTPUT_BYTES,
    OUTPUT_ALLOWANCE_BYTES,
    OUTPUT_PER_INPUT,
)
from longshore.formats.x12summaries import CHARS_PER_SET, SETS_ALLOWANCE
from longshore.formats.xmldoc import MAX_NAMESPACE_CHARS
from longshore.http.api_v1.parse import MAX_TEXT_CHARS
from longshore.http.decode import MAX_FAULTS
from longshore.http.errors import MAX_DETAILS, MAX_ERROR_CHARS, STATUS_BY_CODE
from longshore.http.large_body import LARGE_BODY_BYTES, MAX_OTHER_BYTES, MAX_OTHER_VALUES
from longshore.http.openapi import MEANING_BY_CODE
from longshore.http.protocol import MAX_HEADER_BYTES, MAX_HEADER_FIELDS
from longshore.kit.errors import ErrorCode
from longshore.mapping import cells
from longshore.mapping.rules import MAX_RULES
from longshore.settings import ENVIRONMENT_PREFIX, FILE_NAME, Settings
from longshore.x12.findings import MAX_FINDINGS
from longshore.x12.refusals import MAX_SEGMENT_CHARS
from longshore.x12.validate.reports import MAX_ERRORS
from longshore.x12.validate.validation import MAX_ANSWERED_FINDINGS
from tools.exchange_limits import exchange_limits
from tools.kept_limits import kept_limits
from tools.library_pages import LIBRARY_OPENING, library_lines
from tools.starter_pages import member_lines
from tools.x12_pages import (
    code_list_rows,
    code_lists_summary,
    doubt_rows,
    finding_rows,
    set_rows,
    sets_summary,
)

REFERENCE = Path(__file__).parents[1] / "docs/reference"
HELP_CHARS = 100  # a line of help on the page


def errors_page() -> str:
    """Return the page of the codes a caller can see."""
    rows = (
        f"| `{code}` | {STATUS_BY_CODE[code]} | {MEANING_BY_CODE[code]} |"
        for code in sorted(ErrorCode, key=lambda code: (STATUS_BY_CODE[code], code))
    )
    return _page(
        "Error codes",
        "Every refusal has one of these codes: in the member `code` over HTTP and on the command "
        "line with `--json` (which exits with 2), and in `LongshoreError.code` in Python. "
        "`details[].code` may have a more exact code. "
        "[contract.md, section 2](contract.md) has the whole contract.",
        "| code | HTTP status | meaning |",
        "|---|---|---|",
        *rows,
    )


def settings_page() -> str:
    """Return the page of what an operator can choose."""
    rows = (
        f"| `{setting.name}` | {_default(setting.default)} | {setting.metadata['comment']} |"
        for setting in fields(Settings)
    )
    return _page(
        "Settings",
        f"A setting is read from the first of these sources that has it: the command line, "
        f"`{ENVIRONMENT_PREFIX}<NAME>` in the environment, `{FILE_NAME}` in the working "
        f"directory or in the data directory, the default. Unknown names are refused. "
        f"`longshore.example.toml` in the repository is a file to start from.",
        "| setting | default | meaning |",
        "|---|---|---|",
        *rows,
    )


def partner_settings_page() -> str:
    """Return the page of what can be agreed with a partner."""
    rows = (
        f"| `{each.name}` | `{json.dumps(each.default)}` | {each.meaning} | {each.allowed} |"
        for each in SETTINGS
        if not each.is_planned
    )
    planned = (
        f"| `{each.name}` | `{json.dumps(each.default)}` | {each.meaning} |"
        for each in SETTINGS
        if each.is_planned
    )
    return _page(
        "Partner settings",
        "These settings describe the agreement with a partner about documents. They are members "
        "of `settings` of a [partner](../howto/partners.md). A setting that is absent or null has "
        "its default.",
        "| setting | default | meaning | allowed |",
        "|---|---|---|---|",
        *rows,
        "",
        "## Planned",
        "",
        "Nothing reads these settings yet. Any value but the default is refused.",
        "",
        "| setting | default | planned meaning |",
        "|---|---|---|",
        *planned,
    )


def limits_page() -> str:
    """Return the page of every limit, with the answer beyond it."""
    chosen = Settings()
    rows = (
        ("request body", f"{chosen.max_body_bytes:,} bytes", "413 `document_too_large`"),
        ("request line and headers", f"{MAX_HEADER_BYTES:,} bytes", "431 `headers_too_large`"),
        ("request headers", f"{MAX_HEADER_FIELDS} fields", "431 `headers_too_large`"),
        ("`Content-Encoding`", "identity", "400 `unsupported_content_type`"),
        ("text members except `document`", f"{MAX_TEXT_CHARS:,} characters", "400"),
        (
            "all members of a body except its document",
            f"{MAX_OTHER_BYTES:,} bytes and {MAX_OTHER_VALUES:,} values",
            "413 `document_too_large`",
        ),
        ("nesting of JSON and XML", f"{MAX_DEPTH} levels", "400 `limit_exceeded`"),
        ("fields of JSON, XML and CSV", f"{MAX_FIELDS:,}", "400 `limit_exceeded`"),
        ("values of JSON, XML and CSV", f"{MAX_NODES:,}", "400 `limit_exceeded`"),
        (
            "characters of an XML namespace",
            f"{MAX_NAMESPACE_CHARS:,}",
            "400 `limit_exceeded`",
        ),
        (
            "result of JSON, XML and CSV",
            f"{_growth()}, at most {MAX_OUTPUT_BYTES:,} bytes",
            "400 `limit_exceeded`",
        ),
        ("X12 with views", _growth(), "400 `limit_exceeded`"),
        (
            "transaction sets of an X12 document",
            f"one per {CHARS_PER_SET} characters, and {SETS_ALLOWANCE:,}",
            "400 `limit_exceeded`",
        ),
        ("X12 segment, except BIN", f"{MAX_SEGMENT_CHARS:,} characters", "400 `segment_too_long`"),
        ("errors, and other findings, of a document", f"{MAX_FINDINGS} each", "counted"),
        (
            "findings of a validation",
            f"{MAX_ANSWERED_FINDINGS:,}, and with the acknowledgement {_growth()}",
            "counted",
        ),
        ("errors in acknowledgements of a document", f"{MAX_ERRORS:,}", "counted"),
        ("rules of a conversion", f"{MAX_RULES:,}", "400 `limit_exceeded`"),
        ("output of a conversion", f"{cells.MAX_OUTPUT_BYTES:,} bytes", "400 `limit_exceeded`"),
        (
            "X12 document that is explained",
            f"{MAX_EXPLAINED_CHARS:,} characters",
            "400 `limit_exceeded`",
        ),
        (
            "computing time of a conversion",
            f"{CONVERSION_CPU_SECONDS:.0f} s",
            "400 `limit_exceeded`",
        ),
        ("the whole content of a saved map", f"{MAX_BYTES:,} bytes", "400 `limit_exceeded`"),
        (
            "computing time of a document",
            f"{chosen.document_cpu_seconds} s",
            "400 `limit_exceeded`",
        ),
        ("memory of a worker", f"{chosen.worker_memory_bytes:,} bytes", "400 `limit_exceeded`"),
        ("text of an error", f"{MAX_ERROR_CHARS:,} characters", "cut"),
        ("details of an error", f"{MAX_DETAILS}", "cut"),
        (
            "faults reported for a body",
            f"{MAX_FAULTS}; only the first of a body above {LARGE_BODY_BYTES:,} bytes",
            "cut",
        ),
        ("requests of a production key", _rate(chosen.requests_per_minute, chosen), "429"),
        ("submits of a production key", _rate(chosen.submits_per_minute, chosen), "429"),
        (
            "requests of a session",
            f"{chosen.session_requests_per_minute:,} a minute, a sixth of it at once",
            "429",
        ),
        (
            "requests to an inbound address that exists",
            f"{chosen.inbound_requests_per_minute:,} a minute, a sixth of it at once",
            "429",
        ),
        ("documents of a production key", f"{chosen.concurrent_documents} at a time", "429"),
        (
            "documents of the sandbox keys of an account",
            f"{chosen.sandbox_concurrent_documents} at a time",
            "429",
        ),
        (
            "bodies of an account, or of a client that logs in",
            f"{chosen.concurrent_bodies} that arrive at a time",
            "429",
        ),
        (
            "bytes of bodies in flight",
            f"{chosen.bytes_in_flight:,}, half of them of one account",
            f"wait of {chosen.queue_seconds} s, then 503 `overloaded`",
        ),
        (
            "time until a submitted or received document is stored",
            f"{chosen.document_wait_seconds} s, estimated from the recent rate",
            "503 `overloaded`",
        ),
        ("connections", f"{chosen.max_connections:,}", "the newest idle one is closed, or 503"),
        (
            "connections of a client",
            f"{chosen.connections_per_client:,}",
            "the newest idle one is closed, or 503",
        ),
        ("time for headers", f"{chosen.header_deadline_seconds} s", "408, or closed"),
        (
            "time for a body",
            f"{chosen.body_deadline_seconds} s and 1 s for each 64 KiB, at most 300 s",
            "408 `request_timeout`",
        ),
        ("time without a request", f"{chosen.idle_deadline_seconds} s", "closed"),
        ("time without taking any of an answer", f"{chosen.write_deadline_seconds} s", "closed"),
        *exchange_limits(),
        *kept_limits(),
    )
    return _page(
        "Limits",
        "Every input is compared with its limit before work starts. Most limits are "
        "[settings](settings.md); these are the defaults. 429 is `rate_limited`, with "
        "`Retry-After` and the name of the limit in `details[0].limit`. Sandbox keys have no "
        "quota of requests.",
        "| subject | limit | answer beyond it |",
        "|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in rows),
    )


def _growth() -> str:
    return f"{OUTPUT_PER_INPUT} times the document and {OUTPUT_ALLOWANCE_BYTES:,} bytes"


def _rate(per_minute: int, chosen: Settings) -> str:
    return f"{per_minute} a minute, {chosen.request_burst} at once"


def command_line_page() -> str:
    """Return the page of every command with its options."""
    sections = (
        f"## {context.command_path}\n\n```text\n{context.get_help()}\n```\n"
        for context in _commands(longshore, "longshore", None)
    )
    return _page("Command line", "This page has the output of `--help` of each command.", *sections)


def _commands(
    command: click.Command, name: str, parent: click.Context | None
) -> Iterator[click.Context]:
    """Yield the context of a command, then those of all below it."""
    context = click.Context(
        command, parent, name, terminal_width=HELP_CHARS, **command.context_settings
    )
    yield context
    if isinstance(command, click.Group):
        for inner_name in command.list_commands(context):
            inner = command.get_command(context, inner_name)
            assert inner is not None
            yield from _commands(inner, inner_name, context)


def _default(value: object) -> str:
    """Return a default as it is written in the settings file."""
    if value in {"", ()}:
        return "empty"
    return f"`{value}`"


def findings_page() -> str:
    """Return the page of what can be said about a document."""
    return _page(
        "Findings",
        "A finding is a fault or a remarkable fact in a document. Findings are data in the "
        "answer, not refusals: [contract.md, section 10](contract.md) defines their shape, "
        "[x12.md](x12.md) the rules. The table has the default severity; the "
        "[leniency](leniency.md) of a partner can change it. A 999 has the codes of AK304 and "
        "AK403 in IK304 and IK403; codes that begin with I do not occur in a 997.",
        *finding_rows(),
    )


def doubts_page() -> str:
    """Return the page of what is still in doubt in the dictionary."""
    return _page(
        "Dictionary: what is in doubt",
        "This page lists the lines of the dictionary that are marked `# ?`. "
        "[dictionary-agreement.md](dictionary-agreement.md) describes how the dictionary was "
        "written and compared.",
        *doubt_rows(),
    )


def sets_page() -> str:
    """Return the page of the sets, releases and guides that have a definition."""
    return _page(
        "Transaction sets and guides",
        f"Longshore has definitions of {sets_summary()}. For each it checks envelope, segments, "
        "order, nesting, requirements, maxima, elements, types, lengths, relational conditions and "
        "the codes of closed lists; under a guide also qualified loops, required and unused "
        "elements and the guide's codes. *Added up* names the sums that [balancing](balancing.md) "
        "compares; *positions* are counted for each release. Documents of other releases from "
        "003010 to 006020 are validated by the nearest earlier release, or by 004010 if they are "
        "older; the answer calls that `nearest`. The definitions are an independent description, "
        "neither published nor endorsed by X12; see "
        "[how far they agree with others](dictionary-agreement.md) and "
        "[what is in doubt](dictionary-doubts.md).",
        *set_rows(),
    )


def code_lists_page() -> str:
    """Return the page of the code lists and of what they refuse."""
    return _page(
        "Code lists",
        code_lists_summary(),
        *code_list_rows(),
    )


def starter_members_page() -> str:
    """Return the page of the names that starter maps give."""
    return _page(
        "Starter maps: all names",
        "This page lists the place of each segment of a set in the JSON, with `[*]` for an array, "
        "and the names of its elements. [starter-maps.md](starter-maps.md) describes the maps.",
        *member_lines(),
    )


def _page(title: str, opening: str, *lines: str) -> str:
    """Return a page that says where it comes from."""
    origin = "<!-- Written by `make docs`; change the code, not this page. -->"
    return "\n".join((f"# {title}", "", origin, "", opening, "", *lines)).rstrip() + "\n"


PAGES: MappingProxyType[str, Callable[[], str]] = MappingProxyType({
    "errors.md": errors_page,
    "settings.md": settings_page,
    "partner-settings.md": partner_settings_page,
    "limits.md": limits_page,
    "command-line.md": command_line_page,
    "findings.md": findings_page,
    "code-lists.md": code_lists_page,
    "dictionary-doubts.md": doubts_page,
    "starter-map-members.md": starter_members_page,
    "transaction-sets.md": sets_page,
    "library.md": lambda: _page("Python library", LIBRARY_OPENING, *library_lines()),
})


def stale_pages(folder: Path = REFERENCE) -> list[str]:
    """Name the pages in ``folder`` that the code would write differently."""
    return [
        name
        for name, page in PAGES.items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != page()
    ]


def main(arguments: list[str]) -> int:
    """Write or check the pages; return the exit status."""
    stale = stale_pages()
    if "--check" in arguments:
        print("".join(f"docs/reference/{name} is stale: make docs\n" for name in stale), end="")
        return 1 if stale else 0
    for name in stale:
        (REFERENCE / name).write_text(PAGES[name](), encoding="utf-8")
        print(f"docs/reference/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
