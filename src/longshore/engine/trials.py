"""Try rules on documents: run the tests of a map, and compare two versions of its rules.

Source: fields-and-mapping.md section 9, contract.md section 15 (``replay``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from longshore.engine.convert import convert
from longshore.engine.converted import Converted
from longshore.kit.errors import LongshoreError
from longshore.mapping.compare import Difference, differences
from longshore.mapping.coverage import MapTxSetMismatchError
from longshore.mapping.envelopes import Stamp
from longshore.mapping.rule_texts import RuleText, read_rules
from longshore.mapping.rules import RuleList
from longshore.mapping.writes import MappingWarning

# Dates and control numbers of an X12 output are not compared, so any do.
_STAMP: Final = Stamp(date="20000101", time="0000")


@dataclass(frozen=True, slots=True, kw_only=True)
class MapTrial:
    """Rules, and the other settings of a map for conversions."""

    rules: RuleText
    tx_set: str
    """The set that the map is for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapTest:
    """A document and what a map is expected to make of it."""

    name: str
    document: str
    expected: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """The result of one test."""

    name: str
    diff: tuple[Difference, ...]
    error: str = ""
    """Why the document could not be converted, else ``""``."""
    warnings: tuple[MappingWarning, ...] = ()
    """The warnings of the conversion, such as sets that it left out."""

    @property
    def has_passed(self) -> bool:
        """True if the output is the expected one."""
        return not self.diff and not self.error


@dataclass(frozen=True, slots=True, kw_only=True)
class TestReport:
    """The results of the tests of a map, in their order."""

    results: tuple[TestResult, ...]

    @property
    def passed(self) -> int:
        """The number of tests that passed."""
        return sum(result.has_passed for result in self.results)

    @property
    def failed(self) -> int:
        """The number of tests that did not."""
        return len(self.results) - self.passed


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChanges:
    """The numbers of rules that one version adds, removes and changes."""

    added: int = 0
    removed: int = 0
    changed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """The effect of a change of rules on one document: none, differences, or an error."""

    diff: tuple[Difference, ...]
    error: str = ""
    warnings: tuple[MappingWarning, ...] = ()
    """The warnings of the conversion by the new rules."""

    @property
    def outcome(self) -> Literal["identical", "changed", "failed"]:
        """``identical``, ``changed`` or ``failed``."""
        if self.error:
            return "failed"
        return "changed" if self.diff else "identical"


def count_rules(run: MapTrial) -> int:
    """Return the number of rules, all of them sound.

    Raises:
        LongshoreError: invalid_mapping_rule, unsupported_transform, invalid_json,
            invalid_parameter or limit_exceeded.
    """
    return run.rules.compiled().count


def rule_changes(before: str, after: str) -> RuleChanges:
    """Return how two lists of rules, as JSON texts that are sound, differ.

    Rules belong together by target, the n-th of one list to the n-th of the other.

    Raises:
        LongshoreError: invalid_json.
    """
    old, new = _by_target(before), _by_target(after)
    return RuleChanges(
        added=len(new.keys() - old.keys()),
        removed=len(old.keys() - new.keys()),
        changed=sum(old[place] != new[place] for place in old.keys() & new.keys()),
    )


def _by_target(field_map: str) -> dict[tuple[object, int], object]:
    seen: Counter[object] = Counter()
    rules: dict[tuple[object, int], object] = {}
    for rule in read_rules(field_map):
        target = rule["tgt"] if isinstance(rule, Mapping) else None
        rules[target, seen[target]] = rule
        seen[target] += 1
    return rules


def run_tests(run: MapTrial, tests: Sequence[MapTest]) -> TestReport:
    """Return how the tests go with these rules; what fails stops no other.

    Raises:
        LongshoreError: As for ``count_rules``.
    """
    compiled = run.rules.compiled()
    return TestReport(results=tuple(_tested(run, compiled, test) for test in tests))


def replay(before: MapTrial, after: MapTrial, document: str) -> Replayed:
    """Return how the output of a document changes from one set of rules to another.

    A document that the rules before cannot convert, or whose format changes, differs as a whole.

    Raises:
        LongshoreError: As for ``count_rules``.
    """
    old = _converted(before, _kept(before.rules), document)
    new = _converted(after, _kept(after.rules), document)
    if isinstance(new, str):
        return Replayed(diff=(), error=new)
    if isinstance(old, str) or old.format != new.format:
        return Replayed(diff=(Difference("", None, None),), warnings=new.warnings)
    diff = tuple(differences(new.format, old.output, new.output))
    return Replayed(diff=diff, warnings=new.warnings)


@lru_cache(maxsize=4)
def _kept(rules: RuleText) -> RuleList:
    # A replay brings the same two lists with each of its documents.
    return rules.compiled()


def _tested(run: MapTrial, compiled: RuleList, test: MapTest) -> TestResult:
    made = _converted(run, compiled, test.document)
    if isinstance(made, str):
        return TestResult(name=test.name, diff=(), error=made)
    diff = tuple(differences(run.rules.target_format, test.expected, made.output))
    return TestResult(name=test.name, diff=diff, warnings=made.warnings)


def _converted(run: MapTrial, compiled: RuleList, document: str) -> Converted | str:
    """Return what became of a document, or why there is no output."""
    try:
        return convert(document, compiled, tx_set=run.tx_set, stamp=_STAMP)
    except MapTxSetMismatchError as refusal:
        return refusal.advising("Use a document of that set.").message
    except LongshoreError as refusal:
        return refusal.message
