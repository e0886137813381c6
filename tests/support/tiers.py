"""The two tiers of tests, what each test and each tier may cost, and the order of the files.

A test is ``full`` if it needs a browser, a server process or PostgreSQL, or if ``costly.toml``
names it; all others are ``fast``. ``-m fast`` and ``-m full`` choose a tier, ``-m measured`` the
tests that are run under coverage. A fast test has a budget of processor time, and so has each tier:
time on the clock would depend on what else the machine does.
"""

import gc
import json
import os
import tomllib
from collections import defaultdict
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any, Final, cast

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import is_hypothesis_test

TESTS: Final = Path(__file__).parents[1]
DURATIONS: Final = TESTS / "durations.json"
"""Seconds by file, so that the longest begin first; ``make durations`` measures them anew."""
COSTLY: Final = TESTS / "costly.toml"
FULL_FOLDERS: Final = frozenset({"e2e", "system", "fuzz"})
FULL_FIXTURES: Final = frozenset({"postgres_server", "chromium"})
POSTGRES: Final = "postgres"  # as a parameter of a test
BUDGET_SECONDS: Final = 0.05
"""Of processor time for a fast test, without the fixtures that it shares with others."""
TIER_SECONDS: Final[Mapping[str, float]] = {"fast": 110, "full": 6_000}
"""Of processor time for all tests of a tier."""
_REFERENCE_SECONDS: Final = 0.02
_TOLERANCE: Final = 1.5  # two measurements of one test differ by so much
_TRIES: Final = 3  # of a test over its budget: the first one fills caches
_SLOWEST: Final = 20

_COST: Final = "cost"  # a property of a report: the tier and the seconds of processor time


@dataclass
class Tier:
    """The costs of the tests of one tier that were run."""

    tests: int = 0
    cpu_seconds: float = 0
    slowest: list[tuple[float, str]] = field(default_factory=list)
    over_budget: list[tuple[float, str]] = field(default_factory=list)


def costly_tests() -> dict[str, bool | None]:
    """Return the files and tests that ``costly.toml`` names, and whether they are measured.

    None: they are unless they need PostgreSQL.
    """
    groups = tomllib.loads(COSTLY.read_text("utf-8"))["tests"]
    return {name: each.get("is_measured") for each in groups for name in each["names"]}


def markers_of(item: pytest.Item, costly: Mapping[str, bool | None]) -> tuple[str, ...]:
    """Return ``fast`` or ``full``, and ``measured`` for a test that is run under coverage.

    What PostgreSQL is asked, SQLite is asked by the same test, under coverage. A property test is
    never measured: it tries other examples in every commit, and coverage may not depend on them.
    """
    place = item.path.relative_to(TESTS)
    if place.parts[0] in FULL_FOLDERS or item.get_closest_marker("full"):
        return ("full",)
    file = place.as_posix()
    name = f"{file}::{getattr(item, 'originalname', '')}"
    named = name if name in costly else file
    with_server = _needs_a_server(item)
    is_measured = costly.get(named)
    tier = "full" if named in costly or with_server else "fast"
    is_property = is_hypothesis_test(getattr(item, "obj", None))
    if not is_property and (is_measured or (is_measured is None and not with_server)):
        return (tier, "measured")
    return (tier,)


def _needs_a_server(item: pytest.Item) -> bool:
    callspec = getattr(item, "callspec", None)
    if callspec is not None and POSTGRES in callspec.params.values():
        return True
    return bool(FULL_FIXTURES.intersection(getattr(item, "fixturenames", ())))


def processor_time() -> float:
    """Return the seconds of processor time of this process and of its children that ended."""
    times = os.times()
    return process_time() + times.children_user + times.children_system


class TierPlugin:
    """Puts the tests into tiers and in order, and measures what they cost."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._shared = (
            0.0  # spent on making and ending shared fixtures since the test at hand began
        )
        self._tiers: dict[str, Tier] = defaultdict(Tier)
        self._files: dict[str, float] = defaultdict(float)
        self._speed = 1.0

    # ---- tiers and order -------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True, specname="pytest_collection_modifyitems")
    def pytest_put_into_tiers(self, items: list[pytest.Item]) -> None:
        costly = costly_tests()
        for item in items:
            for marker in markers_of(item, costly):
                item.add_marker(marker)

    @pytest.hookimpl(trylast=True, specname="pytest_collection_modifyitems")
    def pytest_sort_files(self, items: list[pytest.Item]) -> None:
        """Begin with the files that take longest; within a file the order stays."""
        seconds: dict[str, float] = json.loads(DURATIONS.read_text())
        items.sort(key=lambda item: (-seconds.get(_file_of(item.nodeid), 0), item.path))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self) -> None:
        # Thousands of tests are no garbage: without this each full collection looks at all of them.
        gc.collect()
        gc.freeze()
        self._speed = _speed()

    # ---- costs -----------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any]
    ) -> Generator[None, object, object]:
        start = processor_time()
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                self._shared += processor_time() - start

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, None, None]:
        """Do not charge the last test of a file for the end of the servers that the file shared."""
        start = processor_time()
        yield
        if nextitem is None or nextitem.path != item.path:
            self._shared += processor_time() - start

    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """Run a test and measure it; a fast one over its budget again, with all caches filled."""
        place = item.location
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=place)
        tier = "full" if item.get_closest_marker("full") else "fast"
        reports, cost = self._measured(item, nextitem)
        again = reports
        for _ in range(_TRIES - 1):
            is_passed = all(report.passed for report in again)
            if (
                tier == "full"
                or cost <= BUDGET_SECONDS * _TOLERANCE
                or not is_passed
                or not _is_judged()
            ):
                break
            item._initrequest()  # type: ignore[attr-defined]  # noqa: SLF001 - as reruns do it
            self._speed = _speed()  # the machine may have slowed down since
            again, next_cost = self._measured(item, nextitem)
            cost = min(cost, next_cost)
        reports[-1].user_properties.append((_COST, (tier, cost)))
        for report in reports:
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=place)
        return True

    def _measured(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> tuple[list[pytest.TestReport], float]:
        start, self._shared = processor_time(), 0.0
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        return reports, (processor_time() - start - self._shared) / self._speed

    # ---- the summary -----------------------------------------------------------------------------

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up, in the process that prints the summary."""
        self._files[_file_of(report.nodeid)] += report.duration
        for name, value in report.user_properties:
            if name == _COST and report.when == "teardown":
                tier_name, cost = cast("tuple[str, float]", value)
                tier = self._tiers[tier_name]
                tier.tests += 1
                tier.cpu_seconds += cost
                tier.slowest.append((cost, report.nodeid))
                if tier_name == "fast" and cost > BUDGET_SECONDS * _TOLERANCE:
                    tier.over_budget.append((cost, report.nodeid))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._config.getoption("write_durations"):
            known: dict[str, float] = json.loads(DURATIONS.read_text())
            files = known | {name: round(each, 1) for name, each in self._files.items()}
            kept = {name: files[name] for name in sorted(files) if files[name]}
            DURATIONS.write_text(json.dumps(kept, indent=0) + "\n")
        if self._faults() and not session.exitstatus:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _faults(self) -> list[str]:
        if not _is_judged():
            return []
        faults = [
            f"{name} took {cost * 1000:.0f} ms of processor time,"
            f" {BUDGET_SECONDS * 1000:.0f} are allowed; make it cheaper, or name it in"
            f" {COSTLY.name}"
            for tier in self._tiers.values()
            for cost, name in sorted(tier.over_budget, reverse=True)
        ]
        faults += [
            f"the tier {name} took {tier.cpu_seconds:.0f} s of processor time,"
            f" {TIER_SECONDS[name]:.0f} are allowed"
            for name, tier in self._tiers.items()
            if tier.cpu_seconds > TIER_SECONDS[name]
        ]
        return faults

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for name, tier in sorted(self._tiers.items()):
            terminalreporter.section(f"tier {name}")
            terminalreporter.line(
                f"{tier.tests} tests, {tier.cpu_seconds:.1f} s of processor time of"
                f" {TIER_SECONDS[name]:.0f} allowed; the slowest:"
            )
            for cost, nodeid in sorted(tier.slowest, reverse=True)[:_SLOWEST]:
                terminalreporter.line(f"{cost * 1000:8.0f} ms  {nodeid}")
        if faults := self._faults():
            terminalreporter.section("over budget", red=True)
            for fault in faults:
                terminalreporter.line(fault)


def _is_judged() -> bool:
    """Tell whether costs count: under coverage and with CI's examples everything costs more."""
    return not (os.environ.get("COVERAGE_RUN") or os.environ.get("CI"))


def _file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def _speed() -> float:
    """Return how many times as long as usual this machine takes for a fixed piece of work."""
    best = min(_timed() for _ in range(5))
    return max(best / _REFERENCE_SECONDS, 1.0)


def _timed() -> float:
    start = process_time()
    text = json.dumps([{"number": n, "text": str(n)} for n in range(10_000)])
    assert len(json.loads(text)) == 10_000
    return process_time() - start
