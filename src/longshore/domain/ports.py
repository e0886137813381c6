"""The ports of use cases: who acts, the scope of a unit, and the outside as Protocols.

``Ports`` holds all ports; each composition root makes one. Types of slices are imported for the
type checker alone, so that every slice can use this module.

The blind index gives keyed hashes of encrypted values, by which rows are found. Two equal values
have one digest within a purpose, an account and an environment, and in no other place: without the
master key a digest does not show whether a guess is right, nor that two accounts hold the same
number. Source: reliability.md section 7.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum, unique
from typing import TYPE_CHECKING, Final, NewType, ParamSpec, Protocol, TypeVar

from longshore.kit.environment import Environment

if TYPE_CHECKING:
    from longshore.domain.maps.running import MapRunner
    from longshore.domain.partners.targets import DestinationRules
    from longshore.domain.units import Units
    from longshore.kit.clock import Clock
    from longshore.kit.ids import IdSource
    from longshore.x12.dictionary.own_codes import CodeLists
    from longshore.x12.dictionary.own_definitions import OwnDefinitions


AccountId = NewType("AccountId", int)

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The account of a unit, which sees and changes the rows of this account only."""

    account_id: AccountId | None
    """None: the system scope (``SYSTEM``)."""
    environment: Environment | None
    """None: a caller who is not bound to one, such as the operator."""


SYSTEM: Final = Scope(account_id=None, environment=None)
"""Look-up at authentication and the operator's command line; never a request of a caller."""


class NotUniqueError(RuntimeError):
    """A unit stored a value that may exist once, and another row has it; nothing was kept.

    Raised out of ``Units.write``. A use case that may meet this turns it into a refusal; anywhere
    else it is a mistake of the program.
    """


class Revocations(Protocol):
    """A counter all processes on this database share: a change of it empties their key caches."""

    def count(self) -> int:
        """Return the counter; cheap enough for each request."""
        ...

    def announce(self) -> None:
        """Count one more; called after the commit that took a right away."""
        ...


class SealBrokenError(RuntimeError):
    """The stored value is not the one sealed here: it was changed or moved, or has another key.

    Not a refusal: a caller can do nothing about it. The edges treat it as they treat any fault of
    ours: ``internal_error``, and a line in the log under the request id that names this class.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class AssociatedData:
    """The place of an encrypted record, which is never used twice for different content."""

    account_id: AccountId
    environment: Environment | None
    """None: a record of the whole account."""
    kind: str
    """The sort of record, such as ``vault_document``."""
    id: int
    version: int = 1
    """Counted up by whoever changes the content in place."""


@dataclass(frozen=True, slots=True)
class DataKey:
    """The key of one record: 32 random bytes, of which nobody keeps a copy that is not wrapped."""

    secret: bytes = field(repr=False)


class Sealer(Protocol):
    """Seals the content of records, so that it is unreadable and bound to where it lies.

    To store: ``new_key`` and ``seal`` before the write unit, since they take the longer the more
    there is, and ``wrap`` inside it, once the row has its id. To read: ``unwrap``, then ``open``.
    """

    def new_key(self) -> DataKey:
        """Return a key for one record."""
        ...

    def seal(self, key: DataKey, content: bytes) -> bytes:
        """Return ``content`` sealed, 28 bytes longer; a second call returns other bytes."""
        ...

    def open(self, key: DataKey, sealed: bytes) -> bytes:
        """Return what ``seal`` was given.

        Raises:
            SealBrokenError: A byte was changed, or the key is another.
        """
        ...

    def wrap(self, key: DataKey, associated_data: AssociatedData) -> bytes:
        """Return the key as it is stored with the record; it opens for this record only."""
        ...

    def unwrap(self, wrapped: bytes, associated_data: AssociatedData) -> DataKey:
        """Return what ``wrap`` was given for this very place.

        Raises:
            SealBrokenError: It is of another place or another master key, or a byte was changed.
        """
        ...


KeyForRow = Callable[[int], bytes]
"""Returns the wrapped key of a row that gets this id."""


class Compute(Protocol):
    """Where work on documents runs: in process or in a process pool."""

    async def run(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return ``function(*args, **kwargs)``; its exceptions pass through."""
        ...

    async def submit_to_executor(
        self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do the same outside the event loop, however short the arguments are."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageQuota:
    """Bytes and records that an account may store, unless it has a quota of its own; 0: any."""

    max_bytes: int = 0
    max_records: int = 0


NO_QUOTA: Final = StorageQuota()


CodeListSource = Callable[[], "CodeLists | None"]
"""Returns the operator's own codes as they are now; None if there are none. It is cheap."""


def no_code_lists() -> CodeLists | None:
    """Return no codes: the lists of the standard are all there are."""
    return None


class DefinitionSource(Protocol):
    """The definitions that accounts imported, as validation uses them."""

    async def current(self, scope: Scope) -> OwnDefinitions | None:
        """Return those of an account in an environment; None if there are none. It is cheap."""
        ...

    def announce(self) -> None:
        """Let all processes ask again; called after the commit of a change."""
        ...


class NoDefinitions:
    """No account has definitions of its own, as in the traffic of a demo."""

    async def current(self, _scope: Scope) -> OwnDefinitions | None:
        """Return None."""
        return None

    def announce(self) -> None:
        """Do nothing: nobody has asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """The ports that the use cases of trading work with."""

    units: Units
    clock: Clock
    ids: IdSource
    sealer: Sealer
    index: BlindIndex
    compute: Compute
    """Where documents are read and converted."""
    threads: Compute
    """Threads of this process, in which long content is encrypted and decrypted."""
    maps: MapRunner
    destinations: DestinationRules
    """Where connections of partners may lead."""
    cursor_key: bytes = field(repr=False)
    """32 secret bytes of this installation, which sign the cursors of lists."""
    quota: StorageQuota = NO_QUOTA
    code_lists: CodeListSource = no_code_lists
    definitions: DefinitionSource = field(default_factory=NoDefinitions)


@unique
class BlindPurpose(StrEnum):
    """The purpose of a digest. A digest of one purpose says nothing of another."""

    REFERENCE = "reference"
    """A business key or another reference of a transaction."""
    RECEIVED_BYTES = "received bytes"
    """The bytes of a receipt, as they came."""
    INTERCHANGE_BODY = "interchange body"
    """From ISA to IEA, without line breaks around terminators."""
    SET_BODY = "set body"
    """From ST to SE."""
    ACK_BODY = "ack body"
    """The statement of an acknowledgement about one set."""
    TRACE = "trace"
    """A number of a request, with its set and the two that exchange it."""
    CORRECTION = "correction"
    """The id of the transaction that a receipt corrects."""
    IDEMPOTENCY_KEY = "idempotency key"
    REQUEST_BODY = "request body"


class BlindIndex(Protocol):
    """Hashes values with keys that are derived from the master key."""

    def digest(
        self, purpose: BlindPurpose, owner: tuple[AccountId, Environment], value: bytes
    ) -> bytes:
        """Return the 32 bytes that stand for ``value`` in this place."""
        ...


WORKER: Final = "worker"
OPERATOR: Final = "operator"


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestContext:
    """Somebody of one account, in one environment."""

    account_id: AccountId
    environment: Environment
    actor: str
    """``key 3``, ``user 5``, ``worker``, ``operator``."""
    ip: str = ""
    """The address of the caller, ``""`` without a request."""
    request_id: str = ""
    """The id of the request, ``""`` without one."""

    @property
    def scope(self) -> Scope:
        """Return the scope of every unit that runs for them."""
        return Scope(account_id=self.account_id, environment=self.environment)
