"""Compares the dictionary with a folder of facts that others describe.

``python -m tools.compare_dictionary FACTS_FOLDER [--set 850] [--brief]`` prints, for each set,
guide and list of segments, how many positions are equal, and each difference. A difference that
stands in the table of docs/reference/dictionary-agreement.md, with its reason, counts as explained.
The command exits with 1 if one is not.

The folder holds ``sets/*.json`` and ``guides/*.json`` in the form of ``longshore dictionary
export``, ``segments-RRRRRR.json``, ``composites-RRRRRR.json`` and ``elements-RRRRRR.json``.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from longshore.x12.dictionary.export import schema_export, set_export
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.model import ElementUse

AGREEMENT: Final = Path(__file__).parents[1] / "docs/reference/dictionary-agreement.md"
_CELL_END: Final = re.compile(r"(?<!\\)\|")
_LEVELS: Final = re.compile(r"^.*/(?=2000[A-Z](/|$))")
_UNKNOWN_MAXIMA: Final = "unknown where 0"
_WRAPPERS: Final = {"LS", "LE"}  # facts write them as positions around their loop
Json = Mapping[str, Any]


class Difference(NamedTuple):
    """One difference: of what, at which place, what the dictionary says, what the facts say."""

    subject: str
    place: str
    ours: str
    facts: str


class Comparison(NamedTuple):
    """Result of a comparison: the number of positions, and the differences."""

    subject: str
    size: int
    differences: tuple[Difference, ...]

    @property
    def percent(self) -> float:
        """Return how many of a hundred positions are equal."""
        wrong = len({each.place for each in self.differences})
        return 100 * max(0, self.size - wrong) / self.size if self.size else 100.0


class _Position(NamedTuple):
    path: str
    values: Json


def compare_set(facts: Json) -> Comparison | None:
    """Compare a set in one release; None if the dictionary does not have it there."""
    definition = shipped().definition(facts["set"], facts["release"])
    if definition is None:
        return None
    subject = f"{facts['set']} {facts['release']}"
    ours = _normalised(cast("list[Json]", set_export(definition)["positions"]))
    theirs = _normalised(facts["positions"])
    has_maxima = facts.get("maxima") != _UNKNOWN_MAXIMA
    found: list[Difference] = []
    matcher = SequenceMatcher(
        None, [each.path for each in ours], [each.path for each in theirs], autojunk=False
    )
    for verb, first, last, start, end in matcher.get_opcodes():
        if verb == "equal":
            for mine, other in zip(ours[first:last], theirs[start:end], strict=True):
                found += _differing(subject, mine, other, has_maxima=has_maxima)
        else:
            found += (
                Difference(subject, each.path, "present", "absent") for each in ours[first:last]
            )
            found += (
                Difference(subject, each.path, "absent", "present") for each in theirs[start:end]
            )
    extra = sum(each.facts == "absent" for each in found)
    return Comparison(subject, len(theirs) + extra, _numbered(found))


def _normalised(positions: Sequence[Json]) -> list[_Position]:
    """Return positions by the segments their loops begin with, LS and LE as positions."""
    loops: dict[str, str] = {}  # by the path of a loop, the segment it begins with
    found = []
    for position in positions:
        path, segment = position["path"], position["segment"]
        if "loop" in position:
            loops[path.removesuffix(f"/{segment}")] = segment
        around = sorted((each for each in loops if path.startswith(f"{each}/")), key=len)
        tags = [loops[each] for each in around if loops[each] not in _WRAPPERS]
        found.append(_Position("/".join([*tags, segment]), _without_wrapper(position)))
    return found


def _without_wrapper(position: Json) -> Json:
    """Write LS as the facts do: with the requirement of its loop, and LE as optional as that."""
    loop = position.get("loop")
    if position["segment"] == "LS" and loop is not None:
        return {"segment": "LS", "requirement": loop["requirement"], "max": loop["max"]}
    if position["segment"] == "LE":
        return {"segment": "LE", "requirement": "O", "max": 1}
    return position


def _differing(
    subject: str, mine: _Position, other: _Position, *, has_maxima: bool
) -> Iterator[Difference]:
    yield from _values(subject, mine.path, mine.values, other.values, has_maxima=has_maxima)
    our_loop, their_loop = mine.values.get("loop"), other.values.get("loop")
    if our_loop is None or their_loop is None:
        if our_loop is not their_loop:
            yield Difference(subject, mine.path, _loop(our_loop), _loop(their_loop))
        return
    place = f"{mine.path} (loop)"
    yield from _values(subject, place, our_loop, their_loop, has_maxima=has_maxima)


def _values(
    subject: str, place: str, mine: Json, other: Json, *, has_maxima: bool = True
) -> Iterator[Difference]:
    if mine["requirement"] != other["requirement"]:
        yield Difference(subject, place, mine["requirement"], other["requirement"])
    if mine["max"] != other["max"] and (has_maxima or other["max"]):
        yield Difference(subject, place, _maximum(mine["max"]), _maximum(other["max"]))


def _maximum(value: int) -> str:
    return f"max {value or '*'}"


def _loop(value: object) -> str:
    return "position" if value is None else "loop"


def _numbered(found: Sequence[Difference]) -> tuple[Difference, ...]:
    """Tell equal differences at one path apart: ``N1 (2)``."""
    seen: dict[Difference, int] = {}
    numbered = []
    for each in found:
        seen[each] = count = seen.get(each, 0) + 1
        numbered.append(each if count == 1 else each._replace(place=f"{each.place} ({count})"))
    return tuple(numbered)


def compare_guide(facts: Json) -> Comparison | None:
    """Compare a guide over a set; None if the dictionary does not have it."""
    tx_set, guide = facts["set"], facts["guide"]
    release = shipped().guide_release(tx_set, guide)
    definition = shipped().definition(tx_set, release, guide) if release else None
    if definition is None:
        return None
    subject = f"{guide} {tx_set}"
    exported = cast("list[Json]", schema_export(definition)["positions"])
    ours: dict[str, list[Json]] = {}
    for position in exported:
        ours.setdefault(_below_level(position["path"]), []).append(position)
    found: list[Difference] = []
    count = 0
    for other in facts["positions"]:
        if other["requirement"] == "N" or other["segment"] == "TA1":  # TA1 is of the envelope
            continue
        count += 1
        mine = _nearest(ours.get(_below_level(other["path"]), []), other)
        if mine is None:
            found.append(Difference(subject, _guide_place(other), "absent", "present"))
        else:
            found += _guide_values(subject, mine, other)
    left = [each for positions in ours.values() for each in positions]
    found += (Difference(subject, _guide_place(each), "present", "absent") for each in left)
    return Comparison(subject, count + len(left), _numbered(found))


def _below_level(path: str) -> str:
    """Return a path from its innermost level (HL) on: some write levels inside, some apart."""
    return _LEVELS.sub("", path)


def _nearest(candidates: list[Json], other: Json) -> Json | None:
    """Take the candidate that shares most codes of the condition out of the list."""
    wanted = set(_codes(other))
    best = max(candidates, key=lambda each: len(wanted & set(_codes(each))), default=None)
    if best is None or (wanted and _codes(best) and not wanted & set(_codes(best))):
        return None
    candidates.remove(best)
    return best


def _codes(position: Json) -> list[str]:
    return list(position.get("when", {}).get("codes", ()))


def _guide_place(position: Json) -> str:
    codes = _codes(position)
    return f"{position['path']}[{'|'.join(codes[:4])}]" if codes else str(position["path"])


def _guide_values(subject: str, mine: Json, other: Json) -> Iterator[Difference]:
    place = _guide_place(other)
    if not ("loop" in mine and "loop" in other):
        yield from _values(subject, place, mine, other)
    else:  # what begins a loop is always required in it
        yield from _values(subject, f"{place} (loop)", mine["loop"], other["loop"])
    if sorted(_codes(mine)) != sorted(_codes(other)) and _codes(mine) and _codes(other):
        yield Difference(subject, f"{place} codes", "|".join(_codes(mine)), "|".join(_codes(other)))
    for at, (use, (_, letter)) in enumerate(
        zip(mine["elements"], other.get("elements", ()), strict=False), 1
    ):
        requirement = {"M": "R", "O": "S"}.get(use["requirement"], use["requirement"])
        if requirement != letter:
            yield Difference(subject, f"{place}.{at:02d}", requirement, letter)


def compare_segments(release: str, facts: Json) -> Comparison:
    """Compare the segments that both describe: elements, requirement, repetitions, notes."""
    subject = f"segments {release}"
    found: list[Difference] = []
    count = 0
    for segment_id, theirs in facts.items():
        segment = shipped().vocabulary.segment(segment_id, release)
        if segment is None:
            continue
        count += 1
        mine = " ".join(map(_element, segment.uses))
        other = " ".join(_fact_element(*each) for each in theirs["els"])
        if mine != other:
            found.append(Difference(subject, segment_id, mine, other))
        notes = sorted(_plain_note(str(note)) for note in segment.notes)
        others = sorted(map(_plain_note, theirs["notes"]))
        if notes != others:
            place = f"{segment_id} notes"
            found.append(Difference(subject, place, " ".join(notes), " ".join(others)))
    return Comparison(subject, count, tuple(found))


def _plain_note(note: str) -> str:
    """Return a note with its positions in order where their order means nothing."""
    positions = (note[at : at + 2] for at in range(1, len(note), 2))
    return note[0] + "".join(sorted(positions)) if note[0] in "PRE" else note


def _element(use: ElementUse) -> str:
    return _fact_element(use.reference, "M" if use.is_mandatory else "O", use.repeat)


def _fact_element(number: str, requirement: str, repeat: int = 1) -> str:
    times = "" if repeat == 1 else f"x{repeat or '*'}"
    return f"{number}{'!' if requirement == 'M' else ''}{times}"


def compare_composites(release: str, facts: Json) -> Comparison:
    """Compare the components of composites."""
    subject = f"composites {release}"
    found = []
    for composite_id, theirs in facts.items():
        composite = shipped().vocabulary.composite(composite_id, release)
        mine = " ".join(map(_element, composite.uses)) if composite else "absent"
        other = " ".join(_fact_element(*each) for each in theirs)
        if mine != other:
            found.append(Difference(subject, composite_id, mine, other))
    return Comparison(subject, len(facts), tuple(found))


def compare_elements(release: str, facts: Json) -> Comparison:
    """Compare type and lengths of the elements that both describe."""
    subject = f"elements {release}"
    found = []
    count = 0
    for number, (kind, least, most) in facts.items():
        element = shipped().vocabulary.element(number, release)
        if element is not None:
            count += 1
            mine = f"{element.kind} {element.minimum}/{element.maximum}"
            # R9 and the like are decimals with an implied number of places no document knows.
            plain = "R" if kind.startswith("R") else kind
            if mine != f"{plain} {least}/{most}":
                found.append(Difference(subject, number, mine, f"{plain} {least}/{most}"))
    return Comparison(subject, count, tuple(found))


def compare_all(folder: Path, only: str = "") -> Iterator[Comparison]:
    """Compare all files of a folder, or those of one set."""
    for kind, compare in (("sets", compare_set), ("guides", compare_guide)):
        for path in sorted((folder / kind).glob("*.json")):
            facts = json.loads(path.read_text("utf-8"))
            if only in {"", facts["set"]} and (found := compare(facts)) is not None:
                yield found
    words = {
        "segments": compare_segments,
        "composites": compare_composites,
        "elements": compare_elements,
    }
    for kind, compare_words in words.items():
        for path in sorted(folder.glob(f"{kind}-*.json")):
            release = path.stem.rpartition("-")[2]
            if not only:
                yield compare_words(release, json.loads(path.read_text("utf-8")))


class Reasons:
    """The differences that a page explains in rows of five cells: the difference, and the reason.

    ``*`` as the place explains everything of a subject.
    """

    def __init__(self, page: str) -> None:
        lines = (line.strip().strip("|") for line in page.splitlines() if line.startswith("|"))
        rows = ([cell.strip().strip("`") for cell in _CELL_END.split(line)] for line in lines)
        self._known = {
            Difference(*(cell.replace("\\|", "|") for cell in row[:4]))
            for row in rows
            if len(row) == len(Difference._fields) + 1
        }
        self._whole = {each.subject for each in self._known if each.place == "*"}

    def explain(self, difference: Difference) -> bool:
        """Tell whether a reason is given for a difference."""
        return difference in self._known or difference.subject in self._whole


def main(arguments: Sequence[str]) -> int:
    """Print the comparison; return 1 if a difference is not explained."""
    parser = argparse.ArgumentParser(description="Compare the dictionary with a folder of facts.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", default="", help="one set alone, such as 850")
    parser.add_argument("--brief", action="store_true", help="the percentages alone")
    options = parser.parse_args(arguments)
    reasons = Reasons(AGREEMENT.read_text("utf-8"))
    is_complete = True
    for each in compare_all(options.folder, options.set):
        open_ones = [it for it in each.differences if not reasons.explain(it)]
        is_complete &= not open_ones
        print(
            f"{each.subject}: {each.size} positions, {each.percent:.1f} % equal, "
            f"{len(each.differences)} differences, {len(open_ones)} not explained"
        )
        for it in () if options.brief else open_ones:
            print(f"  {it.place}: {it.ours}, facts: {it.facts}")
    return 0 if is_complete else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
