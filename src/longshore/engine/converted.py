"""Converted documents, and the answer about them.

Source: contract.md section 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from json import dumps, loads
from json.encoder import encode_basestring as quoted
from types import MappingProxyType
from typing import Final, NamedTuple

from longshore.kit.digests import sha256
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
    """One converted document."""

    index: int
    """The index of the transaction set it was made of, from 1."""
    tx_set: str
    control_number: str
    """The control number of that set, ``""`` unless the source is X12."""
    about_set: str
    """The set it is about: of an X12 output its own, else the set it was made of, else the one
    requested."""
    filename: str
    text: str
    explain: str = ""
    """JSON text, or ``""``."""
    rules_without_value: int = 0
    """The number of rules that found no value in the source."""
    is_empty: bool = False
    """No value of the source is in it, though its rules have sources."""

    @property
    def place(self) -> SetPlace:
        """The set it was made of."""
        return SetPlace(self.index, self.tx_set, self.control_number)


class ConvertedResult(NamedTuple):
    """The result of a conversion, for an answer and for the vault."""

    members: bytes
    """The members of the answer, as ``Converted.result_json`` returns them."""
    sets: tuple[tuple[str, str], ...]
    """For each output, in order, the set that it was made of and the set that it is about; ``""``
    for none."""
    is_partial: bool
    """A part of the document is not in the outputs, as the warnings say."""
    warnings: tuple[MappingWarning, ...]
    """Those in ``members``."""


class Converted:
    """The result of a conversion."""

    def __init__(
        self,
        target_format: str,
        outputs: Sequence[Output],
        warnings: Sequence[MappingWarning],
        *,
        is_split: bool,
    ) -> None:
        self.format = target_format
        """The format of the outputs."""
        self.outputs = tuple(outputs)
        """The only one, or with ``is_split`` one each set."""
        self.warnings = tuple(warnings)
        self.is_preview = target_format == X12
        """They are X12, so the control numbers are no real ones yet."""
        self._is_split = is_split

    @property
    def output(self) -> str:
        """The first document."""
        return self.outputs[0].text

    @property
    def is_partial(self) -> bool:
        """True if a part of the document is not in the outputs, as the warnings say."""
        return any(warning.code in INCOMPLETE for warning in self.warnings)

    @property
    def rules_without_value(self) -> int:
        """The number of rules that found no value for the first output."""
        return self.outputs[0].rules_without_value

    @cached_property
    def explain(self) -> ExplainedConversion:
        """The origin of the values of the first output; empty unless requested."""
        explained: ExplainedConversion = loads(self.outputs[0].explain or "{}")
        return explained

    def result(self) -> ConvertedResult:
        """Return what an answer and the vault need."""
        sets = tuple((each.tx_set, each.about_set) for each in self.outputs)
        return ConvertedResult(self.result_json(), sets, self.is_partial, self.warnings)

    def result_json(self) -> bytes:
        """Return the HTTP answer without ``ok`` and ``environment``, as one JSON object.

        The order is: ``output``, ``format``, ``filename``, ``preview`` (for X12), ``warnings``,
        ``rules_without_value``, ``explain`` (if requested), ``outputs`` (if split).
        """
        first = self.outputs[0]
        preview = '"preview":true,' if self.is_preview else ""
        warnings = "[]"
        if self.warnings:
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
    """Return a file name for a document, such as ``850-1f2e3d4c.json``.

    Args:
        tx_set: The set id that begins the name; any other text gives ``document``.
        text: The document, whose digest is part of the name.
        document_format: The format of the document, whose name is the extension.
    """
    stem = tx_set if SET_ID.fullmatch(tx_set) else "document"
    digest = sha256(text.encode()).hex()[:8]
    return f"{stem}-{digest}.{_FILE_ENDINGS[document_format]}"


def _item_json(output: Output) -> str:
    explain = f',"explain":{output.explain}' if output.explain else ""
    return (
        f'{{"index":{output.index},"tx_set":{quoted(output.tx_set)},'
        f'"control_number":{quoted(output.control_number)},'
        f'"filename":{quoted(output.filename)},"output":{quoted(output.text)},'
        f'"rules_without_value":{output.rules_without_value}{explain}}}'
    )
