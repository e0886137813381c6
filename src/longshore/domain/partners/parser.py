"""The body of a partner: read with all its faults at once, and written again.

What ``partner_members`` writes ``read_partner`` takes, so a partner that was read can be changed
and put back, and a file that was exported imported; members that only the service can say are
skipped.

Source: contract.md sections 8 and 15 (partner body).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from longshore.domain.partners.connection_members import CONNECTION, connection_json
from longshore.domain.partners.connections import SftpConnection
from longshore.domain.partners.errors import InvalidPartnerError
from longshore.domain.partners.members import (
    FLAG,
    Member,
    RequestFaults,
    choice,
    parts,
    read_members,
    several,
    text,
    whole,
)
from longshore.domain.partners.model import (
    Connections,
    Direction,
    Identity,
    NewPartner,
    PartnerStatus,
    PartnerTerms,
    Route,
)
from longshore.domain.partners.settings import PARAM, SETTINGS_KIND, settings_json
from longshore.domain.partners.status import FIRST_STATUSES
from longshore.x12.acks.profile import AckType

LARGEST_ID: Final = 2**63 - 1
DEFAULT_QUALIFIER: Final = "ZZ"
MAX_ACK_HOURS: Final = 720
MAX_AGREED_SETS: Final = 200
MAX_ROUTES: Final = 200

_LINE: Final = r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"
_NAME: Final = text(
    rf"(?=.*\S){_LINE}{{1,100}}", "a text of 1 to 100 characters without control characters"
)
_INDUSTRY: Final = text(
    rf"{_LINE}{{0,100}}", "a text of at most 100 characters without control characters"
)
_EMAIL: Final = text(
    r"(?=.{0,254}\Z)(?:[^\s@<>\x00-\x1f\x7f]{1,64}@[^\s@<>\x00-\x1f\x7f]+)?", "an e-mail address"
)
QUALIFIER: Final = text("[A-Za-z0-9]{2}", "two letters or digits, such as ZZ or 01")
ID: Final = text(
    "(?:[!-~](?:[ -~]{0,13}[!-~])?)?",
    "at most 15 letters, digits and marks of ASCII, without blanks around them",
)
TX_SET: Final = text("[A-Z0-9]{3}", "the code of a transaction set, such as 850")
_VERSION: Final = text("[0-9]{6}[A-Z0-9]{0,6}", "a release or guide, such as 004010")
_OWN_ID: Final = whole(1, LARGEST_ID)

_CONNECTIONS: Final = parts({"test": Member(CONNECTION), "live": Member(CONNECTION)}, Connections)
_ROUTE: Final = parts(
    {
        "tx_set": Member(TX_SET, is_required=True),
        "direction": Member(choice(Direction)),
        "map_id": Member(_OWN_ID),
        "save_to_vault": Member(FLAG),
    },
    Route,
)
_MEMBERS: Final[Mapping[str, Member]] = MappingProxyType({
    "name": Member(_NAME, is_required=True),
    "partner_status": Member(choice(PartnerStatus)),
    "isa_qualifier": Member(QUALIFIER),
    "isa_id": Member(ID),
    "gs_id": Member(ID),
    "own_identity_id": Member(_OWN_ID),
    "tx_sets": Member(several(TX_SET, MAX_AGREED_SETS, "codes of transaction sets")),
    "version": Member(_VERSION),
    "ack_type": Member(choice(AckType)),
    "ack_hours": Member(whole(1, MAX_ACK_HOURS)),
    "industry": Member(_INDUSTRY),
    "contact_email": Member(_EMAIL),
    "connections": Member(_CONNECTIONS),
    PARAM: Member(SETTINGS_KIND),
    "routes": Member(several(_ROUTE, MAX_ROUTES, "routes")),
})
_SKIPPED: Final = frozenset((
    *("id", "inbound_url_test", "inbound_url", "edi_identity", "connection_type"),
    *("connection_status", "circuit_breaker", "last_activity_at", "created_at", "updated_at"),
))


def read_partner(given: object, *, is_new: bool) -> NewPartner:
    """Return what the JSON object ``given`` says of a partner; absent members have their default.

    Secrets that it does not name are None: ``connections.with_secrets_of`` fills them in.
    ``is_new`` is of one that does not exist yet, which begins as testing or pending.

    Raises:
        InvalidPartnerError: With a detail for each fault: the member, and what it must be.
    """
    faults = RequestFaults()
    values = read_members(given, _MEMBERS, faults, skipped=_SKIPPED)
    status = values.pop("partner_status", None)
    assert status is None or isinstance(status, PartnerStatus)
    if is_new and status is not None and status not in FIRST_STATUSES:
        message = f'Parameter "partner_status" of a new partner must be one of: {_FIRST}.'
        faults.add("partner_status", message)
    said = {name: str(values.pop(name, default)) for name, default in _NOBODY.items()}
    identity = Identity(qualifier=said["isa_qualifier"], isa_id=said["isa_id"], gs_id=said["gs_id"])
    make: Callable[..., PartnerTerms] = PartnerTerms  # each value was read by its kind
    terms = make(**{"name": "", **values}, identity=identity)
    _refuse_contradictions(terms, faults)
    if faults.details:
        raise InvalidPartnerError(faults.details)
    return NewPartner(terms=terms, status=status)


_FIRST: Final = ", ".join(FIRST_STATUSES)
_NOBODY: Final = {"isa_qualifier": DEFAULT_QUALIFIER, "isa_id": "", "gs_id": ""}


def _refuse_contradictions(terms: PartnerTerms, faults: RequestFaults) -> None:
    """Add what is wrong between members that are good each by itself."""
    marks = set(terms.settings.separators.marks)
    for name, value in (("isa_id", terms.identity.isa_id), ("gs_id", terms.identity.gs_id)):
        if not marks.isdisjoint(value):
            faults.add(name, f'Parameter "{name}" holds one of the separators of the settings.')
    for name in ("test", "live"):
        connection = getattr(terms.connections, name)
        if isinstance(connection, SftpConnection) and connection.has_two_logins:
            param = f"connections.{name}.private_key"
            faults.add(param, f'Parameter "{param}" must not be given together with a password.')
    seen: set[tuple[str, Direction]] = set()
    for at, route in enumerate(terms.routes):
        key = (route.tx_set, route.direction)
        if key in seen:
            message = f"routes[{at}] is a second route for {route.direction} {route.tx_set}."
            faults.add(f"routes[{at}]", message)
        seen.add(key)


def partner_members(terms: PartnerTerms, status: PartnerStatus) -> dict[str, object]:
    """Return the partner body as JSON has it, without secrets."""
    identity, connections = terms.identity, terms.connections
    return {
        "name": terms.name,
        "partner_status": status.value,
        "isa_qualifier": identity.qualifier,
        "isa_id": identity.isa_id,
        "gs_id": identity.gs_id,
        "own_identity_id": terms.own_identity_id,
        "tx_sets": list(terms.tx_sets),
        "version": terms.version,
        "ack_type": terms.ack_type.value,
        "ack_hours": terms.ack_hours,
        "industry": terms.industry,
        "contact_email": terms.contact_email,
        "connections": {
            "test": connection_json(connections.test),
            "live": connection_json(connections.live),
        },
        PARAM: settings_json(terms.settings),
        "routes": [
            {
                "tx_set": route.tx_set,
                "direction": route.direction.value,
                "map_id": route.map_id,
                "save_to_vault": route.save_to_vault,
            }
            for route in terms.routes
        ],
    }
