"""The wire shapes of transactions: the record, the list and what is asked of it.

Source: contract.md sections 5 and 15.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.partners.model import Direction
from longshore.domain.transactions.lists import SORTS
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    ProcessingStatus,
    TransactionStatus,
    ValidationStatus,
)
from longshore.http.envelope import EnvironmentName, Notice, Time
from longshore.http.listing import END, Id, Limit, Moment, Offset, TotalIsExact

TRANSACTIONS: Final = "Transactions"

Ok = Annotated[Literal[True], msgspec.Meta(description="Always true.")]
TransactionIdText = Annotated[str, msgspec.Meta(description="Id of a transaction.")]


class ReferenceItem(msgspec.Struct, kw_only=True):
    """A number people know a document by."""

    element: Annotated[str, msgspec.Meta(description="Such as BEG.03.")]
    name: Annotated[str, msgspec.Meta(description="Such as Purchase order number.")]
    value: str


class LastErrorItem(msgspec.Struct, kw_only=True):
    """The last error; of a quarantined record the reason."""

    code: str
    message: str
    at: Time


class TransactionRecord(msgspec.Struct, kw_only=True):
    """The record of one transaction set, from ST to SE."""

    id: int
    partner_id: Annotated[int | None, msgspec.Meta(description="Null while it is not known.")]
    partner_name: Annotated[str, msgspec.Meta(description="Empty while it is not known.")]
    direction: Literal["inbound", "outbound"]
    tx_set: Annotated[str, msgspec.Meta(description="Such as 850; empty of unreadable input.")]
    tx_set_name: Annotated[str, msgspec.Meta(description="Such as Purchase order.")]
    status: Annotated[
        TransactionStatus, msgspec.Meta(description="The four words that follow, in one.")
    ]
    processing_status: ProcessingStatus
    validation_status: ValidationStatus
    delivery_status: DeliveryStatus
    ack_status: Annotated[
        AckStatus,
        msgspec.Meta(
            description=("The answer of the partner; for a received document, our answer.")
        ),
    ]
    environment: Literal["sandbox", "production"]
    is_test: Annotated[bool, msgspec.Meta(description="Whether it is of the sandbox.")]
    format: str
    version: Annotated[str, msgspec.Meta(description="Such as 004010.")]
    functional_group: Annotated[str, msgspec.Meta(description="GS01, such as PO.")]
    isa_control_number: Annotated[str, msgspec.Meta(description="ISA13, with leading zeros.")]
    gs_control_number: Annotated[str, msgspec.Meta(description="GS06.")]
    st_control_number: Annotated[str, msgspec.Meta(description="ST02.")]
    sender_qualifier: str
    sender_id: Annotated[str, msgspec.Meta(description="ISA06 without padding.")]
    receiver_qualifier: str
    receiver_id: Annotated[str, msgspec.Meta(description="ISA08 without padding.")]
    usage_indicator: Annotated[str, msgspec.Meta(description="ISA15: T or P.")]
    business_key: Annotated[
        str, msgspec.Meta(description="The number given at submit, else the first reference.")
    ]
    references: list[ReferenceItem]
    segment_count: Annotated[int, msgspec.Meta(description="From ST to SE.")]
    file_size: Annotated[int, msgspec.Meta(description="Bytes of the interchange.")]
    doc_id: Annotated[int | None, msgspec.Meta(description="Its document in the vault.")]
    interchange_id: Annotated[
        int | None, msgspec.Meta(description="What was sent or received with it has the same.")
    ]
    parent_id: Annotated[
        int | None, msgspec.Meta(description="What it was reissued or corrected from.")
    ]
    duplicate_of: Annotated[int | None, msgspec.Meta(description="What was received before.")]
    attempts: Annotated[int, msgspec.Meta(description="Attempts to deliver it.")]
    last_error: LastErrorItem | None
    metadata: dict[str, str]
    source: Literal["api", "browser", "cli", "receive", "as2", "sftp", "ftps", "replay"]
    created_at: Time
    updated_at: Time


class TransactionAnswer(msgspec.Struct, kw_only=True):
    """One transaction."""

    ok: Ok = True
    environment: EnvironmentName
    transaction: TransactionRecord


class TransactionsAnswer(msgspec.Struct, kw_only=True):
    """A page of transactions."""

    ok: Ok = True
    environment: EnvironmentName
    count: Annotated[int, msgspec.Meta(description="Transactions on this page.")]
    total: Annotated[int, msgspec.Meta(description="Transactions that fit, on all pages.")]
    total_is_exact: TotalIsExact
    limit: Annotated[int, msgspec.Meta(description="As it was used: 200 at most.")]
    offset: int
    has_more: bool
    next_cursor: Annotated[
        str | None,
        msgspec.Meta(description="The cursor of the next page; null on the last one."),
    ]
    transactions: list[TransactionRecord]
    warnings: list[Notice]


# ---- what is asked for ---------------------------------------------------------------------------


def listed_words(words: Iterable[StrEnum | str]) -> msgspec.Meta:
    """Return what holds of several words separated by commas."""
    names = [str(word) for word in words]
    one = f"(?:{'|'.join(name.replace('.', r'[.]') for name in names)})"
    text = f"one of these, or several by comma: {', '.join(names)}"
    return msgspec.Meta(pattern=f"^{one}(?:,{one})*{END}", extra={"text": text})


Directions = Annotated[str, listed_words(Direction)]
Statuses = Annotated[str, listed_words(TransactionStatus)]
ProcessingStatuses = Annotated[str, listed_words(ProcessingStatus)]
ValidationStatuses = Annotated[str, listed_words(ValidationStatus)]
DeliveryStatuses = Annotated[str, listed_words(DeliveryStatus)]
AckStatuses = Annotated[str, listed_words(AckStatus)]
Flag = Annotated[
    str, msgspec.Meta(pattern=f"^(?:true|false){END}", extra={"text": "true or false"})
]
Sets = Annotated[
    str,
    msgspec.Meta(
        pattern=f"^[0-9A-Za-z]{{1,15}}(?:,[0-9A-Za-z]{{1,15}}){{0,49}}{END}",
        extra={"text": "at most 50 codes of transaction sets, separated by commas: 850,810"},
    ),
]
PartnerIds = Annotated[
    str,
    msgspec.Meta(
        pattern=f"^[1-9][0-9]{{0,18}}(?:,[1-9][0-9]{{0,18}}){{0,49}}{END}",
        extra={"text": "at most 50 ids of partners, numbers from 1 on, separated by commas: 7,12"},
    ),
]
Line = Annotated[
    str,
    msgspec.Meta(
        pattern="^[^\\x00-\\x1f\\x7f]+" + END,
        max_length=200,
        extra={"text": "a text of 1 to 200 characters, without control characters"},
    ),
]
Cursor = Annotated[
    str,
    msgspec.Meta(
        pattern=f"^[0-9A-Za-z_-]{{1,100}}{END}", extra={"text": "the next_cursor of a page"}
    ),
]
SortWord = Annotated[
    str,
    msgspec.Meta(
        pattern=f"^(?:{'|'.join(SORTS)}){END}", extra={"text": f"one of: {', '.join(SORTS)}"}
    ),
]


class TransactionFilterParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Filters of transactions."""

    direction: Annotated[
        Directions | msgspec.UnsetType, msgspec.Meta(description="inbound or outbound.")
    ] = msgspec.UNSET
    tx_set: Annotated[
        Sets | msgspec.UnsetType,
        msgspec.Meta(description="Codes of transaction sets, such as 850."),
    ] = msgspec.UNSET
    partner_id: Annotated[
        PartnerIds | msgspec.UnsetType, msgspec.Meta(description="Ids of partners.")
    ] = msgspec.UNSET
    status: Annotated[
        Statuses | msgspec.UnsetType, msgspec.Meta(description="The status in one word.")
    ] = msgspec.UNSET
    processing_status: Annotated[
        ProcessingStatuses | msgspec.UnsetType,
        msgspec.Meta(description="Processing state of a received document."),
    ] = msgspec.UNSET
    validation_status: Annotated[
        ValidationStatuses | msgspec.UnsetType,
        msgspec.Meta(description=("Result of the validation.")),
    ] = msgspec.UNSET
    delivery_status: Annotated[
        DeliveryStatuses | msgspec.UnsetType, msgspec.Meta(description="How far sending is.")
    ] = msgspec.UNSET
    ack_status: Annotated[
        AckStatuses | msgspec.UnsetType, msgspec.Meta(description="What was acknowledged.")
    ] = msgspec.UNSET
    control_number: Annotated[
        Line | msgspec.UnsetType,
        msgspec.Meta(description="ISA13, GS06 or ST02, with leading zeros."),
    ] = msgspec.UNSET
    business_key: Annotated[
        Line | msgspec.UnsetType,
        msgspec.Meta(description="Exactly one of the references, for example an order number."),
    ] = msgspec.UNSET
    parent_id: Annotated[
        Id | msgspec.UnsetType,
        msgspec.Meta(description="Transactions that were reissued or corrected from this one."),
    ] = msgspec.UNSET
    open: Annotated[
        Flag | msgspec.UnsetType,
        msgspec.Meta(
            description="true: it was not reissued or corrected; refused and cancelled "
            "replacements do not "
            "count."
        ),
    ] = msgspec.UNSET
    q: Annotated[
        Line | msgspec.UnsetType,
        msgspec.Meta(
            description="Exactly the id, a control number or the business key, or how the name of "
            "the partner begins."
        ),
    ] = msgspec.UNSET
    test: Annotated[
        Flag | msgspec.UnsetType,
        msgspec.Meta(description="true: of the sandbox only; false: of production only."),
    ] = msgspec.UNSET
    date_from: Annotated[
        Moment | msgspec.UnsetType,
        msgspec.Meta(description="Created on this day or at this UTC time, or later."),
    ] = msgspec.UNSET
    date_to: Annotated[
        Moment | msgspec.UnsetType,
        msgspec.Meta(description="Created on this day or at this UTC time, or earlier."),
    ] = msgspec.UNSET


class TransactionListParameters(TransactionFilterParameters, kw_only=True):
    """Filters, order and page of transactions."""

    sort: Annotated[
        SortWord | msgspec.UnsetType,
        msgspec.Meta(description="The order; with - descending. -created_at if absent."),
    ] = msgspec.UNSET
    limit: Annotated[
        Limit | msgspec.UnsetType,
        msgspec.Meta(description="Transactions on a page: 50 if absent, at most 200."),
    ] = msgspec.UNSET
    offset: Annotated[
        Offset | msgspec.UnsetType,
        msgspec.Meta(description="Transactions passed over before the page."),
    ] = msgspec.UNSET
    cursor: Annotated[
        Cursor | msgspec.UnsetType,
        msgspec.Meta(description="The next_cursor of the page before; goes with no offset."),
    ] = msgspec.UNSET


class TransactionParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The transaction that the path names."""

    id: TransactionIdText
