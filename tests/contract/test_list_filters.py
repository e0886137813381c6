"""Whatever filters are put together, a list shows what a filter in Python leaves of all rows."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import product
from random import Random
from typing import Any, NamedTuple

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.ports import AccountId
from longshore.domain.transactions.lists import SORTS, Position, TransactionFilters
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    NewTransaction,
    ProcessingStatus,
    States,
    TransactionId,
    TransactionStatus,
    ValidationStatus,
)
from longshore.domain.transactions.states import derived_status
from longshore.domain.transactions.store import (
    PageRequest,
    SearchDigests,
    TransactionQuery,
    TransactionRow,
)
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from longshore.storage import transaction_lists
from tests.support.clock import START
from tests.support.database import Database
from tests.support.trading import LIVE, a_partner, a_record, any_key, read, set_facts, write

SECOND = timedelta(seconds=1)
ROWS, MIXES, PAGE, BOUND = 120, 250, 25, 3
NAMES = ("12 Oaks", "7 Seas", "Northwind", "north 1", "Straße")
NUMBERS = ("1", "7", "12", "000000001")
REFERENCES = ("A", "7")
SETS = ("850", "855", "", "850 855")
REFUSED = (DeliveryStatus.NOT_APPLICABLE, AckStatus.NOT_EXPECTED)
OUTBOUND = [
    States(ProcessingStatus.NOT_APPLICABLE, ValidationStatus.INVALID, *REFUSED),
    *(
        States(ProcessingStatus.NOT_APPLICABLE, *axes)
        for axes in product(ValidationStatus, DeliveryStatus, AckStatus)
        if axes[1] is not DeliveryStatus.NOT_APPLICABLE
    ),
]
INBOUND = [
    States(*axes, DeliveryStatus.NOT_APPLICABLE, AckStatus.NOT_EXPECTED)
    for axes in product(ProcessingStatus, ValidationStatus)
    if axes[0] is not ProcessingStatus.NOT_APPLICABLE
]
PUTS_NOTHING_RIGHT = {TransactionStatus.INVALID, TransactionStatus.CANCELLED}


class Row(NamedTuple):
    """A transaction that is stored."""

    id: int
    record: NewTransaction
    references: Sequence[str]
    at: datetime

    @property
    def status(self) -> TransactionStatus:
        return derived_status(self.record.direction, self.record.states)

    @property
    def numbers(self) -> set[str]:
        facts = self.record.facts
        return {facts.isa_control_number, facts.gs_control_number, facts.st_control_number}

    def matches(self, q: str) -> bool:
        partner_id = self.record.partner_id
        name = "" if partner_id is None else NAMES[partner_id - 1].casefold()
        is_named = bool(name) and name.startswith(q.casefold())
        return is_named or q == str(self.id) or q in {*self.numbers, *self.references}


ANY_OF: Mapping[str, Callable[[Row], object]] = {
    "direction": lambda row: row.record.direction,
    "tx_set": lambda row: row.record.facts.tx_set,
    "partner_id": lambda row: row.record.partner_id,
    "status": lambda row: row.status,
    "processing_status": lambda row: row.record.states.processing,
    "validation_status": lambda row: row.record.states.validation,
    "delivery_status": lambda row: row.record.states.delivery,
    "ack_status": lambda row: row.record.states.ack,
}
FITS: Mapping[str, Callable[[Row, Any, Sequence[Row]], bool]] = {
    "control_number": lambda row, wanted, _: wanted in row.numbers,
    "business_key": lambda row, wanted, _: wanted in row.references,
    "q": lambda row, wanted, _: row.matches(wanted),
    "parent_id": lambda row, wanted, _: row.record.parent_id == wanted,
    "is_open": lambda row, wanted, rows: wanted is not is_made_anew(row, rows),
    "is_test": lambda row, wanted, _: wanted is (row.record.environment is Environment.SANDBOX),
    "since": lambda row, wanted, _: row.at >= wanted,
    "before": lambda row, wanted, _: row.at < wanted,
}
ORDERS: Mapping[str, Callable[[Row], tuple[object, int]]] = {
    "created_at": lambda row: (row.at, row.id),
    "updated_at": lambda row: (row.at, row.id),
    "id": lambda row: (0, row.id),
}


def is_made_anew(row: Row, rows: Sequence[Row]) -> bool:
    made = [each.status for each in rows if each.record.parent_id == row.id]
    return not PUTS_NOTHING_RIGHT.issuperset(made)


def fits(row: Row, mix: Mapping[str, Any], rows: Sequence[Row]) -> bool:
    return all(
        ANY_OF[name](row) in wanted if name in ANY_OF else FITS[name](row, wanted, rows)
        for name, wanted in mix.items()
    )


def a_row(number: int, random: Random) -> Row:
    direction = random.choice([*Direction])
    facts = set_facts(
        tx_set=random.choice(SETS),
        isa_control_number=random.choice(NUMBERS),
        gs_control_number=random.choice(NUMBERS),
        st_control_number=random.choice(NUMBERS),
    )
    record = a_record(
        facts,
        environment=random.choice([*Environment]),
        direction=direction,
        states=random.choice(OUTBOUND if direction is Direction.OUTBOUND else INBOUND),
        partner_id=random.choice([None, *map(PartnerId, range(1, len(NAMES) + 1))]),
        parent_id=random.choice([None, TransactionId(random.randrange(1, number))])
        if number > 1
        else None,
    )
    references = random.sample(REFERENCES, random.randrange(len(REFERENCES) + 1))
    return Row(number, record, references, START + random.randrange(12) * SECOND)


@pytest.fixture
async def rows(database: Database, accounts: AccountService) -> Sequence[Row]:
    await accounts.create("own", AccountType.ENTERPRISE)
    for name in NAMES:
        await a_partner(database, name)
    random = Random(1)
    rows = [a_row(number, random) for number in range(1, ROWS + 1)]

    async def fill(unit: WriteUnit) -> None:
        for row in rows:
            stored = TransactionRow(record=row.record, facts=b"")
            number = await unit.transactions.insert(AccountId(1), stored, any_key, row.at)
            owner = (AccountId(1), row.record.environment)
            digests = [each.encode() for each in row.references]
            await unit.transactions.add_references(owner, number, digests)

    await write(database, LIVE, fill)
    return rows


def a_mix(random: Random) -> dict[str, Any]:
    """Return up to five filters."""
    found = {
        **{name: _several(random, values) for name, values in _WORDS.items()},
        "control_number": random.choice(NUMBERS),
        "business_key": random.choice(REFERENCES),
        "q": random.choice([*NUMBERS, *REFERENCES, "n", "NORTH", "STRASSE", "12 o", "zz", "%"]),
        "parent_id": TransactionId(random.randrange(1, ROWS)),
        "is_open": random.random() < 0.5,
        "is_test": random.random() < 0.5,
        "since": START + random.randrange(12) * SECOND,
        "before": START + random.randrange(12) * SECOND,
    }
    # A search is what takes the most different ways.
    names = {*random.sample([*found], random.randrange(5)), random.choice(["q", "is_test"])}
    return {name: found[name] for name in sorted(names)}


_WORDS: Mapping[str, Sequence[object]] = {
    "direction": [*Direction],
    "tx_set": SETS[:2],
    "partner_id": [*map(PartnerId, range(1, 7))],
    "status": [*TransactionStatus],
    "processing_status": [*ProcessingStatus],
    "validation_status": [*ValidationStatus],
    "delivery_status": [*DeliveryStatus],
    "ack_status": [*AckStatus],
}


def _several(random: Random, values: Sequence[object]) -> frozenset[object]:
    return frozenset(random.sample(values, random.randint(1, (len(values) + 1) // 2)))


def a_query(mix: Mapping[str, Any]) -> TransactionQuery:
    filters = TransactionFilters(**mix)
    return TransactionQuery(
        filters=filters,
        business_key=_digests(filters.business_key),
        q=_digests(filters.q),
    )


def _digests(text: str) -> SearchDigests:
    return SearchDigests(test=text.encode(), live=b"nothing") if text else SearchDigests()


async def shown(
    database: Database, query: TransactionQuery, word: str
) -> tuple[list[int], int, int]:
    """Return what the pages of a list show, how many fit, and how many do up to a bound."""

    async def work(unit: ReadUnit) -> tuple[list[int], int, int]:
        ids: list[int] = []
        request = PageRequest(limit=PAGE, sort=SORTS[word])
        while page := [each.transaction for each in await unit.transactions.list(query, request)]:
            ids += [each.id for each in page]
            last = page[-1]
            moment = last.updated_at if "updated" in word else last.created_at
            request = PageRequest(limit=PAGE, sort=SORTS[word], behind=Position(moment, last.id))
        count = unit.transactions.count
        return ids, await count(query), await count(query, BOUND)

    return await read(database, LIVE, work)


async def test_every_mix_of_filters_shows_and_counts_what_fits_each_of_them(
    database: Database, rows: Sequence[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    random, ways = Random(2), (transaction_lists.MAX_CANDIDATES, BOUND)
    for _ in range(MIXES):
        mix, word, most = a_mix(random), random.choice(["-created_at", *SORTS]), random.choice(ways)
        monkeypatch.setattr(transaction_lists, "MAX_CANDIDATES", most)
        expected = sorted(
            (row for row in rows if fits(row, mix, rows)),
            key=ORDERS[word.removeprefix("-")],
            reverse=word.startswith("-"),
        )
        total = len(expected)
        assert await shown(database, a_query(mix), word) == (
            *([row.id for row in expected], total),
            min(total, BOUND),
        ), (mix, word, most)
