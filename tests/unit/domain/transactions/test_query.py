"""What a list of transactions is asked for, and where its next page begins."""

import string
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.domain.accounts.model import AccountId
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.ports import Scope
from longshore.domain.transactions.errors import InvalidQueryError, TransactionNotFoundError
from longshore.domain.transactions.lists import (
    DEFAULT_SORT,
    SORTS,
    CursorContext,
    Position,
    SortField,
    TransactionFilters,
    cursor_after,
    read_cursor,
    read_filters,
    read_sort,
)
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    ProcessingStatus,
    TransactionId,
    TransactionStatus,
    ValidationStatus,
)
from longshore.kit.environment import Environment
from tests.unit.domain.trading import DAY, NOW

SANDBOX = Scope(account_id=AccountId(1), environment=Environment.SANDBOX)
CONTEXT = CursorContext(
    key=bytes(32), scope=SANDBOX, filters=TransactionFilters(), sort=DEFAULT_SORT
)
POSITION = Position(NOW + timedelta(microseconds=1), TransactionId(10042))


def params(**given: str) -> list[str | None]:
    with pytest.raises(InvalidQueryError) as refused:
        read_filters(given)
    return [each.param for each in refused.value.details]


def test_every_filter_is_read() -> None:
    filters = read_filters(
        {
            "direction": "inbound,outbound",
            "tx_set": "850,855",
            "partner_id": "7,8",
            "status": "queued",
            "processing_status": "done",
            "validation_status": "valid",
            "delivery_status": "failed",
            "ack_status": "overdue",
            "control_number": "000000123",
            "business_key": "PO-1",
            "q": "North",
            "test": "true",
        },
        NOW,
        NOW + DAY,
    )
    assert filters == TransactionFilters(
        direction=frozenset(Direction),
        tx_set=frozenset({"850", "855"}),
        partner_id=frozenset({PartnerId(7), PartnerId(8)}),
        status=frozenset({TransactionStatus.QUEUED}),
        processing_status=frozenset({ProcessingStatus.DONE}),
        validation_status=frozenset({ValidationStatus.VALID}),
        delivery_status=frozenset({DeliveryStatus.FAILED}),
        ack_status=frozenset({AckStatus.OVERDUE}),
        control_number="000000123",
        business_key="PO-1",
        q="North",
        is_test=True,
        since=NOW,
        before=NOW + DAY,
    )


def test_nothing_and_empty_texts_ask_for_everything() -> None:
    assert read_filters({}) == TransactionFilters()
    assert read_filters({"direction": "", "tx_set": "", "test": "", "q": ""}) == read_filters({})
    assert read_filters({"test": "false"}).is_test is False


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("direction", "sideways"),
        ("direction", "inbound,"),
        ("status", "queued,lost"),
        ("ack_status", "Accepted"),
        ("tx_set", "85 0"),
        ("tx_set", ",".join(map(str, range(51)))),
        ("partner_id", "0"),
        ("partner_id", "\u0667"),
        ("partner_id", str(2**63)),
        ("test", "yes"),
        ("q", "a\nb"),
        ("business_key", "x" * 201),
    ],
)
def test_a_filter_that_means_nothing_is_refused(name: str, text: str) -> None:
    assert params(**{name: text}) == [name]


def test_all_bad_filters_are_told_with_what_is_allowed() -> None:
    with pytest.raises(InvalidQueryError) as refused:
        read_filters({"direction": "up", "test": "1"})
    first, second = refused.value.details
    assert first.message == (
        'Parameter "direction" must be one of, or several by comma: inbound, outbound.'
    )
    assert (first.allowed, second.allowed) == (("inbound", "outbound"), ("true", "false"))


def test_a_list_is_sorted_in_six_ways() -> None:
    words = ["-created_at", "created_at", "-id", "id", "-updated_at", "updated_at"]
    assert sorted(SORTS) == sorted(words)
    assert read_sort("") == DEFAULT_SORT == read_sort("-created_at")
    assert (read_sort("id").field, read_sort("id").is_descending) == (SortField.ID, False)
    with pytest.raises(InvalidQueryError) as refused:
        read_sort("-name")
    assert refused.value.details[0].param == "sort"


def test_a_cursor_leads_back_to_its_place() -> None:
    text = cursor_after(POSITION, CONTEXT)
    assert read_cursor(text, CONTEXT) == POSITION
    assert set(text) <= {*string.ascii_letters, *string.digits, "-", "_"}


MOMENTS = st.integers(0, 250_000_000_000_000_000).map(lambda micros: timedelta(microseconds=micros))


@given(
    after=MOMENTS,
    number=st.integers(1, 2**63 - 1),
)
def test_any_place_comes_back(after: timedelta, number: int) -> None:
    position = Position(datetime(1970, 1, 1, tzinfo=UTC) + after, TransactionId(number))
    assert read_cursor(cursor_after(position, CONTEXT), CONTEXT) == position


OTHERS = {
    "key": replace(CONTEXT, key=b"k" * 32),
    "account": replace(CONTEXT, scope=replace(SANDBOX, account_id=AccountId(2))),
    "environment": replace(CONTEXT, scope=replace(SANDBOX, environment=Environment.PRODUCTION)),
    "order": replace(CONTEXT, sort=read_sort("id")),
    "text filter": replace(CONTEXT, filters=TransactionFilters(q="x")),
    "word filter": replace(CONTEXT, filters=read_filters({"direction": "inbound"})),
    "time filter": replace(CONTEXT, filters=TransactionFilters(since=NOW)),
}


@pytest.mark.parametrize("context", OTHERS.values(), ids=[*OTHERS])
def test_a_cursor_of_another_list_is_refused(context: CursorContext) -> None:
    with pytest.raises(InvalidQueryError):
        read_cursor(cursor_after(POSITION, context), CONTEXT)


@pytest.mark.parametrize("at", range(43))
def test_a_cursor_with_one_other_character_is_refused(at: int) -> None:
    text = cursor_after(POSITION, CONTEXT)
    for other in "AB_":
        if text[at] != other:
            with pytest.raises(InvalidQueryError):
                read_cursor(text[:at] + other + text[at + 1 :], CONTEXT)


@given(st.text(max_size=60))
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidQueryError) as refused:
        read_cursor(text, CONTEXT)
    assert refused.value.details[0].param == "cursor"


def test_a_missing_one_and_a_foreign_one_have_one_text() -> None:
    assert TransactionNotFoundError().code == "not_found"
