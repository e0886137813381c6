"""Rules for passwords and e-mail addresses, the password hasher's port, and session secrets.

A password is any text of at least 12 characters and at most 1,024 bytes in UTF-8 that cannot be
guessed from lists of common passwords and words, the user's own address and our name. Session ids,
tokens of one-time links and CSRF tokens are 256 random bits in base64url (43 characters); the plain
SHA-256 of such a value is safe to store and to look up. A CSRF token is an HMAC keyed with the
secret of its session, so it needs no row and fits no other session.

Source: reliability.md section 4; NIST SP 800-63B section 5.1.1; OWASP ASVS 5 section 6.2.
"""

import hmac
import re
import unicodedata
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, Protocol

from longshore.domain.users.errors import InvalidUserParameterError
from longshore.kit.ids import IdSource

SECRET_BYTES: Final = 32

_SECRET: Final = re.compile(r"[0-9A-Za-z_-]{43}")
_CSRF_LABEL: Final = b"longshore csrf token"


def new_secret(ids: IdSource) -> str:
    """Return a new session id or token."""
    return _text(ids.token_bytes(SECRET_BYTES))


def looks_genuine(text: str) -> bool:
    """Return whether ``text`` has the shape of a secret; asks no database."""
    return _SECRET.fullmatch(text) is not None


def digest(secret: str) -> bytes:
    """Return the 32 bytes that are stored and looked up instead of the secret."""
    return sha256(secret.encode()).digest()


def csrf_token(session_secret: str) -> str:
    """Return what unsafe requests of the session must name, with its cookie."""
    return _text(hmac.digest(session_secret.encode(), _CSRF_LABEL, "sha256"))


def same_text(one: str, other: str) -> bool:
    """Return whether two secrets are equal, in a time that says nothing about where they differ."""
    return hmac.compare_digest(one.encode(), other.encode())


def _text(secret: bytes) -> str:
    return urlsafe_b64encode(secret).rstrip(b"=").decode()


PASSWORD_MIN_CHARS: Final = 12
PASSWORD_MAX_BYTES: Final = 1_024
EMAIL_MAX_CHARS: Final = 254  # RFC 5321 section 4.5.3.1.3, less the angle brackets


class PasswordHasher(Protocol):
    """Hashes passwords slowly, outside the event loop, few at a time."""

    async def hash(self, password: str) -> str:
        """Return what is stored instead of the password: algorithm, parameters, salt, hash.

        Raises:
            TooManyLoginsError: Too many wait already.
        """
        ...

    async def is_guessable(self, password: str, own_words: Sequence[str]) -> bool:
        """Return whether a password is found early by whoever tries common ones and these words.

        Raises:
            TooManyLoginsError: Too many wait already.
        """
        ...

    async def verify(self, password: str, password_hash: str | None) -> bool:
        """Return whether the hash is that of the password; without a hash False, as slowly.

        Raises:
            TooManyLoginsError: Too many wait already.
        """
        ...


def check_password(password: str, param: str = "password") -> None:
    """Let a new password pass.

    Raises:
        InvalidUserParameterError: It is too short or too long; the text says which.
    """
    if len(password) < PASSWORD_MIN_CHARS:
        raise InvalidUserParameterError(
            param, f"A password has at least {PASSWORD_MIN_CHARS} characters; this one is shorter."
        )
    if size(password) > PASSWORD_MAX_BYTES:
        raise InvalidUserParameterError(
            param,
            f"A password has at most {PASSWORD_MAX_BYTES:,} bytes in UTF-8; this one is longer.",
        )


async def hash_new_password(
    hasher: PasswordHasher, password: str, email: str, param: str = "password"
) -> str:
    """Return the hash of a new password that may be used; ``email`` is the address of its user.

    Raises:
        InvalidUserParameterError: It is too short, too long or can be guessed; the text says which.
        TooManyLoginsError: Too many wait already.
    """
    check_password(password, param)
    if await hasher.is_guessable(password, _own_words(email)):
        raise InvalidUserParameterError(
            param,
            "The beginning of this password is easy to guess: it is common, repeats itself, or is"
            " made of your address or our name. Begin with several words that do not belong"
            " together.",
        )
    return await hasher.hash(password)


def _own_words(email: str) -> Sequence[str]:
    """Return what somebody tries first who knows the service and the address of a user."""
    parts = re.split(r"[^0-9a-z]+", email.casefold())
    return "longshore", email, *filter(None, parts)


def size(password: str) -> int:
    """Return the bytes of a password in UTF-8."""
    return len(password.encode())


def check_email(email: str) -> None:
    """Let an e-mail address pass.

    Raises:
        InvalidUserParameterError: It is none.
    """
    if not is_email(email):
        raise InvalidUserParameterError(
            "email",
            "An e-mail address looks like name@example.com: no spaces, at most "
            f"{EMAIL_MAX_CHARS} characters.",
        )


def is_email(text: str) -> bool:
    """Return whether a text may be an address: something, one ``@``, something, no spaces.

    Mail is not sent to it, so nothing finer is asked.
    """
    local, _, domain = text.partition("@")
    is_plain = text.isprintable() and not any(char.isspace() for char in text)
    has_parts = local != "" and domain != "" and "@" not in domain
    return is_plain and has_parts and len(text) <= EMAIL_MAX_CHARS


def fold(email: str) -> str:
    """Return what two addresses share that count as the same: case and width do not matter."""
    return unicodedata.normalize("NFKC", email).casefold()
