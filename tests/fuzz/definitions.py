"""What has to hold when any ``.xd`` text is read: faults with a place, or definitions that work.

One input is a whole small dictionary: its files one after the other, each behind ``== NAME``.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random

from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.export import schema_export, segments_export, set_export
from longshore.x12.dictionary.library import Dictionary, shipped
from longshore.x12.dictionary.lines import DictionaryError, FileFault
from longshore.x12.dictionary.lint import lint, name_below_data
from longshore.x12.dictionary.model import Definition, SegmentUse
from longshore.x12.dictionary.overlay import apply
from longshore.x12.dictionary.render import render
from longshore.x12.elements.faults import SetContext
from longshore.x12.elements.patterns import pattern_of
from longshore.x12.loops.table import table_of
from tests.fuzz.mutations import CHANGES
from tests.fuzz.oracles import in_time
from tests.unit.x12.dictionary.texts import TEXTS

HEAD = "== "
OVERLAY = """overlay acme.850 on 850@004010 "ACME retail order"
BEG.01 codes 00 05
BEG.02 len 1/20
references M2
CUR drop
parties split N1.01 ST as ship_to M1 | BY as buyer M1
parties[ship_to] N1.03 M
extend lines NTE O2
lines.descriptions O5
extend REF.03 codes extend ZZ
"""
_WORDS = (
    *("M1", "O*", "R1", "S2", "N1", "@005010..", "@..004010", "@004010", "@", "as", "when", "loop"),
    *("N1.01=ST|BT", "HI.01.01=ABK", ": 01R=A|B 02S", "05R(01R 02S)", "01-99R", "02R:1/9", "01Rx2"),
    *(";", "P0304", "R0102", "E0102", "C0203", "L010203", "353!", "127x99", "C040", "C040!x3:name"),
    *("list", "strict", "set", "guide", "overlay", "extend", "split", "codes", "len", "drop", "|"),
    *('"', '"a b"', "#", "#12", "# ? doubt", "\t", "  ", "9" * 12, "9" * 5000, "1/99999", "0/0"),
    *("1/" + "9" * 5000, "127x" + "9" * 12, "O" + "9" * 5000, "M99999999999", "1/99999999999"),
    *("02Rx" + "9" * 5000, "02R:1/" + "9" * 12, "@" + "9" * 6 + "..", "N1[" + "9" * 5000 + "]"),
    *("AN", "ID", "N2", "R", "B", "codes=purpose", "codes=none", "é", "\u0660", "\u2028", "[2]"),
)
_MARKS = Delimiters("*", "~", ">", "^")
_MAX_FAULTS_PER_LINE = 6


def seeds() -> list[str]:
    """Return the small dictionary of the unit tests, whole, and with an overlay."""
    whole = bundled(TEXTS)
    return [whole, bundled({**TEXTS, "overlays/acme.xd": OVERLAY})]


def bundled(texts: Mapping[str, str]) -> str:
    return "".join(f"{HEAD}{name}\n{text.rstrip()}\n" for name, text in texts.items())


def unbundled(text: str) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    name = "segments.xd"
    for line in text.split("\n"):
        if line.startswith(HEAD):
            name = line.removeprefix(HEAD)
        else:
            found.setdefault(name, []).append(line)
    return {name: "\n".join(lines) for name, lines in found.items()}


def mutate(texts: Sequence[str], draw: Random) -> str:
    """Change some lines: their words, their order, their number."""
    lines = draw.choice(texts).split("\n")
    for _ in range(draw.choice((1, 1, 2, 4))):
        draw.choice((_word, _word, _word, _lines, _lines, _characters))(lines, draw)
    return "\n".join(lines)


def _word(lines: list[str], draw: Random) -> None:
    at = draw.randrange(len(lines))
    words = lines[at].split(" ")
    place = draw.randrange(len(words))
    words[place : place + draw.randrange(2)] = [draw.choice((*_WORDS, *words))]
    lines[at] = " ".join(words)


def _lines(lines: list[str], draw: Random) -> None:
    start = draw.randrange(len(lines))
    end = start + draw.choice((1, 1, 2, 6))
    taken = lines[start:end]
    if draw.randrange(3):
        del lines[start:end]
    at = draw.randint(0, len(lines))
    lines[at:at] = taken * draw.choice((0, 1, 1, 2, 30))


def _characters(lines: list[str], draw: Random) -> None:
    at = draw.randrange(len(lines))
    lines[at : at + 1] = draw.choice(CHANGES)(lines[at], draw).split("\n")


def definitions(text: str, draw: Random, *, is_thorough: bool) -> None:
    """Look through a dictionary; if nothing is wrong with it, use all of it."""
    texts = unbundled(text)
    if not is_thorough:
        _is_refused_or_used(texts, draw.randrange(3))
        return
    errors = in_time(lambda: lint(texts)).errors
    _are_placed(errors, texts)
    name_below_data("own.xd", draw.choice(tuple(texts.values())), texts)
    if errors:
        for which in range(3):
            _is_refused_or_used(texts, which)
        return
    dictionary = Dictionary(texts)
    for entry in dictionary.contents:
        for release in entry.releases:
            _works(dictionary.definition(entry.tx_set, release))
        for guide in entry.guides:
            release = dictionary.guide_release(entry.tx_set, guide)
            _works(dictionary.definition(entry.tx_set, release, guide))
    segments_export(dictionary.vocabulary, "005010")


def _are_placed(errors: tuple[FileFault, ...], texts: Mapping[str, str]) -> None:
    lines = {name: len(text.splitlines()) for name, text in texts.items()}
    assert len(errors) <= _MAX_FAULTS_PER_LINE * (10 + sum(lines.values())), "faults beyond count"
    for fault in errors:
        assert fault.reason
        assert 0 <= fault.line <= lines.get(fault.file, 0), f"{fault} is nowhere"


def _is_refused_or_used(texts: Mapping[str, str], which: int) -> None:
    """Load what a document would ask for: a definition, or the error that says what is wrong."""
    dictionary = Dictionary(texts)
    with suppress(DictionaryError):
        if which == 0:
            dictionary.resolve("850", "004010")
        elif which == 1:
            dictionary.resolve("837", "005010X999")
        else:
            _with_overlay(texts.get("overlays/acme.xd", ""))


def _with_overlay(text: str) -> None:
    definition = shipped().definition("850", "004010")
    assert definition is not None
    _works(apply(definition, text, "acme.xd"))


def _works(definition: Definition | None) -> None:
    assert definition is not None, "what the contents name is not there"
    table = table_of(definition)
    context = SetContext(_MARKS, definition.release)
    for slots in table.everywhere.values():
        for slot in slots:
            _compiles(slot.use, context)
    set_export(definition)
    schema_export(definition)
    render(definition)


def _compiles(use: SegmentUse, context: SetContext) -> None:
    source = pattern_of(use, context)
    if source is not None:
        re.compile(source)
