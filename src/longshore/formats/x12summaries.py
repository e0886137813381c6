"""Write the lists ``interchanges`` and ``transactions`` of an answer while a document is read.

A summary takes four times as much memory as an object than as JSON, and a document can consist
almost only of control segments. So each summary is written as soon as it is complete, and dropped
(docs/decisions/0010-memory-of-large-documents.md).

Source: contract.md section 3.
"""

from __future__ import annotations

from io import BytesIO
from json.encoder import encode_basestring as quoted
from typing import Final

from longshore.formats.refusals import LimitExceededError
from longshore.x12.control import InterchangeSummary, SetSummary
from longshore.x12.envelope import Envelope
from longshore.x12.set_names import set_name

CHARS_PER_SET: Final = 20  # the shortest sound set, ST*850*0001~SE*2*0001~, has 22
SETS_ALLOWANCE: Final = 1_000


class Summaries:
    """Takes the summaries of one document from its envelope, whose lists it shortens.

    ``first_interchange``, ``first_set``: None until there is one.
    """

    def __init__(self, envelope: Envelope, document_chars: int) -> None:
        self.first_interchange: InterchangeSummary | None = None
        self.first_set: SetSummary | None = None
        self._envelope = envelope
        self._most_sets = document_chars // CHARS_PER_SET + SETS_ALLOWANCE
        self._interchanges = BytesIO()
        self._sets = BytesIO()

    def take(self) -> None:
        """Write what is complete: everything but the last of each kind.

        Raises:
            LimitExceededError: ``transactions``: most of the document are set headers.
        """
        envelope = self._envelope
        if len(envelope.sets) > 1 or len(envelope.interchanges) > 1:
            self._write(envelope.interchanges[:-1], envelope.sets[:-1])
            del envelope.interchanges[:-1], envelope.sets[:-1]
        del envelope.groups[:-1]
        if envelope.set_count > self._most_sets:
            fault = "this document has more transaction sets than sound ones would fit in"
            raise LimitExceededError("transactions", self._most_sets, fault)

    def json(self) -> tuple[bytes, bytes]:
        """Return both lists as JSON arrays; call it last."""
        self._write(self._envelope.interchanges, self._envelope.sets)
        return _closed(self._interchanges), _closed(self._sets)

    def _write(self, interchanges: list[InterchangeSummary], sets: list[SetSummary]) -> None:
        if interchanges and self.first_interchange is None:
            self.first_interchange = interchanges[0]
        if sets and self.first_set is None:
            self.first_set = sets[0]
        _append(self._interchanges, [interchange_json(each) for each in interchanges])
        _append(self._sets, [set_json(each) for each in sets])


def _append(array: BytesIO, items: list[str]) -> None:
    if items:
        array.write(b"," if array.tell() else b"[")
        array.write(",".join(items).encode())


def _closed(array: BytesIO) -> bytes:
    array.write(b"]" if array.tell() else b"[]")
    return array.getvalue()


def interchange_json(summary: InterchangeSummary) -> str:
    """Return the item of one interchange."""
    marks, header = summary.delimiters, summary.header
    return (
        f'{{"elem_sep":{quoted(marks.element)},"seg_term":{quoted(marks.segment)},'
        f'"comp_sep":{quoted(marks.component)},"rep_sep":{quoted(marks.repetition)},'
        f'"isa_control_number":{quoted(header[13].rstrip(" "))},'
        f'"sender_qualifier":{quoted(header[5].rstrip(" "))},'
        f'"sender_id":{quoted(header[6].rstrip(" "))},'
        f'"receiver_qualifier":{quoted(header[7].rstrip(" "))},'
        f'"receiver_id":{quoted(header[8].rstrip(" "))},'
        f'"usage_indicator":{quoted(header[15].rstrip(" "))},'
        f'"version":{quoted(header[12].rstrip(" "))}}}'
    )


def set_json(summary: SetSummary) -> str:
    """Return the item of one transaction set."""
    return (
        f'{{"index":{summary.index},"tx_set":{quoted(summary.set_id)},'
        f'"tx_set_name":{quoted(set_name(summary.set_id))},'
        f'"control_number":{quoted(summary.control_number)},'
        f'"segment_count":{summary.segment_count},"version":{quoted(summary.version)}}}'
    )
