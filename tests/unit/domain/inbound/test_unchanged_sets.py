"""Which records stay as they are when an interchange is processed again."""

import pytest

from longshore.domain.inbound.dispositions import ProcessingNotice, SetDisposition
from longshore.domain.inbound.set_dispositions import EarlierSet, unchanged_sets
from longshore.domain.partners.model import PartnerId
from longshore.domain.transactions.model import LastError, ProcessingStatus
from tests.support.clock import StoppedClock

REFUSED, LENGTH = (
    ProcessingNotice("set_rejected", "Its count is wrong."),
    ProcessingNotice("too_long", "It is long."),
)


def before(code: str, message: str = "", *, has_output: bool = False) -> EarlierSet:
    error = LastError(code=code, message=message, at=StoppedClock().now()) if code else None
    return EarlierSet(error, has_output)


def disposition(index: int, error: ProcessingNotice | None = None) -> SetDisposition:
    return SetDisposition(
        index=index,
        group=0,
        partner_id=PartnerId(1),
        processing=ProcessingStatus.DONE,
        error=error,
    )


@pytest.mark.parametrize(
    ("earlier", "now", "stands"),
    [
        (before(""), None, True),
        (before(""), LENGTH, True),
        (before(*LENGTH[:2], has_output=True), None, True),
        (before(*REFUSED[:2]), REFUSED, True),
        (before(*REFUSED[:2]), None, False),
        (before(*REFUSED[:2]), LENGTH, False),
        (before("mapping_failed", "The map could not be run: no such map."), None, False),
        (before("partner_inactive", "The partner is not active."), None, False),
    ],
)
def test_with_a_set_that_was_suspended(
    earlier: EarlierSet, now: ProcessingNotice | None, *, stands: bool
) -> None:
    sets, said = (disposition(1), disposition(2, now)), (before("suspended"), earlier)
    assert unchanged_sets(sets, said) == (frozenset({2}) if stands else frozenset())
    assert unchanged_sets(sets[1:], said[1:]) == frozenset()
