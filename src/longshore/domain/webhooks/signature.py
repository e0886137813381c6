"""Signatures of Standard Webhooks: HMAC-SHA256 over id, time and body.

The header ``webhook-signature`` has one ``v1,<base64>`` for each secret, so a receiver that knows
any of them can verify it.

Source: transports.md section 4; Standard Webhooks 1.0, "Signature scheme".
"""

from __future__ import annotations

import hmac
from base64 import b64decode, b64encode
from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from typing import Final

PREFIX: Final = "whsec_"
SECRET_BYTES: Final = 32


def secret_text(key: bytes) -> str:
    """Return a secret as people copy it."""
    return PREFIX + b64encode(key).decode()


def sign(secrets: Iterable[str], message_id: str, timestamp: int, body: bytes) -> str:
    """Return the header ``webhook-signature``: one signature for each secret.

    Args:
        secrets: Texts ``whsec_…``.
        message_id: The header ``webhook-id``.
        timestamp: The header ``webhook-timestamp``, in seconds.
        body: The bytes of the request.
    """
    signed = f"{message_id}.{timestamp}.".encode() + body
    return " ".join(f"v1,{_digest(secret, signed)}" for secret in secrets)


def timestamp_of(moment: datetime) -> int:
    """Return a time in whole seconds since 1970."""
    return int(moment.timestamp())


def _digest(secret: str, signed: bytes) -> str:
    key = b64decode(secret.removeprefix(PREFIX))
    return b64encode(hmac.new(key, signed, sha256).digest()).decode()
