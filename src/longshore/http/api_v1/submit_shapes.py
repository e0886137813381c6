"""The wire shapes of submitting a document (service.md section 4, contract.md section 6)."""

from typing import Annotated, ClassVar, Literal

import msgspec

from longshore.domain.outbound.submission import CONTENT_MISSING
from longshore.http.api_v1.convert_shapes import ConversionNotice
from longshore.http.api_v1.findings import FindingItem, IsValid, OutcomeName
from longshore.http.api_v1.transaction_shapes import Ok
from longshore.http.envelope import Time
from longshore.http.expectation import OneOf

Control = Annotated[str, msgspec.Meta(description="Text: leading zeros matter.")]


class SubmitRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A document for a partner. An optional member that is null counts as absent."""

    needs: ClassVar[OneOf] = OneOf(("content", "document"), CONTENT_MISSING)

    partner_id: int
    tx_set: Annotated[str, msgspec.Meta(description="Code of its transaction sets, such as 850.")]
    direction: Annotated[
        Literal["inbound", "outbound"],
        msgspec.Meta(description="inbound: as if it were received from the partner."),
    ]
    content: Annotated[
        str | None,
        msgspec.Meta(
            description="The raw X12: one interchange, or sets from ST to SE, which get an "
            "envelope with our numbers. Required unless document and map_id are given."
        ),
    ] = None
    document: Annotated[
        str | None,
        msgspec.Meta(
            description="A source document that map_id converts to X12, in the envelope of the "
            "partner. "
            "Each of its transaction sets is sent; a document that could only be converted in "
            "part is refused."
        ),
    ] = None
    map_id: Annotated[int | None, msgspec.Meta(description="Saved map for document.")] = None
    map_version: Annotated[
        int | None, msgspec.Meta(description="Of map_id; the newest if absent.")
    ] = None
    on_invalid: Annotated[
        Literal["reject", "store", "send"] | None,
        msgspec.Meta(
            description="What becomes of a document with errors: reject in production if absent, "
            "send in the sandbox."
        ),
    ] = None
    restamp: Annotated[
        bool | None,
        msgspec.Meta(
            description="true: write a new envelope with the identity of the partner, the ISA15 "
            "of the key "
            "and new control numbers; the old envelope is not checked. false: nothing is "
            "rewritten, and an ISA15 that does not match the key is refused. Always true for "
            "the output of a map."
        ),
    ] = None
    business_key: Annotated[
        str | None,
        msgspec.Meta(
            description=(
                "Your reference; if absent, taken from the document, for example BEG.03 of an 850."
            )
        ),
    ] = None
    metadata: Annotated[
        dict[str, str] | None,
        msgspec.Meta(
            description="Your own texts, shown with the transaction. simulate: the answer of a "
            "partner of "
            "type simulator."
        ),
    ] = None
    dry_run: Annotated[
        bool | None, msgspec.Meta(description="Check, number on trial, and store nothing.")
    ] = None


class ResendRequest(SubmitRequest, forbid_unknown_fields=True, kw_only=True):
    """The same, of a page: maybe a corrected document in place of one before."""

    parent_id: Annotated[
        int | None, msgspec.Meta(description="The transaction that this one corrects.")
    ] = None
    reason: Annotated[str | None, msgspec.Meta(description="Why it is sent again.")] = None
    supersedes: Annotated[
        int | None,
        msgspec.Meta(
            description="The active replacement of this transaction, to send another one anyway. "
            "Otherwise, "
            "and if another replacement is active by now, the answer is 409 invalid_state."
        ),
    ] = None


class SubmitValidation(msgspec.Struct, kw_only=True):
    """Result of the validation of the document."""

    valid: IsValid
    outcome: OutcomeName
    errors: Annotated[list[FindingItem], msgspec.Meta(description="The first 100.")]
    warnings: Annotated[list[FindingItem], msgspec.Meta(description="The first 100.")]


class ControlNumbers(msgspec.Struct, kw_only=True):
    """The numbers of what is sent; of a dry run those it would have now."""

    isa: Control
    gs: Control
    st: list[str]


class SubmitAnswer(msgspec.Struct, kw_only=True):
    """Result of submitting a document."""

    ok: Ok = True
    transaction_id: Annotated[
        int | None,
        msgspec.Meta(description="The record of the first set; null of a dry run."),
    ]
    status: Annotated[
        str, msgspec.Meta(description="As in the record; received if inbound, or dry_run.")
    ]
    environment: Annotated[
        Literal["sandbox", "production"],
        msgspec.Meta(description="Of the record: a document with ISA15 T is of the sandbox."),
    ]
    message: str
    transaction_ids: Annotated[list[int], msgspec.Meta(description="Of all sets, in order.")]
    interchange_id: int | None
    receipt_id: Annotated[int | None, msgspec.Meta(description="Of an inbound document.")]
    duplicate: Annotated[bool, msgspec.Meta(description="Only of an inbound document.")]
    ack_expected: bool
    ack_due_at: Annotated[
        Time | None, msgspec.Meta(description="Counted from now; moves with the sending.")
    ]
    validation: SubmitValidation
    control_numbers: ControlNumbers | None
    warnings: Annotated[
        list[ConversionNotice],
        msgspec.Meta(description="In the sandbox also the errors that production would refuse."),
    ]
