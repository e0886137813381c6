"""The control numbers of an interchange we write."""

import pytest

from longshore.domain.control_numbers.numbers import (
    CounterKey,
    NumberKind,
    NumberRange,
    group_counter,
    isa_counter,
)
from longshore.domain.outbound.control_numbers import (
    Drawn,
    counted_sets,
    envelope_numbers,
    number_range,
    preview_numbers,
)
from longshore.domain.outbound.envelope import EnvelopeNumbers, OutboundGroup, PlannedSet
from longshore.domain.partners.setting_kinds import SetNumbering
from longshore.domain.partners.settings import PartnerSettings
from tests.unit.domain.trading import NOW, THEM, US

PER_GROUP = PartnerSettings(gs06_pad=True)
CONTINUOUS = PartnerSettings(st02=SetNumbering.CONTINUOUS)
SET = PlannedSet("850", "", ())
GROUPS = tuple(
    OutboundGroup(functional_id="PO", version="004010", agency="X", sets=(SET,) * count)
    for count in (2, 1)
)
DRAWN = Drawn(interchange=123, groups=(55, 56), first_set=41)


def test_sets_are_numbered_anew_in_each_group() -> None:
    assert envelope_numbers(GROUPS, DRAWN, PER_GROUP, NOW) == EnvelopeNumbers(
        interchange="000000123",
        groups=("000000055", "000000056"),
        sets=(("0001", "0002"), ("0001",)),
        date="20260115",
        time="1405",
    )
    assert counted_sets(GROUPS, PER_GROUP) == 0


def test_sets_are_counted_on_if_the_partner_wants_it() -> None:
    numbers = envelope_numbers(GROUPS, DRAWN, CONTINUOUS, NOW)
    assert numbers.sets == (("0041", "0042"), ("0043",))
    assert numbers.groups == ("55", "56")
    assert counted_sets(GROUPS, CONTINUOUS) == 3


@pytest.mark.parametrize(
    ("first", "sets"),
    [
        (1, (("0001", "0002"), ("0003",))),
        (999_999_999, (("999999999", "0001"), ("0002",))),
    ],
)
def test_the_last_number_of_a_set_is_followed_by_the_first(
    first: int, sets: tuple[tuple[str, ...], ...]
) -> None:
    drawn = Drawn(interchange=1, groups=(1, 2), first_set=first)
    assert envelope_numbers(GROUPS, drawn, CONTINUOUS, NOW).sets == sets


def test_a_preview_has_the_first_number_of_everything() -> None:
    numbers = preview_numbers(GROUPS, CONTINUOUS, NOW)
    assert (numbers.interchange, numbers.groups) == ("000000001", ("1", "2"))
    assert numbers.sets == (("0001", "0002"), ("0003",))


def test_a_partner_has_its_own_range() -> None:
    settings = PartnerSettings(control_min=5, control_max=9)
    assert number_range(settings) == NumberRange(least=5, most=9)


def test_counters_are_kept_by_pair_and_kind() -> None:
    assert isa_counter(US, THEM) == CounterKey(NumberKind.ISA, "ZZ", "ACMECORP", "01", "123456789")
    assert group_counter(US, THEM) == CounterKey(NumberKind.GS, "", "ACMECORP", "", "NWRETAIL")
    assert group_counter(US, THEM, NumberKind.ST).kind is NumberKind.ST
