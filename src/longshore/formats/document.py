"""The result of parsing in every format: the flat fields as JSON bytes, and a summary.

The fields travel as bytes from the engine to the socket; nothing encodes them again (performance.md
section 1.9). Only ``result_json`` fixes the member order.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from json import dumps
from json.encoder import encode_basestring as quoted
from typing import Final

from longshore.x12.findings import INTERNAL_MEMBERS, Finding

_NOT_ALWAYS: Final = (*INTERNAL_MEMBERS, "folded")
_SHOWN: Final = tuple(each.name for each in fields(Finding) if each.name not in _NOT_ALWAYS)


@dataclass(slots=True, kw_only=True)
class ParsedDocument:
    """One parsed document of any format."""

    format: str
    fields_json: bytes
    """UTF-8 JSON object of all fields in document order, for example
    ``{"BEG.03":"PO-1","PO1[2].02":"4"}``; ``field_count`` its members."""
    field_count: int
    tx_set: str = ""
    elem_sep: str = ""
    seg_term: str = ""
    comp_sep: str = ""
    rep_sep: str = ""
    charset: str = "utf-8"
    version: str = ""
    segment_count: int = 0
    interchanges_json: bytes = b"[]"
    transactions_json: bytes = b"[]"
    """UTF-8 JSON arrays."""
    null_fields: tuple[str, ...] = ()
    empty_containers: tuple[str, ...] = ()
    warnings: tuple[Finding, ...] = ()
    errors: tuple[Finding, ...] = ()
    views: dict[str, bytes] = field(default_factory=dict)
    """Further JSON values by member name (``segments``, ``tree``). Members that a format does not
    have keep their empty default."""

    def result_json(self) -> bytes:
        """Return the result members of service.md and contract.md section 3 as one JSON object."""
        head = (
            f',"format":{quoted(self.format)},"tx_set":{quoted(self.tx_set)},'
            f'"elem_sep":{quoted(self.elem_sep)},"seg_term":{quoted(self.seg_term)},'
            f'"field_count":{self.field_count},"comp_sep":{quoted(self.comp_sep)},'
            f'"rep_sep":{quoted(self.rep_sep)},"charset":{quoted(self.charset)},'
            f'"version":{quoted(self.version)},"segment_count":{self.segment_count},'
            f'"interchanges":'
        )
        members = (
            b'{"fields":',
            self.fields_json,
            head.encode(),
            self.interchanges_json,
            b',"transactions":',
            self.transactions_json,
            b',"null_fields":',
            json_text(self.null_fields) if self.null_fields else b"[]",
            b',"empty_containers":',
            json_text(self.empty_containers) if self.empty_containers else b"[]",
            b',"warnings":',
            findings_json(self.warnings) if self.warnings else b"[]",
            b',"errors":',
            findings_json(self.errors) if self.errors else b"[]",
            *(b',"%s":%s' % (name.encode(), view) for name, view in self.views.items()),
            b"}",
        )
        return b"".join(members)


def json_text(value: object) -> bytes:
    """Return ``value`` as compact UTF-8 JSON; characters outside ASCII stay themselves."""
    return dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def findings_json(findings: tuple[Finding, ...]) -> bytes:
    """Return findings as a JSON array in the shape of contract.md section 10."""
    return json_text([
        {name: getattr(each, name) for name in _SHOWN}
        | ({} if each.folded is None else {"folded": each.folded})
        for each in findings
    ])
