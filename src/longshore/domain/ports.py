"""What use cases need from outside, as Protocols; adapters implement them, wiring joins them.

A use case sees its unit through a Protocol of its own slice (``accounts.store``), so that this
module knows no slice; ``storage.units`` holds the unit with the stores of every slice.
"""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Final, NewType, ParamSpec, Protocol, TypeVar

from longshore.kit.environment import Environment

AccountId = NewType("AccountId", int)

P = ParamSpec("P")
T = TypeVar("T")
ReadUnitT_co = TypeVar("ReadUnitT_co", covariant=True)
WriteUnitT_co = TypeVar("WriteUnitT_co", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """For whom a unit runs: it sees and changes this account's rows only.

    ``account_id`` None is the system scope (``SYSTEM``). ``environment`` None stands for a caller
    who is not bound to one, such as the operator.
    """

    account_id: AccountId | None
    environment: Environment | None


SYSTEM: Final = Scope(account_id=None, environment=None)
"""Look-up at authentication and the operator's command line; never a request of a caller."""


class NotUniqueError(RuntimeError):
    """A unit stored a value that may exist once, and another row has it; nothing was kept.

    Raised out of ``Units.write``. A use case that may meet this turns it into a refusal; anywhere
    else it is a mistake of the program.
    """


class Units(Protocol[ReadUnitT_co, WriteUnitT_co]):
    """Runs a function inside one database transaction (architecture.md section 5).

    ``work`` awaits nothing but the stores of its unit, changes nothing else (it may run twice),
    and returns plain values. An exception rolls back this unit alone and reaches the caller.
    """

    async def read(
        self, scope: Scope, work: Callable[[ReadUnitT_co], Coroutine[object, None, T]]
    ) -> T:
        """Return what ``work`` returns from one consistent snapshot.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """
        ...

    async def write(
        self, scope: Scope, work: Callable[[WriteUnitT_co], Coroutine[object, None, T]]
    ) -> T:
        """Return what ``work`` returns, after its changes are durable.

        Raises:
            LongshoreError: ``storage_unavailable``; nothing was changed.
        """
        ...

    def defer(
        self, scope: Scope, work: Callable[[WriteUnitT_co], Coroutine[object, None, object]]
    ) -> None:
        """Queue ``work`` as a write unit that nobody waits for.

        For advisory facts such as the last use of a key: a failure is dropped, a stop in good
        order runs it first, a crash may lose it.
        """
        ...


class Revocations(Protocol):
    """A counter all processes on this database share: a change of it empties their key caches."""

    def count(self) -> int:
        """Return the counter; cheap enough for each request."""
        ...

    def announce(self) -> None:
        """Count one more; called after the commit that took a right away."""
        ...


class SealBrokenError(RuntimeError):
    """What is stored is not what was sealed in this place: changed, moved, or of another key.

    Not a refusal: a caller can do nothing about it. The edges treat it as they treat any fault of
    ours: ``internal_error``, and a line in the log under the request id that names this class.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class AssociatedData:
    """Where a sealed record lies. ``kind`` names the sort of record, such as ``vault_document``.

    ``environment`` None stands for records of the whole account. A place is never used twice for
    different content: whoever changes content in place counts ``version`` up.
    """

    account_id: AccountId
    environment: Environment | None
    kind: str
    id: int
    version: int = 1


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

    def wrap(self, key: DataKey, place: AssociatedData) -> bytes:
        """Return the key as it is stored beside the record: openable in this place alone."""
        ...

    def unwrap(self, wrapped: bytes, place: AssociatedData) -> DataKey:
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

    async def hand_over(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Do the same beside the event loop, however short the arguments are."""
        ...
