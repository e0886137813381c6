"""Why a document for a partner is held instead of sent.

Source: contract.md section 5 (``last_error.code``).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from longshore.domain.partners.connections import ConnectionType
from longshore.domain.partners.model import ConnectionStatus, Partner
from longshore.domain.partners.status import takes_documents
from longshore.kit.environment import Environment

PARTNER_INACTIVE: Final = "partner_inactive"
NOT_CONFIGURED: Final = "not_configured"
CONNECTION_DISABLED: Final = "connection_disabled"

_SIDES: Final = {Environment.SANDBOX: "test", Environment.PRODUCTION: "live"}


class HoldReason(NamedTuple):
    """Why a document is held: for programs and for people."""

    code: str
    """The ``last_error.code`` of the transaction."""
    message: str
    """One or two sentences without document content: what is missing and what to do."""


def hold_reason(
    partner: Partner, environment: Environment, sendable: Collection[ConnectionType]
) -> HoldReason | None:
    """Return why nothing of an environment is sent to a partner now; None if it is.

    ``sendable``: the types of connections that there is a transport for.
    """
    side = _SIDES[environment]
    if not takes_documents(partner.status, environment):
        text = f"The partner is {partner.status} and takes no {side} documents. This one is held."
        return HoldReason(PARTNER_INACTIVE, text)
    if partner.terms.connections.of(environment).type not in sendable:
        return missing_connection(partner, environment)
    if partner.connection_status(environment) is ConnectionStatus.DISABLED:
        text = (
            f"The {side} connection of the partner is disabled, since its destination answered 410."
            " Save the partner again, and what is held is sent."
        )
        return HoldReason(CONNECTION_DISABLED, text)
    return None


def missing_connection(partner: Partner, environment: Environment) -> HoldReason:
    """Return the reason of a document that no connection of the partner can send."""
    side, kind = _SIDES[environment], partner.terms.connections.of(environment).type
    lack = (
        f"The partner has no {side} connection."
        if kind is ConnectionType.NONE
        else f"The {side} connection of the partner is {kind.upper()}, which is not built yet."
    )
    return HoldReason(NOT_CONFIGURED, f"{lack} Set one up, and what is held is sent.")
