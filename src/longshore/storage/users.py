"""The stores of the users slice, over named queries."""

from collections.abc import Sequence
from datetime import datetime

from longshore.domain.accounts.model import Account, AccountId
from longshore.domain.users.model import (
    LinkId,
    OneTimeLink,
    Session,
    SessionId,
    User,
    UserId,
    UserRole,
)
from longshore.domain.users.store import Credentials, NewLink, NewSession, NewUser
from longshore.storage.accounts import read_account
from longshore.storage.queries import Row, Sql
from longshore.storage.times import from_us, to_us


class SqlUserStore:
    """Users as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def find(self, user_id: UserId) -> User | None:
        row = await self._sql.fetch_one("find_user", user_id=user_id)
        return None if row is None else _user(row)

    async def list(self) -> Sequence[User]:
        rows = await self._sql.fetch_all("list_users")
        return [_user(row) for row in rows]

    async def find_credentials(self, folded_email: str) -> Credentials | None:
        row = await self._sql.fetch_one("find_credentials", folded_email=folded_email)
        if row is None:
            return None
        return Credentials(
            user=_user(row),
            password_hash=row["password_hash"],
            account=read_account(row),
        )

    async def insert(self, new: NewUser) -> User:
        row = await self._sql.fetch_one(
            "insert_user",
            account_id=new.account_id,
            email=new.email,
            folded_email=new.folded_email,
            role=new.role,
            password_hash=new.password_hash,
            created_at=to_us(new.created_at),
        )
        assert row is not None
        return _user(row)

    async def lock(self, account_id: AccountId) -> Sequence[User]:
        rows = await self._sql.fetch_all("lock_users", account_id=account_id)
        return [_user(row) for row in rows]

    async def change(
        self, user_id: UserId, email: str, folded_email: str, role: UserRole
    ) -> User | None:
        row = await self._sql.fetch_one(
            "change_user", user_id=user_id, email=email, folded_email=folded_email, role=role
        )
        return None if row is None else _user(row)

    async def set_password(self, user_id: UserId, password_hash: str) -> None:
        await self._sql.execute("set_user_password", user_id=user_id, password_hash=password_hash)

    async def record_login(self, user_id: UserId, password_hash: str, at: datetime) -> bool:
        row = await self._sql.fetch_one(
            "record_login", user_id=user_id, password_hash=password_hash, logged_in_at=to_us(at)
        )
        return row is not None

    async def delete(self, user_id: UserId) -> None:
        await self._sql.execute("delete_user", user_id=user_id)


class SqlSessionStore:
    """Browser sessions as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def find_with_user(self, digest: bytes) -> tuple[Session, User, Account] | None:
        row = await self._sql.fetch_one("find_session_with_user", digest=digest)
        if row is None:
            return None
        return _session(row), _user(row), read_account(row)

    async def list(self, user_id: UserId) -> Sequence[Session]:
        rows = await self._sql.fetch_all("list_sessions", user_id=user_id)
        return [_session(row) for row in rows]

    async def insert(self, new: NewSession) -> Session:
        row = await self._sql.fetch_one(
            "insert_session",
            account_id=new.account_id,
            user_id=new.user_id,
            digest=new.digest,
            ip=new.ip,
            created_at=to_us(new.created_at),
            last_seen_at=to_us(new.created_at),
            expires_at=to_us(new.expires_at),
        )
        assert row is not None
        return _session(row)

    async def record_seen(self, session_id: SessionId, seen_at: datetime) -> None:
        await self._sql.execute(
            "record_session_seen", session_id=session_id, seen_at=to_us(seen_at)
        )

    async def delete(self, session_id: SessionId, user_id: UserId) -> bool:
        row = await self._sql.fetch_one("delete_session", session_id=session_id, user_id=user_id)
        return row is not None

    async def delete_all(self, user_id: UserId) -> int:
        return len(await self._sql.fetch_all("delete_sessions", user_id=user_id))

    async def delete_ended(self, user_id: UserId, now: datetime, idle_since: datetime) -> None:
        await self._sql.execute(
            "delete_ended_sessions",
            user_id=user_id,
            now=to_us(now),
            idle_since=to_us(idle_since),
        )


class SqlLinkStore:
    """One-time links as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def find_with_account(self, digest: bytes) -> tuple[OneTimeLink, Account] | None:
        row = await self._sql.fetch_one("find_link_with_account", digest=digest)
        if row is None:
            return None
        return _link(row), read_account(row)

    async def insert(self, new: NewLink) -> OneTimeLink:
        row = await self._sql.fetch_one(
            "insert_link",
            account_id=new.account_id,
            user_id=new.user_id,
            digest=new.digest,
            created_at=to_us(new.created_at),
            expires_at=to_us(new.expires_at),
        )
        assert row is not None
        return _link(row)

    async def use(self, link_id: LinkId, at: datetime) -> bool:
        row = await self._sql.fetch_one("use_link", link_id=link_id, used_at=to_us(at))
        return row is not None

    async def use_setup(self, account_id: AccountId, at: datetime) -> Sequence[LinkId]:
        rows = await self._sql.fetch_all(
            "use_setup_links", account_id=account_id, used_at=to_us(at)
        )
        return [LinkId(row["id"]) for row in rows]

    async def delete_all(self, user_id: UserId) -> None:
        await self._sql.execute("delete_links", user_id=user_id)

    async def delete_expired(self, now: datetime) -> None:
        await self._sql.execute("delete_expired_links", now=to_us(now))


def _user(row: Row) -> User:
    return User(
        id=UserId(row["user_id"]),
        account_id=AccountId(row["account_id"]),
        email=row["email"],
        role=UserRole(row["role"]),
        has_password=bool(row["has_password"]),
        created_at=from_us(row["user_created_at"]),
        last_login_at=from_us(row["last_login_at"]),
    )


def _session(row: Row) -> Session:
    return Session(
        id=SessionId(row["id"]),
        account_id=AccountId(row["account_id"]),
        user_id=UserId(row["user_id"]),
        ip=row["ip"],
        created_at=from_us(row["created_at"]),
        last_seen_at=from_us(row["last_seen_at"]),
        expires_at=from_us(row["expires_at"]),
    )


def _link(row: Row) -> OneTimeLink:
    return OneTimeLink(
        id=LinkId(row["id"]),
        account_id=AccountId(row["account_id"]),
        user_id=None if row["user_id"] is None else UserId(row["user_id"]),
        expires_at=from_us(row["expires_at"]),
        used_at=from_us(row["used_at"]),
    )
