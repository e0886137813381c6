"""Destinations on loopback that do what a script says, and keep what they were sent."""

import asyncio
import ssl
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from socket import SO_LINGER, SOL_SOCKET

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class Request:
    """What was sent. ``headers``: names in lower case."""

    line: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Canary:
    """A destination. ``connections``: how many were made to it, whether or not anything came."""

    port: int
    connections: int = 0
    requests: list[Request] = field(default_factory=list)

    @property
    def host(self) -> str:
        """Its address and port, as a URL has them."""
        return f"127.0.0.1:{self.port}"


Script = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def reply(text: str, body: bytes = b"") -> Script:
    """Read the request, then answer with a status line and headers, and a body."""

    async def run(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        del reader
        lines = text.replace("\n", "\r\n")
        writer.write(f"HTTP/1.1 {lines}\r\n\r\n".encode() + body)
        await writer.drain()

    return run


def reset(writer: asyncio.StreamWriter) -> None:
    """Break a connection off."""
    writer.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def _read_request(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    line, *lines = head.removesuffix("\r\n\r\n").split("\r\n")
    headers = {name.lower(): value for name, value in (each.split(": ", 1) for each in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(line, headers, body)


@asynccontextmanager
async def destination(
    script: Script, tls: ssl.SSLContext | None = None, *, reads: bool = True
) -> AsyncIterator[Canary]:
    """Serve a script; ``reads``: the request is read and kept before it runs."""
    canary = Canary(0)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        canary.connections += 1
        try:
            if reads:
                canary.requests.append(await _read_request(reader))
            await script(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the other side has gone
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    canary.port = server.sockets[0].getsockname()[1]
    try:
        yield canary
    finally:
        server.close()
        await server.wait_closed()


def make_certificate(folder: Path, *names: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return a server's TLS context for these names, and a client's that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "destination")])
    now = datetime(2026, 1, 1, tzinfo=UTC)
    certificate = (
        x509
        .CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=3_650))
        .not_valid_after(now + timedelta(days=3_650))
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName(each) for each in names]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem, key_file = folder / "certificate.pem", folder / "key.pem"
    pem.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(pem, key_file)
    return server, ssl.create_default_context(cafile=str(pem))
