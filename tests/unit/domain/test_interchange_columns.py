"""What documents say, as plain columns take it."""

import pytest

from longshore.domain.interchanges.store import plain, plain_pair
from longshore.domain.partners.model import Address, Pair


@pytest.mark.parametrize(
    ("_case", "text", "shown"),
    [
        ("as it is", "ACMECORP", "ACMECORP"),
        ("padded", " ACMECORP  ", "ACMECORP"),
        ("too long", "A" * 36, "A" * 35),
        ("not to be seen", "AC\x00ME\x85", "AC?ME"),
        ("NUL at its end", "ACME\x00", "ACME?"),
        ("another script", "Ñandú", "Ñandú"),
        ("right to left mark", "AC\u200fME", "AC?ME"),
    ],
)
def test_what_is_not_to_be_seen_is_replaced_and_what_is_long_is_cut(
    _case: str, text: str, shown: str
) -> None:
    assert plain(text) == shown


def test_both_addresses_of_a_pair_are_plain() -> None:
    pair = Pair(Address("Z\x00", "US "), Address("01", "TH\x01EM"))
    assert plain_pair(pair) == Pair(Address("Z?", "US"), Address("01", "TH?EM"))
