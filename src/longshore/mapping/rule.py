"""Read and check one mapping rule member by member, reporting all faults at once.

Source: fields-and-mapping.md sections 5 to 7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail
from longshore.mapping.conflicts import Token, wildcard_prefixes
from longshore.mapping.formulas.formula import Formula
from longshore.mapping.members import Members, RuleFaults, echo, scalar_text
from longshore.mapping.operations import read_operation
from longshore.mapping.paths import (
    PathCondition,
    PathReader,
    SourcePath,
    SourcePathError,
    read_source,
    read_when,
)
from longshore.mapping.target_paths import CsvTarget, TargetPath, TargetPathError
from longshore.mapping.values import (
    TRANSFORMS,
    TYPES,
    OnMiss,
    StageMaker,
    ValueFaultError,
    lookup,
)
from longshore.mapping.writes import NULL, JsonLiteral, OnDuplicate

MAX_OPERATIONS: Final = 100

RULE_MEMBERS: Final = (
    "src",
    "formula",
    "tgt",
    "transform",
    "note",
    "const",
    "join",
    "default",
    "required",
    "on_missing",
    "when",
    "lookup",
    "then",
    "type",
    "on_duplicate",
)
_RESERVED: Final = ("expr", "lang")
_JOIN: Final = "join:"

Lookups = Mapping[str, Mapping[str, str]]
TargetReader = Callable[[str], TargetPath]


@unique
class OnMissing(StrEnum):
    """The behaviour if a source has no value and the rule no default."""

    OMIT = "omit"
    NULL = "null"
    EMPTY = "empty"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueRules:
    """The members of a rule about its values."""

    stages: tuple[StageMaker, ...]
    """Transform, lookup and operations, in order."""
    finish: Callable[[str], str] | None
    """Applies the type; None for ``raw``."""
    const: str | None
    default: str | None
    """The default as it is written, with the type applied."""
    on_missing: OnMissing

    @property
    def is_plain(self) -> bool:
        """A value is written unchanged, and a missing value is not written."""
        is_text = self.finish is str and not self.stages
        return is_text and self.default is None and self.on_missing is OnMissing.OMIT


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule, ready to run."""

    index: int
    sources: tuple[SourcePath, ...]
    """Of a formula its paths; empty for a ``const``."""
    lead: SourcePath | None
    """The source with the most wildcards, whose bindings are the rule's; None for a ``const`` and a
    formula."""
    consumed: int
    """The number of wildcards of the target that the list rules above it stand for."""
    formula: Formula | None
    """Computes the value; compiled when all rules are read."""
    is_repeated: bool
    """It is written for each row that other rules write."""
    separator: str
    """Between the values of several sources."""
    when: PathCondition | None
    bound: int
    """The number of wildcards of ``when`` that mean the same occurrence as those of ``lead``."""
    values: ValueRules
    tgt: str
    """The target as written."""
    target: TargetPath
    on_duplicate: OnDuplicate
    duplicate_separator: str
    single: SourcePath | None
    """The only source, if it has no wildcards and the rule has no condition."""
    is_plain: bool
    """Values are written as they are, or not at all."""

    @property
    def param(self) -> str:
        """Its name in messages."""
        return f"field_map[{self.index}]"

    @property
    def list_written(self) -> object:
        """The list it writes to; equal for rules that write to the same one."""
        return self.prefixes[-1:]

    @property
    def prefixes(self) -> tuple[tuple[Token, ...], ...]:
        """For each wildcard of the target that is not consumed, its path up to there."""
        return wildcard_prefixes(self.target)[self.consumed :]


class RuleReader:
    """Reads the rules of one list, whose faults it reports."""

    def __init__(
        self,
        read_path: PathReader,
        read_target: TargetReader,
        lookups: Lookups,
        faults: RuleFaults,
        consumed: int = 0,
    ) -> None:
        self._consumed = consumed
        self._read_path = read_path
        self._read_target = read_target
        self._lookups = lookups
        self._faults = faults

    def rule(self, index: int, given: object) -> Rule | None:
        """Return the rule, or None if it has a fault."""
        if not isinstance(given, Mapping):
            self._faults.report(f"field_map[{index}]", "a rule is an object with src and tgt")
            return None
        members = Members(given, f"field_map[{index}]", self._faults)
        before = self._faults.count
        _check_names(members)
        members.text("formula")
        sources = self._sources(members)
        lead = max(sources, key=lambda path: len(path.prefixes), default=None)
        tgt = members.text("tgt", is_required=True)
        target = None if tgt is None else self._target(members, tgt)
        values = self._values(members)
        separator = members.text("join") or ""
        when = self._when(members)
        on_duplicate, duplicate_separator = _on_duplicate(members)
        members.text("note")
        if lead is not None and target is not None:
            _check_wildcards(members, lead, target, self._consumed)
        if self._faults.count > before:
            return None
        assert tgt is not None  # else there were faults
        assert target is not None
        return Rule(
            index=index,
            sources=sources,
            lead=lead,
            consumed=self._consumed,
            formula=None,
            is_repeated=not sources,
            separator=separator,
            when=when,
            bound=_bound(when, lead),
            values=values,
            tgt=tgt,
            target=target,
            on_duplicate=on_duplicate,
            duplicate_separator=duplicate_separator,
            single=None if when or len(sources) != 1 or sources[0].prefixes else sources[0],
            is_plain=values.is_plain,
        )

    def _sources(self, members: Members) -> tuple[SourcePath, ...]:
        given = members.given.get("src")
        has_formula = members.given.get("formula") is not None
        if "const" in members.given or has_formula:
            if given is not None or (has_formula and "const" in members.given):
                name = "formula" if has_formula else "const"
                members.report("src", f"a rule has src or {name}, not both")
            return ()
        paths = given if isinstance(given, Sequence) and not isinstance(given, str) else (given,)
        texts = [path for path in paths if isinstance(path, str)]
        if not texts or len(texts) < len(paths):
            message = "it must be a path or a list of paths; a rule has src, formula or const"
            members.report("src", message)
            return ()
        found = (self._source(members, text) for text in texts)
        return tuple(path for path in found if path is not None)

    def _source(self, members: Members, text: str) -> SourcePath | None:
        try:
            return read_source(self._read_path, text)
        except SourcePathError as error:
            members.report("src", str(error))
            return None

    def _when(self, members: Members) -> PathCondition | None:
        text = members.text("when")
        if text is None:
            return None
        try:
            return read_when(self._read_path, text)
        except SourcePathError as error:
            members.report("when", str(error))
            return None

    def _target(self, members: Members, text: str) -> TargetPath | None:
        try:
            return self._read_target(text)
        except TargetPathError as error:
            if error.limit:
                code = ErrorCode.LIMIT_EXCEEDED
                detail = ErrorDetail(
                    code=code,
                    param=f"{members.param}.tgt",
                    message=str(error),
                    limit=error.limit,
                    max=error.maximum,
                )
                self._faults.add(detail)
            else:
                members.report("tgt", str(error))
            return None

    def _values(self, members: Members) -> ValueRules:
        stages = [*self._transform(members), *self._lookup(members), *_then(members)]
        type_name = members.word("type", tuple(TYPES)) or "string"
        on_missing = OnMissing(members.word("on_missing", tuple(OnMissing)) or OnMissing.OMIT)
        return ValueRules(
            stages=tuple(stages),
            finish=TYPES[type_name],
            const=_literal(members, "const", type_name),
            default=_literal(members, "default", type_name),
            on_missing=OnMissing.ERROR if members.flag("required") else on_missing,
        )

    def _transform(self, members: Members) -> Iterator[StageMaker]:
        name = members.text("transform")
        if name is None:
            return
        if name not in TRANSFORMS:
            self._faults.report(
                f"{members.param}.transform",
                f"'{echo(name)}' is not a transform",
                ErrorCode.UNSUPPORTED_TRANSFORM,
                tuple(TRANSFORMS),
            )
        elif stage := TRANSFORMS[name]:
            yield stage

    def _lookup(self, members: Members) -> Iterator[StageMaker]:
        inner = members.inner("lookup", ("table", "table_id", "default", "on_miss"))
        if inner is None:
            return
        on_miss = OnMiss(inner.word("on_miss", tuple(OnMiss)) or OnMiss.KEEP)
        default = inner.scalar("default")
        name = inner.text("table_id")
        given = inner.given.get("table")
        if (name is None) is (given is None):
            inner.report("table", "a lookup has table or table_id")
        elif name is not None and name not in self._lookups:
            inner.report("table_id", "the map has no lookup table of this name")
        elif name is not None:
            yield lookup(self._lookups[name], default, on_miss)
        elif table := _table(inner, given):
            yield lookup(table, default, on_miss)


def _table(members: Members, given: object) -> dict[str, str]:
    """Return a table of the rule's own; empty if it is faulty."""
    texts = (
        {key: scalar_text(value) for key, value in given.items()}
        if isinstance(given, Mapping)
        else {}
    )
    found = {key: text for key, text in texts.items() if text is not None}
    if not found or len(found) < len(texts):
        members.report("table", 'it must be an object of texts, such as {"EA": "each"}')
        return {}
    return found


def _then(members: Members) -> Iterator[StageMaker]:
    given = members.given.get("then")
    if given is None:
        return
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) > MAX_OPERATIONS:
        members.report("then", f"it must be a list of at most {MAX_OPERATIONS} operations")
        return
    for number, operation in enumerate(given):
        param = f"{members.param}.then[{number}]"
        if not isinstance(operation, Mapping):
            members.faults.report(param, "an operation is an object with op")
        elif stage := read_operation(Members(operation, param, members.faults)):
            yield stage


def _literal(members: Members, name: str, type_name: str) -> str | None:
    """Return ``const`` or ``default`` with the type applied; null is a value there."""
    if name not in members.given:
        return None
    given = members.given[name]
    if given is None:
        return NULL
    text = scalar_text(given)
    if text is None:
        message = "it must be a text, true, false, null or a number; best as text, such as 9.50"
        members.report(name, message)
        return None
    finish = TYPES[type_name]
    if finish is None:
        return text if isinstance(given, str) else JsonLiteral(text)
    try:
        return finish(text)
    except ValueFaultError as error:
        members.report(name, error.message)
        return None


def _on_duplicate(members: Members) -> tuple[OnDuplicate, str]:
    given = members.given.get("on_duplicate")
    if isinstance(given, str) and given.startswith(_JOIN):
        return OnDuplicate.JOIN, given.removeprefix(_JOIN)
    words = tuple(word for word in OnDuplicate if word is not OnDuplicate.JOIN)
    if given is not None and given not in words:
        allowed = (*words, "join:<separator>")
        members.report("on_duplicate", f"it must be one of: {', '.join(allowed)}", allowed)
        return OnDuplicate.LAST, ""
    return OnDuplicate(str(given or OnDuplicate.LAST)), ""


def _check_names(members: Members) -> None:
    for name in members.given:
        if name in _RESERVED:
            members.report(name, "this name is reserved")
    extensions = [name for name in members.given if name.startswith("x_")]
    members.refuse_unknown((*RULE_MEMBERS, *_RESERVED, *extensions))


def _check_wildcards(members: Members, lead: SourcePath, target: TargetPath, consumed: int) -> None:
    """Report wildcards of ``src`` that those of ``tgt`` do not match."""
    in_source, in_target = len(lead.prefixes), target.wildcards - consumed
    if isinstance(target, CsvTarget) or in_source == in_target:
        return
    if in_target:
        members.report(
            "tgt", f"src has {in_source} wildcards and tgt {in_target}: they must be as many"
        )
    elif members.given.get("on_duplicate") is None:
        message = "src has several values and tgt one place: say in on_duplicate what to do"
        members.report("tgt", message)


def _bound(when: PathCondition | None, lead: SourcePath | None) -> int:
    """Count the leading wildcards of ``when`` that are the same in ``lead``."""
    if when is None or lead is None:
        return 0
    count = 0
    for one, other in zip(when.path.prefixes, lead.prefixes, strict=False):
        if one != other:
            break
        count += 1
    return count
