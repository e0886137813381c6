"""Suggest rules for a map: which field of a document becomes which field of the wanted one.

Both sides are split into fields, and each pair of them gets a score. A pair is suggested only if no
other pair of its source or of its target comes near it: a wrong suggestion costs more than a
missing one. Suggestions compile together with the existing rules and give a value on the document,
of the JSON type that the example of the target has there.

A value whose meaning is given by a code before it (PO1.06 and PO1.07) is read wherever that code
occurs: a suggestion has one rule for each position.

Limits: the first 500 fields of each side, the first MiB of an X12 document. An element of an X12
target whose meaning depends on a code in another element (N1, REF, PO1.07) is not suggested,
because that code needs a rule of its own; nor is a date that would have to lose its hyphens.

Source: contract.md section 15.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from types import MappingProxyType
from typing import Final, NamedTuple

from longshore.kit.errors import LongshoreError
from longshore.mapping.conflicts import tokens_of
from longshore.mapping.rule_texts import RuleText, read_lookups, read_rules
from longshore.mapping.rules import compile_rules
from longshore.mapping.suggest_fields import csv_places, json_places, xml_places
from longshore.mapping.suggest_places import (
    DATE,
    MAX_PLACES,
    NUMBER,
    Likeness,
    SuggestPlace,
    date_in,
    is_iso_date,
    likeness,
)
from longshore.mapping.suggest_rules import Suggestion, sound_suggestions, types_in
from longshore.mapping.suggest_x12 import MAX_CHARS, x12_places

_SAMPLE: Final = "target_sample"
THRESHOLD: Final = 0.7
MARGIN: Final = 0.1
_MAX_TABLES: Final = 4
_MAX_PAIRS: Final = 2 * MAX_PLACES * MAX_PLACES  # compared for all tables together

_READERS: Final[Mapping[str, Callable[..., Iterator[SuggestPlace]]]] = MappingProxyType({
    "x12": x12_places,
    "json": json_places,
    "csv": csv_places,
    "xml": xml_places,
})


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestions:
    """The suggestions, in the order of the target."""

    found: tuple[Suggestion, ...]
    is_cut: bool
    """Not all fields were compared."""


class _Pair(NamedTuple):
    source: SuggestPlace
    target: SuggestPlace
    likeness: Likeness


def suggest(
    document: str,
    target_sample: str,
    rules: RuleText,
    rejected: Iterable[tuple[str, str]] = (),
) -> Suggestions:
    """Return suggestions for the missing rules of a map.

    Args:
        document: An example of the source, in ``rules.source_format``.
        target_sample: An example of what is wanted, in ``rules.target_format``: a document; for CSV
            the header suffices.
        rules: The existing rules, whose targets are not suggested again.
        rejected: ``src`` and ``tgt`` of suggestions that were rejected.

    Raises:
        LongshoreError: About the rules as ``compile_rules``, invalid_json and invalid_parameter;
            about both documents as ``parse``.
    """
    given = read_rules(rules.field_map)
    known = compile_rules(
        given,
        source_format=rules.source_format,
        target_format=rules.target_format,
        lookups=read_lookups(rules.lookups),
    )
    sources, is_source_cut = _places(rules.source_format, document, is_target=False)
    try:
        targets, is_target_cut = _places(rules.target_format, target_sample, is_target=True)
    except LongshoreError as refusal:
        refusal.details = tuple(replace(each, param=_SAMPLE) for each in refusal.details)
        raise
    pairs = (_best_rows if rules.target_format == "csv" else _best)(
        sources, targets, frozenset(rejected)
    )
    type_of = types_in(target_sample, rules)
    found = [
        _suggestion(pair, type_of(pair.target.path), is_x12=rules.target_format == "x12")
        for pair in pairs
        if not _would_keep_hyphens(pair)
    ]
    taken = frozenset(tokens_of(rule.target) for rule in known.rules)
    return Suggestions(
        found=tuple(
            suggestion
            for suggestion, target in sound_suggestions(found, given, rules, document)
            if tokens_of(target) not in taken
        ),
        is_cut=is_source_cut or is_target_cut,
    )


def _places(
    document_format: str, document: str, *, is_target: bool
) -> tuple[list[SuggestPlace], bool]:
    """Return the fields of a document, and whether there are more."""
    read = _READERS[document_format](document, is_target=is_target)
    found = list(islice(read, MAX_PLACES + 1))
    is_long = document_format == "x12" and len(document) > MAX_CHARS
    return found[:MAX_PLACES], is_long or len(found) > MAX_PLACES


# ---- pairs -------------------------------------------------------------------------------------


class _Rank:
    """The best pair of a field, and the score of the next one."""

    __slots__ = ("pair", "second")

    def __init__(self) -> None:
        self.pair: _Pair | None = None
        self.second = 0.0

    def enter(self, pair: _Pair) -> None:
        if self.pair is None or pair.likeness.score > self.pair.likeness.score:
            if self.pair is not None:
                self.second = self.pair.likeness.score
            self.pair = pair
        else:
            self.second = max(self.second, pair.likeness.score)

    def unique(self) -> _Pair | None:
        """Return the best pair if it is good, and no other comes near it."""
        if self.pair is None:
            return None
        score = self.pair.likeness.score
        return self.pair if score >= THRESHOLD and score - self.second >= MARGIN else None


def _best(
    sources: Sequence[SuggestPlace],
    targets: Sequence[SuggestPlace],
    rejected: frozenset[tuple[str, str]],
) -> Iterator[_Pair]:
    """Yield the pairs that no other comes near, in the order of the targets."""
    by_source = [_Rank() for _ in sources]
    by_target = [_Rank() for _ in targets]
    for target, target_rank in zip(targets, by_target, strict=True):
        for source, source_rank in zip(sources, by_source, strict=True):
            alike = likeness(source, target)
            if alike is not None and (source.path, target.path) not in rejected:
                pair = _Pair(source, target, alike)
                source_rank.enter(pair)
                target_rank.enter(pair)
    meant = {id(rank.unique()) for rank in by_source}
    for rank in by_target:
        best = rank.unique()
        if best is not None and id(best) in meant:
            yield best


def _best_rows(
    sources: Sequence[SuggestPlace],
    targets: Sequence[SuggestPlace],
    rejected: frozenset[tuple[str, str]],
) -> list[_Pair]:
    """Return the best pairs for a table, whose rows are the items of one list.

    That is the list which fills most columns, of the longest ones.
    """
    lists = Counter(filter(None, map(_list_of, sources)))
    affordable = _MAX_PAIRS // (len(sources) * len(targets) or 1)
    tables = [
        list(
            _best(
                [each for each in sources if list_path.startswith(_list_of(each))],
                targets,
                rejected,
            )
        )
        for list_path, _ in lists.most_common(min(_MAX_TABLES, affordable))
    ]
    return max(tables, key=len, default=[]) or list(_best(sources, targets, rejected))


def _list_of(source: SuggestPlace) -> str:
    """Return a path up to its last wildcard; ``""`` if it has none."""
    return source.path[: source.path.rfind("[*]") + len("[*]")] if "[*]" in source.path else ""


def _would_keep_hyphens(pair: _Pair) -> bool:
    """Return whether a date would be written with hyphens where there shall be none."""
    source, target, _ = pair
    is_plain = bool(date_in(target.value)) and not is_iso_date(target.value)
    return is_plain and is_iso_date(source.value)


def _suggestion(pair: _Pair, written_type: dict[str, str], *, is_x12: bool) -> Suggestion:
    source, target, alike = pair
    is_date = DATE in source.kinds and not is_iso_date(source.value)
    transform = "date_iso" if is_date and is_iso_date(target.value) else "none"
    common = ({} if transform == "none" else {"transform": transform}) | written_type
    return Suggestion(
        src=source.path,
        tgt=target.path,
        transform=transform,
        score=round(min(alike.score, 1.0), 2),
        reason=_reason(pair, better_known=target if is_x12 else source),
        group=source.group,
        rules=tuple(
            {"src": src, "tgt": target.path} | common | ({"when": when} if when else {})
            for src, when in source.readings
        ),
    )


_SHAPES: Final[Mapping[str, str]] = MappingProxyType({
    DATE: "value looks like a date",
    NUMBER: "value is a number",
})


def _reason(pair: _Pair, better_known: SuggestPlace) -> str:
    """Return the reason for a suggestion, in words.

    Args:
        pair: The pair that is suggested.
        better_known: The field of the pair whose meaning is more certain.
    """
    alike = pair.likeness
    parts = []
    if alike.is_named_alike:
        parts.append(f"same meaning: {better_known.meaning}")
    if alike.has_same_value:
        parts.append("same value in both samples")
    if alike.shared_kind:
        parts.append(_SHAPES[alike.shared_kind])
    return "; ".join(parts)
