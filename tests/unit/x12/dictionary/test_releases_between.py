"""Releases that have the form of a published one, and lie between those that exist."""

import pytest

from longshore.x12.dictionary.library import shipped


@pytest.mark.parametrize("release", ["003053", "003073", "004001"])
@pytest.mark.parametrize("tx_set", ["210", "270", "404", "812", "880"])
def test_a_release_between_two_is_validated_by_the_nearest(tx_set: str, release: str) -> None:
    found = shipped().resolve(tx_set, f"{release}0")
    assert (found.exactness, found.release) == ("nearest", release)
    assert found.definition is not None
