"""The wire shapes of what is said about documents (contract.md sections 3 and 10)."""

from typing import Annotated, Literal

import msgspec

from longshore.formats.document import findings_json
from longshore.http.endpoint import ignored_text
from longshore.kit.errors import ErrorCode
from longshore.x12.findings import Finding, Severity


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


class ValidationItem(msgspec.Struct, kw_only=True):
    """What the dictionary says of an X12 document, and what is to be answered to it."""

    valid: Annotated[
        bool, msgspec.Meta(description="Whether there is no finding of severity error.")
    ]
    tx_set: Annotated[str, msgspec.Meta(description='Code of the first set; "" if there is none.')]
    version: Annotated[str, msgspec.Meta(description="Version of the document, such as 004010.")]
    guide: Annotated[
        str | None,
        msgspec.Meta(description="Implementation guide the first set is judged by, if any."),
    ]
    definition: Annotated[
        Literal["exact", "nearest", "none"],
        msgspec.Meta(
            description="What the first set is judged by: its own release, the nearest one that "
            "the dictionary has, or nothing but its envelope."
        ),
    ]
    snip_level: Annotated[
        int,
        msgspec.Meta(description="The highest level checked: 1 syntax, 2 guide, 3 balancing."),
    ]
    findings: Annotated[
        list[FindingItem], msgspec.Meta(description="In the order of their places; at most 1,000.")
    ]
    finding_count: Annotated[int, msgspec.Meta(description="All of them, listed or not.")]
    truncated: Annotated[bool, msgspec.Meta(description="Whether some are not listed.")]
    ack_type: Annotated[
        Literal["997", "999", "TA1", ""],
        msgspec.Meta(
            description='The functional acknowledgement in ack; TA1 if that is all; "" if none.'
        ),
    ]
    ack: Annotated[
        str,
        msgspec.Meta(
            description="The acknowledgement to send: one interchange for each one received, with "
            'preview control numbers; "" if nothing is to be acknowledged.'
        ),
    ]


class TransactionItem(msgspec.Struct, kw_only=True):
    """One transaction set of the document, in document order."""

    index: Annotated[int, msgspec.Meta(description="1-based.")]
    tx_set: str
    tx_set_name: str
    control_number: Annotated[str, msgspec.Meta(description="Text: leading zeros matter.")]
    segment_count: Annotated[int, msgspec.Meta(description="Segments from ST to SE, both counted.")]
    version: str


def ignored_findings(names: tuple[str, ...]) -> bytes:
    """Return query parameters that have no effect as a JSON array of warnings."""
    return findings_json(
        tuple(
            Finding(
                code=ErrorCode.UNKNOWN_PARAMETER,
                severity=Severity.WARNING,
                message=ignored_text(name),
            )
            for name in names
        )
    )
