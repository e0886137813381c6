"""FTP with explicit TLS: the commands that FTPS needs, one at a time and blocking.

Nothing but ``AUTH TLS`` is sent before the connection is encrypted and the certificate is checked,
and no file before the data connections are encrypted too. A data connection goes to the address of
the control connection, whatever host an answer to ``PASV`` names, and must show the same
certificate. Answers and listings have limits.

Texts are sent and read as Latin-1, so that any bytes pass; names are UTF-8 in it (``on_the_wire``).

Source: RFC 4217, RFC 3659, RFC 2428, transports.md sections 3 and 6.
"""

from __future__ import annotations

import ftplib
import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

from longshore.transport.remote_files import NO_TIME, ListedFile

STEP_SECONDS: Final = 30.0
"""Of each wait for the server; the deadline of the whole is the caller's."""

_CLOSING_SECONDS: Final = 5.0
_CHUNK_BYTES: Final = 262_144
_MAX_ANSWER_LINES: Final = 200
_MAX_LISTING_BYTES: Final = 4_194_304
_MAX_TIMES: Final = 500
"""Files of one listing whose times are asked for one by one; the others follow when these are put
away."""

_NOT_THERE: Final = "550"
_NOT_OFFERED: Final = ("500", "501", "502", "504", "522")
_PRIVILEGED: Final = 1024
_MAX_PORT: Final = 65_535
_SIZE: Final = re.compile("213 ([0-9]{1,15})")
_TIME: Final = re.compile(r"213 ([0-9]{14})(?:\.[0-9]+)?")
_FACTS: Final = re.compile(r" ?((?:[^ ;=]+=[^;]*;)+) (.+)")
_UNIX_FILE: Final = re.compile(
    r"-[-rwxsStT]{9}[.+@]? +[0-9]+ +\S+ +\S+ +([0-9]{1,15}) +"
    r"[A-Z][a-z]{2} +[0-9]{1,2} +(?:[0-9]{4}|[0-9]{1,2}:[0-9]{2}) (.+)"
)
_UNIX_OTHER: Final = re.compile("total [0-9]+|[a-z][-rwxsStTl]{9}.*")


class OtherCertificateError(Exception):
    """The server showed another certificate than the confirmed one."""


def on_the_wire(text: str) -> str:
    """Return a text whose Latin-1 is the UTF-8 of the given one."""
    return text.encode().decode("latin-1")


def from_the_wire(text: str) -> str:
    """Return a name as people read it; bytes that are no UTF-8 become lone surrogates."""
    return text.encode("latin-1").decode("utf-8", "surrogateescape")


def fingerprint_of(certificate: bytes) -> str:
    """Return the SHA-256 of a certificate as openssl shows it: pairs of digits with colons."""
    return sha256(certificate).digest().hex(":").upper()


class FtpClient(ftplib.FTP_TLS):
    """A connection to a server, from its greeting on."""

    def __init__(
        self, connected: socket.socket, host: str, context: ssl.SSLContext, pinned: str = ""
    ) -> None:
        """Speak over a connected socket; the certificate must have the fingerprint ``pinned``."""
        super().__init__(context=context, timeout=STEP_SECONDS, encoding="latin-1")
        connected.settimeout(STEP_SECONDS)
        self.host, self.sock = host, connected
        self.file = connected.makefile("r", encoding=self.encoding)
        self.certificate = b""
        self._peer = str(connected.getpeername()[0])
        self.af = socket.AF_INET6 if ":" in self._peer else socket.AF_INET
        self._pinned = pinned
        self._data: socket.socket | None = None
        self._home = "/"
        self._lists_facts = False

    def encrypt(self) -> None:
        """Begin TLS and check the certificate.

        Raises:
            OtherCertificateError: It is not the pinned one.
        """
        self.getresp()
        self.auth()
        self.certificate = _certificate_of(self.sock)
        if self._pinned and fingerprint_of(self.certificate) != self._pinned:
            raise OtherCertificateError

    def prepare(self) -> None:
        """Encrypt data connections, choose binary transfers, and learn what the server offers."""
        self.prot_p()
        self.voidcmd("TYPE I")
        try:
            features = self.sendcmd("FEAT").upper().splitlines()
        except ftplib.error_perm:
            features = []
        self._lists_facts = any(each.strip().startswith("MLST") for each in features)
        self._home = self.pwd()

    def interrupt(self) -> None:
        """End whatever is waited for, from another thread."""
        for each in (self._data, self.sock):
            if each is not None:
                with suppress(OSError):
                    socket.socket.shutdown(each, socket.SHUT_RDWR)

    def find_size(self, path: str) -> int | None:
        """Return the size of a file; None if there is none."""
        answer = self._ask(f"SIZE {path}")
        return None if answer is None else int(_matched(_SIZE, answer)[1])

    def find_regular(self, path: str) -> tuple[int, int] | None:
        """Return size and time of a regular file; None if there is none.

        Raises:
            ftplib.error_proto: The answer has no facts.
        """
        if not self._lists_facts:
            size = self.find_size(path)
            return None if size is None else (size, self._find_time(path))
        answer = self._ask(f"MLST {path}")
        if answer is None:
            return None
        lines = answer.splitlines()
        if len(lines) < 2:  # noqa: PLR2004 - the facts are between the first and the last line
            raise ftplib.error_proto(answer)
        listed = _with_facts(lines[1])
        return None if listed is None else (listed.size, listed.modified_at)

    def list_files(self, folder: str, most: int) -> Iterator[ListedFile]:
        """Yield the regular files among the first names of a folder; names as they are sent."""
        self.cwd(folder or ".")
        lines = self._read_lines("MLSD" if self._lists_facts else "LIST")[:most]
        self.cwd(self._home)
        for line in lines:
            listed = _with_facts(line) if self._lists_facts else _of_unix(line)
            if listed is not None:
                yield listed

    def with_times(self, folder: str, files: list[ListedFile]) -> list[ListedFile]:
        """Return files with their times, which only a listing by facts has already."""
        if self._lists_facts:
            return files
        return [
            each._replace(
                modified_at=self._find_time(f"{folder}/{each.name}" if folder else each.name)
            )
            for each in files[:_MAX_TIMES]
        ]

    def has_folder(self, path: str) -> bool:
        """Tell whether there is a folder that the login may enter."""
        if self._ask(f"CWD {path}") is None:
            return False
        self.cwd(self._home)
        return True

    def download(self, command: str, most: int) -> bytes:
        """Return what a command sends, at most ``most`` bytes of it."""
        data, parts, is_cut = self.transfercmd(command), [], False
        try:
            while most > 0 and (part := data.recv(min(most, _CHUNK_BYTES))):
                parts.append(part)
                most -= len(part)
            is_cut = most <= 0 and data.recv(1) != b""
            if not is_cut:
                _say_goodbye(data)
        finally:
            data.close()
        # Of what was cut off the server says that it could not send it all.
        with suppress(*((ftplib.Error,) if is_cut else ())):
            self.voidresp()
        return b"".join(parts)

    def upload(self, path: str, content: bytes) -> None:
        """Write a file; one of this name is replaced."""
        data = self.transfercmd(f"STOR {path}")
        try:
            data.sendall(content)
            _say_goodbye(data)
        finally:
            data.close()
        self.voidresp()

    def makepasv(self) -> tuple[str, int]:
        """Return where to open a data connection: always the address that was checked.

        Raises:
            ftplib.error_proto: There is no such port.
            ftplib.error_perm: There is no passive mode.
        """
        try:
            _, port = ftplib.parse229(self.sendcmd("EPSV"), ("", 0))
        except ftplib.error_perm as error:
            if not str(error).startswith(_NOT_OFFERED):
                raise
            _, port = ftplib.parse227(self.sendcmd("PASV"))
        if not _PRIVILEGED <= port <= _MAX_PORT:
            raise ftplib.error_proto("port")
        return self._peer, port

    def ntransfercmd(self, cmd: str, rest: int | str | None = None) -> tuple[socket.socket, None]:
        """Return an encrypted data connection, in the TLS session of the control connection.

        Raises:
            OtherCertificateError: It has another certificate than the control connection.
        """
        del rest
        place = self.makepasv()
        data = self._data = socket.socket(self.af, socket.SOCK_STREAM)
        try:
            data.settimeout(STEP_SECONDS)
            data.connect(place)
            self._begin(cmd)
            assert isinstance(self.sock, ssl.SSLSocket)
            secured = self._data = self.context.wrap_socket(
                data, server_hostname=self.host, session=self.sock.session
            )
        except BaseException:
            data.close()
            raise
        if _certificate_of(secured) != self.certificate:
            secured.close()
            raise OtherCertificateError
        return secured, None

    def _begin(self, command: str) -> None:
        """Have the server begin a transfer.

        Raises:
            ftplib.error_reply: It ends it without a transfer.
        """
        answer = self.sendcmd(command)
        if answer[0] != "1":
            raise ftplib.error_reply(answer)

    def getmultiline(self) -> str:
        """Return an answer, which has a limit of lines.

        Raises:
            ftplib.error_proto: It is longer.
        """
        lines = [self.getline()]
        code = lines[0][:3]
        if lines[0][3:4] != "-":
            return lines[0]
        while len(lines) < _MAX_ANSWER_LINES:
            lines.append(self.getline())
            if lines[-1][:3] == code and lines[-1][3:4] != "-":
                return "\n".join(lines)
        raise ftplib.error_proto(code)

    def _ask(self, command: str) -> str | None:
        """Return an answer; None if there is no such file.

        Raises:
            ftplib.error_perm: The server refuses it for another reason.
        """
        try:
            return self.sendcmd(command)
        except ftplib.error_perm as error:
            if str(error).startswith(_NOT_THERE):
                return None
            raise

    def _find_time(self, path: str) -> int:
        try:
            answer = self.sendcmd(f"MDTM {path}")
        except ftplib.error_perm:
            return NO_TIME
        return _seconds(_matched(_TIME, answer)[1])

    def _read_lines(self, command: str) -> list[str]:
        """Return the lines of a listing; of one that was cut off without the last."""
        text = self.download(command, _MAX_LISTING_BYTES)
        lines = text.decode("latin-1").split("\n")
        return [each.removesuffix("\r") for each in lines[:-1]]


def _say_goodbye(data: socket.socket) -> None:
    """End TLS on a data connection; servers that only close it have sent everything as well."""
    assert isinstance(data, ssl.SSLSocket)
    data.settimeout(_CLOSING_SECONDS)
    with suppress(OSError):
        data.unwrap()


def _certificate_of(secured: socket.socket | None) -> bytes:
    assert isinstance(secured, ssl.SSLSocket)
    return secured.getpeercert(binary_form=True) or b""


def _matched(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    found = pattern.fullmatch(text)
    if found is None:
        raise ftplib.error_proto(text)
    return found


def _seconds(text: str) -> int:
    try:
        return int(datetime.strptime(text, "%Y%m%d%H%M%S").replace(tzinfo=UTC).timestamp())
    except ValueError as error:
        raise ftplib.error_proto(text) from error


def _with_facts(line: str) -> ListedFile | None:
    """Return the regular file of a line of MLSD or MLST; None for anything else."""
    facts, name = _matched(_FACTS, line).groups()
    members = dict(each.lower().split("=", 1) for each in facts.split(";")[:-1])
    if members.get("type") != "file":
        return None
    size = _matched(_SIZE, f"213 {members.get('size', '')}")[1]
    time = members.get("modify")
    modified_at = NO_TIME if time is None else _seconds(_matched(_TIME, f"213 {time}")[1])
    return ListedFile(name, int(size), modified_at)


def _of_unix(line: str) -> ListedFile | None:
    """Return the regular file of a line of LIST, as Unix writes it; None for anything else.

    Raises:
        ftplib.error_proto: It is written in another way.
    """
    found = _UNIX_FILE.fullmatch(line)
    if found is not None:
        return ListedFile(found[2], int(found[1]), NO_TIME)
    if line.startswith("-") or _UNIX_OTHER.fullmatch(line) is None:
        raise ftplib.error_proto(line)
    return None
