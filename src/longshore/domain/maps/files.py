"""Maps as files: what ``longshore maps export`` writes, and what an import reads.

A file is one JSON object with the members of a map detail (contract.md section 9). Members that
only the service sets (``id``, ``version``, …) are skipped. Rules and lookup tables keep the text
they have in the file, so that ``1.10`` stays ``1.10``; an export writes one rule a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from json import JSONDecoder, dumps
from typing import Final

from longshore.domain.maps.definitions import BLANK
from longshore.domain.maps.errors import InvalidMapError
from longshore.domain.maps.model import MapDefinition, SampleDocument
from longshore.engine.trials import MapTest
from longshore.kit.errors import ErrorCode, ErrorDetail
from longshore.mapping.exact_json import exact_json

_SPACES: Final = " \t\r\n"
# Numbers stay texts: nobody looks at them here, and long ones take time.
_DECODER: Final = JSONDecoder(parse_float=str, parse_int=str)


def raw_members(text: str) -> dict[str, str]:
    """Return the members of a JSON object, each value as it is written."""
    members = {}
    at = _after_spaces(text, _after_spaces(text, 0) + 1)
    while text[at] != "}":
        name, at = _DECODER.raw_decode(text, at)
        start = _after_spaces(text, _after_spaces(text, at) + 1)  # behind the colon
        _, at = _DECODER.raw_decode(text, start)
        members[str(name)] = text[start:at]
        at = _next(text, at)
    return members


def raw_items(text: str) -> list[str]:
    """Return the items of a JSON array, each as it is written."""
    items = []
    at = _after_spaces(text, _after_spaces(text, 0) + 1)
    while text[at] != "]":
        start = at
        _, at = _DECODER.raw_decode(text, start)
        items.append(text[start:at])
        at = _next(text, at)
    return items


def _next(text: str, at: int) -> int:
    """Return where the next value begins, or the bracket at the end stands."""
    at = _after_spaces(text, at)
    return _after_spaces(text, at + 1) if text[at] == "," else at


def _after_spaces(text: str, at: int) -> int:
    while text[at] in _SPACES:
        at += 1
    return at


MAX_FAULTS: Final = 100
_MAX_ECHOED_CHARS: Final = 40

_REQUIRED: Final = ("name", "field_map")
_TEXTS: Final = (
    *("name", "description", "source_fmt", "target_fmt", "tx_set", "direction", "target_sample"),
)
_SKIPPED: Final = frozenset((
    *("id", "version", "rule_count", "locked"),
    *("created_at", "updated_at", "updated_at_iso"),
))
_KNOWN: Final = (*_TEXTS, "field_map", "lookups", "sample", "tests")
# Of the objects in a map, their members.
_SAMPLE: Final = ("document", "format")
_TEST: Final = ("name", "document", "expected")
_TABLE: Final = ("name", "rows")
_ROW: Final = ("from", "to")


def read_definition(text: str, file: str = "map") -> MapDefinition:
    """Return the definition that a file holds; absent members are those of a blank map.

    ``{"map": {…}}``, as the HTTP answer has it, is read too. ``file`` is what messages call it.

    Raises:
        InvalidMapError: With a detail for each fault of its shape: the member, and what it must be.
        LongshoreError: invalid_json.
    """
    content = exact_json(text, file)
    if isinstance(content, dict) and isinstance(content.get("map"), dict):
        text, content = raw_members(text)["map"], content["map"]
    reader = _Reader()
    definition = reader.definition(content)
    if reader.faults:
        raise InvalidMapError(tuple(reader.faults))
    raw = {name: value for name, value in raw_members(text).items() if value != "null"}
    return replace(
        definition,
        field_map=_items_text(raw["field_map"]),
        lookups=_items_text(raw.get("lookups", BLANK.lookups)),
    )


def _items_text(array: str) -> str:
    return f"[{','.join(raw_items(array))}]"


def definition_members(definition: MapDefinition) -> Mapping[str, str]:
    """Return the members of a file, in order, as JSON texts."""
    members: dict[str, object] = {name: getattr(definition, name) for name in _TEXTS[:-1]}
    sample = definition.sample
    texts = {name: _json(value) for name, value in members.items()}
    texts["field_map"] = _lines(raw_items(definition.field_map))
    texts["lookups"] = _lines(raw_items(definition.lookups))
    texts["sample"] = _json(
        None if sample is None else {"document": sample.document, "format": sample.format}
    )
    texts["target_sample"] = _json(definition.target_sample)
    texts["tests"] = _lines(
        _json({"name": test.name, "document": test.document, "expected": test.expected})
        for test in definition.tests
    )
    return texts


def definition_text(definition: MapDefinition) -> str:
    """Return a definition as a file; ``read_definition`` of it is the same one."""
    members = definition_members(definition).items()
    return "{\n" + ",\n".join(f"{_json(name)}: {text}" for name, text in members) + "\n}\n"


def _json(value: object) -> str:
    return dumps(value, ensure_ascii=False)


def _lines(items: Iterable[str]) -> str:
    """Return a JSON array with an item a line."""
    lines = ",\n  ".join(items)
    return f"[\n  {lines}\n]" if lines else "[]"


class _Reader:
    """Looks at the shape of a map and notes what is wrong, at most ``MAX_FAULTS`` faults."""

    def __init__(self) -> None:
        self.faults: list[ErrorDetail] = []

    def definition(self, content: object) -> MapDefinition:
        """Return a definition without rules and tables, of which the shape alone is looked at."""
        members = self._object("map", content, _KNOWN, skipped=_SKIPPED)
        for name in _REQUIRED:
            if isinstance(content, dict) and name not in members:
                message = f'Parameter "{name}" is missing.'
                self._add(ErrorCode.MISSING_PARAMETER, name, message)
        self._items("field_map", members.get("field_map", []), "an array of rules")
        for at, table in self._items("lookups", members.get("lookups", []), "an array of tables"):
            self._table(f"lookups[{at}]", table)
        texts = {
            name: str(members[name])
            for name in _TEXTS
            if name in members and self._is_text(name, members[name])
        }
        tests = [
            self._texts(f"tests[{at}]", test, _TEST)
            for at, test in self._items("tests", members.get("tests", []), "an array of tests")
        ]
        return MapDefinition(
            name=texts.get("name", BLANK.name),
            description=texts.get("description", BLANK.description),
            source_fmt=texts.get("source_fmt", BLANK.source_fmt),
            target_fmt=texts.get("target_fmt", BLANK.target_fmt),
            tx_set=texts.get("tx_set", BLANK.tx_set),
            direction=texts.get("direction", BLANK.direction),
            field_map=BLANK.field_map,
            lookups=BLANK.lookups,
            sample=self._sample(members),
            target_sample=texts.get("target_sample", BLANK.target_sample),
            tests=tuple(MapTest(**test) for test in tests if len(test) == len(_TEST)),
        )

    def _sample(self, members: Mapping[str, object]) -> SampleDocument | None:
        if "sample" not in members:
            return None
        sample = self._texts("sample", members["sample"], _SAMPLE)
        return SampleDocument(**sample) if len(sample) == len(_SAMPLE) else None

    def _table(self, param: str, content: object) -> None:
        members = self._object(param, content, _TABLE)
        self._is_text(f"{param}.name", members.get("name"))
        rows = self._items(f"{param}.rows", members.get("rows"), "an array of rows")
        for at, row in rows:
            self._texts(f"{param}.rows[{at}]", row, _ROW)

    def _texts(self, param: str, content: object, names: tuple[str, ...]) -> dict[str, str]:
        """Return the members of an object, all of them texts, and all of them needed."""
        members = self._object(param, content, names)
        return {
            name: str(members[name])
            for name in names
            if self._is_text(f"{param}.{name}", members.get(name))
        }

    def _object(
        self,
        param: str,
        content: object,
        known: tuple[str, ...],
        skipped: frozenset[str] = frozenset(),
    ) -> dict[str, object]:
        """Return the known members that are not null."""
        if not isinstance(content, dict):
            self._must_be(param, f"an object with {', '.join(known)}")
            return {}
        prefix = "" if param == "map" else f"{param}."
        for name in content:
            if name not in known and name not in skipped and len(self.faults) < MAX_FAULTS:
                self._unknown(f"{prefix}{name[:_MAX_ECHOED_CHARS]}", name, known)
        return {name: content[name] for name in known if content.get(name) is not None}

    def _items(self, param: str, content: object, what: str) -> Iterable[tuple[int, object]]:
        if isinstance(content, list):
            return enumerate(content)
        self._must_be(param, what)
        return ()

    def _is_text(self, param: str, content: object) -> bool:
        if not isinstance(content, str):
            self._must_be(param, "a text")
        return isinstance(content, str)

    def _must_be(self, param: str, what: str) -> None:
        message = f'Parameter "{param}" must be {what}.'
        self._add(ErrorCode.INVALID_PARAMETER, param, message)

    def _unknown(self, param: str, name: str, known: tuple[str, ...]) -> None:
        nearest = get_close_matches(name[:_MAX_ECHOED_CHARS], known, 1)
        hint = f' Did you mean "{nearest[0]}"?' if nearest else ""
        self._add(ErrorCode.UNKNOWN_PARAMETER, param, f'Unknown parameter "{param}".{hint}')

    def _add(self, code: ErrorCode, param: str, message: str) -> None:
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(ErrorDetail(code=code, param=param, message=message))
