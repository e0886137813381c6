"""The way of one submit through the domain, as ARCHITECTURE.md lists it."""

import re
import sys
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, Final, TypeVar

from longshore.compute.inline import InlineCompute
from longshore.domain.accounts.service import AccountService
from longshore.domain.ports import Scope
from longshore.domain.units import ReadUnit, Units, WriteUnit
from tests.architecture.repository import ROOT
from tests.support.clock import StoppedClock
from tests.support.database import Database, Engine
from tests.support.submitting import a_submit_setup

T = TypeVar("T")
HANDLER: Final = {"http.api_v1.submit: submit", "http.api_v1.submit: submitted"}
MAX_MODULES, MAX_NAMES = 8, 20
_ROW_WRITERS: Final = re.compile(r"\.(?:encryption|writer): ")
_LISTED: Final = re.compile(r"^\| `([a-z_.0-9/]+)\.py` \| (.+?) \|", re.MULTILINE)


class Steps:
    """The functions and classes of the domain that are on the stack of a call to the outside."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def record(self) -> None:
        frame = sys._getframe(2)  # noqa: SLF001 - the caller of a store or of compute
        while frame is not None:
            module = frame.f_globals["__name__"]
            if module.startswith("longshore.domain."):
                owner = frame.f_locals.get("self")
                name = frame.f_code.co_name if owner is None else type(owner).__name__
                is_nested = name not in frame.f_globals
                if not is_nested:
                    self.names.add(f"{module.removeprefix('longshore.')}: {name}")
            frame = frame.f_back  # type: ignore[assignment]  # None at the end


class RecordedStore:
    def __init__(self, store: object, steps: Steps) -> None:
        self._store, self._steps = store, steps

    def __getattr__(self, name: str) -> Callable[..., object]:
        def call(*values: object, **named: object) -> object:
            self._steps.record()
            return getattr(self._store, name)(*values, **named)

        return call


class RecordedUnit:
    def __init__(self, unit: ReadUnit, steps: Steps) -> None:
        self._unit, self._steps = unit, steps

    def __getattr__(self, name: str) -> RecordedStore:
        return RecordedStore(getattr(self._unit, name), self._steps)


class RecordedUnits:
    def __init__(self, units: Units, steps: Steps) -> None:
        self._units, self._steps = units, steps
        self.defer = units.defer

    async def read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        self._steps.record()
        return await self._units.read(scope, lambda unit: work(self._recorded(unit)))

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        self._steps.record()
        return await self._units.write(scope, lambda unit: work(self._recorded(unit)))

    def _recorded(self, unit: ReadUnit) -> Any:  # noqa: ANN401 - it has all stores of a unit
        return RecordedUnit(unit, self._steps)


class RecordedCompute(InlineCompute):
    def __init__(self, steps: Steps) -> None:
        super().__init__()
        self._steps = steps

    async def run(self, work: Callable[..., T], /, *values: Any, **named: Any) -> T:  # noqa: ANN401
        self._steps.record()
        self._steps.names.add(f"{work.__module__.removeprefix('longshore.')}: {work.__name__}")
        return await super().run(work, *values, **named)


def listed() -> set[str]:
    """Return the table of ARCHITECTURE.md: each module with its names."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = text[text.index("#### The modules of a submit") :]
    section = section[: section.index("\n##", 4)]
    return {
        f"{module.replace('/', '.')}: {name}"
        for module, names in _LISTED.findall(section)
        for name in re.findall(r"`(\w+)`", names)
    }


async def test_a_submit_passes_the_modules_and_names_that_the_architecture_page_lists(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> None:
    setup = await a_submit_setup(database, engine, clock, accounts)
    await setup.partner()
    steps = Steps()
    units, compute = RecordedUnits(database.units, steps), RecordedCompute(steps)
    setup.service = setup.served(compute=compute)
    setup.service._ports = replace(setup.service._ports, units=units)  # noqa: SLF001 - a unit that is watched
    await setup.submit(idempotency_key="K-1")
    passed = {each for each in steps.names if not _ROW_WRITERS.search(each)} | HANDLER
    assert passed == listed()
    assert len({each.split(":")[0] for each in passed}) <= MAX_MODULES
    assert len(passed) <= MAX_NAMES
    assert {each for each in steps.names if _ROW_WRITERS.search(each)} == {
        "domain.acks.encryption: store_ack",
        "domain.events.writer: EventWriter",
        "domain.interchanges.encryption: store_interchange",
        "domain.transactions.encryption: TransactionWriter",
    }
