"""TLS of the server itself: its certificate, taken anew when the files change.

Each handshake uses the certificate that was read last, so connections that are open are not
disturbed. Files that cannot be used, such as a certificate that was written before its key, leave
the one before in use; they are tried again when they change once more.
"""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path
from typing import Final

from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.telemetry.logging import get_logger

LOOK_SECONDS: Final = 5.0

_Stamp = tuple[tuple[int, int, int], ...]
"""Of each file: its time in nanoseconds, its size and its number."""


class ServerCertificate:
    """The certificate and private key of the server, in two files of PEM."""

    def __init__(self, cert_file: str, key_file: str) -> None:
        """Read both files.

        Raises:
            LongshoreError: ``invalid_parameter``: they cannot be read or do not belong together.
        """
        self._files = (cert_file, key_file)
        self._log = get_logger("longshore.tls")
        try:
            self._seen = self._stamp()
            self.context = self._load()
        except (OSError, ValueError) as error:
            raise LongshoreError(
                ErrorCode.INVALID_PARAMETER,
                "The files of tls_cert and tls_key cannot be used: "
                f"{_reason(error)}. They must be a certificate chain and its unencrypted private "
                "key, both PEM.",
            ) from error
        self._newest = self.context
        self.context.sni_callback = self._choose

    async def watch(self, seconds: float = LOOK_SECONDS) -> None:
        """Look at the files again and again, until it is cancelled."""
        while True:
            await asyncio.sleep(seconds)
            self.reload()

    def reload(self) -> bool:
        """Take the certificate of the files, if they changed; return whether it was taken."""
        try:
            stamp = self._stamp()
            if stamp == self._seen:
                return False
            self._seen = stamp
            self._newest = self._load()
        except (OSError, ValueError) as error:
            self._log.error("tls_certificate_refused", reason=_reason(error))
            return False
        self._log.info("tls_certificate_taken")
        return True

    def _choose(
        self, connection: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext
    ) -> None:
        """Use the newest certificate for a handshake; called in each, with a name or without."""
        connection.context = self._newest

    def _stamp(self) -> _Stamp:
        found = [Path(each).stat() for each in self._files]
        return tuple((each.st_mtime_ns, each.st_size, each.st_ino) for each in found)

    def _load(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        # Without a password OpenSSL would ask for one on the terminal.
        context.load_cert_chain(*self._files, password=b"")
        return context


def _reason(error: Exception) -> str:
    """Return why files cannot be used, without their names."""
    if isinstance(error, ssl.SSLError):
        return error.reason or "they are not PEM"
    return (error.strerror if isinstance(error, OSError) else None) or "they are not PEM"
