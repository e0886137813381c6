"""The wire shapes of what is said about documents (contract.md sections 3 and 10)."""

from typing import Annotated, Literal

import msgspec


class FindingItem(msgspec.Struct, kw_only=True):
    """One thing noteworthy about a document. Positions that do not apply are null."""

    code: str
    severity: Annotated[
        Literal["error", "warning", "info"],
        msgspec.Meta(description="Only an error makes a document invalid."),
    ]
    layer: Annotated[
        str, msgspec.Meta(description="standard, or the name of the partner's overlay.")
    ]
    message: Annotated[str, msgspec.Meta(description="Never holds document content.")]
    tx_index: Annotated[
        int | None, msgspec.Meta(description="1-based transaction set; null outside sets.")
    ]
    segment_id: str | None
    segment_position: Annotated[
        int | None,
        msgspec.Meta(
            description="1-based segment within the set, ST = 1; outside sets within the document."
        ),
    ]
    loop_id: str | None
    element_position: Annotated[int | None, msgspec.Meta(description="1-based.")]
    component_position: Annotated[int | None, msgspec.Meta(description="1-based.")]
    repeat: Annotated[int | None, msgspec.Meta(description="1-based occurrence.")]
    element_ref: Annotated[
        str | None, msgspec.Meta(description="Number of the data element in the dictionary.")
    ]
    path: Annotated[str | None, msgspec.Meta(description="Key of the field, such as BEG.03.")]
    offset: Annotated[
        int | None, msgspec.Meta(description="0-based character of the decoded document.")
    ]
    line: Annotated[int | None, msgspec.Meta(description="1-based line of the document.")]
    allowed: list[str] | None
    ack_code: Annotated[
        dict[str, str] | None,
        msgspec.Meta(description="Acknowledgement codes it leads to, by level."),
    ]


class TransactionItem(msgspec.Struct, kw_only=True):
    """One transaction set of the document, in document order."""

    index: Annotated[int, msgspec.Meta(description="1-based.")]
    tx_set: str
    tx_set_name: str
    control_number: Annotated[str, msgspec.Meta(description="Text: leading zeros matter.")]
    segment_count: Annotated[int, msgspec.Meta(description="Segments from ST to SE, both counted.")]
    version: str
