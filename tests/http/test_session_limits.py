"""What a session may use of the process: documents and files at a time; there is no quota."""

from contextlib import ExitStack
from dataclasses import replace

import pytest

from longshore.domain.accounts.model import AccountId, AccountType, ApiCaller, ApiKeyId
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


async def test_a_session_has_its_documents_at_a_time_whatever_a_key_of_that_id_does(
    limits: Limits,
) -> None:
    for caller in (KEY, KEY, USER, USER):
        await limits.begin_body(caller, DOCUMENTS, 10)
    with pytest.raises(RateLimitedError, match="This session may have 2 documents"):
        await limits.begin_body(USER, DOCUMENTS, 10)
    await limits.begin_body(replace(USER, session_id=SessionId(8)), DOCUMENTS, 10)
    limits.end_body(USER, DOCUMENTS, 10)
    await limits.begin_body(USER, DOCUMENTS, 10)


async def test_in_the_sandbox_and_for_other_requests_a_session_is_not_counted(
    limits: Limits,
) -> None:
    sandbox = replace(USER, environment=Environment.SANDBOX)
    for _ in range(9):
        await limits.begin_body(sandbox, DOCUMENTS, 10)
        await limits.begin_body(USER, LimitClass.REQUESTS, 10)


async def test_bytes_in_flight_of_a_session_are_those_of_its_account(limits: Limits) -> None:
    await limits.begin_body(KEY, LimitClass.REQUESTS, 500)
    with pytest.raises(LongshoreError) as refused:
        await limits.begin_body(USER, LimitClass.REQUESTS, 1)
    assert refused.value.code == "overloaded"
    await limits.begin_body(VISITOR, LimitClass.NONE, 500)  # they count as one account more


async def test_those_about_to_log_in_share_one_room(limits: Limits) -> None:
    await limits.begin_body(VISITOR, LimitClass.NONE, 500)
    with pytest.raises(LongshoreError):
        await limits.begin_body(replace(VISITOR, ip="192.0.2.8"), LimitClass.NONE, 1)
    limits.end_body(VISITOR, LimitClass.NONE, 500)
    await limits.begin_body(VISITOR, LimitClass.NONE, 1)


def test_an_account_has_two_files_made_at_a_time_whoever_asks_and_others_are_not_in_the_way(
    limits: Limits,
) -> None:
    sandbox = replace(USER, session_id=SessionId(8), environment=Environment.SANDBOX)
    stranger = replace(USER, account_id=AccountId(2))
    with ExitStack() as under_way:
        for caller in (USER, sandbox)[:MAX_EXPORTS]:
            under_way.enter_context(limits.exporting(caller, EXPORTS))
        with pytest.raises(RateLimitedError, match="2 lists made into files") as refused:
            under_way.enter_context(limits.exporting(USER, EXPORTS))
        for other, limit_class in ((stranger, EXPORTS), (USER, DOCUMENTS), (None, EXPORTS)):
            under_way.enter_context(limits.exporting(other, limit_class))
    assert (refused.value.retry_after_seconds, refused.value.details[0].limit) == (
        5,
        "concurrent_exports",
    )
    with limits.exporting(USER, EXPORTS), limits.exporting(sandbox, EXPORTS):
        pass
