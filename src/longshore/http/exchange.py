"""One request and its answer, as far as the layers around the handler care."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.types import Scope, Send

from longshore.domain.accounts.model import ApiCaller
from longshore.domain.inbound.channel import InboundChannel
from longshore.domain.users.model import SessionUser
from longshore.http.envelope import Answer
from longshore.http.headers import Header, client_request_id, has_body, join_headers
from longshore.kit.ids import IdSource

Address = tuple[str, int | None]
"""Host and port; of a socket in the file system its path, without a port."""

UNMATCHED: Final = "unmatched"

ANSWER: Final = "longshore.answer"
"""Extension of ASGI our server offers, and type of its message.

Its members: status, headers, the body in pieces, and their size in bytes. With ``is_confirmed`` the
server adds ``is_written``: whether all of it was handed to the connection of a client still there.
"""

_SCOPE_KEY: Final = "longshore.exchange"
_NO_SNIFFING: Final[Header] = (b"x-content-type-options", b"nosniff")


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """A client that can be given a session; ``ip`` is ``""`` if its address is not known."""

    ip: str
    served_at: Address | None


AccountCaller = ApiCaller | SessionUser
Caller = AccountCaller | InboundChannel | Visitor


def loggable_ids(caller: Caller | None) -> tuple[int | str, int | str, int | str]:
    """Return the ids of account, key and user as a log line has them; ``null`` for none."""
    match caller:
        case ApiCaller():
            return caller.account_id, caller.key_id, "null"
        case SessionUser():
            return caller.account_id, "null", caller.user_id
        case InboundChannel():
            return caller.account_id, "null", "null"
        case _:
            return "null", "null", "null"


class Exchange:
    """One request: sends its answer and records what the access log and the metrics need."""

    __slots__ = (
        "_answers_at_once",
        "_send",
        "body_is_read",
        "bytes_in",
        "bytes_out",
        "caller",
        "client",
        "headers",
        "limit_headers",
        "method",
        "path_parameters",
        "request_id",
        "route",
        "served_at",
        "service_headers",
        "status",
    )

    def __init__(self, scope: Scope, send: Send, ids: IdSource) -> None:
        self._send = send
        self._answers_at_once = ANSWER in scope.get("extensions", ())
        self.headers = join_headers(scope["headers"])
        """The headers of the request, each name once."""
        self.method: str = scope["method"]
        self.request_id = client_request_id(self.headers) or "req_" + ids.token_bytes(8).hex()
        self.client = ""
        """The IP address of the client, as ``client_address`` determines it."""
        self.served_at: Address | None = scope.get("server")
        """Host and port that accepted the connection, whatever the Host header says."""
        self.route = UNMATCHED
        """The template of the matched path, such as ``/api/v1/acks/{ack_id}``."""
        self.path_parameters: Mapping[str, str] = {}
        self.caller: Caller | None = None
        self.limit_headers: tuple[Header, ...] = ()
        """The rate-limit headers of every answer, errors included."""
        self.service_headers: tuple[Header, ...] = ()
        """The headers of every answer of this service."""
        self.body_is_read = False
        """True if the whole body of the request was read."""
        self.bytes_in = 0
        self.bytes_out = 0
        self.status = 0
        scope[_SCOPE_KEY] = self

    @property
    def visitor(self) -> Visitor:
        """Return the client, before the caller is known."""
        return Visitor(ip=self.client, served_at=self.served_at)

    async def answer(self, answer: Answer) -> None:
        """Send a complete answer; it says so if the connection ends because of an unread body."""
        self.status = answer.status
        body = answer.body, *answer.rest
        size = sum(map(len, body))
        headers: list[Header] = [
            (b"content-type", answer.content_type),
            (b"content-length", b"%d" % size),
            (b"x-request-id", self.request_id.encode()),
            _NO_SNIFFING,
            *answer.headers,
            *self.limit_headers,
            *self.service_headers,
        ]
        if not self.body_is_read and has_body(self.headers):
            headers.append((b"connection", b"close"))
        if self.method == "HEAD":
            body, size = (), 0
        self.bytes_out = size
        on_written = answer.on_written
        if self._answers_at_once:
            message = {
                "type": ANSWER,
                "status": answer.status,
                "headers": headers,
                "body": body,
                "size": size,
                "is_confirmed": on_written is not None,
            }
            await self._send(message)
            is_written = message.get("is_written", False)
        else:
            await self._send({
                "type": "http.response.start",
                "status": answer.status,
                "headers": headers,
            })
            await self._send({"type": "http.response.body", "body": b"".join(body)})
            is_written = True  # as far as a server without our extension says
        if is_written and on_written is not None:
            await on_written()


def exchange_of(scope: Scope) -> Exchange:
    """Return the exchange that the front layer put into ``scope``."""
    exchange: Exchange = scope[_SCOPE_KEY]
    return exchange
