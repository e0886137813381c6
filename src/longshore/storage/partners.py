"""The stores of the partners slice, over named queries."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from longshore.domain.accounts.model import Account
from longshore.domain.partners.connections import ConnectionType
from longshore.domain.partners.model import (
    BreakerState,
    CircuitBreaker,
    ConnectionStatus,
    Identity,
    InboundToken,
    InboundTokenId,
    OwnIdentity,
    OwnIdentityId,
    PartnerId,
    PartnerStatus,
    first_connection_status,
)
from longshore.domain.partners.status import PartnerState
from longshore.domain.partners.store import (
    PartnerAddress,
    PartnerFacts,
    PartnerQuery,
    SealedSecrets,
    SealedToken,
    StoredPartner,
)
from longshore.domain.ports import AccountId, KeyForRow
from longshore.kit.environment import Environment
from longshore.storage.accounts import read_account
from longshore.storage.queries import Row, Sql, SqlValue
from longshore.storage.sealed_rows import next_row
from longshore.storage.sealing import WRAPPED_BYTES
from longshore.storage.times import from_us, to_us
from longshore.storage.word_lists import as_words

_ALL: Final = 2**62
_NO_KEY: Final = bytes(WRAPPED_BYTES)
"""The key of a partner without secrets."""


class SqlIdentityStore:
    """Own identities as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def list(self) -> Sequence[OwnIdentity]:
        rows = await self._sql.fetch_all("list_identities")
        return [_own_identity(row) for row in rows]

    async def insert(
        self, account_id: AccountId, identity: Identity, now: datetime
    ) -> OwnIdentity | None:
        row = await self._sql.fetch_one(
            "insert_identity",
            account_id=account_id,
            qualifier=identity.qualifier,
            isa_id=identity.isa_id,
            gs_id=identity.gs_id,
            created_at=to_us(now),
        )
        return None if row is None else _own_identity(row)

    async def change(self, identity_id: OwnIdentityId, identity: Identity) -> bool:
        row = await self._sql.fetch_one(
            "change_identity",
            identity_id=identity_id,
            qualifier=identity.qualifier,
            isa_id=identity.isa_id,
            gs_id=identity.gs_id,
        )
        return row is not None

    async def delete(self, identity_id: OwnIdentityId) -> bool:
        return await self._sql.fetch_one("delete_identity", identity_id=identity_id) is not None


class SqlPartnerStore:
    """Partners as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def find(self, partner_id: PartnerId) -> StoredPartner | None:
        row = await self._sql.fetch_one("find_partner", partner_id=partner_id)
        return None if row is None else _partner(row)

    async def list(
        self, query: PartnerQuery, limit: int | None = None, offset: int = 0
    ) -> Sequence[StoredPartner]:
        rows = await self._sql.fetch_all(
            "list_partners", limit=_ALL if limit is None else limit, offset=offset, **_fits(query)
        )
        return [_partner(row) for row in rows]

    async def list_as2(self, environment: Environment, as2_to: str) -> Sequence[StoredPartner]:
        if environment is Environment.PRODUCTION:
            rows = await self._sql.fetch_all("list_live_as2_partners", as2_to=as2_to)
        else:
            rows = await self._sql.fetch_all("list_test_as2_partners", as2_to=as2_to)
        return [_partner(row) for row in rows]

    async def list_connected(self, by: ConnectionType) -> Sequence[StoredPartner]:
        rows = await self._sql.fetch_all("list_connected_partners", connection_type=by)
        return [_partner(row) for row in rows]

    async def count(self, query: PartnerQuery) -> int:
        row = await self._sql.fetch_one("count_partners", **_fits(query))
        assert row is not None
        return int(row["total"])

    async def list_addresses(self) -> Sequence[PartnerAddress]:
        rows = await self._sql.fetch_all("list_partner_addresses")
        return [
            PartnerAddress(
                id=PartnerId(row["id"]),
                status=PartnerStatus(row["partner_status"]),
                identity=Identity(
                    qualifier=row["isa_qualifier"], isa_id=row["isa_id"], gs_id=row["gs_id"]
                ),
                own_identity_id=_identity_id(row["own_identity_id"]),
            )
            for row in rows
        ]

    async def lock_identities(self, account_id: AccountId) -> None:
        await self._sql.execute("lock_partner_identities", account_id=account_id)

    async def insert(
        self, account_id: AccountId, facts: PartnerFacts, status: PartnerStatus, now: datetime
    ) -> PartnerId | None:
        row = await self._sql.fetch_one(
            "insert_partner",
            account_id=account_id,
            partner_status=status,
            now=to_us(now),
            test_status=_first_status(facts.test_type),
            live_status=_first_status(facts.live_type),
            wrapped_key=_NO_KEY,
            secrets=b"",
            **_values(facts),
        )
        return None if row is None else PartnerId(row["id"])

    async def change(
        self, partner_id: PartnerId, expected_version: int, facts: PartnerFacts, now: datetime
    ) -> bool:
        row = await self._sql.fetch_one(
            "change_partner",
            partner_id=partner_id,
            expected_version=expected_version,
            now=to_us(now),
            **_values(facts),
        )
        return row is not None

    async def set_secrets(self, partner_id: PartnerId, new: SealedSecrets) -> bool:
        row = await self._sql.fetch_one(
            "set_partner_secrets",
            partner_id=partner_id,
            expected_version=new.version - 1,
            sealed_version=new.version,
            wrapped_key=new.wrapped_key,
            secrets=new.secrets,
        )
        return row is not None

    async def set_state(
        self, partner_id: PartnerId, start: PartnerState, to: PartnerState, now: datetime
    ) -> bool:
        row = await self._sql.fetch_one(
            "set_partner_standing",
            partner_id=partner_id,
            start=start.status,
            start_before=start.before or "",
            status=to.status,
            status_before=to.before,
            now=to_us(now),
        )
        return row is not None

    async def set_connection_status(
        self, partner_id: PartnerId, environment: Environment, status: ConnectionStatus
    ) -> bool:
        if environment is Environment.PRODUCTION:
            row = await self._sql.fetch_one(
                "set_live_connection_status", partner_id=partner_id, status=status
            )
        else:
            row = await self._sql.fetch_one(
                "set_test_connection_status", partner_id=partner_id, status=status
            )
        return row is not None

    async def set_breaker(
        self,
        partner_id: PartnerId,
        environment: Environment,
        start: CircuitBreaker,
        to: CircuitBreaker,
    ) -> bool:
        values: Mapping[str, SqlValue] = {
            "partner_id": partner_id,
            "start": start.state,
            "start_probe_at": to_us(start.probe_at) or 0,
            "state": to.state,
            "opened_at": to_us(to.opened_at),
            "probe_at": to_us(to.probe_at),
        }
        if environment is Environment.PRODUCTION:
            row = await self._sql.fetch_one("set_live_breaker", **values)
        else:
            row = await self._sql.fetch_one("set_test_breaker", **values)
        return row is not None

    async def record_activity(self, partner_id: PartnerId, at: datetime) -> None:
        await self._sql.execute("record_partner_activity", partner_id=partner_id, at=to_us(at))

    async def delete(self, partner_id: PartnerId, expected_version: int) -> bool:
        held = await self._sql.fetch_one(
            "hold_untraded_partner", partner_id=partner_id, expected_version=expected_version
        )
        if held is None:
            return False
        await self._sql.execute("delete_polls", partner_id=partner_id)
        await self._sql.execute("delete_partner_tokens", partner_id=partner_id)
        await self._sql.execute("delete_partner", partner_id=partner_id)
        return True


class SqlTokenStore:
    """Tokens of inbound URLs as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def find_by_digest(self, digest: bytes) -> tuple[InboundToken, Account] | None:
        row = await self._sql.fetch_one("find_token_with_account", digest=digest)
        if row is None:
            return None
        return _token(row), read_account(row)

    async def list_open(self, now: datetime) -> Sequence[SealedToken]:
        rows = await self._sql.fetch_all("list_open_tokens", now=to_us(now))
        return [
            SealedToken(
                token=_token(row),
                wrapped_key=row["wrapped_key"],
                sealed=row["sealed_token"],
            )
            for row in rows
        ]

    async def insert(self, new: InboundToken, sealed: bytes, key_for: KeyForRow) -> InboundTokenId:
        row_id, wrapped_key = await next_row(self._sql, "partner_tokens", key_for)
        await self._sql.execute(
            "insert_token",
            id=row_id,
            account_id=new.account_id,
            partner_id=new.partner_id,
            environment=new.environment,
            digest=new.digest,
            created_at=to_us(new.created_at),
            expires_at=to_us(new.expires_at),
            wrapped_key=wrapped_key,
            sealed_token=sealed,
        )
        return InboundTokenId(row_id)

    async def end_others(self, stored: InboundToken, expires_at: datetime) -> int:
        rows = await self._sql.fetch_all(
            "end_other_tokens",
            token_id=stored.id,
            partner_id=stored.partner_id,
            environment=stored.environment,
            expires_at=to_us(expires_at),
        )
        return len(rows)

    async def revoke_all(self, partner_id: PartnerId, at: datetime) -> int:
        rows = await self._sql.fetch_all(
            "revoke_tokens", partner_id=partner_id, revoked_at=to_us(at)
        )
        return len(rows)


def _fits(query: PartnerQuery) -> Mapping[str, SqlValue]:
    return {"statuses": as_words(query.statuses), "prefix": query.folded_prefix}


def _values(facts: PartnerFacts) -> Mapping[str, SqlValue]:
    """Return the values of the columns that a partner's terms decide."""
    connections = json.loads(facts.connections)
    return {
        "name": facts.name,
        "folded_name": facts.folded_name,
        "isa_qualifier": facts.identity.qualifier,
        "isa_id": facts.identity.isa_id,
        "gs_id": facts.identity.gs_id,
        "own_identity_id": facts.own_identity_id,
        "tx_sets": json.dumps(facts.tx_sets),
        "x12_version": facts.version,
        "ack_type": facts.ack_type,
        "ack_hours": facts.ack_hours,
        "industry": facts.industry,
        "contact_email": facts.contact_email,
        "test_type": facts.test_type,
        "live_type": facts.live_type,
        "connections": facts.connections,
        "settings": facts.settings,
        "routes": facts.routes,
        "test_as2_to": connections.get("test", {}).get("as2_to"),
        "live_as2_to": connections.get("live", {}).get("as2_to"),
    }


def _first_status(connection_type: str) -> ConnectionStatus:
    return first_connection_status(ConnectionType(connection_type))


def _own_identity(row: Row) -> OwnIdentity:
    identity = Identity(qualifier=row["qualifier"], isa_id=row["isa_id"], gs_id=row["gs_id"])
    return OwnIdentity(id=OwnIdentityId(row["id"]), identity=identity)


def _identity_id(column: int | None) -> OwnIdentityId | None:
    return None if column is None else OwnIdentityId(column)


def _partner(row: Row) -> StoredPartner:
    return StoredPartner(
        id=PartnerId(row["id"]),
        account_id=AccountId(row["account_id"]),
        version=row["row_version"],
        state=PartnerState(
            PartnerStatus(row["partner_status"]),
            row["status_before"] and PartnerStatus(row["status_before"]),
        ),
        facts=_facts(row),
        test_status=ConnectionStatus(row["test_connection_status"]),
        live_status=ConnectionStatus(row["live_connection_status"]),
        sealed=SealedSecrets(
            version=row["sealed_version"], wrapped_key=row["wrapped_key"], secrets=row["secrets"]
        ),
        last_activity_at=from_us(row["last_activity_at"]),
        created_at=from_us(row["created_at"]),
        updated_at=from_us(row["updated_at"]),
        test_breaker=_breaker(row, "test"),
        live_breaker=_breaker(row, "live"),
    )


def _breaker(row: Row, side: str) -> CircuitBreaker:
    return CircuitBreaker(
        state=BreakerState(row[f"{side}_breaker"]),
        opened_at=from_us(row[f"{side}_opened_at"]),
        probe_at=from_us(row[f"{side}_probe_at"]),
    )


def _facts(row: Row) -> PartnerFacts:
    return PartnerFacts(
        name=row["name"],
        folded_name=row["folded_name"],
        identity=Identity(qualifier=row["isa_qualifier"], isa_id=row["isa_id"], gs_id=row["gs_id"]),
        own_identity_id=_identity_id(row["own_identity_id"]),
        tx_sets=tuple(json.loads(row["tx_sets"])),
        version=row["version"],
        ack_type=row["ack_type"],
        ack_hours=row["ack_hours"],
        industry=row["industry"],
        contact_email=row["contact_email"],
        test_type=row["test_connection_type"],
        live_type=row["live_connection_type"],
        connections=row["connections"],
        settings=row["settings"],
        routes=row["routes"],
    )


def _token(row: Row) -> InboundToken:
    return InboundToken(
        id=InboundTokenId(row["id"]),
        account_id=AccountId(row["account_id"]),
        partner_id=PartnerId(row["partner_id"]),
        environment=Environment(row["environment"]),
        digest=row["digest"],
        created_at=from_us(row["created_at"]),
        expires_at=from_us(row["expires_at"]),
        revoked_at=from_us(row["revoked_at"]),
    )
