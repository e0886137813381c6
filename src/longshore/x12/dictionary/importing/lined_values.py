"""Values of JSON, each with the line that it begins in, so that a fault can name it.

Numbers are whole; others have no use in a schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from longshore.x12.dictionary.importing.schema import ImportSource, shown
from longshore.x12.dictionary.lines import MAX_DEPTH, DictionaryError

_SPACE = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(
    r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"'
    r"|-?(?:0|[1-9][0-9]{0,18})(?![0-9.eE])|true|false|null"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_MAX_DEPTH: Final = 2 * MAX_DEPTH


@dataclass(frozen=True, slots=True)
class LinedValue:
    """A value: an array is a tuple, an object a mapping."""

    line: int
    value: str | int | bool | tuple[LinedValue, ...] | Mapping[str, LinedValue] | None


def read_json(source: ImportSource) -> LinedValue:
    """Return the value of a file.

    Raises:
        DictionaryError: It is no JSON, too deep or too long, or has a member twice.
    """
    source.check_size()
    return _JsonText(source).whole()


class _JsonText:
    def __init__(self, source: ImportSource) -> None:
        self._source = source
        self._text = source.text
        self._at = 0
        self._line = 1

    def whole(self) -> LinedValue:
        """Return the only value of the text."""
        found = self._value(0)
        self._skip()
        if self._at < len(self._text):
            raise self._unreadable()
        return found

    def _value(self, depth: int) -> LinedValue:
        if depth > _MAX_DEPTH:
            reason = f"values are nested deeper than {_MAX_DEPTH} levels"
            raise self._source.fault(self._line, reason)
        self._skip()
        line = self._line
        if self._take("{"):
            return LinedValue(line, self._members(depth))
        if self._take("["):
            return LinedValue(line, tuple(self._items("]", depth)))
        return LinedValue(line, self._scalar())

    def _members(self, depth: int) -> Mapping[str, LinedValue]:
        found: dict[str, LinedValue] = {}
        for name in self._items("}", depth):
            assert isinstance(name.value, str)  # as _items reads it
            if name.value in found:
                raise self._source.fault(name.line, f"{shown(name.value)} stands twice")
            if not self._take(":"):
                raise self._unreadable()
            found[name.value] = self._value(depth + 1)
        return found

    def _items(self, end: str, depth: int) -> Iterator[LinedValue]:
        """Yield the values of an array, or the names of an object, whose values follow."""
        is_first = True
        while not self._take(end):
            if not is_first and not self._take(","):
                raise self._unreadable()
            is_first = False
            if end == "]":
                yield self._value(depth + 1)
                continue
            self._skip()
            line, name = self._line, self._scalar()
            if not isinstance(name, str):
                raise self._source.fault(line, "the name of a member must be a text")
            yield LinedValue(line, name)

    def _scalar(self) -> str | int | bool | None:
        found = _SCALAR.match(self._text, self._at)
        if found is None:
            raise self._unreadable()
        self._at = found.end()
        value: str | int | bool | None = json.loads(found[0])
        if isinstance(value, str) and _SURROGATE.search(value):
            raise self._source.fault(self._line, "half of a surrogate pair stands alone")
        return value

    def _take(self, mark: str) -> bool:
        self._skip()
        is_there = self._text.startswith(mark, self._at)
        self._at += is_there
        return is_there

    def _skip(self) -> None:
        found = _SPACE.match(self._text, self._at)
        assert found is not None  # it matches any text
        self._line += found[0].count("\n")
        self._at = found.end()

    def _unreadable(self) -> DictionaryError:
        rest = self._text[self._at : self._at + 12] or "its end"
        return self._source.fault(self._line, f"the JSON is unreadable from {shown(rest)}")


class LinedObject:
    """The members of an object; each has to be of the type that is asked for.

    Every method raises DictionaryError if a member is not there or of another type.
    """

    def __init__(self, source: ImportSource, of: LinedValue) -> None:
        if not isinstance(of.value, Mapping):
            raise source.fault(of.line, "an object is expected here")
        self.line = of.line
        self.members: Mapping[str, LinedValue] = of.value
        self._source = source

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text; ``default`` if it is absent or null."""
        found = self.members.get(name)
        if found is None or found.value is None:
            if default is None:
                raise self._source.fault(self.line, f"the member {name} is missing")
            return default
        if not isinstance(found.value, str):
            raise self._source.fault(found.line, f"{name} must be a text")
        return found.value

    def number(self, name: str, default: int | None = None) -> int:
        """Return a count or length; ``default`` if it is absent or null."""
        found = self.members.get(name)
        if found is None or found.value is None:
            if default is None:
                raise self._source.fault(self.line, f"the member {name} is missing")
            return default
        if not isinstance(found.value, int) or isinstance(found.value, bool):
            raise self._source.fault(found.line, f"{name} must be a whole number")
        return self._source.number(found.line, str(found.value))

    def flag(self, name: str) -> bool:
        """Return true or false; false if it is absent."""
        found = self.members.get(name)
        if found is None:
            return False
        if not isinstance(found.value, bool):
            raise self._source.fault(found.line, f"{name} must be true or false")
        return found.value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return texts; none if the member is absent."""
        found = []
        for each in self._items(name):
            if not isinstance(each.value, str):
                raise self._source.fault(each.line, f"{name} must be a list of texts")
            found.append(each.value)
        return tuple(found)

    def objects(self, name: str) -> Iterator[LinedObject]:
        """Yield objects; none if the member is absent."""
        return (LinedObject(self._source, each) for each in self._items(name))

    def object(self, name: str) -> LinedObject | None:
        """Return an object; None if the member is absent or null."""
        found = self.members.get(name)
        if found is None or found.value is None:
            return None
        return LinedObject(self._source, found)

    def _items(self, name: str) -> tuple[LinedValue, ...]:
        found = self.members.get(name)
        if found is None or found.value is None:
            return ()
        if not isinstance(found.value, tuple):
            raise self._source.fault(found.line, f"{name} must be a list")
        return found.value
