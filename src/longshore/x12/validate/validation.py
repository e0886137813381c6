"""Validation of a whole document: one walk, one judge a set, everything said in one list.

Source: contract.md sections 3 and 10; x12.md sections 1.5, 2.4, 2.7.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final

from longshore.x12.control import GroupSummary, SetSummary, Stretch, element_at
from longshore.x12.delimiters import NO_OVERRIDES, DelimiterOverrides, Delimiters
from longshore.x12.dictionary.library import Dictionary, Exactness, Resolution, shipped
from longshore.x12.dictionary.model import STANDARD
from longshore.x12.dictionary.release import is_guide_id
from longshore.x12.elements.faults import Charset, Context
from longshore.x12.envelope import Envelope
from longshore.x12.findings import ACK_CODES, Finding, FindingCode, Severity
from longshore.x12.results import SetResult
from longshore.x12.validate.judge import Rules, SetJudge
from longshore.x12.validate.reports import Content, Part, Spot
from longshore.x12.walk import TextSource, Walk

MOST_FINDINGS: Final = 1_000  # in an answer
_SYNTAX, _GUIDE, _BALANCING = 1, 2, 3  # SNIP levels
_MOST_RULES: Final = 64  # kept ready in one document


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a document is judged.

    ``release``: six digits, instead of the document's own; ``guide``: instead of that which ST03 or
    GS08 names. ``leniency``: other severities, by code of the finding. ``charset``: what the
    partner's profile demands.
    """

    release: str = ""
    guide: str = ""
    leniency: Mapping[str, Severity] = field(default_factory=dict)
    charset: Charset | None = None
    dictionary: Dictionary = field(default_factory=shipped)


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """What is said about a document.

    ``findings``: by place, at most ``MOST_FINDINGS``, errors before others where there are more;
    ``finding_count``: all. ``results``: by transaction set, from 1; those without a definition
    have an empty one. ``version``: GS08, else ISA12. ``guide``, ``definition``: of the first set.
    ``snip_level``: the highest level checked. ``envelope``: the summaries of what was read.
    """

    findings: tuple[Finding, ...]
    finding_count: int
    error_count: int
    tx_set: str
    version: str
    guide: str | None
    definition: Exactness
    snip_level: int
    results: Mapping[int, SetResult]
    envelope: Envelope

    @property
    def is_valid(self) -> bool:
        """Whether there is no finding of severity error."""
        return not self.error_count

    @property
    def is_truncated(self) -> bool:
        """Whether there are more findings than are listed."""
        return self.finding_count > len(self.findings)


def validate(
    source: TextSource,
    overrides: DelimiterOverrides = NO_OVERRIDES,
    options: Options | None = None,
    *,
    is_single_octet: bool = False,
) -> Validation:
    """Read and judge a document.

    Raises:
        LongshoreError: document_empty, document_unparseable, segment_too_long.
    """
    walk = Walk(source, overrides, is_single_octet=is_single_octet)
    return _Validator(walk, options or Options()).run()


class _Validator:
    def __init__(self, walk: Walk, options: Options) -> None:
        self._walk = walk
        self._options = options
        self._content = Content(walk.reader.places, options.leniency)
        self._results: dict[int, SetResult] = {}
        self._judge: SetJudge | None = None
        self._last: Stretch | None = None
        self._first: Resolution | None = None
        self._level = _SYNTAX
        self._mentioned: set[tuple[str, str]] = set()
        self._rules: dict[tuple[object, ...], tuple[Resolution, Rules | None]] = {}

    def run(self) -> Validation:
        """Go through the document once."""
        for course in self._walk.courses():
            for stretch in course:
                self._take(stretch)
        self._end_set()
        return self._validation()

    # ---- stretches -------------------------------------------------------------------------------

    def _take(self, stretch: Stretch) -> None:
        tag = stretch.batch.rows[stretch.first][0]
        if tag == "ST":
            self._end_set()
            self._begin_set(stretch)
        elif not stretch.tx_index:
            self._end_set()
        elif tag == "SE" and stretch.occurrence:
            self._last = stretch
            self._end_set()
        elif self._judge is not None:
            self._last = stretch
        if not stretch.occurrence:
            self._take_body(stretch)

    def _take_body(self, stretch: Stretch) -> None:
        tags = [row[0] for row in stretch.batch.rows[stretch.first : stretch.last]]
        if self._judge is not None:
            self._judge.take(stretch, tags, _Keys(self._walk, stretch, tags))
        self._walk.numbering.add_later(stretch.tx_index, tags)

    def _begin_set(self, stretch: Stretch) -> None:
        summary = self._walk.envelope.sets[stretch.tx_index - 1]
        self._last = stretch
        group = self._group_of(summary)
        found, rules = self._rules_for(summary, group, stretch.batch.delimiters)
        if self._first is None:
            self._first = found
        result = SetResult()
        if rules is not None:
            scope = self._walk.scope(summary.index)
            self._judge = SetJudge(rules, self._content, summary.index, scope)
            result = self._judge.result
        self._results[summary.index] = result
        self._mention(found, summary, stretch, result)
        if group is not None:
            self._check_frame(summary, group, stretch, result)

    def _end_set(self) -> None:
        if self._judge is not None:
            assert self._last is not None  # its ST at least
            self._judge.finish(_last_spot(self._last))
            self._judge = None

    # ---- what judges a set -----------------------------------------------------------------------

    def _rules_for(
        self, summary: SetSummary, group: GroupSummary | None, delimiters: Delimiters
    ) -> tuple[Resolution, Rules | None]:
        """Return what judges a set; sets of one kind, in a row, share it."""
        interchanges = self._walk.envelope.interchanges
        at = -1 if group is None or group.interchange is None else group.interchange
        interchange_version = interchanges[at].header[12] if interchanges else ""
        version = summary.version if group is None else group.version
        reference = element_at(summary.header, 3)
        kind = (summary.set_id, version, interchange_version, reference, delimiters)
        if kind not in self._rules:
            if len(self._rules) >= _MOST_RULES:
                self._rules.clear()
            found = self._resolve(summary.set_id, version, interchange_version, reference)
            self._rules[kind] = found, self._made(found, delimiters)
        return self._rules[kind]

    def _made(self, found: Resolution, delimiters: Delimiters) -> Rules | None:
        definition = found.definition
        if definition is None:
            return None
        context = Context(delimiters, definition.release, self._options.charset)
        rules = Rules(definition, context, self._options.dictionary.vocabulary.segments)
        level = _GUIDE if definition.guide else _SYNTAX
        self._level = max(self._level, _BALANCING if rules.is_balanced else level)
        return rules

    def _resolve(
        self, set_id: str, version: str, interchange_version: str, reference: str
    ) -> Resolution:
        options, dictionary = self._options, self._options.dictionary
        if options.guide:
            release = options.release or options.guide[:6]
            found = dictionary.definition(set_id, release, options.guide)
            return Resolution(found, "none" if found is None else "exact", release)
        if options.release:
            return dictionary.resolve(set_id, options.release)
        return dictionary.resolve(set_id, version, interchange_version, reference)

    def _group_of(self, summary: SetSummary) -> GroupSummary | None:
        """Return the group a set stands in. The walk may be ahead, by groups and sets."""
        groups = self._walk.envelope.groups
        at = bisect_right(groups, summary.index, key=attrgetter("first_set")) - 1
        return groups[at] if at >= 0 and summary.index in groups[at].sets else None

    def _mention(
        self, found: Resolution, summary: SetSummary, stretch: Stretch, result: SetResult
    ) -> None:
        """Say once of each kind of set that it is judged by another release, or by none."""
        if found.exactness == "exact" or (summary.set_id, found.release) in self._mentioned:
            return
        self._mentioned.add((summary.set_id, found.release))
        asked = _known(self._options.guide or found.release)
        if found.definition is None:
            at = f" at {asked}" if asked else ""
            set_id = _known(summary.set_id) or "this set"
            message = f"no definition for {set_id}{at}: structure not checked"
            code, severity = FindingCode.NO_DEFINITION, Severity.WARNING
        else:
            message = f"judged by release {found.definition.release}, the nearest there is"
            code, severity = FindingCode.NEAREST_DEFINITION, Severity.INFO
        self._content.report(code, severity, message, _last_spot(stretch), result, STANDARD)

    def _check_frame(
        self, summary: SetSummary, group: GroupSummary, stretch: Stretch, result: SetResult
    ) -> None:
        """Compare the set with the group around it."""
        functional_id = self._options.dictionary.functional_ids.get(summary.set_id)
        if functional_id is not None and element_at(group.header, 1) != functional_id:
            message = f"set {summary.set_id} belongs in a group {functional_id}, not in this one"
            self._frame_error(FindingCode.SET_NOT_IN_GROUP, message, stretch, result, 1)
        reference, version = element_at(summary.header, 3), group.version
        if reference and is_guide_id(version) and reference != version:
            message = "ST03 differs from the guide that GS08 names"
            self._frame_error(FindingCode.SET_REFERENCE_UNEXPECTED, message, stretch, result, 3)

    def _frame_error(
        self, code: FindingCode, message: str, stretch: Stretch, result: SetResult, element: int
    ) -> None:
        spot, part = _last_spot(stretch), Part(element)
        self._content.report(code, Severity.ERROR, message, spot, result, STANDARD, None, part)
        result.codes += (ACK_CODES[code]["set"],)

    # ---- the outcome -----------------------------------------------------------------------------

    def _validation(self) -> Validation:
        log, content, envelope = self._walk.log, self._content, self._walk.envelope
        errors = sorted([*log.errors(), *content.errors], key=_place)
        others = sorted([*log.warnings(), *content.others], key=_place)
        shown = errors[:MOST_FINDINGS]
        shown += others[: MOST_FINDINGS - len(shown)]
        sets = envelope.sets
        first = self._first
        return Validation(
            findings=tuple(sorted(shown, key=_place)),
            finding_count=log.total + content.error_count + content.other_count,
            error_count=log.error_total + content.error_count,
            tx_set=sets[0].set_id if sets else "",
            version=self._version(),
            guide=first.definition.guide if first and first.definition else None,
            definition=first.exactness if first else "none",
            snip_level=self._level,
            results=self._results,
            envelope=envelope,
        )

    def _version(self) -> str:
        envelope = self._walk.envelope
        if envelope.first_group_version or not envelope.interchanges:
            return envelope.first_group_version
        return envelope.interchanges[0].header[12].strip()


class _Keys:
    """The prefixes of the keys of a stretch's segments; worked out when one is asked for."""

    __slots__ = ("_keys", "_stretch", "_tags", "_walk")

    def __init__(self, walk: Walk, stretch: Stretch, tags: list[str]) -> None:
        self._walk = walk
        self._stretch = stretch
        self._tags = tags
        self._keys: list[str] | None = None

    def __call__(self, index: int) -> str:
        if self._keys is None:
            self._keys = self._all()
        return self._keys[index - self._stretch.first]

    def _all(self) -> list[str]:
        tx_index = self._stretch.tx_index
        scope, numbers = self._walk.scope(tx_index), dict(self._walk.numbering.of(tx_index))
        keys = []
        for tag in self._tags:
            numbers[tag] = number = numbers.get(tag, 0) + 1
            keys.append(f"{scope}{tag}" if number == 1 else f"{scope}{tag}[{number}]")
        return keys


def _last_spot(stretch: Stretch) -> Spot:
    """Return the last segment of a stretch; its keys only if it is a control segment."""
    index = stretch.last - 1
    tag, number = stretch.batch.rows[index][0], stretch.occurrence
    key = "" if not number else tag if number == 1 else f"{tag}[{number}]"
    position = stretch.position + index - stretch.first
    return Spot(stretch.batch, index, stretch.tx_index, position, key)


def _place(finding: Finding) -> int:
    return finding.offset or 0


def _known(text: str) -> str:
    """Return a set id or release of the usual form; anything else is content and is not quoted."""
    return text if text.isascii() and text.isalnum() and len(text) <= 12 else ""  # noqa: PLR2004 - 005010X222A1
