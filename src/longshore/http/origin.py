"""Where this service is, as browsers see it: which origins are its own, how its cookie is sent.

With the setting ``base_url`` that address alone counts. Without it the service is where the
connection arrived: its own end of the socket, which no header can change. A Host header is never
believed: a page of a stranger whose name leads to our address would name itself there.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from longshore.http.exchange import Address, Exchange, Visitor
from longshore.http.headers import Header
from longshore.kit.errors import ErrorCode, LongshoreError

COOKIE_NAME: Final = "svc_session"
SECURE_COOKIE_NAME: Final = "__Host-svc_session"  # browsers take it over https alone, for one host

HSTS: Final[Header] = (b"strict-transport-security", b"max-age=31536000")
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_OWN_PAGES: Final = frozenset({b"same-origin", b"none"})  # none: typed in, or a bookmark


class CsrfFailedError(LongshoreError):
    """The request may come from a page that is not ours, or lacks the token of the session."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.CSRF_FAILED,
            "This request is only taken from a page of this service. Send the header "
            "'X-CSRF-Token' with the csrf_token of GET /api/session, and no Origin or "
            "Sec-Fetch-Site of another site.",
        )


class OwnAddress:
    """Knows the address of the service; ``base_url`` is None if nobody configured one."""

    def __init__(self, base_url: str | None) -> None:
        parts = urlsplit(base_url or "")
        host = parts.hostname or ""
        self._is_configured = base_url is not None
        self._is_https = parts.scheme == "https"
        self._is_loopback = _is_loopback(host)
        self._origins = frozenset({_origin(parts.scheme, host, parts.port)})

    @property
    def cookie_name(self) -> str:
        """The name of the session cookie."""
        return SECURE_COOKIE_NAME if self._is_https else COOKIE_NAME

    @property
    def service_headers(self) -> tuple[Header, ...]:
        """The headers of every answer: with https, that browsers use nothing else for a year.

        Other names of the same domain are not ours to decide about, and a loopback name stands for
        every service of the machine: neither is included.
        """
        return (HSTS,) if self._is_https and not self._is_loopback else ()

    def session_cookie(self, visitor: Visitor, secret: str) -> Header:
        """Return the header that gives a browser the session; it forgets it when it is closed."""
        return self._cookie(visitor, secret, "")

    def no_session_cookie(self, visitor: Visitor) -> Header:
        """Return the header that takes the session from a browser."""
        return self._cookie(visitor, "", "; Max-Age=0")

    def session_secret(self, headers: Mapping[bytes, bytes]) -> str | None:
        """Return the value of the session cookie; None without one, or with two that differ."""
        found = set()
        for pair in headers.get(b"cookie", b"").decode("latin-1").split(";"):
            name, _, value = pair.strip(" ").partition("=")
            if name == self.cookie_name:
                found.add(value)
        return found.pop() if len(found) == 1 else None

    def refuse_other_sites(self, exchange: Exchange) -> None:
        """Let a request pass that a page of ours sent, or no page at all.

        Raises:
            CsrfFailedError: A browser says that another site sent it.
        """
        site = exchange.headers.get(b"sec-fetch-site")
        if site is not None and site not in _OWN_PAGES:
            raise CsrfFailedError
        origin = exchange.headers.get(b"origin")
        if origin is not None and origin.decode("latin-1") not in self._origins_of(
            exchange.served_at
        ):
            raise CsrfFailedError

    def _cookie(self, visitor: Visitor, value: str, more: str) -> Header:
        secure = "" if self._needs_no_encryption(visitor.served_at) else "; Secure"
        cookie = f"{self.cookie_name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{more}"
        return b"set-cookie", cookie.encode()

    def _origins_of(self, served_at: Address | None) -> AbstractSet[str]:
        if self._is_configured:
            return self._origins
        if served_at is None:
            return frozenset()
        host, port = served_at
        hosts = {host, "localhost"} if _is_loopback(host) else {host}
        return {_origin("http", each, port) for each in hosts}

    def _needs_no_encryption(self, served_at: Address | None) -> bool:
        if self._is_configured:
            return self._is_loopback and not self._is_https
        return served_at is not None and _is_loopback(served_at[0])


def _origin(scheme: str, host: str, port: int | None) -> str:
    """Return an origin as browsers write it: no default port, brackets around IPv6."""
    name = f"[{host}]" if ":" in host else host
    is_default = port is None or port == _DEFAULT_PORTS.get(scheme)
    return f"{scheme}://{name}" if is_default else f"{scheme}://{name}:{port}"


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
