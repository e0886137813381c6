"""Encrypts and decrypts the secrets of a partner's connections, and the tokens of inbound URLs.

The row of a partner holds its terms as ``reading.partner_members`` writes them, without secrets.
The secrets are one encrypted JSON object, by connection and name:
``{"test": {"password": "…", "headers.X-Key": "…"}, "live": {}}``.

A token is 256 random bits in base64url. It is found by its SHA-256, which is safe since nobody can
guess the token; the text is stored encrypted, so that it can be shown again.

Source: transports.md section 1, reliability.md T14.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Final

from longshore.domain.accounts.service import fold
from longshore.domain.encryption import decrypt_row, encrypt_row, key_for_row, row_associated_data
from longshore.domain.partners.connections import secrets_of, with_secrets
from longshore.domain.partners.model import (
    Connections,
    InboundToken,
    InboundTokenId,
    Partner,
    PartnerId,
    PartnerStatus,
    PartnerTerms,
)
from longshore.domain.partners.parser import partner_members, read_partner
from longshore.domain.partners.store import (
    SECRETS_ROW_KIND,
    TOKEN_ROW_KIND,
    PartnerFacts,
    SealedSecrets,
    SealedToken,
    StoredPartner,
)
from longshore.domain.ports import AccountId, AssociatedData, SealBrokenError, Sealer
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment
from longshore.kit.ids import IdSource

Secrets = Mapping[str, Mapping[str, str]]
"""The secrets of the connections ``test`` and ``live``, by name."""

_NO_SECRETS: Final[Secrets] = {"test": {}, "live": {}}


def partner_of(stored: StoredPartner) -> Partner:
    """Return a stored partner; its connections have no secrets."""
    return Partner(
        id=stored.id,
        account_id=stored.account_id,
        version=stored.version,
        status=stored.state.status,
        status_before=stored.state.before,
        terms=_terms(stored.facts),
        test_status=stored.test_status,
        live_status=stored.live_status,
        test_breaker=stored.test_breaker,
        live_breaker=stored.live_breaker,
        last_activity_at=stored.last_activity_at,
        created_at=stored.created_at,
        updated_at=stored.updated_at,
    )


def terms_with_secrets(sealer: Sealer, stored: StoredPartner) -> PartnerTerms:
    """Return what is agreed with a stored partner, with the secrets of its connections.

    Raises:
        SealBrokenError: The secrets are not what was stored in this row.
    """
    terms = _terms(stored.facts)
    secrets = opened_secrets(sealer, stored)
    connections = Connections(
        test=with_secrets(terms.connections.test, secrets["test"]),
        live=with_secrets(terms.connections.live, secrets["live"]),
    )
    return replace(terms, connections=connections)


def facts_of(terms: PartnerTerms) -> PartnerFacts:
    """Return the members of a partner's terms that its row stores unencrypted."""
    members = partner_members(terms, PartnerStatus.TESTING)  # the status is no part of the facts
    return PartnerFacts(
        name=terms.name,
        folded_name=fold(terms.name),
        identity=terms.identity,
        own_identity_id=terms.own_identity_id,
        tx_sets=terms.tx_sets,
        version=terms.version,
        ack_type=terms.ack_type.value,
        ack_hours=terms.ack_hours,
        industry=terms.industry,
        contact_email=terms.contact_email,
        test_type=terms.connections.test.type.value,
        live_type=terms.connections.live.type.value,
        connections=json.dumps(members["connections"]),
        settings=json.dumps(members["settings"]),
        routes=json.dumps(members["routes"]),
    )


def terms_secrets(terms: PartnerTerms) -> Secrets:
    """Return the secrets of the connections."""
    both = terms.connections
    return {"test": secrets_of(both.test), "live": secrets_of(both.live)}


def sealed_secrets(sealer: Sealer, stored: StoredPartner, secrets: Secrets) -> SealedSecrets:
    """Return secrets as the row takes them, one version after those it has."""
    version = stored.sealed.version + 1
    text = json.dumps(secrets).encode()
    wrapped_key, encrypted = encrypt_row(sealer, _associated_data(stored, version), text)
    return SealedSecrets(version=version, wrapped_key=wrapped_key, secrets=encrypted)


def opened_secrets(sealer: Sealer, stored: StoredPartner) -> Secrets:
    """Return the secrets of a stored partner.

    Raises:
        SealBrokenError: They are not what was stored in this row.
    """
    sealed = stored.sealed
    if not sealed.version:
        return _NO_SECRETS
    associated_data = _associated_data(stored, sealed.version)
    opened = decrypt_row(sealer, associated_data, sealed.wrapped_key, sealed.secrets)
    try:
        secrets = json.loads(opened)
        return {name: {**secrets[name]} for name in _NO_SECRETS}
    except (ValueError, TypeError, KeyError) as error:
        raise SealBrokenError("the secrets of a partner are no secrets") from error


def _associated_data(stored: StoredPartner, version: int) -> AssociatedData:
    # A partner is the same in both environments.
    return row_associated_data(SECRETS_ROW_KIND, stored.account_id, None, stored.id, version)


@lru_cache(1_024)
def _terms(facts: PartnerFacts) -> PartnerTerms:
    """Return what is agreed, without secrets; a partner is read several times for a document."""
    body = {
        "name": facts.name,
        "isa_qualifier": facts.identity.qualifier,
        "isa_id": facts.identity.isa_id,
        "gs_id": facts.identity.gs_id,
        "own_identity_id": facts.own_identity_id,
        "tx_sets": list(facts.tx_sets),
        "version": facts.version,
        "ack_type": facts.ack_type,
        "ack_hours": facts.ack_hours,
        "industry": facts.industry,
        "contact_email": facts.contact_email,
        "connections": json.loads(facts.connections),
        "settings": json.loads(facts.settings),
        "routes": json.loads(facts.routes),
    }
    return read_partner(body, is_new=False).terms


_TOKEN_BYTES: Final = 32
_TO_COME: Final = InboundTokenId(0)  # the store gives the id


def draw_token(ids: IdSource) -> str:
    """Return a new token; before the unit, which may run twice."""
    return urlsafe_b64encode(ids.token_bytes(_TOKEN_BYTES)).rstrip(b"=").decode()


def digest_of(text: str) -> bytes:
    """Return what a token is looked up by; ``text`` may be anything that somebody has sent."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


class TokenWriter:
    """Stores tokens of one partner inside a write unit."""

    def __init__(self, unit: WriteUnit, sealer: Sealer, of: tuple[AccountId, PartnerId]) -> None:
        self._tokens = unit.tokens
        self._sealer = sealer
        self._of = of

    async def insert(self, text: str, environment: Environment, now: datetime) -> InboundToken:
        """Store a token that was drawn, as the newest of an environment."""
        account_id, partner_id = self._of
        new = InboundToken(
            id=_TO_COME,
            account_id=account_id,
            partner_id=partner_id,
            environment=environment,
            digest=digest_of(text),
            created_at=now,
        )
        key = self._sealer.new_key()
        key_for = key_for_row(self._sealer, key, TOKEN_ROW_KIND, (account_id, environment))
        sealed = self._sealer.seal(key, text.encode())
        return replace(new, id=await self._tokens.insert(new, sealed, key_for))


def newest_tokens(
    sealer: Sealer, open_tokens: Sequence[SealedToken]
) -> Mapping[tuple[PartnerId, Environment], str]:
    """Return the newest token of each partner and environment, opened.

    ``open_tokens`` is those that are valid, the newest first.

    Raises:
        SealBrokenError: One is not what was stored in its row.
    """
    newest: dict[tuple[PartnerId, Environment], SealedToken] = {}
    for each in open_tokens:
        newest.setdefault((each.token.partner_id, each.token.environment), each)
    return {of: _opened(sealer, each) for of, each in newest.items()}


def _opened(sealer: Sealer, stored: SealedToken) -> str:
    token = stored.token
    associated_data = row_associated_data(
        TOKEN_ROW_KIND, token.account_id, token.environment, token.id
    )
    return decrypt_row(sealer, associated_data, stored.wrapped_key, stored.sealed).decode()
