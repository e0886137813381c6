"""Examples 42 to 51 of x12.md section 5.2: what a partner is told of the sets it pushed.

From the bytes at its address to the acknowledgement it is sent. Nothing here depends on the
database, so one engine does. ``tests/docs/test_examples.py`` compares the numbers with the page.
"""

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.x12.acks.profile import AckType
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.exchange import BEG, LINE, ORDER, Exchange, an_exchange, letter
from tests.support.processing import case_text, segments, summary, terms
from tests.unit.x12.documents import a_set

pytestmark = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)


@pytest.fixture
async def exchange(accounts: AccountService, database: Database, clock: StoppedClock) -> Exchange:
    await accounts.create("own", AccountType.ENTERPRISE)
    return await an_exchange(database, clock, terms(ack_type=AckType.A997))


async def said_of(exchange: Exchange, *body: str) -> list[str]:
    """Push an 850 with this body; return what the 997 notes of its one set, which is rejected."""
    await exchange.push(letter("PO", a_set(*body)))
    (answer,) = exchange.delivered
    assert summary(await exchange.records()) == [("850", "done", "invalid", "rejected")]
    head = ["AK1*PO*101", "AK2*850*0001"]
    told = segments(answer, "AK1", "AK2", "AK3", "AK4", "AK5", "AK9")
    assert (told[:2], told[-2:]) == (head, ["AK5*R*5", "AK9*R*1*1*0"])
    return told[2:-2]


async def test_42_a_bad_set_in_a_sound_envelope_has_a_ta1_that_accepts_and_a_997_that_rejects(
    exchange: Exchange,
) -> None:
    await exchange.push(letter("PO", a_set(LINE), head={"e14": "1"}))
    (answer,) = exchange.delivered
    assert segments(answer, "TA1", "AK3", "AK5", "AK9") == [
        "TA1*000000101*240115*0930*A*000",
        *("AK3*BEG*2**3", "AK5*R*5", "AK9*R*1*1*0"),
    ]
    forms = [(each.row.facts.ack_type.value, each.row.result) for each in await exchange.acks()]
    assert forms == [("TA1", "accepted"), ("997", "rejected")]


async def test_43_a_unit_without_a_quantity(exchange: Exchange) -> None:
    told = await said_of(exchange, BEG, "PO1*1**EA*9.25")
    assert told == ["AK3*PO1*3**8", "AK4*2*330*2"]


async def test_44_a_date_that_is_none(exchange: Exchange) -> None:
    told = await said_of(exchange, BEG, "DTM*002*20240230", LINE)
    assert told == ["AK3*DTM*3**8", "AK4*2*373*8*20240230"]


async def test_45_a_letter_in_a_number_is_not_repeated(exchange: Exchange) -> None:
    told = await said_of(exchange, BEG, "PO1*1*1x0*EA")
    assert told == ["AK3*PO1*3**8", "AK4*2*330*6"]


async def test_46_the_second_of_a_pair_is_missing(exchange: Exchange) -> None:
    told = await said_of(exchange, BEG, "N1*ST*X*92", LINE)
    assert told == ["AK3*N1*3**8", "AK4*4*67*2"]


async def test_47_a_mandatory_segment_is_missing(exchange: Exchange) -> None:
    assert await said_of(exchange, LINE) == ["AK3*BEG*2**3"]


@pytest.mark.parametrize(
    ("segment", "note"), [("QQQ*1", "AK3*QQQ*3**1"), ("CLM*1", "AK3*CLM*3**6")]
)
async def test_48_a_segment_unknown_or_of_other_sets(
    exchange: Exchange, segment: str, note: str
) -> None:
    assert await said_of(exchange, BEG, segment, LINE) == [note]


@pytest.mark.parametrize(
    ("body", "note"),
    [
        ((BEG, BEG, LINE), "AK3*BEG*3**5"),
        ((BEG, "DTM*002*20240201", "CUR*BY*USD", LINE), "AK3*CUR*4**7"),
    ],
    ids=["second BEG", "CUR after DTM"],
)
async def test_49_a_segment_once_too_often_or_too_late(
    exchange: Exchange, body: tuple[str, ...], note: str
) -> None:
    assert await said_of(exchange, *body) == [note]


@pytest.mark.parametrize(("version", "code"), [("005010", "18"), ("004010", "6")])
async def test_50_an_850_among_invoices(exchange: Exchange, version: str, code: str) -> None:
    await exchange.push(letter("IN", ORDER, version=version))
    (answer,) = exchange.delivered
    (head, *told) = segments(answer, "AK1", "AK2", "AK5", "AK9")
    assert head == {"005010": "AK1*IN*101*005010", "004010": "AK1*IN*101"}[version]
    assert told == ["AK2*850*0001", f"AK5*R*{code}", "AK9*R*1*1*0"]


@pytest.mark.parametrize(("version", "note"), [("005010", "AK4*5:4**13"), ("004010", "AK4*5:4**3")])
async def test_51_a_component_more_than_are_defined(
    exchange: Exchange, version: str, note: str
) -> None:
    """CLM05 has three; the element 1 of the page is made up, and in the unit test of its number."""
    components, group = ("11:B:1*", "11:B:1:X*"), ("*X*005010X222A1", f"*X*{version}")
    await exchange.push(case_text(21, components, group, ("0001*005010X222A1", "0001")))
    (answer,) = exchange.delivered
    noted = segments(answer, "AK3", "AK4")
    at = noted.index("AK3*CLM*12**8")
    assert noted[at : at + 2] == ["AK3*CLM*12**8", note]
    assert segments(answer, "AK5", "AK9") == ["AK5*R*5", "AK9*R*1*1*0"]
