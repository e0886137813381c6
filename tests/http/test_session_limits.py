"""The limits of a session: documents and files at the same time, and requests per minute."""

from contextlib import ExitStack
from dataclasses import replace

import pytest

from longshore.domain.accounts.model import AccountId, AccountType, ApiCaller, ApiKeyId
from longshore.domain.partners.model import InboundTokenId
from longshore.domain.users.model import SessionId, SessionUser, UserId, UserRole
from longshore.http.exchange import Visitor
from longshore.http.limits import MAX_EXPORTS, LimitClass, Limits, LimitValues
from longshore.http.quota import RateLimitedError
from longshore.kit.environment import Environment
from longshore.kit.errors import LongshoreError
from tests.support.clock import START

USER = SessionUser(
    account_id=AccountId(1),
    account_name="demo",
    account_type=AccountType.ENTERPRISE,
    user_id=UserId(1),
    email="ada@example.com",
    role=UserRole.EDITOR,
    session_id=SessionId(7),
    environment=Environment.PRODUCTION,
    logged_in_at=START,
)
KEY = ApiCaller(
    account_id=AccountId(1),
    account_name="demo",
    account_type=AccountType.ENTERPRISE,
    environment=Environment.PRODUCTION,
    key_id=ApiKeyId(7),
    scopes=frozenset(),
)
VISITOR = Visitor(ip="192.0.2.7", served_at=None)
DOCUMENTS, EXPORTS = LimitClass.DOCUMENTS, LimitClass.EXPORTS


@pytest.fixture
def limits() -> Limits:
    return Limits(LimitValues(concurrent_documents=2, bytes_in_flight=1_000, queue_seconds=0))


def test_a_session_has_its_documents_at_a_time_whatever_a_key_of_that_id_does(
    limits: Limits,
) -> None:
    with ExitStack() as stack:
        for caller in (KEY, KEY, USER):
            stack.enter_context(limits.body(caller, DOCUMENTS, 10))
        with limits.body(USER, DOCUMENTS, 10):
            with pytest.raises(RateLimitedError, match="This session may have 2 documents"):
                stack.enter_context(limits.body(USER, DOCUMENTS, 10))
            other = replace(USER, session_id=SessionId(8))
            stack.enter_context(limits.body(other, DOCUMENTS, 10))
        stack.enter_context(limits.body(USER, DOCUMENTS, 10))


def test_a_session_and_an_inbound_address_ask_so_often_and_no_more_each_for_itself() -> None:
    now = [0.0]
    values = LimitValues(session_requests_per_minute=12, inbound_requests_per_minute=6)
    limits = Limits(values, lambda: now[0])
    refusals = []
    for _ in range(2):
        for _ in range(2):
            limits.charge_session(SessionId(7))
        limits.charge_channel(InboundTokenId(7))
        with pytest.raises(RateLimitedError) as refused:
            limits.charge_session(SessionId(7))
        refusals.append((refused.value.message, refused.value.details[0].limit))
        with pytest.raises(RateLimitedError) as refused:
            limits.charge_channel(InboundTokenId(7))
        refusals.append((refused.value.message, refused.value.details[0].limit))
        limits.charge_session(SessionId(8 + int(now[0])))
        now[0] += 10.0
    assert refusals == 2 * [
        ("This session may make 12 requests a minute. Try again in 5 s.", "session"),
        ("This inbound address may make 6 requests a minute. Try again in 10 s.", "inbound"),
    ]


def test_in_the_sandbox_the_documents_of_an_account_are_counted_whoever_sends_them() -> None:
    limits = Limits(LimitValues(sandbox_concurrent_documents=2))
    sandbox = replace(USER, environment=Environment.SANDBOX)
    key = replace(KEY, environment=Environment.SANDBOX)
    with limits.body(sandbox, DOCUMENTS, 10), limits.body(key, DOCUMENTS, 10):
        with pytest.raises(RateLimitedError, match="This account may have 2 documents"):
            limits.body(key, DOCUMENTS, 10).__enter__()
        neighbour = replace(key, account_id=AccountId(2))
        with limits.body(neighbour, DOCUMENTS, 10), limits.body(USER, LimitClass.REQUESTS, 10):
            pass
    assert not limits._documents  # noqa: SLF001 - nothing is left


async def test_bytes_in_flight_of_a_session_are_those_of_its_account(limits: Limits) -> None:
    with (
        limits.body(KEY, LimitClass.REQUESTS, 0) as of_key,
        limits.body(USER, LimitClass.REQUESTS, 0) as of_session,
        limits.body(VISITOR, LimitClass.NONE, 0) as of_visitor,
    ):
        await of_key.grow(500)
        with pytest.raises(LongshoreError) as refused:
            await of_session.grow(1)
        assert refused.value.code == "overloaded"
        await of_visitor.grow(500)


def test_bodies_that_arrive_are_counted_for_each_account_and_each_client() -> None:
    limits = Limits(LimitValues(concurrent_bodies=1))
    with limits.reading(KEY), limits.reading(VISITOR):
        with pytest.raises(RateLimitedError) as refused:
            limits.reading(USER).__enter__()
        detail = refused.value.details[0]
        assert (detail.limit, detail.max) == ("concurrent_bodies", 1)
        assert refused.value.message.startswith("This account may send 1 request bodies")
        with pytest.raises(RateLimitedError, match="This client may send"):
            limits.reading(VISITOR).__enter__()
        with limits.reading(replace(VISITOR, ip="192.0.2.8")):
            pass
    with limits.reading(USER):
        pass


def test_an_account_has_two_files_made_at_a_time_whoever_asks_and_others_are_not_in_the_way(
    limits: Limits,
) -> None:
    sandbox = replace(USER, session_id=SessionId(8), environment=Environment.SANDBOX)
    stranger = replace(USER, account_id=AccountId(2))
    with ExitStack() as in_progress:
        for caller in (USER, sandbox)[:MAX_EXPORTS]:
            in_progress.enter_context(limits.exporting(caller, EXPORTS))
        with pytest.raises(RateLimitedError, match="2 lists made into files") as refused:
            in_progress.enter_context(limits.exporting(USER, EXPORTS))
        for other, limit_class in ((stranger, EXPORTS), (USER, DOCUMENTS), (None, EXPORTS)):
            in_progress.enter_context(limits.exporting(other, limit_class))
    assert (refused.value.retry_after_seconds, refused.value.details[0].limit) == (
        5,
        "concurrent_exports",
    )
    with limits.exporting(USER, EXPORTS), limits.exporting(sandbox, EXPORTS):
        pass
