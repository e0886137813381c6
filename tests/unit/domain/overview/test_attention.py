"""What needs attention, in words, with the page that lists it."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from longshore.domain.control_numbers.numbers import NumberKind
from longshore.domain.overview.attention import MAX_ITEMS, Findings, items_of, recently
from longshore.domain.overview.model import AttentionItem, AttentionKind
from longshore.domain.overview.store import Group, StoredCounter
from longshore.domain.partners.model import PartnerId

RECENT = datetime(2025, 12, 16, tzinfo=UTC)
AT = datetime(2026, 1, 15, 14, 5, 9, tzinfo=UTC)
TIMES = "\N{MULTIPLICATION SIGN}"


def a_group(name: str = "", count: int = 9, minutes: int = 0, **members: object) -> Group:
    given = {"partner_id": PartnerId(7), "partner_name": "Northwind Retail", **members}
    since = AT + timedelta(minutes=minutes)
    return Group(name=name, count=count, since=since, **given)  # type: ignore[arg-type]  # each as its field


def only(**found: tuple[Group, ...]) -> AttentionItem:
    (item,) = items_of(Findings(recent=RECENT, **found))  # type: ignore[arg-type]  # by its name
    return item


@pytest.mark.parametrize(
    ("kind", "group", "title", "href"),
    [
        (
            "rejected",
            a_group(" 7@PO1.06 "),
            f"9 {TIMES} Invalid code value at PO1.06, Northwind Retail",
            (
                "/app/acks?tab=received&result=rejected&partner_id=7&error=7%40PO1.06"
                "&date_from=2025-12-16&open=true"
            ),
        ),
        (
            "rejected",
            a_group("", partner_id=None, partner_name=""),
            f"9 {TIMES} No reason given",
            "/app/acks?tab=received&result=rejected&error=none&date_from=2025-12-16&open=true",
        ),
        (
            "undelivered",
            a_group(),
            f"9 {TIMES} delivery failed, Northwind Retail",
            "/app/transactions?delivery_status=failed&partner_id=7&open=true",
        ),
        (
            "failing",
            a_group("failing"),
            "Delivery to Northwind Retail is failing; 9 waiting",
            "/app/partners/7",
        ),
        (
            "failing",
            a_group("disabled", 0),
            "Delivery to Northwind Retail is switched off",
            "/app/partners/7",
        ),
        (
            "quarantined",
            a_group("unknown_sender", partner_id=None, partner_name=""),
            f"9 {TIMES} interchange in quarantine: unknown sender",
            "/app/interchanges?status=quarantined",
        ),
        (
            "overdue",
            a_group("850", partner_id=None, partner_name=""),
            f"9 {TIMES} acknowledgement overdue, 850",
            "/app/acks?tab=pending&overdue=true&tx_set=850",
        ),
        (
            "invalid",
            a_group("810"),
            f"9 {TIMES} invalid 810 received, Northwind Retail",
            (
                "/app/transactions?direction=inbound&status=invalid&partner_id=7&tx_set=810"
                "&date_from=2025-12-16&open=true"
            ),
        ),
    ],
)
def test_each_kind_says_what_it_is_and_where(
    kind: str, group: Group, title: str, href: str
) -> None:
    item = only(**{kind: (group,)})
    assert (item.title, item.href, item.count, item.since) == (title, href, group.count, AT)


def test_a_complaint_that_sets_of_one_partner_share_is_one_item() -> None:
    groups = (a_group(" 3@PO1 7@PO1.06 ", 2, 5), a_group(" 7@PO1.06 ", 3))
    items = items_of(Findings(recent=RECENT, rejected=groups))
    assert [(each.count, each.since) for each in items] == [(2, AT + timedelta(minutes=5)), (5, AT)]


def test_of_what_is_too_much_the_newest_is_told_and_that_there_is_more() -> None:
    rejected = tuple(
        a_group(" ".join(f"7@PO1.{place:02}" for place in range(50)), 1, n, partner_id=PartnerId(n))
        for n in range(100)
    )
    counter = StoredCounter(
        kind=NumberKind.ISA,
        last=100,
        partner_id=PartnerId(7),
        partner_name="Northwind Retail",
        settings='{"control_max": 100}',
    )
    items = items_of(Findings(recent=RECENT, rejected=rejected, counters=(counter,) * 100))
    assert len(items) == MAX_ITEMS + 1
    assert {(each.kind, each.since) for each in items[:50]} == {
        (AttentionKind.REJECTED, AT + timedelta(minutes=99))
    }
    assert items[50].since == AT + timedelta(minutes=98)


def test_all_quarantined_are_one_item_that_names_the_reasons() -> None:
    groups = (a_group("", 1, -5), a_group("env_contradiction", 2), a_group("024", 1))
    item = only(quarantined=groups)
    told = "env contradiction, no reason, content invalid, such as a GS segment"
    expected = f"4 {TIMES} interchange in quarantine: {told}"
    assert (item.title, item.since) == (expected, AT - timedelta(minutes=5))


@pytest.mark.parametrize(
    ("settings", "last", "titles"),
    [
        ({"control_max": 100}, 91, ["9 control numbers of interchanges left, Northwind Retail"]),
        ({"control_max": 100}, 90, []),
        ({}, 91, []),
    ],
)
def test_control_numbers_are_told_of_below_a_tenth_of_the_range(
    settings: dict[str, int], last: int, titles: list[str]
) -> None:
    counter = StoredCounter(
        kind=NumberKind.ISA,
        last=last,
        partner_id=PartnerId(7),
        partner_name="Northwind Retail",
        settings=json.dumps(settings),
    )
    items = items_of(Findings(recent=RECENT, counters=(counter,)))
    assert [each.title for each in items] == titles
    assert all(each.since is None and each.href == "/app/partners/7" for each in items)


def test_the_most_severe_comes_first_then_what_began_last() -> None:
    found = Findings(
        recent=RECENT,
        overdue=(a_group("850", minutes=60),),
        undelivered=(a_group(),),
        quarantined=(a_group("unknown_sender", minutes=30),),
    )
    assert [each.kind for each in items_of(found)] == [
        AttentionKind.QUARANTINED,
        AttentionKind.DELIVERY_FAILED,
        AttentionKind.ACK_OVERDUE,
    ]


def test_recent_is_since_midnight_thirty_days_ago() -> None:
    assert recently(AT) == RECENT
