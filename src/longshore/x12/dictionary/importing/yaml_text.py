"""Read the part of YAML that schemas are written in, into values with lines.

Block mappings and lists, flow mappings and lists, plain and quoted scalars, comments. Every scalar
is a text. Anchors, aliases, tags, block scalars, complex keys, directives and further documents are
refused, so that no text becomes more than it is long.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from longshore.x12.dictionary.importing.lined_values import LinedValue
from longshore.x12.dictionary.importing.schema import ImportSource, shown
from longshore.x12.dictionary.lines import MAX_DEPTH, DictionaryError

_MAX_DEPTH: Final = 2 * MAX_DEPTH
_QUOTED: Final = r"'[^']*+(?:''[^']*+)*+'|\"[^\"\\]*+\""
_KEY = re.compile(rf"({_QUOTED}|[A-Za-z0-9_.][A-Za-z0-9_./-]*+)[ ]*+:(?:[ ]++(.*)|)")
_TOKEN = re.compile(
    rf"[ ]*+({_QUOTED}|[\[\]{{}},]|:(?=[ ]|$)|(?:[^\[\]{{}},:'\"]|(?<=[^ ])['\"]|:(?![ ]|$))++)"
)
_PIECE = re.compile(rf"{_QUOTED}|[^'\"#]++|.")
_REFUSED: Final = "&*!|>?%@`"


class _Line(NamedTuple):
    number: int
    indent: int
    text: str


def read_yaml(source: ImportSource) -> LinedValue:
    """Return the value of a file.

    Raises:
        DictionaryError: It is no YAML of the part that is read, too deep or too long.
    """
    source.check_size()
    return _YamlText(source).whole()


class _YamlText:
    def __init__(self, source: ImportSource) -> None:
        self._source = source
        self._lines = self._joined()
        self._at = 0

    def whole(self) -> LinedValue:
        """Return the only value of the text."""
        if not self._lines:
            raise self._source.fault(0, "the file is empty")
        found = self._block(self._lines[0].indent, 0)
        if self._at < len(self._lines):
            raise self._unreadable(self._lines[self._at])
        return found

    def _joined(self) -> list[_Line]:
        """Return the lines with content; one that opens a flow has the following ones with it."""
        lines: list[_Line] = []
        texts: list[list[str]] = []
        open_marks = 0
        for number, raw in enumerate(self._source.text.splitlines(), 1):
            bare = _without_comment(raw)
            text = bare.strip()
            if not text or (text == "---" and not lines):
                continue
            if "\t" in bare[: len(bare) - len(bare.lstrip())]:
                raise self._source.fault(number, "a tab; indent with spaces")
            if open_marks > 0:
                texts[-1].append(text)
            else:
                lines.append(_Line(number, len(bare) - len(bare.lstrip()), ""))
                texts.append([text])
            open_marks += _open_marks(text)
        return [line._replace(text=" ".join(of)) for line, of in zip(lines, texts, strict=True)]

    def _block(self, indent: int, depth: int) -> LinedValue:
        line = self._lines[self._at]
        if depth > _MAX_DEPTH:
            reason = f"values are nested deeper than {_MAX_DEPTH} levels"
            raise self._source.fault(line.number, reason)
        if _is_item(line):
            return self._items(indent, depth)
        if _KEY.fullmatch(line.text):
            return self._members(indent, depth)
        self._at += 1
        return self._flow(line, line.text)

    def _items(self, indent: int, depth: int) -> LinedValue:
        first = self._lines[self._at].number
        items: list[LinedValue] = []
        while (line := self._next(indent)) and _is_item(line):
            rest = line.text[1:].lstrip()
            if rest:  # the item begins in the line itself, as far in as its text
                inner = indent + len(line.text) - len(rest)
                self._lines[self._at] = _Line(line.number, inner, rest)
                items.append(self._block(inner, depth + 1))
            else:
                self._at += 1
                items.append(self._below(line, depth, is_member=False))
        return LinedValue(first, tuple(items))

    def _members(self, indent: int, depth: int) -> LinedValue:
        first = self._lines[self._at].number
        members: dict[str, LinedValue] = {}
        while line := self._next(indent):
            found = _KEY.fullmatch(line.text)
            if found is None:
                raise self._unreadable(line)
            self._at += 1
            key = _unquoted(found[1])
            if key in members:
                raise self._source.fault(line.number, f"{shown(key)} stands twice")
            rest = (found[2] or "").strip()
            if rest:
                members[key] = self._flow(line, rest)
            else:
                members[key] = self._below(line, depth, is_member=True)
        return LinedValue(first, members)

    def _next(self, indent: int) -> _Line | None:
        """Return the line that goes on at this indentation; None if the block has ended.

        Raises:
            DictionaryError: It is indented deeper.
        """
        line = self._lines[self._at] if self._at < len(self._lines) else None
        if line is None or line.indent < indent:
            return None
        if line.indent > indent:
            raise self._source.fault(line.number, "the indentation is not that of a line above")
        return line

    def _below(self, line: _Line, depth: int, *, is_member: bool) -> LinedValue:
        """Return the block below a line; None if there is none.

        A list may be indented as the key that it belongs to.
        """
        following = self._lines[self._at] if self._at < len(self._lines) else None
        if following is None or following.indent < line.indent:
            return LinedValue(line.number, None)
        if following.indent > line.indent:
            return self._block(following.indent, depth + 1)
        if is_member and _is_item(following):
            return self._items(line.indent, depth + 1)
        return LinedValue(line.number, None)

    # ---- flow -----------------------------------------------------------------------------------

    def _flow(self, line: _Line, text: str) -> LinedValue:
        tokens = self._tokens(line, text)
        found = self._flow_value(line, tokens, 0)
        if tokens:
            raise self._unreadable(line)
        return found

    def _tokens(self, line: _Line, text: str) -> list[str]:
        """Return the tokens of a text, the last one first."""
        if text[0] in _REFUSED:
            raise self._unreadable(line)
        tokens: list[str] = []
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise self._unreadable(line)
            tokens.append(found[1].rstrip())
            at = found.end()
        return tokens[::-1]

    def _flow_value(self, line: _Line, tokens: list[str], depth: int) -> LinedValue:
        part = tokens.pop() if tokens else ","
        if depth > _MAX_DEPTH:
            reason = f"values are nested deeper than {_MAX_DEPTH} levels"
            raise self._source.fault(line.number, reason)
        if part == "[":
            items: list[LinedValue] = []
            while not self._ends(line, tokens, "]", is_first=not items):
                items.append(self._flow_value(line, tokens, depth + 1))
            return LinedValue(line.number, tuple(items))
        if part == "{":
            members: dict[str, LinedValue] = {}
            while not self._ends(line, tokens, "}", is_first=not members):
                key = _unquoted(tokens.pop()) if tokens else ""
                if key in members or not tokens or tokens.pop() != ":":
                    raise self._unreadable(line)
                members[key] = self._flow_value(line, tokens, depth + 1)
            return LinedValue(line.number, members)
        if part in {"]", "}", ",", ":"} or part[0] in _REFUSED:
            raise self._unreadable(line)
        return LinedValue(line.number, _unquoted(part))

    def _ends(self, line: _Line, tokens: list[str], end: str, *, is_first: bool) -> bool:
        """Return whether a flow ends here; else take the comma before its next part."""
        if tokens and tokens[-1] == end:
            tokens.pop()
            return True
        if not is_first and (not tokens or tokens.pop() != ","):
            raise self._unreadable(line)
        return False

    def _unreadable(self, line: _Line) -> DictionaryError:
        return self._source.fault(line.number, f"the YAML is not read: {shown(line.text)}")


def _is_item(line: _Line) -> bool:
    return line.text == "-" or line.text.startswith("- ")


def _without_comment(raw: str) -> str:
    if "#" not in raw:
        return raw
    for piece in _PIECE.finditer(raw):
        at = piece.start()
        if piece[0] == "#" and (at == 0 or raw[at - 1] == " "):
            return raw[:at]
    return raw


def _open_marks(text: str) -> int:
    """Return how many flows a line opens more than it closes."""
    bare = re.sub(_QUOTED, "", text)
    return sum(bare.count(each) for each in "[{") - sum(bare.count(each) for each in "]}")


def _unquoted(text: str) -> str:
    if text[:1] == "'":
        return text[1:-1].replace("''", "'")
    return text[1:-1] if text[:1] == '"' else text
