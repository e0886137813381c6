"""The wire shapes of acknowledgements: a row, its errors, the list and what is asked of it.

Source: contract.md section 7.
"""

from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.acks.model import AckForm, AckRowStatus, ClaimResult
from longshore.domain.transactions.model import ACK_OUTCOMES
from longshore.http.api_v1.transaction_shapes import Flag, Ok, Sets, listed_words
from longshore.http.envelope import EnvironmentName, Notice, Time
from longshore.http.listing import END, Id, Limit, Moment, Offset, TotalIsExact

ACKNOWLEDGEMENTS: Final = "Acknowledgements"
ALL_TYPES: Final = "all"
NO_ERROR: Final = "none"

Outcome = Literal["accepted", "accepted_with_errors", "partially_accepted", "rejected"]


class AckErrorItem(msgspec.Struct, kw_only=True):
    """An error that a partner reports, and the value at that place in our document."""

    level: Annotated[
        Literal["set", "segment", "element"],
        msgspec.Meta(description="set: an 824 names no segment."),
    ]
    segment_id: str
    segment_position: Annotated[
        int | None, msgspec.Meta(description="From 1, where ST is 1, as the partner counts.")
    ]
    loop_id: str
    element_position: int | None
    component_position: int | None
    repeat: int | None
    element_ref: Annotated[str, msgspec.Meta(description="Data element number, such as 235.")]
    code: str
    code_meaning: str
    bad_value: Annotated[str, msgspec.Meta(description="As the partner repeats it.")]
    source: Annotated[
        str, msgspec.Meta(description="Segment that reports the error: AK3, AK4, IK3, IK4, TED.")
    ]
    our_value: Annotated[
        str, msgspec.Meta(description=("The value at this position in the sent document."))
    ]
    our_path: Annotated[
        str,
        msgspec.Meta(
            description=("Its field path, for example PO1[2].06; empty if it is not found.")
        ),
    ]
    our_offset: Annotated[
        int | None, msgspec.Meta(description="Where it begins: characters before it.")
    ]
    our_rule: Annotated[
        str,
        msgspec.Meta(description=("The rule of the map that wrote it, for example field_map[12].")),
    ]
    hint: Annotated[str, msgspec.Meta(description="What would have been allowed.")]
    message: Annotated[str, msgspec.Meta(description="The partner's own words (TED02).")]


class AckClaimItem(msgspec.Struct, kw_only=True):
    """A claim in a 277CA, and its place in our document."""

    claim_number: Annotated[str, msgspec.Meta(description="CLM01, as the partner repeats it.")]
    result: Annotated[
        ClaimResult, msgspec.Meta(description="unclear: the codes do not tell which.")
    ]
    category: Annotated[str, msgspec.Meta(description="STC01-1, such as A7.")]
    category_meaning: str
    code: Annotated[str, msgspec.Meta(description="STC01-2, such as 684.")]
    entity: Annotated[str, msgspec.Meta(description="STC01-3, such as PR.")]
    amount: Annotated[str, msgspec.Meta(description="STC04.")]
    payer_claim_number: Annotated[str, msgspec.Meta(description="REF*1K.")]
    reason: Annotated[str, msgspec.Meta(description="The partner's own words (STC12).")]
    our_path: Annotated[
        str,
        msgspec.Meta(
            description="Field path of CLM01 in our document; empty if it has no such claim."
        ),
    ]
    our_offset: Annotated[
        int | None, msgspec.Meta(description="Where it begins: characters before it.")
    ]


class ClaimCountsItem(msgspec.Struct, kw_only=True):
    """The number of claims in a 277CA."""

    accepted: int
    rejected: int
    unclear: int
    not_ours: Annotated[
        int, msgspec.Meta(description="Of all of these, those our document does not have.")
    ]
    unanswered: Annotated[
        int | None,
        msgspec.Meta(description="Claims of our document that it does not name; null if unknown."),
    ]
    listed: Annotated[int, msgspec.Meta(description="The number of items of claims.")]


class AckItem(msgspec.Struct, kw_only=True):
    """An acknowledgement of one set: the partner's, awaited or received, or ours."""

    id: int
    ack_type: Literal["997", "999", "TA1", "277CA", "824"]
    direction: Annotated[
        Literal["inbound", "outbound"],
        msgspec.Meta(
            description="inbound: the partner acknowledges a set of yours. outbound: you a set of "
            "the partner's."
        ),
    ]
    status: Annotated[
        AckRowStatus,
        msgspec.Meta(
            description="Of the partner's: pending (the partner still has to send it) or received. "
            "Of yours: queued (not sent yet), sent or failed."
        ),
    ]
    result: Annotated[
        Outcome | None, msgspec.Meta(description="The outcome; null while it is outstanding.")
    ]
    overdue: bool
    matched: Annotated[bool, msgspec.Meta(description="false: it answers nothing we sent.")]
    weak_match: Annotated[
        bool, msgspec.Meta(description="GS02 and GS03 differ from the document it answers.")
    ]
    ambiguous: Annotated[bool, msgspec.Meta(description="It is ambiguous or incomplete.")]
    conflict: Annotated[
        bool, msgspec.Meta(description="The partner had answered otherwise before.")
    ]
    transaction_id: int | None
    business_key: Annotated[
        str, msgspec.Meta(description="Of that transaction; empty where none is known.")
    ]
    partner_id: int | None
    partner_name: Annotated[str, msgspec.Meta(description="Empty if unknown.")]
    tx_set: Annotated[
        str, msgspec.Meta(description=("The transaction set it answers, for example 850."))
    ]
    functional_group: Annotated[str, msgspec.Meta(description="AK101, such as PO.")]
    isa_control_number: Annotated[
        str, msgspec.Meta(description="Of the interchange that it came in.")
    ]
    acked_gs_control_number: Annotated[str, msgspec.Meta(description="AK102.")]
    acked_st_control_number: Annotated[str, msgspec.Meta(description="AK202.")]
    group_code: Annotated[str, msgspec.Meta(description="AK901, such as A.")]
    transaction_code: Annotated[
        str,
        msgspec.Meta(
            description="AK501 or IK501; TA104 of a TA1, STC01-1 of a 277CA, OTI01 of an 824. "
            "Empty if not listed."
        ),
    ]
    transaction_error_codes: Annotated[
        list[str], msgspec.Meta(description="AK502 to AK506; TA105 of a TA1, STC01-2 of a 277CA.")
    ]
    sets_included: Annotated[int | None, msgspec.Meta(description="AK902.")]
    sets_received: Annotated[int | None, msgspec.Meta(description="AK903.")]
    sets_accepted: Annotated[int | None, msgspec.Meta(description="AK904.")]
    errors: list[AckErrorItem]
    claims: Annotated[
        list[AckClaimItem],
        msgspec.Meta(description="Of a 277CA, the rejected ones first; at most 1,000."),
    ]
    claim_counts: Annotated[
        ClaimCountsItem | None, msgspec.Meta(description="null unless it is a 277CA.")
    ]
    expected_by: Time | None
    received_at: Time | None
    sent_at: Annotated[Time | None, msgspec.Meta(description="When ours was sent.")]
    doc_id: int | None
    is_test: bool
    created_at: Time
    updated_at: Time


class AcksAnswer(msgspec.Struct, kw_only=True):
    """A page of acknowledgements."""

    ok: Ok = True
    environment: EnvironmentName
    count: Annotated[int, msgspec.Meta(description="Acknowledgements on this page.")]
    total: Annotated[int, msgspec.Meta(description="Acknowledgements that fit, on all pages.")]
    total_is_exact: TotalIsExact
    limit: Annotated[int, msgspec.Meta(description="As it was used: 200 at most.")]
    offset: int
    has_more: bool
    next_cursor: Annotated[None, msgspec.Meta(description="This list goes by offset.")] = None
    acks: list[AckItem]
    warnings: list[Notice]


# ---- what is asked for ---------------------------------------------------------------------------

Statuses = Annotated[str, listed_words(AckRowStatus)]
Results = Annotated[str, listed_words(sorted(ACK_OUTCOMES))]
Types = Annotated[str, listed_words((*AckForm, ALL_TYPES))]
ErrorWord = Annotated[
    str,
    msgspec.Meta(
        pattern=rf"^({NO_ERROR}|[A-Z0-9?]{{1,3}}@[A-Z0-9?]{{1,3}}(\.[0-9?]{{1,2}}){{0,2}}){END}",
        extra={"text": "a code and a position, for example 7@PO1.06, or none"},
    ),
]


class AckFilters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Filters of acknowledgements."""

    status: Annotated[Statuses | msgspec.UnsetType, msgspec.Meta(description="How far it is.")] = (
        msgspec.UNSET
    )
    result: Annotated[Results | msgspec.UnsetType, msgspec.Meta(description="The outcome.")] = (
        msgspec.UNSET
    )
    ack_type: Annotated[
        Types | msgspec.UnsetType, msgspec.Meta(description="997 and 999 if absent.")
    ] = msgspec.UNSET
    direction: Annotated[
        Literal["inbound", "outbound"] | msgspec.UnsetType,
        msgspec.Meta(description="inbound: the partner's. outbound: ours."),
    ] = msgspec.UNSET
    partner_id: Annotated[Id | msgspec.UnsetType, msgspec.Meta(description="Id of a partner.")] = (
        msgspec.UNSET
    )
    transaction_id: Annotated[
        Id | msgspec.UnsetType, msgspec.Meta(description="The transaction it is about.")
    ] = msgspec.UNSET
    tx_set: Annotated[
        Sets | msgspec.UnsetType,
        msgspec.Meta(description=("The transaction set it answers, for example 850.")),
    ] = msgspec.UNSET
    overdue: Annotated[
        Flag | msgspec.UnsetType,
        msgspec.Meta(description="Whether it did not come in time and is still awaited."),
    ] = msgspec.UNSET
    due: Annotated[
        Flag | msgspec.UnsetType,
        msgspec.Meta(
            description="true: it has a due date; false: it has none, because the document was not "
            "delivered or no acknowledgement is expected."
        ),
    ] = msgspec.UNSET
    open: Annotated[
        Flag | msgspec.UnsetType,
        msgspec.Meta(
            description="true: its transaction was not reissued or corrected; refused and "
            "cancelled "
            "replacements do not count."
        ),
    ] = msgspec.UNSET
    error: Annotated[
        ErrorWord | msgspec.UnsetType,
        msgspec.Meta(
            description="A code and where: 7@PO1.06 of an element, 3@PO1 of a segment, 5@ST of a "
            "whole set, 2@GS of a whole group, 022@ISA of a whole "
            "interchange; none where no code was given."
        ),
    ] = msgspec.UNSET
    date_from: Annotated[
        Moment | msgspec.UnsetType,
        msgspec.Meta(description="Created on this day or at this UTC time, or later."),
    ] = msgspec.UNSET
    date_to: Annotated[
        Moment | msgspec.UnsetType,
        msgspec.Meta(description="Created on this day or at this UTC time, or earlier."),
    ] = msgspec.UNSET


class AckFilterParameters(AckFilters, kw_only=True):
    """Filters and page of acknowledgements."""

    limit: Annotated[
        Limit | msgspec.UnsetType,
        msgspec.Meta(description="Acknowledgements on a page: 50 if absent, at most 200."),
    ] = msgspec.UNSET
    offset: Annotated[
        Offset | msgspec.UnsetType,
        msgspec.Meta(description="Acknowledgements passed over before the page."),
    ] = msgspec.UNSET


class AckListParameters(AckFilterParameters, kw_only=True):
    """Filters and page of acknowledgements in the environments that a key sees."""

    test: Annotated[
        Flag | msgspec.UnsetType,
        msgspec.Meta(description="true: of the sandbox only; false: of production only."),
    ] = msgspec.UNSET
