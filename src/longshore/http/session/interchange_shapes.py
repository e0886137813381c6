"""The wire shapes of interchanges, and what is asked of them. Source: contract.md section 15."""

from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.interchanges.service import KnownInterchange
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.transactions.model import Source
from longshore.http.api_v1.transaction_actions import Reason
from longshore.http.api_v1.transaction_shapes import Ok, listed_words
from longshore.http.envelope import Notice, Time, utc_text
from longshore.http.listing import LARGEST_ID, Id, Limit, Moment, Offset, TotalIsExact
from longshore.kit.environment import Environment

InterchangeIdText = Annotated[str, msgspec.Meta(description="Id of the interchange.")]
Statuses = Annotated[str, listed_words(InterchangeStatus)]


class InterchangeItem(msgspec.Struct, kw_only=True):
    """An envelope that was received or sent, with what stands in it."""

    id: int
    direction: Literal["inbound", "outbound"]
    status: InterchangeStatus
    reason: Annotated[
        str | None, msgspec.Meta(description="The code of why it was set aside; null otherwise.")
    ]
    partner_id: Annotated[int | None, msgspec.Meta(description="Null while it is not known.")]
    sender_qualifier: Annotated[str, msgspec.Meta(description="ISA05; empty if unreadable.")]
    sender_id: Annotated[str, msgspec.Meta(description="ISA06 without padding.")]
    receiver_qualifier: Annotated[str, msgspec.Meta(description="ISA07.")]
    receiver_id: Annotated[str, msgspec.Meta(description="ISA08 without padding.")]
    isa_control_number: Annotated[str, msgspec.Meta(description="ISA13, with leading zeros.")]
    is_test: Annotated[bool, msgspec.Meta(description="Whether it is of the sandbox.")]
    file_size: Annotated[int, msgspec.Meta(description="Bytes.")]
    sha256: Annotated[str, msgspec.Meta(description="Of its bytes, hexadecimal.")]
    receipt_id: Annotated[int | None, msgspec.Meta(description="Null of what was sent.")]
    source: Source
    transaction_ids: list[int]
    created_at: Time


class InterchangeAnswer(msgspec.Struct, kw_only=True):
    """One interchange."""

    ok: Ok = True
    interchange: InterchangeItem


class InterchangesAnswer(msgspec.Struct, kw_only=True):
    """A page of interchanges, newest first."""

    ok: Ok = True
    environment: Annotated[
        Literal["sandbox", "production"],
        msgspec.Meta(description="Chosen by the header X-Environment."),
    ]
    count: Annotated[int, msgspec.Meta(description="Interchanges on this page.")]
    total: Annotated[int, msgspec.Meta(description="Interchanges that fit, on all pages.")]
    total_is_exact: TotalIsExact
    limit: int
    offset: int
    has_more: bool
    interchanges: list[InterchangeItem]
    warnings: list[Notice]


class InterchangeFilterParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Filters of interchanges. An empty word counts as absent."""

    status: Annotated[
        Statuses | msgspec.UnsetType,
        msgspec.Meta(description="One status, or several by comma."),
    ] = msgspec.UNSET
    partner_id: Annotated[
        Id | msgspec.UnsetType, msgspec.Meta(description="The partner it is of.")
    ] = msgspec.UNSET
    direction: Annotated[
        Literal["", "inbound", "outbound"] | msgspec.UnsetType,
        msgspec.Meta(description="Received or sent."),
    ] = msgspec.UNSET
    date_from: Annotated[
        Moment | msgspec.UnsetType,
        msgspec.Meta(description="Stored on this day or at this UTC time, or later."),
    ] = msgspec.UNSET
    date_to: Annotated[
        Moment | msgspec.UnsetType,
        msgspec.Meta(description="Stored on this day or at this UTC time, or earlier."),
    ] = msgspec.UNSET


class InterchangeListParameters(InterchangeFilterParameters, kw_only=True):
    """Filters and page of interchanges."""

    limit: Annotated[
        Limit | msgspec.UnsetType,
        msgspec.Meta(description="Interchanges on a page: 50 if absent, at most 200."),
    ] = msgspec.UNSET
    offset: Annotated[
        Offset | msgspec.UnsetType,
        msgspec.Meta(description="Interchanges passed over before the page."),
    ] = msgspec.UNSET


class InterchangeParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The interchange that the path names."""

    id: InterchangeIdText


class DiscardRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Why it is decided so."""

    reason: Annotated[Reason, msgspec.Meta(description="The timeline and the audit log show it.")]


class ReleaseRequest(DiscardRequest, forbid_unknown_fields=True, kw_only=True):
    """Why, and whose it is."""

    partner_id: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=LARGEST_ID, extra={"text": "the id of a partner"})]
        | None,
        msgspec.Meta(description="Absent: the partner it came from."),
    ] = None


class ReplayRequest(DiscardRequest, forbid_unknown_fields=True, kw_only=True):
    """Why, and whether it is answered again."""

    acknowledge: Annotated[
        bool | None,
        msgspec.Meta(description="Whether acknowledgements are sent again; false if absent."),
    ] = None


def item_of(known: KnownInterchange) -> InterchangeItem:
    """Return an interchange as answers show it."""
    interchange, new = known.interchange, known.interchange.new
    return InterchangeItem(
        id=interchange.id,
        direction=new.direction.value,
        status=new.status,
        reason=new.reason,
        partner_id=new.partner_id,
        sender_qualifier=new.pair.sender.qualifier,
        sender_id=new.pair.sender.id,
        receiver_qualifier=new.pair.receiver.qualifier,
        receiver_id=new.pair.receiver.id,
        isa_control_number=new.isa_control_number,
        is_test=new.environment is Environment.SANDBOX,
        file_size=new.file_size,
        sha256=known.sha256,
        receipt_id=new.receipt_id,
        source=new.source,
        transaction_ids=list(known.transaction_ids),
        created_at=utc_text(interchange.created_at),
    )


INTERCHANGE_EXAMPLE: Final = {
    "id": 9001,
    "direction": "inbound",
    "status": "quarantined",
    "reason": "unknown_sender",
    "partner_id": 7,
    "sender_qualifier": "01",
    "sender_id": "123456789",
    "receiver_qualifier": "ZZ",
    "receiver_id": "ACMECORP",
    "isa_control_number": "000000123",
    "is_test": False,
    "file_size": 812,
    "sha256": "78e5367beb8a4448d1121da3adb1cf58a5c5c248e726ec8593754614e14143a7",
    "receipt_id": 31,
    "source": "receive",
    "transaction_ids": [10042],
    "created_at": "2026-01-15T14:05:09",
}
