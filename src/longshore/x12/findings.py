"""Findings: everything that is said about a document, as data.

One shape in the API, the browser, the command line and the acknowledgements (contract.md
section 10). A finding never holds document content in its message.
"""

from dataclasses import dataclass, field
from enum import StrEnum, unique


@unique
class Severity(StrEnum):
    """How much a finding matters; only an ``error`` makes a document invalid."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is noteworthy about a document.

    ``tx_index``: the transaction set, from 1; None outside sets. ``segment_position``: within the
    set, ST = 1; outside a set, the position in the document from 1. ``offset``: 0-based character
    of the decoded document; ``line``: 1-based. ``ack_code``: the acknowledgement codes it leads to,
    such as ``{"set": "4"}`` (x12.md, opening).
    """

    code: str
    severity: Severity
    message: str
    offset: int | None = None
    line: int | None = None
    tx_index: int | None = None
    segment_id: str | None = None
    segment_position: int | None = None
    loop_id: str | None = None
    element_position: int | None = None
    component_position: int | None = None
    repeat: int | None = None
    element_ref: str | None = None
    path: str | None = None
    allowed: tuple[str, ...] | None = None
    ack_code: dict[str, str] | None = field(default=None)
    layer: str = "standard"
