"""When the circuit breaker of a destination opens. Its life is in tests/contract."""

from datetime import timedelta

from longshore.domain.delivery.circuit_breaker import should_open
from longshore.domain.delivery.model import RecentAttempt
from longshore.domain.delivery.outcome import AttemptOutcome
from tests.unit.domain.trading import NOW

SECOND = timedelta(seconds=1)
OK, FAILED = AttemptOutcome.SUCCEEDED, AttemptOutcome.FAILED


def attempts(*answers: int | str, pause: timedelta = SECOND) -> list[RecentAttempt]:
    """Return attempts, the newest first, by their status or the code of what went wrong."""
    return [
        RecentAttempt(
            NOW - number * pause,
            OK if answer == 200 else FAILED,
            answer if isinstance(answer, int) else None,
            None if answer == 200 else str(answer),
        )
        for number, answer in enumerate(answers)
    ]


def is_open(*answers: int | str, pause: timedelta = SECOND) -> bool:
    return should_open(attempts(*answers, pause=pause), NOW)


def test_five_failures_of_the_destination_in_a_row_open_it() -> None:
    assert is_open(503, "timed_out", 401, "connection_refused", 429)
    assert is_open(*[503] * 5, pause=150 * SECOND)
    assert not is_open(*[503] * 5, pause=151 * SECOND)
    assert not is_open(*[503] * 4, 200, 503)
    assert not is_open(*[503] * 4)


def test_what_may_be_the_fault_of_the_document_is_none_of_these() -> None:
    assert not is_open(*[500] * 9)
    assert not is_open(*[422] * 50)


def test_half_of_ten_attempts_within_a_minute_open_it() -> None:
    assert is_open(*[500, 200] * 5)
    assert not is_open(*[500, 200] * 4, 500)
    assert not is_open(*[500, 200] * 4, 200, 200)
    assert is_open(*[500] * 10, pause=6 * SECOND)
    assert not is_open(*[500] * 10, pause=7 * SECOND)
    assert not is_open(*[422, 200] * 25)
