"""Host keys of SFTP servers: one is confirmed by a person, and pinned."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HostKey:
    """The public key by which a server proves who it is."""

    text: str
    """Its type and its base64, such as ``ssh-ed25519 AAAA…``."""
    fingerprint: str
    """``SHA256:`` and 43 characters, as OpenSSH shows it."""

    def __str__(self) -> str:
        """Return it as people compare it, such as ``SHA256:… (ssh-ed25519)``."""
        return f"{self.fingerprint} ({self.text.partition(' ')[0]})"


def is_pinned(shown: HostKey, pinned: str) -> bool:
    """Tell whether a key is the pinned one, which is a whole key or a fingerprint."""
    return bool(pinned) and pinned.rstrip("=") in {shown.fingerprint, shown.text.rstrip("=")}
