"""Roles, secrets, and which passwords and addresses are taken."""

import pytest

from longshore.crypto.passwords import ESTIMATED_CHARS, GUESSES, Argon2Hasher
from longshore.domain.users.errors import InvalidUserParameterError
from longshore.domain.users.model import IssuedLink, UserRole
from longshore.domain.users.passwords import (
    check_email,
    check_password,
    csrf_token,
    digest,
    fold,
    hash_new_password,
    looks_genuine,
    new_secret,
    same_text,
)
from tests.support.clock import START, CountedIds
from tests.support.users import CHEAP

VIEWER, EDITOR, OWNER = UserRole.VIEWER, UserRole.EDITOR, UserRole.OWNER


def test_each_role_includes_those_below_it() -> None:
    assert [(one, two) for one in UserRole for two in UserRole if one.includes(two)] == [
        (OWNER, OWNER), (OWNER, EDITOR), (OWNER, VIEWER),
        (EDITOR, EDITOR), (EDITOR, VIEWER), (VIEWER, VIEWER),
    ]  # fmt: skip


def test_a_secret_is_256_bits_in_43_characters() -> None:
    ids = CountedIds()
    secret, other = new_secret(ids), new_secret(ids)
    assert (len(secret), looks_genuine(secret)) == (43, True)
    assert len({secret, other, csrf_token(secret), csrf_token(other)}) == 4
    assert csrf_token(secret) == csrf_token(secret)
    assert len(digest(secret)) == 32


@pytest.mark.parametrize(
    "text", ["", "A" * 42, "A" * 44, "A" * 42 + "=", "A" * 43 + "\n", "é" * 43]
)
def test_other_texts_are_no_secret(text: str) -> None:
    assert not looks_genuine(text)


def test_texts_are_the_same_or_not_whatever_they_hold() -> None:
    assert same_text("é", "é")
    assert not same_text("", "a")


def test_a_secret_stays_out_of_repr() -> None:
    assert "token" not in repr(IssuedLink(token="token", account_id=1, expires_at=START))  # type: ignore[arg-type]


@pytest.mark.parametrize("password", ["x" * 12, " " * 12, "é" * 512, "x" * 1_024])
def test_a_password_of_any_characters_is_taken(password: str) -> None:
    check_password(password)


@pytest.mark.parametrize(
    ("password", "words"),
    [
        ("", "at least 12 characters"),
        ("x" * 11, "at least 12 characters"),
        ("é" * 11, "at least 12 characters"),
        ("x" * 1_025, "at most 1,024 bytes"),
        ("é" * 513, "at most 1,024 bytes"),
    ],
)
def test_a_password_too_short_or_too_long_is_told_which(password: str, words: str) -> None:
    with pytest.raises(InvalidUserParameterError, match=words) as refused:
        check_password(password, "new")
    assert refused.value.details[0].param == "new"
    assert "x" * 11 not in refused.value.message


async def test_a_password_that_is_guessed_early_is_refused_and_others_are_hashed() -> None:
    hasher = Argon2Hasher(CHEAP)
    common = ["password1234", "qwertyuiop12", "P@ssw0rd2024!", "iloveyou1234", "a1" * 40]
    own = ["ada.lovelace@northwind.example", "Northwind2026", "Longshore2026", "lovelace1815"]
    for guessable in (*common, *own, " " * 12, "x" * 1_024):
        with pytest.raises(InvalidUserParameterError, match="easy to guess") as refused:
            await hash_new_password(hasher, guessable, "ada.lovelace@northwind.example", "new")
        assert refused.value.details[0].param == "new"
    for strong in ("cranes at dawn, and rain", "aB3$xK9!mQ2z", "correcthorsebatterystaple"):
        hashed = await hash_new_password(hasher, strong, "")
        assert await hasher.verify(strong, hashed)
    hasher.close()


async def test_only_the_beginning_of_a_password_is_estimated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lengths = []

    def estimate(password: str, *_: object) -> dict[str, int]:
        lengths.append(len(password))
        return {"guesses": GUESSES}

    monkeypatch.setattr("longshore.crypto.passwords.zxcvbn", estimate)
    hasher = Argon2Hasher(CHEAP)
    await hash_new_password(hasher, "4@8({[<369&!1/|0$5+7%2" * 40, "")
    hasher.close()
    assert lengths == [ESTIMATED_CHARS]


@pytest.mark.parametrize(
    "email", ["a@b", "ada+x@example.com", "ü@müller.example", "a" * 252 + "@b"]
)
def test_an_address_is_something_at_something(email: str) -> None:
    check_email(email)


@pytest.mark.parametrize(
    "email",
    [
        "",
        "a",
        "@b",
        "a@",
        "a@b@c",
        "a b@c",
        "a@b\n",
        "a@\0b",
        "a\u00a0b@c",
        "a@b\u202e",
        "a" * 253 + "@b",
    ],
)
def test_anything_else_is_no_address(email: str) -> None:
    with pytest.raises(InvalidUserParameterError):
        check_email(email)


def test_addresses_count_as_the_same_in_any_case_and_width() -> None:
    assert fold("ADA@Example.COM") == fold("\uff41da@example.com") == "ada@example.com"
