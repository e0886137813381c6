"""Connections to a partner: one kind for each transport.

Secrets are write-only: a connection that was read from a request has None for a secret that it
does not name, and ``with_secrets_of`` fills in the one that is kept. The value of a request header
counts as one, since keys are sent there; ``""`` stands for one that is not named.

Source: contract.md section 15 (connection by ``type``), transports.md sections 1 to 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum, unique
from typing import ClassVar, Final
from urllib.parse import urlsplit

from longshore.as2.algorithms import CIPHERS, DIGESTS
from longshore.domain.partners.targets import UrlTarget, read_server, read_target
from longshore.kit.environment import Environment


@unique
class ConnectionType(StrEnum):
    """The ways to send."""

    HTTP = "http"
    AS2 = "as2"
    SFTP = "sftp"
    FTPS = "ftps"
    MAILBOX = "mailbox"
    SIMULATOR = "simulator"
    NONE = "none"


@unique
class MdnMode(StrEnum):
    """The return of an AS2 receipt, if one is asked for."""

    SYNC = "sync"
    ASYNC = "async"
    NONE = "none"


@unique
class TransferEncoding(StrEnum):
    """The transfer encoding of an AS2 payload."""

    BINARY = "binary"
    BASE64 = "base64"


@unique
class AfterDownload(StrEnum):
    """The treatment of a file that was fetched."""

    ARCHIVE = "archive"
    DELETE = "delete"


@unique
class MailboxUse(StrEnum):
    """Whose files lie in a mailbox."""

    OWN = "own"
    """Those of the partner of the connection."""
    SHARED = "shared"
    """Those of many partners, as in the mailbox of a VAN; each interchange says its sender."""


SIMULATOR_URL: Final = "https://simulator.invalid/as2"
"""Of the simulator as an AS2 partner: no name server knows the name (RFC 2606)."""
_HEADER: Final = "headers."  # how the secret of a header begins
_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class BasicLogin:
    """User and password for HTTP Basic."""

    user: str
    password: str | None = field(default=None, repr=False)
    """None in a change: the stored one stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpConnection:
    """HTTP push to ``url``."""

    type: ClassVar[ConnectionType] = ConnectionType.HTTP
    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Further request headers; ``""`` in a change: the stored value stays."""
    content_type: str = "application/edi-x12"
    basic: BasicLogin | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class As2Connection:
    """AS2 to ``url``."""

    type: ClassVar[ConnectionType] = ConnectionType.AS2
    url: str
    as2_from: str
    as2_to: str
    certificates: tuple[str, ...] = ()
    """The partner's, pinned, as PEM texts, at most two."""
    sign: bool = True
    encrypt: bool = True
    compress: bool = False
    sign_algorithm: str = DIGESTS[0]
    encrypt_algorithm: str = CIPHERS[0]
    oaep: bool = False
    """Encrypt the content key with RSA-OAEP instead of PKCS #1 v1.5."""
    mdn: MdnMode = MdnMode.SYNC
    mdn_signed: bool = True
    transfer_encoding: TransferEncoding = TransferEncoding.BINARY
    content_type: str = "application/EDI-X12"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileServerConnection:
    """A login at the server of a partner, into whose folders files are put and fetched."""

    type: ClassVar[ConnectionType]
    host: str
    port: int
    user: str
    password: str | None = field(default=None, repr=False)
    upload_dir: str = "/"
    download_dir: str = ""
    pattern: str = "*"
    poll_seconds: int = 300
    after_download: AfterDownload = AfterDownload.ARCHIVE
    mailbox: MailboxUse = MailboxUse.OWN


@dataclass(frozen=True, slots=True, kw_only=True)
class SftpConnection(FileServerConnection):
    """SFTP, with a password or a private key. ``host_key`` ``""``: nobody has confirmed one yet."""

    type: ClassVar[ConnectionType] = ConnectionType.SFTP
    port: int = 22
    host_key: str = ""
    private_key: str | None = field(default=None, repr=False)

    @property
    def has_two_logins(self) -> bool:
        """Return whether there is a password and a private key, of which one is too many."""
        return self.password is not None and self.private_key is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class FtpsConnection(FileServerConnection):
    """FTP with explicit TLS, with a password."""

    type: ClassVar[ConnectionType] = ConnectionType.FTPS
    port: int = 21
    certificate: str = ""
    """The SHA-256 fingerprint of the certificate of the server, which a person has confirmed; ""
    if the certificate is one that the system trusts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxConnection:
    """A mailbox on the SFTP server of this installation, at which the partner logs in."""

    type: ClassVar[ConnectionType] = ConnectionType.MAILBOX
    password: str | None = field(default=None, repr=False)
    """As the request has it; of a stored partner its hash."""
    public_keys: tuple[str, ...] = ()
    """The keys that the partner logs in with, in the format of OpenSSH; several for a roll-over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatorConnection:
    """The partner that answers by a script, such as ``accept`` or ``reject:4``."""

    type: ClassVar[ConnectionType] = ConnectionType.SIMULATOR
    script: str = "accept"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoConnection:
    """Nothing can be sent."""

    type: ClassVar[ConnectionType] = ConnectionType.NONE


Connection = (
    HttpConnection
    | As2Connection
    | SftpConnection
    | FtpsConnection
    | MailboxConnection
    | SimulatorConnection
    | NoConnection
)
CONNECTION_BY_TYPE: Final[Mapping[ConnectionType, type[Connection]]] = {
    each.type: each
    for each in (
        *(HttpConnection, As2Connection, SftpConnection, FtpsConnection, MailboxConnection),
        *(SimulatorConnection, NoConnection),
    )
}


def simulates(connection: Connection, environment: Environment) -> bool:
    """Tell whether the simulator takes the documents; by AS2 only test documents."""
    if isinstance(connection, As2Connection):
        return connection.url == SIMULATOR_URL and environment is Environment.SANDBOX
    return isinstance(connection, SimulatorConnection)


def secrets_of(connection: Connection) -> Mapping[str, str]:
    """Return the secrets of a connection by name: ``password``, ``private_key``, ``headers.X``."""
    match connection:
        case HttpConnection(headers=headers, basic=basic):
            found = {f"{_HEADER}{name}": value for name, value in headers.items()}
            password = None if basic is None else basic.password
            return _given({**found, "password": password})
        case SftpConnection():
            return _given({
                "password": connection.password,
                "private_key": connection.private_key,
            })
        case FtpsConnection(password=password) | MailboxConnection(password=password):
            return _given({"password": password})
        case _:
            return {}


def with_secrets(connection: Connection, secrets: Mapping[str, str]) -> Connection:
    """Return a connection with the secrets that it does not name itself.

    A login that names its password takes no private key, and the other way round.
    """
    match connection:
        case HttpConnection(headers=headers, basic=basic):
            stored = {
                name: value or secrets.get(f"{_HEADER}{name}", "")
                for name, value in headers.items()
            }
            if basic is not None and basic.password is None:
                basic = replace(basic, password=secrets.get("password"))
            return replace(connection, headers=stored, basic=basic)
        case SftpConnection(password=None, private_key=None):
            password, private_key = secrets.get("password"), secrets.get("private_key")
            return replace(connection, password=password, private_key=private_key)
        case FtpsConnection(password=None) | MailboxConnection(password=None):
            return replace(connection, password=secrets.get("password"))
        case _:
            return connection


def with_secrets_of(new: Connection, old: Connection) -> Connection:
    """Return ``new`` with the secrets of ``old`` that it does not name.

    Only if both lead to the same server: whoever changes the host must not receive the password.
    """
    return with_secrets(new, secrets_of(old)) if server_of(new) == server_of(old) else new


def target_of(connection: Connection) -> UrlTarget | None:
    """Return where a connection leads; None for those that lead nowhere outside.

    Raises:
        AddressRefusedError: It was stored before its URL or host was checked as today.
    """
    match connection:
        case HttpConnection(url=url) | As2Connection(url=url):
            return read_target(url)
        case FileServerConnection(host=host, port=port):
            return read_server(connection.type, host, port)
        case _:
            return None


def mailbox_of(connection: Connection) -> FileServerConnection | None:
    """Return the connection from whose server files are fetched; None if none are."""
    if isinstance(connection, FileServerConnection) and connection.download_dir:
        return connection
    return None


def lacks_host_key(connection: Connection | FileServerConnection) -> bool:
    """Tell whether nobody has confirmed the host key, without which nothing is sent or fetched."""
    return isinstance(connection, SftpConnection) and not connection.host_key


def server_of(connection: Connection) -> tuple[ConnectionType, str, str, int | None]:
    """Return what a connection leads to: its type, and the scheme, host and port."""
    match connection:
        case HttpConnection(url=url) | As2Connection(url=url):
            parts = urlsplit(url)
            port = parts.port or _PORTS.get(parts.scheme)
            return connection.type, parts.scheme, parts.hostname or "", port
        case FileServerConnection(host=host, port=port):
            return connection.type, connection.type, host.lower(), port
        case _:
            return connection.type, "", "", None


def missing_secrets(connection: Connection | FileServerConnection) -> tuple[str, ...]:
    """Return the members without which nothing can be sent, and which nobody has given yet."""
    match connection:
        case HttpConnection(headers=headers, basic=basic):
            unnamed = [f"{_HEADER}{name}" for name, value in headers.items() if not value]
            lacks_password = basic is not None and basic.password is None
            return (*unnamed, "basic.password") if lacks_password else tuple(unnamed)
        case SftpConnection(password=None, private_key=None):
            return ("password", "private_key")
        case FtpsConnection(password=None):
            return ("password",)
        case MailboxConnection(password=None, public_keys=()):
            return ("password", "public_keys")
        case _:
            return ()


def _given(secrets: Mapping[str, str | None]) -> Mapping[str, str]:
    return {name: secret for name, secret in secrets.items() if secret}
