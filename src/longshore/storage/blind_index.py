"""The port ``BlindIndex``: HMAC-SHA-256 with a key per purpose, account and environment.

The keys are expanded from the master key by HKDF (RFC 5869, section 2.3; the master key is uniform,
so that extracting is not needed), each from its own label. Whoever exchanges the master key for
another has to make the digests anew, which takes the values they stand for.
"""

import hmac
from functools import lru_cache
from typing import Final

from longshore.domain.ports import AccountId, BlindPurpose
from longshore.kit.environment import Environment
from longshore.storage.master_key import MasterKey

CURSORS: Final = "longshore cursors 1"
"""The purpose under which places in lists are signed."""
SFTP_HOST_KEY: Final = "longshore sftp host key 1"
"""The purpose of the host key of our SFTP server, which is the same on all servers."""
_LABEL: Final = "longshore blind index 1"
_KEPT_KEYS: Final = 4_096


class HmacBlindIndex:
    """Safe for several threads."""

    def __init__(self, master_key: MasterKey) -> None:
        self._master_key = master_key
        self._key = lru_cache(_KEPT_KEYS)(self._expanded)

    def digest(
        self, purpose: BlindPurpose, owner: tuple[AccountId, Environment], value: bytes
    ) -> bytes:
        return hmac.digest(self._key(purpose, *owner), value, "sha256")

    def _expanded(
        self, purpose: BlindPurpose, account_id: AccountId, environment: Environment
    ) -> bytes:
        return derived_key(self._master_key, f"{_LABEL}|{purpose}|{account_id}|{environment}")


def derived_key(master_key: MasterKey, label: str) -> bytes:
    """Return the 32 bytes that are expanded from the master key under a label of their own."""
    # Of the output of HKDF the first block is enough.
    return hmac.digest(master_key.secret, label.encode() + b"\x01", "sha256")
