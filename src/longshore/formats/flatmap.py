"""The ordered flat map of one document while it is built, with the limits on its size.

Each key and value is written as JSON at once and charged against the output budget, so memory stays
bounded however a document multiplies itself: one long parent name over 400,000 leaves is 60 KB in
and gigabytes out. The keys are unique by the grammar (``longshore.formats.keys``).
"""

from json.encoder import encode_basestring as quoted

from longshore.formats.document import ParsedDocument
from longshore.formats.refusals import LimitExceededError
from longshore.kit.errors import LongshoreError

MAX_DEPTH = 64
"""Containers or elements around a value, the outermost included."""

MAX_FIELDS = 400_000
"""The maximum number of keys, of null fields, and of empty containers, each counted separately."""

MAX_NODES = 1_048_576
"""JSON containers, XML elements, CSV rows: bounds the work for documents that hold no values."""

OUTPUT_PER_INPUT = 40
OUTPUT_ALLOWANCE_BYTES = 256 * 1024
MAX_OUTPUT_BYTES = 128 * 1024 * 1024
"""Four times the largest document; 40 times would be more than a server has memory for."""


class FlatMap:
    """Collects fields in document order and makes a ``ParsedDocument`` of them.

    Args:
        document_bytes: UTF-8 size of the document. The result may take 40 times that and 256 KiB,
            and never more than 128 MiB: fields, lists of paths and views together, in bytes of JSON
            text.
    """

    def __init__(self, document_bytes: int) -> None:
        self._members: list[bytes] = []
        self._field_count = 0
        self._null_fields: list[str] = []
        self._empty_containers: list[str] = []
        self._node_count = 0
        self._max_output_bytes = min(
            OUTPUT_PER_INPUT * document_bytes + OUTPUT_ALLOWANCE_BYTES, MAX_OUTPUT_BYTES
        )
        self._output_bytes = 0

    def add(self, key: str, value: str) -> None:
        """Append a field.

        Raises:
            LimitExceededError: for ``fields`` or ``output_bytes``.
        """
        self._members.append(self._member(key, value))

    def reserve(self) -> int:
        """Reserve the next position in the order for a field that may follow; return it."""
        self._members.append(b"")
        return len(self._members) - 1

    def fill(self, place: int, key: str, value: str) -> None:
        """Write a field to a reserved position.

        Raises:
            LimitExceededError: As ``add``.
        """
        self._members[place] = self._member(key, value)

    def add_null(self, path: str) -> None:
        """Note that ``path`` is null.

        Raises:
            LimitExceededError: as ``add``.
        """
        self._note(self._null_fields, path)

    def add_empty(self, path: str) -> None:
        """Note that the container at ``path`` is empty.

        Raises:
            LimitExceededError: as ``add``.
        """
        self._note(self._empty_containers, path)

    def count_node(self) -> None:
        """Count a container, element or row.

        Raises:
            LimitExceededError: for ``nodes``.
        """
        self._node_count += 1
        if self._node_count > MAX_NODES:
            raise LimitExceededError("nodes", MAX_NODES, "too many containers, elements or rows")

    def charge(self, output: bytes) -> None:
        """Count ``output`` and one separator against the budget.

        Raises:
            LimitExceededError: for ``output_bytes``.
        """
        self._output_bytes += len(output) + 1
        if self._output_bytes > self._max_output_bytes:
            fault = "the document would grow too much: its names repeat in too many keys"
            raise LimitExceededError("output_bytes", self._max_output_bytes, fault)

    def parsed(
        self,
        document_format: str,
        *,
        elem_sep: str = "",
        seg_term: str = "",
        tree: bytes | None = None,
    ) -> ParsedDocument:
        """Return everything collected; ``tree`` is the JSON of that view, charged before."""
        return ParsedDocument(
            format=document_format,
            fields_json=b"{%s}" % b",".join(filter(None, self._members)),
            field_count=self._field_count,
            elem_sep=elem_sep,
            seg_term=seg_term,
            null_fields=tuple(self._null_fields),
            empty_containers=tuple(self._empty_containers),
            views={} if tree is None else {"tree": tree},
        )

    def _member(self, key: str, value: str) -> bytes:
        if self._field_count == MAX_FIELDS:
            raise _too_many_fields()
        self._field_count += 1
        member = f"{quoted(key)}:{quoted(value)}".encode()
        self.charge(member)
        return member

    def _note(self, paths: list[str], path: str) -> None:
        if len(paths) == MAX_FIELDS:
            raise _too_many_fields()
        self.charge(quoted(path).encode())
        paths.append(path)


def _too_many_fields() -> LongshoreError:
    return LimitExceededError("fields", MAX_FIELDS, "the document has too many fields")
