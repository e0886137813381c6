"""Services of the HTTP adapter: everything that it needs and cannot make itself."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from longshore.domain.accounts.model import ApiCaller
from longshore.domain.accounts.service import AccountService
from longshore.domain.maps.replay import ReplayService
from longshore.domain.maps.service import MapService
from longshore.domain.ports import CodeListSource, Compute, no_code_lists
from longshore.domain.samples.service import SampleService
from longshore.domain.trading import Trading
from longshore.domain.usage.service import UsageService
from longshore.domain.users.authentication import SessionAuthenticator
from longshore.domain.users.login import LoginService
from longshore.domain.users.own_keys import OwnKeyService
from longshore.domain.users.service import UserService
from longshore.domain.vault.service import VaultService
from longshore.engine import ConvertedResult
from longshore.http.document_queue import DocumentQueue
from longshore.http.limits import Limits
from longshore.http.origin import OwnAddress
from longshore.kit.clock import Clock, SystemClock
from longshore.kit.ids import IdSource, SystemIdSource
from longshore.telemetry.access import AccessLog
from longshore.telemetry.metrics import Metrics


class Readiness:
    """The readiness for new work; once stopping, it never returns."""

    def __init__(self) -> None:
        self.is_stopping = False

    def stop(self) -> None:
        """Refuse readiness from now on; requests are still answered."""
        self.is_stopping = True


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpServices:
    """The services that handlers use.

    The ``*_result`` callables run the engine and return the members of the answer as JSON.
    """

    authenticate: Callable[[str], Awaitable[ApiCaller]]
    compute: Compute
    parse_result: Callable[..., bytes]
    validate_result: Callable[..., bytes]
    inspect_result: Callable[..., bytes]
    convert_result: Callable[..., ConvertedResult]
    schemas_result: Callable[[], bytes]
    schema_result: Callable[[str, str, str], bytes]
    sample_result: Callable[..., bytes]
    accounts: AccountService
    usage: UsageService
    vault: VaultService
    samples: SampleService
    maps: MapService
    replays: ReplayService
    trading: Trading
    sessions: SessionAuthenticator
    login: LoginService
    users: UserService
    own_keys: OwnKeyService
    own_address: OwnAddress
    check_storage: Callable[[], Awaitable[None]]
    """Raises ``storage_unavailable`` if the database does not answer."""
    base_url: str
    """The beginning of links, without a slash at the end."""
    max_body_bytes: int = 33_554_432
    code_lists: CodeListSource = no_code_lists
    """The codes that the operator imported, as they are now."""
    trusted_proxies: tuple[str, ...] = ()
    """The addresses and networks whose X-Forwarded-For is trusted."""
    limits: Limits = field(default_factory=Limits)
    document_queue: DocumentQueue = field(default_factory=DocumentQueue)
    metrics: Metrics = field(default_factory=Metrics)
    access_log: AccessLog = field(default_factory=AccessLog)
    readiness: Readiness = field(default_factory=Readiness)
    ids: IdSource = field(default_factory=SystemIdSource)
    clock: Clock = field(default_factory=SystemClock)
