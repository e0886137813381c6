"""Where the code says "see this page, section 4", there is such a page with such a section."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.docs.pages import ROOT

CITATION = re.compile(r"\b([A-Za-z0-9-]+\.md)(?:,? section ([0-9]+(?:\.[0-9]+)*))?")


def citations(text: str) -> Iterator[tuple[str, str]]:
    """Yield page and section (empty if none), also where a line break stands between them."""
    for found in CITATION.finditer(re.sub(r"\n[#\s-]*", " ", text)):
        yield found[1].lower(), found[2] or ""


def pages() -> dict[str, str]:
    """Map each page of the repository by its name in small letters to its text."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return {path.name.lower(): path.read_text(encoding="utf-8") for path in found}


def has_section(page: str, section: str) -> bool:
    """Return whether a page has the section as a heading, or as an item of the one above it."""
    if re.search(rf"^#+ {re.escape(section)}[. ]", page, re.MULTILINE):
        return True
    above, _, item = section.rpartition(".")
    body = re.search(rf"^#+ {re.escape(above)}\.? .*?(?=^#|\Z)", page, re.MULTILINE | re.DOTALL)
    return bool(above and body and re.search(rf"^{item}\. ", body[0], re.MULTILINE))


def wrong(paths: list[Path]) -> list[str]:
    known = pages()
    return [
        f"{path.relative_to(ROOT)}: {page} {section}".rstrip()
        for path in paths
        for page, section in citations(path.read_text(encoding="utf-8"))
        if page not in known or (section and not has_section(known[page], section))
    ]


def test_every_citation_in_the_code_leads_somewhere() -> None:
    code = [*(ROOT / "src").rglob("*.py"), *(ROOT / "src").rglob("*.sql")]
    assert wrong(code) == []


def test_a_citation_is_read_across_lines_and_judged_by_its_section() -> None:
    assert list(citations("# see x12.md\n# section 1.2.9, a.md, b.md section 4")) == [
        ("x12.md", "1.2.9"),
        ("a.md", ""),
        ("b.md", "4"),
    ]
    page = "## 1. Syntax\n### 1.2 Detection\n8. a\n9. b\n## 2. Other\n10. c\n"
    found = [has_section(page, section) for section in ("1", "1.2", "1.2.9", "1.2.10", "3")]
    assert found == [True, True, True, False, False]
