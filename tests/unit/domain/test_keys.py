"""The text of API keys."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.domain.accounts.keys import digest, looks_genuine, new_key
from longshore.kit.environment import Environment
from tests.support.clock import CountedIds

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class FixedIds:
    """The same byte for ever."""

    def __init__(self, byte: bytes) -> None:
        self._byte = byte

    def token_bytes(self, count: int) -> bytes:
        return self._byte * count


@pytest.mark.parametrize(
    ("environment", "prefix"),
    [(Environment.SANDBOX, "svc_test_"), (Environment.PRODUCTION, "svc_live_")],
)
def test_a_key_is_a_prefix_30_characters_and_6_of_checksum(
    environment: Environment, prefix: str
) -> None:
    key = new_key(environment, CountedIds())
    assert key.startswith(prefix)
    assert len(key) == 9 + 30 + 6
    assert set(key[9:]) <= set(ALPHABET)
    assert looks_genuine(key)


def test_a_key_of_nothing_but_zeros_keeps_its_width() -> None:
    key = new_key(Environment.SANDBOX, FixedIds(b"\0"))
    assert key[:39] == "svc_test_" + "0" * 30
    assert len(key) == 45


def test_two_draws_give_two_keys() -> None:
    ids = CountedIds()
    assert new_key(Environment.SANDBOX, ids) != new_key(Environment.SANDBOX, ids)


def test_what_is_stored_is_the_sha_256_of_the_whole_key() -> None:
    key = new_key(Environment.SANDBOX, CountedIds())
    assert digest(key) == sha256(key.encode("ascii")).digest()


@given(place=st.integers(9, 44), character=st.sampled_from(ALPHABET))
def test_one_changed_character_is_noticed(place: int, character: str) -> None:
    key = new_key(Environment.SANDBOX, CountedIds())
    changed = key[:place] + character + key[place + 1 :]
    assert looks_genuine(changed) is (changed == key)


@given(st.text(max_size=60))
def test_no_text_breaks_the_check(text: str) -> None:
    assert not looks_genuine(text)
    assert not looks_genuine("svc_test_" + text)


def test_a_key_of_the_other_environment_is_another_key() -> None:
    key = new_key(Environment.SANDBOX, CountedIds())
    assert not looks_genuine(key.replace("test", "live"))


@pytest.mark.parametrize("broken", ["{key}\n", " {key}", "{key} ", "\0{key}", "{upper}"])
def test_nothing_may_stand_around_a_key(broken: str) -> None:
    key = new_key(Environment.SANDBOX, CountedIds())
    assert not looks_genuine(broken.format(key=key, upper=key.upper()))


def test_digits_of_other_scripts_are_no_digits() -> None:
    key = new_key(Environment.SANDBOX, FixedIds(b"\0"))
    assert not looks_genuine(key.replace("0", "\N{ARABIC-INDIC DIGIT ZERO}"))
