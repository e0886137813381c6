"""Real databases for tests: one entry per engine, so that a suite runs over all of them."""

from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from longshore.domain.ports import Revocations, Scope, Units
from longshore.storage.schema.migrate import migrate
from longshore.storage.sqlite.database import SqliteDatabase, open_database
from longshore.storage.units import ReadUnit, WriteUnit

T = TypeVar("T")


class Database(Protocol):
    """What the contract suite asks of an open database."""

    @property
    def units(self) -> Units[ReadUnit, WriteUnit]: ...
    @property
    def revocations(self) -> Revocations: ...
    async def check(self) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class Engine:
    """``create`` makes an empty current database at a place, ``open`` opens it, ``dump`` returns
    everything that lies on its disk."""

    name: str
    create: Callable[[Path], object]
    open: Callable[[Path], AbstractContextManager[Database]]
    dump: Callable[[Path], bytes]


def _sqlite_dump(place: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(place.iterdir()) if path.is_file())


SQLITE = Engine("sqlite", migrate, open_database, _sqlite_dump)
ENGINES = (SQLITE,)


class CountedUnits:
    """Passes units on and counts them."""

    def __init__(self, units: Units[ReadUnit, WriteUnit]) -> None:
        self._units = units
        self.reads = 0
        self.writes = 0
        self.deferred = 0

    async def read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        self.reads += 1
        return await self._units.read(scope, work)

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        self.writes += 1
        return await self._units.write(scope, work)

    def defer(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, object]]
    ) -> None:
        self.deferred += 1
        self._units.defer(scope, work)


@contextmanager
def counted_commits(database: SqliteDatabase) -> Iterator[list[int]]:
    """Yield a list that grows by one entry at each commit that changes something."""
    commits: list[int] = []

    def note() -> bool:
        commits.append(1)
        return False

    connection = database._writer._connection  # noqa: SLF001 - commits are no part of the port
    connection.set_commit_hook(note)
    yield commits
    connection.set_commit_hook(None)
