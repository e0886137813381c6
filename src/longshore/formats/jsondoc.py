"""Parse JSON documents token by token, strictly by RFC 8259, without building the document.

Why not ``json.loads``: it accepts NaN and duplicate names, lets lone surrogates pass that no
encoder accepts later, turns number text into numbers, fails on deep nesting, and does not report
where. Here the open containers are a list, so depth costs nothing; every fault is refused with its
position; and memory holds the result only. The standard library's scanner reads escapes inside
strings.

Keys: ``order.lines[0].sku``; indexes are 0-based and always written. The root container has the
path ``""``. Source: fields-and-mapping.md 2.2.
"""

import re
from json import JSONDecodeError, JSONDecoder

from longshore.formats.document import ParsedDocument
from longshore.formats.flatmap import MAX_DEPTH, FlatMap
from longshore.formats.keys import escape_name
from longshore.formats.refusals import (
    BYTE_ORDER_MARK,
    LimitExceededError,
    UnparseableDocumentError,
    refuse_unknown_views,
    utf8_of,
)

_SPACE = r"[ \t\n\r]*+"
_PLAIN_STRING = r'"(?P<text>[^"\\\x00-\x1f]*+)"'
_SPACES = re.compile(_SPACE)
_NAME = re.compile(f"{_PLAIN_STRING}{_SPACE}:{_SPACE}")
_COLON = re.compile(f"{_SPACE}:{_SPACE}")
_SEPARATOR = re.compile(rf"{_SPACE}([,\]}}]?){_SPACE}")
_VALUE = re.compile(
    rf"{_PLAIN_STRING}"
    r"|(?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)"
    r"|(?P<boolean>true|false)"
    r"|(?P<null>null)"
    r"|(?P<container>[\[{])"
    r'|(?P<escaped_string>")'
    r"|(?P<not_finite>NaN|-?Infinity)"
)
_BETWEEN_SPACES = re.compile(r'(?:[^" \t\n\r]++|"(?:[^"\\]++|\\.)*+")++')
_SURROGATE = re.compile("[\ud800-\udfff]")
_STRINGS = JSONDecoder()


def parse(document: str, *, views: frozenset[str] = frozenset()) -> ParsedDocument:
    """Return the leaves of a JSON document as fields, in document order.

    Values are the literal text (``1.10``, ``1e5``, ``true``, decoded strings). ``null`` is listed
    in ``null_fields``, ``{}`` and ``[]`` in ``empty_containers``. The view ``tree`` is the document
    itself, literals untouched, without the white space between them.

    Raises:
        LongshoreError: ``document_empty``, or ``invalid_parameter`` for an unknown view.
        UnparseableDocumentError: ``json_syntax``, ``json_duplicate_name``, ``json_number``,
            ``json_surrogate`` or ``json_scalar``.
        LimitExceededError: ``depth``, ``fields``, ``nodes`` or ``output_bytes``.
    """
    refuse_unknown_views(views, "json")
    fields = FlatMap(len(utf8_of(document, surrogate_code="json_surrogate")))
    _Reader(document, fields).read()
    tree = None
    if "tree" in views:
        literals = _BETWEEN_SPACES.findall(document.removeprefix(BYTE_ORDER_MARK))
        tree = "".join(literals).encode()
        fields.charge(tree)
    return fields.parsed("json", tree=tree)


class _Container:
    """An open array or object: how it closes, how many members it has, and their names."""

    __slots__ = ("closing", "member_count", "names")

    def __init__(self, opening: str) -> None:
        self.closing = "}" if opening == "{" else "]"
        self.member_count = 0
        self.names: set[str] | None = set() if opening == "{" else None


class _Reader:
    """Reads one document into a ``FlatMap``. The ``_read`` methods take and return positions.

    ``_steps`` holds one piece of the key per open container. Keys are joined at leaves only: a
    prefix kept per level would let 64 brackets hold 64 copies of a name as long as the document.
    """

    def __init__(self, text: str, fields: FlatMap) -> None:
        self._text = text
        self._fields = fields
        self._open: list[_Container] = []
        self._steps: list[str] = []

    def read(self) -> None:
        start = self._end_of_space(1 if self._text.startswith(BYTE_ORDER_MARK) else 0)
        at = self._read_value("", start)
        is_scalar = not self._open
        while self._open:
            at = self._read_member(self._open[-1], at)
        at = self._end_of_space(at)
        if at < len(self._text):
            raise self._refusal("json_syntax", "text follows the end of the JSON document", at)
        if is_scalar:
            raise self._refusal(
                "json_scalar", "the document is neither a JSON object nor array", start
            )

    def _read_member(self, container: _Container, at: int) -> int:
        separator = _SEPARATOR.match(self._text, at)
        assert separator is not None
        mark = separator[1]
        if mark == container.closing:
            self._close(container)
            return separator.end()
        if mark != ("," if container.member_count else ""):
            fault = "a comma or the end of the array or object is expected"
            raise self._refusal("json_syntax", fault, separator.start(1))
        at = separator.end()
        if container.names is None:
            step = f"[{container.member_count}]"
        else:
            step, at = self._read_name(container.names, at)
        container.member_count += 1
        return self._read_value(step, at)

    def _read_name(self, names: set[str], at: int) -> tuple[str, int]:
        match = _NAME.match(self._text, at)
        name, end = (match["text"], match.end()) if match else self._read_escaped_name(at)
        if name in names:
            raise self._refusal("json_duplicate_name", "an object has two members of one name", at)
        names.add(name)
        is_in_root = len(self._open) == 1
        return (escape_name(name) if is_in_root else f".{escape_name(name)}"), end

    def _read_escaped_name(self, at: int) -> tuple[str, int]:
        if not self._text.startswith('"', at):
            raise self._refusal("json_syntax", "a member name in double quotes is expected", at)
        name, end = self._read_escaped_string(at)
        colon = _COLON.match(self._text, end)
        if colon is None:
            raise self._refusal("json_syntax", "a colon is expected after a member name", end)
        return name, colon.end()

    def _read_value(self, step: str, at: int) -> int:
        match = _VALUE.match(self._text, at)
        if match is None:
            raise self._refusal("json_syntax", "a value is expected", at)
        kind = match.lastgroup
        assert kind is not None
        end = match.end()
        if kind == "container":
            self._enter(step, match[kind])
            return end
        if kind == "not_finite":
            raise self._refusal("json_number", "NaN and Infinity are not JSON", at)
        path = "".join(self._steps) + step
        if kind == "null":
            self._fields.add_null(path)
        elif kind == "escaped_string":
            value, end = self._read_escaped_string(at)
            self._fields.add(path, value)
        else:
            self._fields.add(path, match[kind])
        return end

    def _read_escaped_string(self, at: int) -> tuple[str, int]:
        value: str
        try:
            value, end = _STRINGS.raw_decode(self._text, at)
        except JSONDecodeError as error:
            fault = "a string is unfinished, or has a wrong escape or a control character"
            raise self._refusal("json_syntax", fault, error.pos) from error
        if _SURROGATE.search(value):
            raise self._refusal("json_surrogate", "a string escapes half a surrogate pair", at)
        return value, end

    def _enter(self, step: str, opening: str) -> None:
        if len(self._open) == MAX_DEPTH:
            raise LimitExceededError("depth", MAX_DEPTH, "arrays and objects are nested too deep")
        self._fields.count_node()
        self._open.append(_Container(opening))
        self._steps.append(step)

    def _close(self, container: _Container) -> None:
        if not container.member_count:
            self._fields.add_empty("".join(self._steps))
        self._open.pop()
        self._steps.pop()

    def _end_of_space(self, at: int) -> int:
        space = _SPACES.match(self._text, at)
        assert space is not None
        return space.end()

    def _refusal(self, code: str, fault: str, offset: int) -> UnparseableDocumentError:
        return UnparseableDocumentError(code, fault, self._text, offset)
