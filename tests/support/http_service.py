"""A whole HTTP service on a real database, but for the engine, whose calls tests look at."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from longshore.compute import documents
from longshore.compute.inline import InlineCompute
from longshore.domain.accounts.authentication import Authenticator
from longshore.domain.accounts.model import ALL_SCOPES, AccountType, KeyScope
from longshore.domain.accounts.service import AccountService, KeyService
from longshore.domain.maps.replay import ReplayService
from longshore.domain.maps.service import MapService
from longshore.domain.ports import AccountId, Scope
from longshore.domain.samples.service import SampleService
from longshore.domain.usage.service import UsageService
from longshore.domain.users.model import UserRole
from longshore.formats.document import ParsedDocument
from longshore.http.services import HttpServices
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.storage.sqlite.database import open_database
from longshore.telemetry.access import AccessLog
from tests.support.clock import CountedIds, StoppedClock
from tests.support.database import Database, make_sqlite
from tests.support.plans import key_beyond_plan
from tests.support.services import a_trading
from tests.support.users import BASE_URL, People, Sessions
from tests.support.vault import a_sealer, a_vault


@dataclass
class RecordedEngine:
    """Answers with what it was asked: the document as one field."""

    calls: list[dict[str, object]] = field(default_factory=list)
    failure: Exception | None = None

    def parse_result(self, document: str, **options: object) -> bytes:
        self.calls.append({"document": document, **options})
        if self.failure is not None:
            raise self.failure
        if not document:
            raise LongshoreError(
                ErrorCode.DOCUMENT_EMPTY,
                "The document is empty.",
                details=(
                    ErrorDetail(
                        code="document_empty", message="document is empty", param="document"
                    ),
                ),
            )
        return ParsedDocument(
            format=str(options.get("format", "x12")),
            fields_json=b'{"BEG.03":"PO-1","BEG.05":"a,\\"warnings\\":[b"}',
            field_count=2,
            tx_set="850",
            elem_sep="*",
            seg_term="~",
            views={"segments": b'[["BEG",",\\"warnings\\":["]]'},
        ).result_json()


@dataclass(frozen=True, kw_only=True)
class Keys:
    """The keys of two accounts, and of some that are not let in."""

    sandbox: str
    production: str
    neighbour: str
    read_only: str
    submit_only: str
    suspended: str
    revoked: str
    plan_lost: str
    production_read: str


@dataclass(frozen=True, kw_only=True)
class World:
    """A database with accounts and keys.

    ``log_length``: entries of the audit log of ``demo`` that tell how all this was made.
    """

    database: Database
    keys: Keys
    sessions: Sessions
    log_length: int = 0

    def services(
        self,
        engine: RecordedEngine,
        *,
        log: BytesIO | None = None,
        max_body_bytes: int = 100_000,
        parse_result: Callable[..., bytes] | None = None,
        clock: StoppedClock | None = None,
    ) -> HttpServices:
        clock = clock or StoppedClock()
        authenticator = Authenticator(self.database.units, clock, self.database.revocations)
        people = People(self.database, clock)
        vault = a_vault(self.database, clock)
        maps = MapService(self.database.units, a_sealer(), clock, InlineCompute())
        return HttpServices(
            authenticate=authenticator.authenticate,
            compute=InlineCompute(),
            parse_result=parse_result or engine.parse_result,
            validate_result=documents.validate_result,
            inspect_result=documents.inspect_result,
            convert_result=documents.convert_result,
            schemas_result=documents.schemas_result,
            schema_result=documents.schema_result,
            sample_result=documents.sample_result,
            accounts=AccountService(self.database.units, clock, self.database.revocations),
            usage=UsageService(self.database.units, clock),
            vault=vault,
            samples=SampleService(vault),
            maps=maps,
            replays=ReplayService(maps, vault, InlineCompute()),
            trading=a_trading(self.database, clock),
            sessions=people.sessions,
            login=people.login,
            users=people.users,
            own_keys=people.own_keys,
            own_address=people.own_address,
            check_storage=self.database.check,
            base_url=BASE_URL,
            max_body_bytes=max_body_bytes,
            access_log=AccessLog(log or BytesIO(), clock),
            ids=CountedIds(),
            clock=clock,
        )


@contextmanager
def open_world(folder: Path) -> Iterator[World]:
    """Make a database in ``folder`` and keep it open."""
    make_sqlite(folder)
    with open_database(folder) as database:
        keys = asyncio.run(make_keys(database))
        sessions = asyncio.run(make_sessions(database))
        length = asyncio.run(_log_length(database))
        yield World(database=database, keys=keys, sessions=sessions, log_length=length)


async def _log_length(database: Database) -> int:
    scope = Scope(account_id=AccountId(1), environment=None)
    return await database.units.read(scope, lambda unit: unit.audit.length(AccountId(1)))


async def make_keys(database: Database) -> Keys:
    """Make the accounts and keys in a database that has none."""
    clock, ids = StoppedClock(), CountedIds()
    accounts = AccountService(database.units, clock, database.revocations)
    keys = KeyService(database.units, clock, ids, database.revocations)

    async def a_key(
        account: str, scopes: frozenset[KeyScope] = ALL_SCOPES, *, live: bool = False
    ) -> str:
        environment = Environment.PRODUCTION if live else Environment.SANDBOX
        return (await keys.create(account, environment, scopes=scopes)).key

    await accounts.create("demo", AccountType.DEVELOPER)
    await accounts.create("Northwind", AccountType.DEVELOPER_PRO)
    await accounts.create("gone", AccountType.DEVELOPER)
    suspended = await a_key("gone")
    await accounts.suspend("gone")
    revoked = await keys.create("demo", Environment.SANDBOX)
    await keys.revoke(revoked.record.id)
    return Keys(
        sandbox=await a_key("demo"),
        production=await a_key("Northwind", live=True),
        neighbour=await a_key("Northwind"),
        read_only=await a_key("demo", frozenset({KeyScope.READ})),
        submit_only=await a_key("demo", frozenset({KeyScope.SUBMIT})),
        suspended=suspended,
        revoked=revoked.key,
        plan_lost=(await key_beyond_plan(database, ids, clock, "demo")).key,
        production_read=await a_key("Northwind", frozenset({KeyScope.READ}), live=True),
    )


async def make_sessions(database: Database) -> Sessions:
    """Make users of the accounts of ``make_keys``, and log them in."""
    clock = StoppedClock()
    people = People(database, clock, seed="sessions")
    accounts = AccountService(database.units, clock, database.revocations)
    await accounts.resume("gone")
    sessions = Sessions(
        owner=await people.with_session("demo", "owner@demo.example", UserRole.OWNER),
        editor=await people.with_session("demo", "editor@demo.example", UserRole.EDITOR),
        viewer=await people.with_session("demo", "viewer@demo.example", UserRole.VIEWER),
        neighbour_owner=await people.with_session(
            "Northwind", "owner@northwind.example", UserRole.OWNER
        ),
        suspended=await people.with_session("gone", "owner@gone.example", UserRole.OWNER),
    )
    await accounts.suspend("gone")
    return sessions


def bearer(key: str) -> dict[str, str]:
    """Return the header a caller sends."""
    return {"Authorization": f"Bearer {key}"}
