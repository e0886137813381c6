"""Whether an interchange was received before. Examples 64 to 66 of x12.md section 5.2."""

from dataclasses import replace
from datetime import timedelta

import pytest

from longshore.domain.inbound.duplicates import (
    Earlier,
    Received,
    Repetition,
    RepetitionCheck,
    check_repetition,
)
from longshore.domain.interchanges.digests import DigestCollector
from longshore.domain.partners.setting_kinds import DuplicateNumber
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.transactions.model import InterchangeId
from longshore.kit.environment import Environment
from longshore.x12.walk import Walk
from tests.unit.domain.trading import DAY, NOW
from tests.unit.x12.documents import a_group, a_set, an_850, interchange, isa

NEW = Received(sha256=b"one", date="240115", time="0930", received_at=NOW)
SETTINGS = PartnerSettings()
LIVE, TEST = Environment.PRODUCTION, Environment.SANDBOX


def before(
    ago: timedelta, sha256: bytes = b"one", *, number: int = 1, date: str = "240115"
) -> Earlier:
    received = replace(NEW, received_at=NOW - ago, sha256=sha256, date=date)
    return Earlier(interchange_id=InterchangeId(number), received=received)


def judged(
    *earlier: Earlier, settings: PartnerSettings = SETTINGS, environment: Environment = LIVE
) -> RepetitionCheck:
    return check_repetition(NEW, earlier, settings, environment)


def test_what_never_came_before_is_new() -> None:
    assert judged() == RepetitionCheck(Repetition.NEW)
    assert judged().is_processed


def test_64_the_same_number_and_content_is_a_duplicate() -> None:
    earlier = before(DAY)
    for environment in (LIVE, TEST):
        found = judged(earlier, environment=environment)
        assert found == RepetitionCheck(Repetition.DUPLICATE, earlier, "025")
        assert not found.is_processed


def test_a_duplicate_is_acknowledged_again_if_the_partner_wants_it() -> None:
    found = judged(before(DAY), settings=PartnerSettings(reack_duplicates=True))
    assert found.is_acknowledged_again
    assert not judged(before(DAY)).is_acknowledged_again


REJECTED, ACCEPTED = Repetition.NUMBER_REJECTED, Repetition.NUMBER_ACCEPTED


@pytest.mark.parametrize(
    ("rule", "environment", "repetition"),
    [
        (None, LIVE, REJECTED),
        (None, TEST, ACCEPTED),
        (DuplicateNumber.REJECT, LIVE, REJECTED),
        (DuplicateNumber.REJECT, TEST, REJECTED),
        (DuplicateNumber.ACCEPT_WARN, LIVE, ACCEPTED),
        (DuplicateNumber.ACCEPT_WARN, TEST, ACCEPTED),
    ],
)
def test_65_the_same_number_with_other_content_follows_the_settings(
    rule: DuplicateNumber | None, environment: Environment, repetition: Repetition
) -> None:
    earlier = before(DAY, b"two")
    settings = PartnerSettings(duplicate_number=rule)
    found = judged(earlier, settings=settings, environment=environment)
    assert (found.repetition, found.earlier) == (repetition, earlier)
    assert found.is_processed is (repetition is ACCEPTED)
    ta1_code, warning = ("025", "") if repetition is REJECTED else ("", "duplicate_number")
    assert (found.ta1_code, found.warning) == (ta1_code, warning)


def test_66_a_number_that_is_older_than_the_window_has_rolled_over() -> None:
    assert judged(before(31 * DAY, date="231215")) == RepetitionCheck(Repetition.NEW)
    assert judged(before(30 * DAY, date="231215")).repetition is Repetition.DUPLICATE
    week = PartnerSettings(dup_window_days=7)
    assert judged(before(8 * DAY, date="240107"), settings=week) == RepetitionCheck(Repetition.NEW)


def test_the_same_number_date_and_time_is_the_same_however_old() -> None:
    assert judged(before(400 * DAY)).repetition is Repetition.DUPLICATE
    assert judged(before(400 * DAY, b"two")).repetition is REJECTED


def test_any_earlier_one_with_the_content_makes_a_duplicate_and_the_latest_a_conflict() -> None:
    same, other = before(3 * DAY, number=1), before(DAY, b"two", number=2)
    assert judged(other, same) == RepetitionCheck(Repetition.DUPLICATE, same, "025")
    older = before(2 * DAY, b"three", number=3)
    assert judged(older, other).earlier == other


# ---- digests -------------------------------------------------------------------------------------


def digests(document: str) -> DigestCollector:
    walk, collector = Walk(lambda: (document,)), DigestCollector()
    for spans in walk.span_lists():
        collector.add(spans)
    return collector


BODY = ("BEG*00*SA*PO-1**20240115", "CTT*1")
PLAIN = digests(an_850(*BODY)).interchanges()


@pytest.mark.parametrize("break_", ["\n", "\r\n", "\n\n", " \r\n"])
def test_line_breaks_around_terminators_make_no_other_content(break_: str) -> None:
    assert digests(an_850(*BODY, break_=break_)).interchanges() == PLAIN


def test_what_stands_around_an_interchange_does_not_count() -> None:
    assert digests(f"\n  {an_850(*BODY)}\n\x1a").interchanges() == PLAIN


@pytest.mark.parametrize(
    "document",
    [
        an_850("BEG*00*SA*PO-2**20240115", "CTT*1"),
        an_850(*BODY, head=isa(e9="240116")),
        an_850(*BODY, segment="'"),
        an_850("BEG*00*SA*PO-1**20240115", "CTT*1\n"),
    ],
    ids=["value", "header", "separator", "break in a value"],
)
def test_anything_else_makes_another_content(document: str) -> None:
    assert digests(document).interchanges() != PLAIN


def test_each_interchange_has_its_own() -> None:
    other = an_850(BODY[0])
    both = digests(an_850(*BODY) + other)
    assert both.interchanges() == (*PLAIN, *digests(other).interchanges())


def test_a_set_is_known_under_other_control_numbers() -> None:
    document = interchange(
        *a_group(*a_set(*BODY), *a_set(*BODY, number="0002"), *a_set(BODY[0]), sets=3),
        "IEA*1*000000101",
    )
    sets = digests(document).sets()
    assert [*sets] == [1, 2, 3]
    assert sets[1] == sets[2] != sets[3]
    assert sets[1] != digests(interchange(*a_group(*a_set(*BODY, set_id="855")))).sets()[1]


def test_a_fragment_has_sets_and_no_interchange() -> None:
    found = digests("ST*850*0001~BEG*00*SA*PO-1**20240115~CTT*1~SE*4*0001~")
    assert found.interchanges() == ()
    assert found.sets() == digests(an_850(*BODY)).sets()
