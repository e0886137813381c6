"""What the first page of each list costs with a million rows: ``python -m tests.bench.lists``.

An argument asks for another number of rows.

SQLite. Each list is read through its service, with its ``total``, on an empty database, on one with
a page of rows and on the large one; what is told is processor time, and the ratio of the large one
to either other. Nothing is sealed, so that what differs is the database alone.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final

import apsw

from longshore.domain.acks.model import AckRowStatus
from longshore.domain.acks.store import AckQuery
from longshore.domain.acting import Acting
from longshore.domain.audit.service import AuditFilters
from longshore.domain.overview.model import FAILURES
from longshore.domain.partners.model import PartnerId
from longshore.domain.ports import AccountId, DataKey, SealedPlace
from longshore.domain.reception.store import InterchangeQuery, InterchangeStatus
from longshore.domain.tracking.model import ListRequest
from longshore.domain.trading import Trading, open_trading
from longshore.domain.transactions.model import TransactionStatus
from longshore.domain.transactions.query import TransactionFilters
from longshore.kit.environment import Environment
from longshore.storage.queries import Dialect
from longshore.storage.schema.migrate import migrate
from longshore.storage.sqlite.database import open_database
from longshore.storage.sqlite.place import DATABASE_FILE
from tests.bench.lists_rows import inserts
from tests.support.clock import START, StoppedClock
from tests.support.services import trading_ports

ROWS: Final = 1_000_000
PAGE: Final = 50
ROUNDS: Final = 7
OWNER: Final = Acting(account_id=AccountId(1), environment=Environment.PRODUCTION, actor="user 1")
Case = Callable[[], Awaitable[object]]


class NoSealer:
    """Seals nothing."""

    def new_key(self) -> DataKey:
        return DataKey(b"")

    def seal(self, key: DataKey, content: bytes) -> bytes:  # noqa: ARG002 - as the port has it
        return content

    def open(self, key: DataKey, sealed: bytes) -> bytes:  # noqa: ARG002 - as the port has it
        return sealed

    def wrap(self, key: DataKey, place: SealedPlace) -> bytes:  # noqa: ARG002 - as the port has it
        return b""

    def unwrap(self, wrapped: bytes, place: SealedPlace) -> DataKey:  # noqa: ARG002 - as the port has it
        return DataKey(b"")


def filled(place: Path, count: int) -> None:
    """Make a database with so many rows of each kind."""
    migrate(place)
    with closing(apsw.Connection(str(place / DATABASE_FILE))) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        for statement in inserts(Dialect.SQLITE, count) if count else ():
            connection.execute(statement)


def cases(trading: Trading) -> Mapping[str, Case]:
    """Return what is measured, by name."""
    month = START - timedelta(days=200)
    pages = {
        "transactions": TransactionFilters(),
        "transactions: rejected": TransactionFilters(
            status=frozenset({TransactionStatus.REJECTED})
        ),
        "transactions: failures": TransactionFilters(status=FAILURES),
        "transactions: held (none)": TransactionFilters(status=frozenset({TransactionStatus.HELD})),
        "transactions: partner": TransactionFilters(partner_id=frozenset({PartnerId(7)})),
        "transactions: set": TransactionFilters(tx_set=frozenset({"997"})),
        "transactions: month": TransactionFilters(since=month, before=month + timedelta(days=30)),
        "transactions: key": TransactionFilters(business_key="PO-1"),
    }
    acks = {
        f"acks: {status}": AckQuery(is_test=False, statuses=frozenset({status}))
        for status in (AckRowStatus.PENDING, AckRowStatus.RECEIVED)
    }
    interchanges = InterchangeQuery(environment=Environment.PRODUCTION)
    waiting = replace(interchanges, statuses=frozenset({InterchangeStatus.QUARANTINED}))
    first, request = (START - timedelta(days=89)).date(), ListRequest(limit=PAGE)
    return {
        **{
            name: partial(trading.transactions.page, OWNER, replace(each, is_test=False), request)
            for name, each in pages.items()
        },
        **{name: partial(trading.acks.page, OWNER, each, PAGE, 0) for name, each in acks.items()},
        "interchanges": partial(trading.interchanges.page, OWNER, interchanges, PAGE, 0),
        "interchanges: quarantine": partial(trading.interchanges.page, OWNER, waiting, PAGE, 0),
        "audit": partial(trading.audit.page, OWNER, AuditFilters(), None, PAGE),
        "events": partial(trading.events.page, OWNER, 0, PAGE, frozenset()),
        "stats: 30 days": partial(trading.overview.stats, OWNER, None, None),
        "stats: 90 days": partial(trading.overview.stats, OWNER, first, None),
        "attention": partial(trading.overview.attention, OWNER),
    }


async def measured(place: Path) -> Mapping[str, float]:
    """Return the least processor time of each list, in milliseconds."""
    with open_database(place) as database:
        ports = replace(trading_ports(database, StoppedClock()), sealer=NoSealer())
        return {
            name: min([await _once(case) for _ in range(ROUNDS)])
            for name, case in cases(open_trading(ports)).items()
        }


async def _once(case: Case) -> float:
    begin = time.process_time()
    await case()
    return (time.process_time() - begin) * 1000


def main() -> None:
    """Print what each list costs on each database."""
    sizes = (0, PAGE, int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)
    times = []
    for size in sizes:
        with tempfile.TemporaryDirectory() as place:
            filled(Path(place), size)
            times.append(asyncio.run(measured(Path(place))))
    sys.stdout.write(f"{'milliseconds with rows':28}" + "".join(f"{size:>12,}" for size in sizes))
    sys.stdout.write("  to the first, to the second\n")
    for name in times[0]:
        empty, page, large = (each[name] for each in times)
        sys.stdout.write(f"{name:28}{empty:12.2f}{page:12.2f}{large:12.2f}")
        sys.stdout.write(f"{large / empty:12.1f} x{large / page:12.1f} x\n")


if __name__ == "__main__":
    main()
