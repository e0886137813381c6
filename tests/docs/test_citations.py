"""Where the code says "see this page, section 4", there is such a page with such a section."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.docs.pages import ROOT

NUMBER = r"[0-9]+(?:\.[0-9]+)*"
NUMBERS = rf"{NUMBER}(?:(?:, | and | to ){NUMBER})*"
ITEM = r"[0-9]+\b(?!\.[0-9])"
ITEMS = rf"{ITEM}(?:(?:, | and | to ){ITEM})*"
CITATION = re.compile(
    rf"\b([A-Za-z0-9-]+\.md)\b(?:,? sections? ({NUMBERS})"
    rf"(?:(?:,? \(?X12)?,? (?:item|point|rule|step)s? ({ITEMS}))?)?"
)


def citations(text: str) -> Iterator[tuple[str, str]]:
    """Yield page and section (empty if none), also where a line break stands between them.

    An item of a section is yielded with its number behind the section's: ``1.2#9``.
    """
    for found in CITATION.finditer(re.sub(r"\n[#\s-]*", " ", text)):
        page, sections = found[1].lower(), list(each_of(found[2] or ""))
        for section in sections or [""]:
            yield page, section
        for number in each_of(found[3] or ""):
            yield page, f"{sections[-1]}#{number}"


def each_of(numbers: str) -> Iterator[str]:
    """Yield the numbers of ``1, 2.3 and 4 to 6``; of a range with dots only its ends."""
    for first, last in re.findall(rf"({NUMBER})(?: to ({NUMBER}))?", numbers):
        if last and (first + last).isdecimal():
            yield from map(str, range(int(first), int(last) + 1))
        else:
            yield from filter(None, (first, last))


def pages() -> dict[str, str]:
    """Map each page of the repository by its name in small letters to its text."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return {path.name.lower(): path.read_text(encoding="utf-8") for path in found}


def has_section(page: str, section: str) -> bool:
    """Return whether a page has the section as a heading, or as an item of the one above it."""
    section, _, number = section.partition("#")
    if number:
        body = re.search(
            rf"^(#+) {re.escape(section)}[. ].*?(?=^\1 |\Z)", page, re.MULTILINE | re.DOTALL
        )
        return bool(body and re.search(rf"^\s*{number}\. ", body[0], re.MULTILINE))
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


def test_a_citation_names_page_section_and_items_across_lines() -> None:
    text = (
        "# see x12.md\n# section 1.2.9, a.md sections 1.2, 2\n# and 5 to 6, "
        "b.md section 4, items 1,\n# 3 to 4 and 6"
    )
    assert list(citations(text)) == [
        ("x12.md", "1.2.9"),
        ("a.md", "1.2"),
        ("a.md", "2"),
        ("a.md", "5"),
        ("a.md", "6"),
        ("b.md", "4"),
        ("b.md", "4#1"),
        ("b.md", "4#3"),
        ("b.md", "4#4"),
        ("b.md", "4#6"),
    ]
    page = "## 1. Syntax\n### 1.2 Detection\n8. a\n9. b\n## 2. Other\n10. c\n"
    sections = ("1", "1.2", "1.2.9", "1.2.10", "3", "1#9", "1.2#8", "1#10", "2#10", "2#9")
    found = [has_section(page, section) for section in sections]
    assert found == [True, True, True, False, False, True, True, False, True, False]
