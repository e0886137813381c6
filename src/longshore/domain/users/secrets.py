"""Secrets of the users slice: session ids, tokens of one-time links, CSRF tokens.

All are 256 random bits in base64url (43 characters). At this entropy the plain SHA-256 is safe to
store and to look up. A CSRF token is an HMAC keyed with the secret of its session, so that nothing
more has to be stored and no token fits another session. Source: reliability.md section 4.
"""

import hmac
import re
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Final

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
    """Return what unsafe requests of the session must name, beside its cookie."""
    return _text(hmac.digest(session_secret.encode(), _CSRF_LABEL, "sha256"))


def same_text(one: str, other: str) -> bool:
    """Return whether two secrets are equal, in a time that says nothing about where they differ."""
    return hmac.compare_digest(one.encode(), other.encode())


def _text(secret: bytes) -> str:
    return urlsafe_b64encode(secret).rstrip(b"=").decode()
