"""Converted documents, and what is said of them in an answer.

Source: contract.md section 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from json import dumps, loads
from json.encoder import encode_basestring as quoted
from types import MappingProxyType
from typing import Final, NamedTuple

from longshore.mapping.coverage import INCOMPLETE
from longshore.mapping.explain import ExplainedConversion
from longshore.mapping.writes import MappingWarning, SetPlace
from longshore.x12.control import SET_ID

X12: Final = "x12"

_FILE_ENDINGS: Final[Mapping[str, str]] = MappingProxyType({
    "x12": "edi",
    "json": "json",
    "csv": "csv",
    "xml": "xml",
})


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One converted document.

    ``index``: of the transaction set it was made of, from 1; ``tx_set`` and ``control_number``: of
    that set, ``""`` unless the source is X12. ``about_set``: the set it tells of: of X12 its own,
    else that it was made of, else the one asked for. ``explain``: JSON text, or ``""``.
    """

    index: int
    tx_set: str
    control_number: str
    about_set: str
    filename: str
    text: str
    explain: str = ""
    rules_without_value: int = 0
    """How many rules found nothing to write in the source."""
    is_empty: bool = False
    """Whether no value of the source is in it, though rules asked for some."""

    @property
    def place(self) -> SetPlace:
        """The set it was made of."""
        return SetPlace(self.index, self.tx_set, self.control_number)


class ConvertedResult(NamedTuple):
    """What is left of a conversion for an answer and for the vault.

    ``members``: as ``Converted.result_json`` returns them. ``sets``: of each output, in order, the
    set that it was made of and the set that it tells of; ``""`` for none.
    """

    members: bytes
    sets: tuple[tuple[str, str], ...]
    is_partial: bool
    """Whether something of the document is not in the outputs, as the warnings say."""


class Converted:
    """What became of a document; ``outputs``: the only one, or with ``is_split`` one each set.

    ``format``: of the outputs. ``is_preview``: they are X12, so the control numbers are no real
    ones yet.
    """

    def __init__(
        self,
        target_format: str,
        outputs: Sequence[Output],
        warnings: Sequence[MappingWarning],
        *,
        is_split: bool,
    ) -> None:
        self.format = target_format
        self.outputs = tuple(outputs)
        self.warnings = tuple(warnings)
        self.is_preview = target_format == X12
        self._is_split = is_split

    @property
    def output(self) -> str:
        """The first document."""
        return self.outputs[0].text

    @property
    def is_partial(self) -> bool:
        """Whether something of the document is not in the outputs, as the warnings say."""
        return any(warning.code in INCOMPLETE for warning in self.warnings)

    @property
    def rules_without_value(self) -> int:
        """How many rules found nothing to write in the first document."""
        return self.outputs[0].rules_without_value

    @cached_property
    def explain(self) -> ExplainedConversion:
        """Where the values of the first document come from; empty if nobody asked."""
        explained: ExplainedConversion = loads(self.outputs[0].explain or "{}")
        return explained

    def result(self) -> ConvertedResult:
        """Return what an answer and the vault need."""
        sets = tuple((each.tx_set, each.about_set) for each in self.outputs)
        return ConvertedResult(self.result_json(), sets, self.is_partial)

    def result_json(self) -> bytes:
        """Return the HTTP answer's members but ``ok`` and ``environment``, as one JSON object.

        In this order: ``output``, ``format``, ``filename``, ``preview`` (of X12), ``warnings``,
        ``rules_without_value``, ``explain`` (if asked for), ``outputs`` (if split).
        """
        first = self.outputs[0]
        preview = '"preview":true,' if self.is_preview else ""
        warnings = dumps(
            [each.to_members() for each in self.warnings],
            ensure_ascii=False,
            separators=(",", ":"),
        )
        explain = f',"explain":{first.explain}' if first.explain else ""
        items = ",".join(_item_json(each) for each in self.outputs) if self._is_split else ""
        outputs = f',"outputs":[{items}]' if self._is_split else ""
        return (
            f'{{"output":{quoted(first.text)},"format":"{self.format}",'
            f'"filename":{quoted(first.filename)},{preview}"warnings":{warnings},'
            f'"rules_without_value":{first.rules_without_value}{explain}{outputs}}}'
        ).encode()


def filename_of(tx_set: str, text: str, document_format: str) -> str:
    """Return how a file of a document is called: ``850-1f2e3d4c.json``, by set and content.

    ``tx_set``: ``""``, or anything that is no id of a set, makes it ``document-1f2e3d4c.json``.
    """
    stem = tx_set if SET_ID.fullmatch(tx_set) else "document"
    digest = sha256(text.encode()).hexdigest()[:8]
    return f"{stem}-{digest}.{_FILE_ENDINGS[document_format]}"


def _item_json(output: Output) -> str:
    explain = f',"explain":{output.explain}' if output.explain else ""
    return (
        f'{{"index":{output.index},"tx_set":{quoted(output.tx_set)},'
        f'"control_number":{quoted(output.control_number)},'
        f'"filename":{quoted(output.filename)},"output":{quoted(output.text)},'
        f'"rules_without_value":{output.rules_without_value}{explain}}}'
    )
