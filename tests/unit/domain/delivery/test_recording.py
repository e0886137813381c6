"""Why an attempt failed: sealed for its row, and opened there alone."""

from dataclasses import replace

import pytest

from longshore.domain.delivery.encryption import AttemptFailure, open_failure, sealed_result
from longshore.domain.delivery.model import AttemptId, AttemptResult, DeliveryAttempt, OutboxId
from longshore.domain.delivery.outcome import AttemptOutcome, FailureKind
from longshore.domain.delivery.ports import answered, failed
from longshore.domain.ports import AccountId, AssociatedData, SealBrokenError
from longshore.kit.environment import Environment
from tests.support.clock import START
from tests.support.vault import a_sealer

OWNER = (AccountId(1), Environment.SANDBOX)
RESULT = AttemptResult(finished_at=START, outcome=AttemptOutcome.FAILED)
FAILURE = AttemptFailure(message="There was no answer in time.", answer="x" * 65_536)


def attempt(result: AttemptResult | None, number: int = 7) -> DeliveryAttempt:
    return DeliveryAttempt(
        id=AttemptId(number),
        account_id=OWNER[0],
        environment=OWNER[1],
        outbox_id=OutboxId(3),
        attempt=1,
        message_id="m",
        started_at=START,
        result=result,
    )


def sealed(failure: AttemptFailure | None = FAILURE) -> AttemptResult:
    return sealed_result(a_sealer(), (OWNER, AttemptId(7)), RESULT, failure)


def test_a_failure_is_opened_as_it_was() -> None:
    assert open_failure(a_sealer(), attempt(sealed())) == FAILURE


def test_a_longer_answer_is_cut() -> None:
    longer = replace(FAILURE, answer=FAILURE.answer + "y")
    assert open_failure(a_sealer(), attempt(sealed(longer))) == FAILURE


def test_what_did_not_fail_has_none() -> None:
    assert sealed(None) == RESULT
    assert open_failure(a_sealer(), attempt(sealed(None))) is None
    assert open_failure(a_sealer(), attempt(None)) is None


def test_a_failure_of_another_attempt_does_not_open() -> None:
    with pytest.raises(SealBrokenError):
        open_failure(a_sealer(), attempt(sealed(), number=8))


@pytest.mark.parametrize("text", [b"no JSON", b"[]", b'{"message": "m"}'])
def test_what_is_no_failure_is_refused(text: bytes) -> None:
    sealer = a_sealer()
    key = sealer.new_key()
    place = AssociatedData(account_id=OWNER[0], environment=OWNER[1], kind="delivery_attempt", id=7)
    result = replace(RESULT, wrapped_key=sealer.wrap(key, place), facts=sealer.seal(key, text))
    with pytest.raises(SealBrokenError):
        open_failure(sealer, attempt(result))


@pytest.mark.parametrize("kind", list(FailureKind))
def test_every_failure_has_its_code_and_a_sentence(kind: FailureKind) -> None:
    sent = failed(kind)
    assert (sent.error_code, sent.message[-1:], sent.http_status) == (kind.value, ".", None)
    assert failed(kind, "Something else.").message == "Something else."


def test_an_answer_of_success_keeps_nothing_of_the_body() -> None:
    assert answered(200, "secret", None).answer == ""
    assert answered(500, "why", None).answer == "why"
