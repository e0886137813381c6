"""Plant faults, one at a time, and see whether the tests notice: ``python -m tools.mutants``.

The faults stand in ``mutants.toml``. Each is planted in a copy of the repository and its tests are
run: the fast ones first, then, where the fault may be noticed later, all of them. The repository
itself is never changed.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from time import monotonic
from typing import Final

ROOT: Final = Path(__file__).parents[1]
FAULTS: Final = ROOT / "tools" / "mutants.toml"
TIERS: Final = ("fast", "full")
COPIES: Final = 2  # at a time, a core each
MAX_SECONDS: Final = 600  # for the tests of one fault
_NOT_COPIED: Final = shutil.ignore_patterns(
    ".git", ".venv*", "node_modules", "__pycache__", "build", ".*_cache", ".hypothesis"
)
_SHOWN: Final = 3_000  # characters of an output
_PASSED: Final = 0
_NO_TESTS: Final = 5  # what pytest ends with if the tier has none here


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault and the tests that must notice it."""

    id: str
    file: str
    """Path from the root of the repository."""
    text: str
    """The text that is replaced; it stands once in the file."""
    replacement: str
    tests: tuple[str, ...]
    """Paths of pytest, or one test file of the browser application."""
    tier: str
    """The latest tier in which the fault must be noticed."""

    @property
    def is_of_web(self) -> bool:
        """Return whether the tests are those of the browser application."""
        return self.file.startswith("web/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Result of the tests with one fault."""

    fault: Fault
    caught_in: str | None
    """The tier that noticed it; None if none did."""
    seconds: float

    @property
    def is_caught_in_time(self) -> bool:
        """Return whether the tier is the stated one or an earlier one."""
        latest = TIERS.index(self.fault.tier)
        return self.caught_in is not None and TIERS.index(self.caught_in) <= latest


def read_faults(path: Path = FAULTS) -> tuple[Fault, ...]:
    """Return the faults in their order."""
    rows = tomllib.loads(path.read_text("utf-8"))["fault"]
    return tuple(Fault(**{**row, "tests": tuple(row["tests"])}) for row in rows)


def planted_text(fault: Fault, root: Path = ROOT) -> str:
    """Return the text of the file with the fault in it.

    Raises:
        ValueError: The text of the fault does not stand exactly once in the file.
    """
    text = (root / fault.file).read_text("utf-8")
    if text.count(fault.text) != 1:
        raise ValueError(f"{fault.id}: its text stands {text.count(fault.text)} times in the file")
    return text.replace(fault.text, fault.replacement)


@contextmanager
def planted(fault: Fault, copy: Path) -> Iterator[None]:
    """Have the fault in a copy of the repository for as long as the block runs."""
    file = copy / fault.file
    sound = file.read_text("utf-8")
    file.write_text(planted_text(fault, copy), "utf-8")
    try:
        yield
    finally:
        file.write_text(sound, "utf-8")


def passes(tests: Sequence[str], tier: str, copy: Path) -> bool:
    """Run tests of one kind and tier in a copy; return whether none failed."""
    return output_of_failure(tests, tier, copy) is None


def output_of_failure(tests: Sequence[str], tier: str, copy: Path) -> str | None:
    """Run tests of one kind and tier in a copy; return what they print if one failed."""
    if tests[0].startswith("web/"):
        program = ROOT / "web" / "node_modules" / ".bin" / "vitest"
        command = [str(program), "run", *(str(Path(each).relative_to("web")) for each in tests)]
        folder = copy / "web"
    else:
        command = [*_python(copy), "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        command += ["-n", "0", "-m", tier, *tests]
        folder = copy
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=MAX_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"the tests took more than {MAX_SECONDS} s"  # what hangs is noticed
    if done.returncode == _PASSED or (done.returncode == _NO_TESTS and tier != TIERS[0]):
        return None
    return done.stdout


def _python(copy: Path) -> tuple[str, ...]:
    """Return the interpreter, with the source of the copy before any other.

    Compiled files would be taken for those of a source of the same size and second. As in CI no
    test fails for what it costs, which would be taken for a fault that was noticed.
    """
    path = f"PYTHONPATH={copy / 'src'}"
    return ("env", path, "CI=true", "PYTHONDONTWRITEBYTECODE=1", sys.executable)


def judge(fault: Fault, copy: Path, tiers: Sequence[str]) -> Outcome:
    """Plant one fault in a copy and find the tier that notices it."""
    begun = monotonic()
    caught_in = None
    for tier in tiers[: 1 if fault.is_of_web else None]:
        with planted(fault, copy):
            is_noticed = not passes(fault.tests, tier, copy)
        # The fast tests are known to pass without a fault; of the others only these must.
        if is_noticed and (tier == TIERS[0] or passes(fault.tests, tier, copy)):
            caught_in = tier
            break
    return Outcome(fault=fault, caught_in=caught_in, seconds=monotonic() - begun)


def copy_of_repository(folder: Path) -> Path:
    """Copy what the tests need; the packages of the browser application are linked."""
    copy = shutil.copytree(ROOT, folder, ignore=_NOT_COPIED)
    (copy / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    return copy


def check_copy(copy: Path, faults: Sequence[Fault]) -> None:
    """Refuse to go on if the tests of a copy import another source or fail without a fault.

    Raises:
        RuntimeError: They would prove nothing.
    """
    command = [*_python(copy), "-c", "import longshore; print(longshore.__file__)"]
    found = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=True).stdout
    if not Path(found.strip()).is_relative_to(copy):
        raise RuntimeError(f"the tests of the copy would import {found.strip()}")
    named = sorted({each for fault in faults for each in fault.tests})
    for is_web in (True, False):
        tests = [each for each in named if each.startswith("web/") is is_web]
        output = output_of_failure(tests, TIERS[0], copy) if tests else None
        if output is not None:
            raise RuntimeError(f"the fast tests fail without a fault:\n{output[-_SHOWN:]}")


def run(faults: Sequence[Fault], tiers: Sequence[str]) -> list[Outcome]:
    """Judge all faults, two at a time, and print a line for each."""
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="longshore-mutants-") as folder:
        copies: Queue[Path] = Queue()
        for number in range(COPIES):
            copies.put(copy_of_repository(Path(folder) / str(number)))
        check_copy(copies.queue[0], faults)

        def work(fault: Fault) -> Outcome:
            copy = copies.get()
            try:
                return judge(fault, copy, tiers)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(COPIES) as executor:
            for outcome in executor.map(work, faults):
                outcomes.append(outcome)
                caught = f"caught in {outcome.caught_in}" if outcome.caught_in else "NOT CAUGHT"
                print(f"{caught:15} {outcome.seconds:6.1f} s  {outcome.fault.id}", flush=True)
    return outcomes


def main() -> int:
    """Judge the faults that are asked for; return 1 if one was noticed too late or never."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", help="the id of a fault; may be repeated")
    parser.add_argument("--tier", choices=TIERS, default=TIERS[-1], help="the last tier to run")
    asked = parser.parse_args()
    faults = [each for each in read_faults() if not asked.only or each.id in asked.only]
    tiers = TIERS[: TIERS.index(asked.tier) + 1]
    outcomes = run(faults, tiers)
    by_tier = [sum(each.caught_in == tier for each in outcomes) for tier in TIERS]
    counts = ", ".join(f"{count} in {tier}" for count, tier in zip(by_tier, TIERS, strict=True))
    print(f"{sum(by_tier)} of {len(outcomes)} caught: {counts}")
    return 0 if all(each.is_caught_in_time for each in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
