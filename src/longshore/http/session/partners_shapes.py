"""The wire shapes of partners as people see and change them (contract.md section 15)."""

from typing import Annotated, Any, Final, Literal

import msgspec

from longshore.domain.accounts.keys import OVERLAP_DEFAULT_HOURS, OVERLAP_MAX_HOURS
from longshore.domain.partners.model import PartnerStatus
from longshore.domain.partners.setting_kinds import MAX_NUMBER
from longshore.http.api_v1.partners import PartnerItem
from longshore.http.api_v1.transaction_shapes import Ok
from longshore.http.envelope import EnvironmentName, Notice, Time

# Any: members by type of the connection; the domain tells all that is wrong with them at once.
ConnectionBody = dict[str, Any]
_CONNECTION_TEXT: Final = (
    "By type. http: url, headers, content_type, basic {user, password}. simulator: script. none: "
    "nothing. Secrets are written only: an absent one keeps the old, as does a header whose value "
    'is ""; answers have <name>_set in their place.'
)
Connection = Annotated[ConnectionBody | None, msgspec.Meta(description=_CONNECTION_TEXT)]
# Any: settings are of various kinds; the domain has the table of them.
Settings = Annotated[
    dict[str, Any] | None,
    msgspec.Meta(description="What was agreed about documents; an absent one has its default."),
]
_IGNORED: Final = msgspec.Meta(description="Ignored: answers have it.")
# Any: what it is counts for nothing.
Ignored = Annotated[Any, _IGNORED]


class ConnectionsBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The connections to the partner; none where one is absent."""

    test: Connection = None
    live: Connection = None


class RouteItem(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The route of the sets of one code."""

    tx_set: Annotated[str, msgspec.Meta(description="Code of the set, such as 850.")]
    direction: Annotated[
        Literal["inbound", "outbound"] | None, msgspec.Meta(description="inbound if absent.")
    ] = None
    map_id: Annotated[int | None, msgspec.Meta(description="The saved map that is run.")] = None
    save_to_vault: Annotated[
        bool | None, msgspec.Meta(description="Whether its output is stored; false if absent.")
    ] = None


class PartnerMembers(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """All that may be said of a partner. A member that is null counts as absent."""

    name: Annotated[str, msgspec.Meta(description="Of 1 to 100 characters; of no other partner.")]
    partner_status: Annotated[
        Literal["pending", "testing", "active", "inactive", "error"] | None,
        msgspec.Meta(description="Of a new one testing, the default, or pending; else a step."),
    ] = None
    isa_qualifier: Annotated[str | None, msgspec.Meta(description="ZZ if absent.")] = None
    isa_id: Annotated[str | None, msgspec.Meta(description="At most 15 characters.")] = None
    gs_id: Annotated[str | None, msgspec.Meta(description="The same as isa_id if empty.")] = None
    own_identity_id: Annotated[
        int | None,
        msgspec.Meta(description="Who we are towards it; the first of the account if absent."),
    ] = None
    tx_sets: Annotated[
        list[str] | None, msgspec.Meta(description="Agreed sets; empty or absent: every one.")
    ] = None
    version: Annotated[
        str | None, msgspec.Meta(description="GS08 of what is sent; 004010 if absent.")
    ] = None
    ack_type: Annotated[
        Literal["none", "997", "999", "auto"] | None, msgspec.Meta(description="auto if absent.")
    ] = None
    ack_hours: Annotated[int | None, msgspec.Meta(description="48 if absent.")] = None
    industry: str | None = None
    contact_email: str | None = None
    connections: ConnectionsBody | None = None
    settings: Settings = None
    routes: Annotated[
        list[RouteItem] | None, msgspec.Meta(description="Documents without one are recorded.")
    ] = None


class PartnerBody(PartnerMembers, kw_only=True):
    """A partner as it shall be: the whole of it. What an answer gave can be sent back."""

    id: Ignored = None
    revision: Ignored = None
    allowed_statuses: Ignored = None
    inbound_url_test: Ignored = None
    inbound_url: Ignored = None
    edi_identity: Ignored = None
    connection_type: Ignored = None
    connection_status: Ignored = None
    circuit_breaker: Ignored = None
    last_activity_at: Ignored = None
    created_at: Ignored = None
    updated_at: Ignored = None


class ShownConnections(msgspec.Struct, kw_only=True):
    """The connections to the partner, without secrets."""

    test: Annotated[ConnectionBody, msgspec.Meta(description=_CONNECTION_TEXT)]
    live: Annotated[ConnectionBody, msgspec.Meta(description=_CONNECTION_TEXT)]


class PartnerDetail(PartnerItem, kw_only=True):
    """A trading partner with all that was agreed."""

    revision: Annotated[
        int, msgspec.Meta(description="Counts changes; as the ETag, for If-Match of a change.")
    ]
    allowed_statuses: Annotated[
        list[PartnerStatus],
        msgspec.Meta(description="What a PUT may lead partner_status to from here."),
    ]
    own_identity_id: int | None
    connections: ShownConnections
    settings: Annotated[dict[str, Any], msgspec.Meta(description="Every setting.")]  # as above
    routes: list[RouteItem]


class PartnerDetailAnswer(msgspec.Struct, kw_only=True):
    """One partner with all that was agreed."""

    ok: Ok = True
    environment: EnvironmentName
    partner: PartnerDetail
    warnings: list[Notice]


class RotateTokenBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The inbound URL that gets a new token, and the time for which the old one is still taken."""

    environment: Literal["sandbox", "production"]
    overlap_hours: Annotated[
        Annotated[
            int,
            msgspec.Meta(
                ge=0,
                le=OVERLAP_MAX_HOURS,
                extra={"text": f"a whole number of hours from 0 to {OVERLAP_MAX_HOURS}"},
            ),
        ]
        | None,
        msgspec.Meta(description=f"{OVERLAP_DEFAULT_HOURS} if absent."),
    ] = None


class CounterItem(msgspec.Struct, kw_only=True):
    """Where the numbers of what is sent stand."""

    kind: Annotated[
        Literal["isa", "gs", "st"],
        msgspec.Meta(description="ISA13, GS06, or ST02 that counts on from group to group."),
    ]
    environment: Literal["sandbox", "production"]
    last: Annotated[int | None, msgspec.Meta(description="The last one given.")]
    min: int
    max: Annotated[int, msgspec.Meta(description=f"At most {MAX_NUMBER}; min follows it.")]
    left: int
    days_left: Annotated[
        int | None,
        msgspec.Meta(description="At the rate since the partner was created; null: unknown."),
    ]


class MissingItem(msgspec.Struct, kw_only=True):
    """Numbers that the partner passed over, as far as it was received."""

    kind: Annotated[
        Literal["isa", "gs", "st"], msgspec.Meta(description="Gaps are looked for in isa: ISA13.")
    ]
    environment: Literal["sandbox", "production"]
    from_: int = msgspec.field(name="from")
    to: int
    since: Annotated[Time, msgspec.Meta(description="When a greater number came first.")]


class ControlNumbersAnswer(msgspec.Struct, kw_only=True):
    """The counters towards a partner, and gaps in what came from it."""

    ok: Ok = True
    counters: list[CounterItem]
    missing: Annotated[
        list[MissingItem],
        msgspec.Meta(description="A number that comes later closes its gap; at most 100 gaps."),
    ]
