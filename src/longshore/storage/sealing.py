"""Seals stored content: AES-256-GCM with a key per record, wrapped by the master key.

    sealed   = nonce (12) | ciphertext | tag (16), under the data key of the record
    wrapped  = format (1) | key id (4) | nonce (12) | data key, encrypted (32) | tag (16)

The wrapping authenticates the place of the record (account, environment, kind, id, version), and
no two records share a data key: so what is copied into another row, account or environment opens
nowhere. From the master key two are derived, so that the id of the key, which stands in the
database, says nothing of the key that wraps. Nonces are random: one master key may wrap 2^32 times
before two nonces meet with a chance worth naming (NIST SP 800-38D, section 8.3).
Source: reliability.md section 7.
"""

import hmac
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from longshore.domain.ports import AssociatedData, DataKey, SealBrokenError
from longshore.kit.ids import IdSource
from longshore.storage.master_key import MasterKey

WRAPPED_BYTES: Final = 65

_DATA_KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12
_FORMAT: Final = b"\x01"
_WRAPPING: Final = b"longshore wrapping key 1"


class AesSealer:
    """The port ``Sealer``. Safe for several threads."""

    def __init__(self, master_key: MasterKey, ids: IdSource) -> None:
        self._ids = ids
        self._wrapping = AESGCM(hmac.digest(master_key.secret, _WRAPPING, "sha256"))
        self._header = _FORMAT + master_key.id

    def new_key(self) -> DataKey:
        """Return a key for one record."""
        return DataKey(self._ids.token_bytes(_DATA_KEY_BYTES))

    def seal(self, key: DataKey, content: bytes) -> bytes:
        """Return ``content`` sealed."""
        nonce = self._ids.token_bytes(_NONCE_BYTES)
        return nonce + AESGCM(key.secret).encrypt(nonce, content, None)

    def open(self, key: DataKey, sealed: bytes) -> bytes:
        """Return what ``seal`` was given.

        Raises:
            SealBrokenError: A byte was changed, or the key is another.
        """
        return _decrypted(AESGCM(key.secret), sealed, b"")

    def wrap(self, key: DataKey, place: AssociatedData) -> bytes:
        """Return the key encrypted for this place."""
        nonce = self._ids.token_bytes(_NONCE_BYTES)
        encrypted = self._wrapping.encrypt(nonce, key.secret, _bound(self._header, place))
        return self._header + nonce + encrypted

    def unwrap(self, wrapped: bytes, place: AssociatedData) -> DataKey:
        """Return what ``wrap`` was given for this very place.

        Raises:
            SealBrokenError: It is of another place or another master key, or a byte was changed.
        """
        header = self._header
        if len(wrapped) != WRAPPED_BYTES or not wrapped.startswith(header):
            raise SealBrokenError("a wrapped key is damaged or of another master key")
        return DataKey(_decrypted(self._wrapping, wrapped[len(header) :], _bound(header, place)))


def _bound(header: bytes, place: AssociatedData) -> bytes:
    """Return what a wrapped key is authenticated with in addition to itself."""
    words = (place.account_id, place.environment or "", place.kind, place.id, place.version)
    return header + "|".join(map(str, words)).encode()


def _decrypted(cipher: AESGCM, sealed: bytes, bound: bytes) -> bytes:
    try:
        return cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], bound)
    except (InvalidTag, ValueError) as error:  # the latter: too short to hold a nonce
        raise SealBrokenError("a sealed record cannot be opened") from error
