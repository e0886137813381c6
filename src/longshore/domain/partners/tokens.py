"""Tokens of inbound URLs: drawn, sealed, rotated, and opened again to be shown.

A token is 256 random bits as base64url. It is looked up by its SHA-256, which needs no key since
nobody can guess what it is of; the text itself lies sealed.

Source: transports.md section 1, reliability.md T14.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Final

from longshore.domain.partners.model import InboundToken, InboundTokenId, PartnerId
from longshore.domain.partners.store import TOKEN_PLACE_KIND, SealedToken
from longshore.domain.ports import AccountId, AssociatedData, Sealer
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment
from longshore.kit.ids import IdSource

TOKEN_CHARS: Final = 43
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

        def key_for(row_id: int) -> bytes:
            return self._sealer.wrap(key, _place(replace(new, id=InboundTokenId(row_id))))

        sealed = self._sealer.seal(key, text.encode())
        return replace(new, id=await self._tokens.insert(new, sealed, key_for))


def newest_tokens(
    sealer: Sealer, open_tokens: Sequence[SealedToken]
) -> Mapping[tuple[PartnerId, Environment], str]:
    """Return the newest token of each partner and environment, opened.

    ``open_tokens``: those that are valid, the newest first.

    Raises:
        SealBrokenError: One is not what was stored in its row.
    """
    newest: dict[tuple[PartnerId, Environment], SealedToken] = {}
    for each in open_tokens:
        newest.setdefault((each.token.partner_id, each.token.environment), each)
    return {of: _opened(sealer, each) for of, each in newest.items()}


def _opened(sealer: Sealer, stored: SealedToken) -> str:
    key = sealer.unwrap(stored.wrapped_key, _place(stored.token))
    return sealer.open(key, stored.sealed).decode()


def _place(token: InboundToken) -> AssociatedData:
    return AssociatedData(
        account_id=token.account_id,
        environment=token.environment,
        kind=TOKEN_PLACE_KIND,
        id=token.id,
    )
