"""The only place that opens connections to the outside.

A name is resolved once, every address it has is checked, and the connection goes to one of exactly
these; the name stays in ``Host`` and in the TLS handshake. No redirect is followed, no proxy of the
environment asked, nothing decompressed, and one deadline holds for everything from the name to the
last byte that is read. To a refused address not one byte is sent.

Source: reliability.md section 6, transports.md section 6.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from errno import ECONNREFUSED
from io import BytesIO
from ipaddress import IPv4Address, ip_address
from typing import Final

from aiohttp import (
    ClientConnectorCertificateError,
    ClientError,
    ClientResponse,
    ClientResponseError,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    TCPConnector,
)
from aiohttp.abc import AbstractResolver, ResolveResult

from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.partners.targets import Address, AddressRefusedError, UrlTarget, read_target
from longshore.transport.addresses import Destinations

DEADLINE_SECONDS: Final = 30.0
MAX_READ_BYTES: Final = 262_144  # of an answer; whatever follows is cut off
MAX_KEPT_BYTES: Final = 65_536
_NO_TIMEOUT: Final = ClientTimeout(total=None, sock_connect=None)  # ours is around everything

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a name, as texts; raises ``gaierror`` where there are none."""


class EgressError(Exception):
    """There was no answer. A message replaces the usual text of the kind of failure."""

    def __init__(self, kind: FailureKind, message: str = "") -> None:
        super().__init__(message or kind.value)
        self.kind = kind
        self.message = message


@dataclass(frozen=True, slots=True, kw_only=True)
class EgressRequest:
    """A request to a partner."""

    url: str
    headers: Mapping[str, str] = field(repr=False)
    content: bytes = field(repr=False)
    may_be_plain: bool = False
    """Allow http instead of https, as for test connections."""


@dataclass(slots=True)
class EgressResponse:
    """An answer: its status, and as much of the rest as came in time."""

    status: int
    retry_after: str = ""
    text: str = field(default="", repr=False)
    content_type: str = ""
    content: bytes = field(default=b"", repr=False)
    """The body as it came, at most ``MAX_READ_BYTES`` of it."""


async def resolve_by_system(name: str, port: int) -> Sequence[str]:
    """Return the addresses of a name as the system's resolver knows them."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    return [str(each[4][0]) for each in found]


class Egress:
    """Sends requests to permitted addresses.

    The operator may allow networks that are not public. Tests pass a TLS context of their own as
    ``trust``.
    """

    def __init__(
        self,
        allowed: Iterable[str] = (),
        *,
        resolve: Resolve = resolve_by_system,
        deadline_seconds: float = DEADLINE_SECONDS,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self._destinations = Destinations(allowed)
        self._resolve = resolve
        self._deadline_seconds = deadline_seconds
        self._trust = trust or ssl.create_default_context()

    async def post(self, outgoing: EgressRequest) -> EgressResponse:
        """Send a request and return its answer, whatever its status.

        Raises:
            EgressError: There was no answer; if the address is refused, nothing was sent.
        """
        return await self._send("POST", outgoing)

    async def probe(self, url: str, *, may_be_plain: bool) -> EgressResponse:
        """Ask for the headers of a URL, which changes nothing there, and return the answer.

        Raises:
            EgressError: There was no answer; if the address is refused, nothing was sent.
        """
        asked = EgressRequest(url=url, headers={}, content=b"", may_be_plain=may_be_plain)
        return await self._send("HEAD", asked)

    async def _send(self, method: str, outgoing: EgressRequest) -> EgressResponse:
        answer: EgressResponse | None = None
        try:
            async with asyncio.timeout(self._deadline_seconds):
                target = read_target(outgoing.url)
                addresses = await self._addresses(target, may_be_plain=outgoing.may_be_plain)
                async with (
                    self._session(addresses) as session,
                    session.request(
                        method,
                        _url(target),
                        data=_body(outgoing.content),
                        headers=outgoing.headers,
                        allow_redirects=False,
                    ) as response,
                ):
                    answer = EgressResponse(
                        response.status,
                        response.headers.get("Retry-After", ""),
                        content_type=response.headers.get("Content-Type", ""),
                    )
                    await _read_into(answer, response)
        except AddressRefusedError as error:
            raise EgressError(FailureKind.ADDRESS_REFUSED, str(error)) from error
        except (ClientError, OSError) as error:  # TimeoutError is one
            # What was answered is answered, even if its end does not come.
            if answer is None:
                raise EgressError(_kind_of(error)) from error
        assert answer is not None
        return answer

    async def connect(self, target: UrlTarget) -> socket.socket:
        """Return a socket that is connected to a target, for protocols that encrypt by themselves.

        The addresses are tried in their order. The caller sets the deadline, and closes the socket.

        Raises:
            EgressError: There is no connection; if the address is refused, nothing was sent.
        """
        addresses = await self._addresses(target, may_be_plain=True)
        loop, failure = asyncio.get_running_loop(), EgressError(FailureKind.CONNECTION_LOST)
        for address in addresses:
            connected = socket.socket(_family(address), socket.SOCK_STREAM)
            connected.settimeout(0)
            try:
                await loop.sock_connect(connected, (str(address), target.port))
            except OSError as error:
                connected.close()
                failure = EgressError(_kind_of(error))
            except BaseException:
                connected.close()
                raise
            else:
                return connected
        raise failure

    async def _addresses(self, target: UrlTarget, *, may_be_plain: bool) -> tuple[Address, ...]:
        """Return the addresses of a target, if all of them are permitted.

        Raises:
            EgressError: There are none, or they are not.
        """
        literal = target.address
        found = await self._resolved(target) if literal is None else (literal,)
        refusal = self._destinations.refusal_of(target, found, may_be_plain=may_be_plain)
        if refusal:
            raise EgressError(FailureKind.ADDRESS_REFUSED, refusal)
        return found

    async def _resolved(self, target: UrlTarget) -> tuple[Address, ...]:
        try:
            texts = await self._resolve(target.host, target.port)
        except (socket.gaierror, UnicodeError) as error:
            raise EgressError(FailureKind.NAME_NOT_FOUND) from error
        if not texts:
            raise EgressError(FailureKind.NAME_NOT_FOUND)
        return tuple(ip_address(text) for text in dict.fromkeys(texts))

    def _session(self, addresses: Sequence[Address]) -> ClientSession:
        checked = frozenset(map(str, addresses))

        def open_socket(given: tuple[int, int, int, str, tuple[str | int, ...]]) -> socket.socket:
            family, kind, protocol, _, place = given
            # The last word: the library connects to what was checked, or to nothing.
            if place[0] not in checked:
                raise AddressRefusedError("The connection would go to another address.")
            return socket.socket(family, kind, protocol)

        connector = TCPConnector(
            resolver=_Pinned(addresses),
            use_dns_cache=False,
            force_close=True,
            ssl=self._trust,
            socket_factory=open_socket,
        )
        return ClientSession(
            connector=connector,
            timeout=_NO_TIMEOUT,
            auto_decompress=False,
            trust_env=False,
            cookie_jar=DummyCookieJar(),
            read_bufsize=MAX_KEPT_BYTES,
        )


class _Pinned(AbstractResolver):
    """Answers every question with the addresses that were checked."""

    def __init__(self, addresses: Sequence[Address]) -> None:
        self._addresses = addresses

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        del family
        return [
            ResolveResult(
                hostname=host,
                host=str(each),
                port=port,
                family=_family(each),
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for each in self._addresses
        ]

    async def close(self) -> None:
        """Nothing is open."""


def _body(content: bytes) -> bytes | BytesIO | None:
    """Return a body as the library takes it: a long one in pieces, so that it is not copied."""
    if len(content) > MAX_READ_BYTES:
        return BytesIO(content)
    return content or None


def _url(target: UrlTarget) -> str:
    host = f"[{target.host}]" if ":" in target.host else target.host
    return f"{target.scheme}://{host}:{target.port}{target.path}"


async def _read_into(answer: EgressResponse, response: ClientResponse) -> None:
    """Read the body as far as it is wanted; an encoded one says nothing to people."""
    is_plain = response.headers.get("Content-Encoding", "identity") == "identity"
    read = bytearray()
    async for piece in response.content.iter_any():
        read += piece
        answer.content = bytes(read)
        if is_plain:
            answer.text = read[:MAX_KEPT_BYTES].decode("utf-8", "replace")
        if len(read) >= MAX_READ_BYTES:
            response.close()
            return


def _family(address: Address) -> socket.AddressFamily:
    return socket.AF_INET if isinstance(address, IPv4Address) else socket.AF_INET6


def _kind_of(error: Exception) -> FailureKind:
    """Return why there is no answer; the first that fits."""
    if isinstance(error, OSError) and error.errno == ECONNREFUSED:
        return FailureKind.CONNECTION_REFUSED
    return next((kind for of, kind in _KINDS if isinstance(error, of)), FailureKind.CONNECTION_LOST)


_KINDS: Final[Sequence[tuple[type[Exception], FailureKind]]] = (
    (ClientConnectorCertificateError, FailureKind.CERTIFICATE_INVALID),
    (ClientResponseError, FailureKind.ANSWER_INVALID),
    (TimeoutError, FailureKind.TIMED_OUT),
)
