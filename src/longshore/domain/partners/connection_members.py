"""The members of a connection by its type: read from JSON, and shown without their secrets.

Source: contract.md section 15 (connection by ``type``), reliability.md section 6.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Final

from longshore.as2.algorithms import CIPHERS, DIGESTS
from longshore.as2.certificates import read_certificate_facts
from longshore.as2.errors import CertificateError
from longshore.domain.partners.connections import (
    CONNECTION_BY_TYPE,
    AfterDownload,
    BasicLogin,
    Connection,
    ConnectionType,
    MailboxUse,
    MdnMode,
    TransferEncoding,
)
from longshore.domain.partners.members import (
    FLAG,
    Member,
    RefusedValueError,
    ValueKind,
    choice,
    one_of,
    parts,
    plain_json,
    several,
    text,
    whole,
)
from longshore.domain.partners.public_keys import MAX_PUBLIC_KEYS, PublicKeyError, read_public_key
from longshore.domain.partners.targets import (
    SERVER_PORTS,
    AddressRefusedError,
    read_server,
    read_target,
)

SECRETS: Final = frozenset(("password", "private_key"))
"""Members that are written and never shown; answers have ``<name>_set`` in their place."""

MAX_HEADERS: Final = 20
_ANY_PORT: Final = whole(1024, 65_535)
# A fragment would not be sent.
_URL: Final = re.compile(r"(?=.{1,2000}\Z)https?://[!-\"$-~]+")
_HEADER = re.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}")
_HEADER_VALUE = re.compile("[ -~]{0,1000}")
# Ours to write: they say how long the request is, to whom it goes, and how it is encoded.
_OWN_HEADERS: Final = frozenset((
    *("connection", "content-encoding", "content-length", "content-type", "expect", "host"),
    *("keep-alive", "te", "trailer", "transfer-encoding", "upgrade"),
))


def _url(value: object, _param: str) -> str:
    if not isinstance(value, str) or _URL.fullmatch(value) is None:
        raise RefusedValueError
    try:
        read_target(value)
    except AddressRefusedError as error:
        raise RefusedValueError from error
    return value


def _host(value: object, _param: str) -> str:
    if not isinstance(value, str):
        raise RefusedValueError
    try:
        read_server("sftp", value, SERVER_PORTS["sftp"])
    except AddressRefusedError as error:
        raise RefusedValueError from error
    return value


def _port_of(scheme: str) -> ValueKind:
    """Return the kind of a port, which is the default of a protocol or not privileged."""
    default = SERVER_PORTS[scheme]

    def read(value: object, param: str) -> int:
        if value == default and not isinstance(value, bool | float):
            return default
        port = _ANY_PORT.read(value, param)
        assert isinstance(port, int)
        return port

    return ValueKind(f"{default} or a whole number from 1024 to 65535", read)


def _headers(value: object, _param: str) -> Mapping[str, str]:
    if not isinstance(value, Mapping) or len(value) > MAX_HEADERS:
        raise RefusedValueError
    for name, content in value.items():
        is_named = isinstance(name, str) and _HEADER.fullmatch(name) is not None
        is_good = isinstance(content, str) and _HEADER_VALUE.fullmatch(content) is not None
        if not is_named or not is_good or str(name).lower() in _OWN_HEADERS:
            raise RefusedValueError
    return dict(value)


def _certificate(value: object, _param: str) -> str:
    try:
        read_certificate_facts(value if isinstance(value, str) else "")
    except CertificateError as error:
        raise RefusedValueError from error
    return str(value)


def _public_key(value: object, _param: str) -> str:
    try:
        return read_public_key(value if isinstance(value, str) else "")
    except PublicKeyError as error:
        raise RefusedValueError from error


_URL_KIND: Final = ValueKind(
    "an http or https URL in ASCII of at most 2,000 characters, with a host, without user,"
    " password, blank or fragment; its port is 80, 443 or from 1024 on",
    _url,
)
_HEADERS: Final = ValueKind(
    f"an object of at most {MAX_HEADERS} header names with their values as text; those that say"
    " how a request is sent, such as Host and Content-Type, are not among them",
    _headers,
)
_CONTENT_TYPE: Final = text(
    r"[A-Za-z0-9!#$&^_.+-]{1,64}/[A-Za-z0-9!#$&^_.+-]{1,64}(?:; ?[ -~]{1,100})?",
    "a media type, such as application/edi-x12",
)
_SECRET: Final = text("[^\\x00]{1,16384}", "a text that is not empty")
_MAILBOX_PASSWORD: Final = text("[^\\x00]{12,200}", "a text of 12 to 200 characters")
_PUBLIC_KEY: Final = ValueKind(
    "a public key in the format of OpenSSH, such as ssh-ed25519 AAAA…; RSA has at least 2048 bits",
    _public_key,
)
_USER: Final = text("[!-9;-~](?:[ -9;-~]{0,98}[!-9;-~])?", "a name without colon")
_AS2_NAME: Final = text(
    r"[!#-\[\]-~](?:[ !#-\[\]-~]{0,126}[!#-\[\]-~])?",
    "a name of at most 128 characters without quotes and backslashes",
)
_CERTIFICATE: Final = ValueKind(
    "a certificate in PEM with an RSA key of at least 2048 bits", _certificate
)
_HOST: Final = ValueKind("the name or address of a host", _host)
_HOST_KEY: Final = text(
    "(?:SHA256:[A-Za-z0-9+/]{43}=?|[a-z0-9@.-]{3,64} [A-Za-z0-9+/]{16,4096}={0,2})?",
    "a host key, such as ssh-ed25519 AAAA…, or its fingerprint SHA256:…, or empty",
)
_FTP_PASSWORD: Final = text(r"[^\x00\r\n]{1,1000}", "a text of one line that is not empty")
_FINGERPRINT: Final = text(
    "(?:[0-9A-Fa-f]{2}(?::?[0-9A-Fa-f]{2}){31})?",
    "the SHA-256 fingerprint of a certificate, 64 hexadecimal digits with or without colons, or"
    " empty",
)
_FOLDER: Final = text(r"[^\x00-\x1f\x7f]{0,500}", "the path of a folder")
_PATTERN: Final = text(r"[^\x00-\x1f\x7f/]{1,100}", "a pattern of file names, such as *.edi")
SCRIPT: Final = text(
    "accept|accept_with_errors|reject(?::I?[0-9]{1,2})?|partial|duplicate|late(?::[0-9]{1,6})?"
    "|never|broken",
    "accept, accept_with_errors, reject, reject:<AK5 code>, partial, duplicate, late,"
    " late:<seconds>, never or broken",
)
"""The script that the simulator answers by."""

_WORDS: Final = tuple(map(str, ConnectionType))
_SKIPPED: Final = frozenset(("type", *(f"{name}_set" for name in SECRETS)))
_LOGIN: Final = {"user": Member(_USER, is_required=True), "password": Member(_SECRET)}
_BASIC: Final = parts(_LOGIN, BasicLogin, _SKIPPED)
AS2_MEMBERS: Final[Mapping[str, Member]] = MappingProxyType({
    "url": Member(_URL_KIND, is_required=True),
    "as2_from": Member(_AS2_NAME, is_required=True),
    "as2_to": Member(_AS2_NAME, is_required=True),
    "certificates": Member(several(_CERTIFICATE, 2, "certificates in PEM")),
    "sign": Member(FLAG),
    "encrypt": Member(FLAG),
    "compress": Member(FLAG),
    "sign_algorithm": Member(one_of(DIGESTS)),
    "encrypt_algorithm": Member(one_of(CIPHERS)),
    "oaep": Member(FLAG),
    "mdn": Member(choice(MdnMode)),
    "mdn_signed": Member(FLAG),
    "transfer_encoding": Member(choice(TransferEncoding)),
    "content_type": Member(_CONTENT_TYPE),
})
"""The members of an AS2 connection; the profile of a partner has the same kinds."""
_FILE_SERVER: Final[Mapping[str, Member]] = MappingProxyType({
    "host": Member(_HOST, is_required=True),
    **_LOGIN,
    "upload_dir": Member(_FOLDER),
    "download_dir": Member(_FOLDER),
    "pattern": Member(_PATTERN),
    "poll_seconds": Member(whole(10, 86_400)),
    "after_download": Member(choice(AfterDownload)),
    "mailbox": Member(choice(MailboxUse)),
})
_MEMBERS: Final[Mapping[ConnectionType, Mapping[str, Member]]] = MappingProxyType({
    ConnectionType.HTTP: {
        "url": Member(_URL_KIND, is_required=True),
        "headers": Member(_HEADERS),
        "content_type": Member(_CONTENT_TYPE),
        "basic": Member(_BASIC),
    },
    ConnectionType.AS2: AS2_MEMBERS,
    ConnectionType.SFTP: {
        **_FILE_SERVER,
        "port": Member(_port_of("sftp")),
        "private_key": Member(_SECRET),
        "host_key": Member(_HOST_KEY),
    },
    ConnectionType.FTPS: {
        **_FILE_SERVER,
        "port": Member(_port_of("ftps")),
        "password": Member(_FTP_PASSWORD),
        "certificate": Member(_FINGERPRINT),
    },
    ConnectionType.MAILBOX: {
        "password": Member(_MAILBOX_PASSWORD),
        "public_keys": Member(several(_PUBLIC_KEY, MAX_PUBLIC_KEYS, "public keys")),
    },
    ConnectionType.SIMULATOR: {"script": Member(SCRIPT)},
    ConnectionType.NONE: {},
})


_KINDS: Final = MappingProxyType({
    kind: parts(members, CONNECTION_BY_TYPE[kind], _SKIPPED) for kind, members in _MEMBERS.items()
})


def _connection(value: object, param: str) -> object:
    kind = value.get("type") if isinstance(value, Mapping) else None
    if not isinstance(kind, str) or kind not in _WORDS:
        raise RefusedValueError
    return _KINDS[ConnectionType(kind)].read(value, param)


CONNECTION: Final = ValueKind(
    f"an object whose type is one of: {', '.join(_WORDS)}", _connection, _WORDS
)


def connection_json(connection: Connection) -> dict[str, object]:
    """Return a connection as JSON has it; ``CONNECTION`` reads it again, but for its secrets.

    In place of each there is ``<name>_set``: whether there is one. Headers have their names, with
    ``""`` as values, which stands for the value that is kept.
    """
    members: dict[str, object] = {"type": connection.type.value}
    for each in fields(connection):
        value = getattr(connection, each.name)
        if isinstance(value, BasicLogin):
            is_set = value.password is not None
            members[each.name] = {"user": value.user, "password_set": is_set}
        elif each.name == "headers":
            members[each.name] = dict.fromkeys(value, "")
        elif each.name in SECRETS:
            members[f"{each.name}_set"] = value is not None
        else:
            members[each.name] = plain_json(value)
    return members
