"""An FTPS server in this process with faults that a test chooses, as no real one has them."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from longshore.domain.partners.connections import FtpsConnection
from tests.support.vsftpd import make_certificate

TIME = "20260115140509"


@dataclass
class FtpServer:
    """What the server has, was asked for, and does wrong."""

    certificate: str
    context: ssl.SSLContext
    other_context: ssl.SSLContext
    """With another certificate."""
    port: int = 0
    files: dict[str, bytes] = field(default_factory=dict)
    commands: list[str] = field(default_factory=list)
    fault: str = ""
    answers: dict[str, str] = field(default_factory=dict)
    """Answers in place of the usual ones, by command; ``""``: the connection ends."""
    listing: bytes = b""
    data_peers: int = 0
    """How many data connections came."""

    def reset(self) -> None:
        """Forget everything but who it is."""
        self.files, self.commands, self.answers = {}, [], {}
        self.fault, self.listing, self.data_peers = "", b"", 0

    def connection(self, **members: object) -> FtpsConnection:
        """Return a connection that logs in."""
        usual: dict[str, object] = {
            "host": "127.0.0.1",
            "port": self.port,
            "user": "us",
            "password": "hush-word",
            "certificate": self.certificate,
            "upload_dir": "in",
        }
        return FtpsConnection(**{**usual, **members})  # type: ignore[arg-type]  # each as its field


class _Session:
    """One control connection."""

    def __init__(
        self, server: FtpServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._server = server
        self._reader, self._writer = reader, writer
        self._renamed = ""
        self._data: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
        self._listener: asyncio.Server | None = None

    async def serve(self) -> None:
        await self._say("220 ready")
        while line := await self._reader.readline():
            command, _, argument = line.decode().strip().partition(" ")
            self._server.commands.append(command)
            given = self._server.answers.get(command)
            if given is not None:
                if not given:
                    return
                await self._say(given)
            elif not await self._do(command, argument):
                return

    async def close(self) -> None:
        if self._listener is not None:
            self._listener.close()
        self._writer.close()

    async def _do(self, command: str, argument: str) -> bool:
        """Do a command; return False if the connection ends."""
        if command == "AUTH":
            await self._say("234 go on")
            await self._writer.start_tls(self._server.context)
        elif command == "FEAT":
            await self._say("211-have\r\n MLST type*;size*;modify*;\r\n211 end")
        elif command in {"EPSV", "PASV"}:
            await self._listen(command)
        elif command in {"STOR", "RETR", "MLSD", "LIST"}:
            return await self._transfer(command, argument)
        elif command == "RNTO":
            self._server.files[argument] = self._server.files.pop(self._renamed)
            if self._server.fault == "cut after rename":
                return False
            await self._say("250 done")
        else:
            await self._say(self._answer(command, argument))
        return True

    def _answer(self, command: str, argument: str) -> str:
        if command in {"SIZE", "MDTM", "MLST"}:
            return self._facts(command, argument)
        if command == "RNFR":
            self._renamed = argument
        if command == "DELE":
            self._server.files.pop(argument, None)
        usual = {"USER": "331 password", "PWD": '257 "/" is it', "RNFR": "350 to"}
        return usual.get(command, "200 done")

    def _facts(self, command: str, path: str) -> str:
        found = self._server.files.get(path)
        if found is None:
            return "550 no such file"
        size = len(found)
        return {
            "SIZE": f"213 {size}",
            "MDTM": f"213 {TIME}",
            "MLST": f"250-it\r\n type=file;size={size};modify={TIME}; x\r\n250 end",
        }[command]

    async def _listen(self, command: str) -> None:
        self._data = asyncio.get_running_loop().create_future()
        is_other = self._server.fault == "other certificate"
        context = self._server.other_context if is_other else self._server.context

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._server.data_peers += 1
            self._data.set_result((reader, writer))

        if self._listener is not None:
            self._listener.close()
        self._listener = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=context)
        port = self._listener.sockets[0].getsockname()[1]
        if command == "EPSV":
            await self._say(f"229 here (|||{port}|)")
        else:
            await self._say(f"227 there (10,0,0,7,{port // 256},{port % 256})")

    async def _transfer(self, command: str, argument: str) -> bool:
        await self._say("150 go")
        reader, writer = await self._data
        fault = self._server.fault
        if command == "STOR":
            content = await reader.read(10) if fault == "cut in upload" else await reader.read()
            self._server.files[argument] = content
            if fault in {"cut in upload", "cut after upload"}:
                writer.transport.abort()
                return False
            if fault == "full":
                self._server.files[argument] = content[:10]
        elif command == "RETR":
            writer.write(self._server.files[argument])
        else:
            await self._send_listing(writer)
        writer.close()
        await self._say("552 full" if fault == "full" else "226 done")
        return True

    async def _send_listing(self, writer: asyncio.StreamWriter) -> None:
        writer.write(self._server.listing)
        with suppress(OSError, asyncio.TimeoutError):
            while self._server.fault == "endless listing":
                writer.write(b"type=file;size=1;modify=20260115140509; a.edi\r\n" * 1_000)
                await asyncio.wait_for(writer.drain(), 0.5)

    async def _say(self, text: str) -> None:
        self._writer.write(f"{text}\r\n".encode())
        await self._writer.drain()


@asynccontextmanager
async def ftp_server(folder: Path) -> AsyncIterator[FtpServer]:
    """Run a server on a free port of loopback."""
    contexts = []
    for name in ("server", "other"):
        fingerprint = make_certificate(folder, name)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(folder / f"{name}.pem", folder / f"{name}.key")
        contexts.append((fingerprint, context))
    server = FtpServer(contexts[0][0], contexts[0][1], contexts[1][1])

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        session = _Session(server, reader, writer)
        with suppress(OSError, asyncio.IncompleteReadError):
            await session.serve()
        await session.close()

    acceptor = await asyncio.start_server(accept, "127.0.0.1", 0)
    server.port = acceptor.sockets[0].getsockname()[1]
    async with acceptor:
        yield server
