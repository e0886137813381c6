"""What the HTTP adapter is given: everything it needs and cannot make itself."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum, unique

from longshore.domain.accounts.model import ApiCaller
from longshore.domain.ports import Compute
from longshore.http.headers import Header
from longshore.kit.ids import IdSource, SystemIdSource
from longshore.telemetry.access import AccessLog
from longshore.telemetry.metrics import Metrics


@unique
class LimitClass(StrEnum):
    """Which budget a request is charged to (contract.md section 12)."""

    NONE = "none"
    REQUESTS = "requests"
    DOCUMENTS = "documents"


class Readiness:
    """Whether new work is welcome; once stopping, it never is again."""

    def __init__(self) -> None:
        self.is_stopping = False

    def stop(self) -> None:
        """Refuse readiness from now on; requests are still answered."""
        self.is_stopping = True


async def charge_nothing(_caller: ApiCaller, _limit_class: LimitClass) -> tuple[Header, ...]:
    """Let everybody in; the default until limits exist."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpServices:
    """Everything requests are served with.

    ``parse_result``: the engine's parse, from its arguments to the ready result members.
    ``base_url``: what links begin with, without a slash at the end. ``trusted_proxies``: addresses
    and networks whose X-Forwarded-For is believed. ``charge`` returns headers
    for the answer or refuses. ``check_storage`` raises ``storage_unavailable``.
    """

    authenticate: Callable[[str], Awaitable[ApiCaller]]
    compute: Compute
    parse_result: Callable[..., bytes]
    check_storage: Callable[[], Awaitable[None]]
    base_url: str
    max_body_bytes: int = 33_554_432
    trusted_proxies: tuple[str, ...] = ()
    charge: Callable[[ApiCaller, LimitClass], Awaitable[tuple[Header, ...]]] = charge_nothing
    metrics: Metrics = field(default_factory=Metrics)
    access_log: AccessLog = field(default_factory=AccessLog)
    readiness: Readiness = field(default_factory=Readiness)
    ids: IdSource = field(default_factory=SystemIdSource)
