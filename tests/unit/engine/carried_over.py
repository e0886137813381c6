"""Documents carried over from X12 to X12: one rule for each value, from its place to the same."""

from collections import Counter
from collections.abc import Iterator

from longshore.engine import Converted, convert
from longshore.mapping.document_x12 import X12Document
from longshore.mapping.envelopes import Stamp
from longshore.x12.dictionary.library import shipped
from longshore.x12.loops.faults import LoopStep
from longshore.x12.loops.placement import Placement
from longshore.x12.loops.table import table_of
from longshore.x12.segment_table import KNOWN_SEGMENTS
from longshore.x12.writer.segments import elements_of

STAMP = Stamp(date="20260302", time="0915", interchange_number="417", group_number="417")


def located(text: str) -> Iterator[tuple[str, str]]:
    """Yield each segment of the only set, and its path: the loops around it, counted in theirs."""
    document = X12Document(text)
    isa, gs, st = (document.header(1, tag) for tag in ("ISA", "GS", "ST"))
    definition = shipped().resolve(st[1], gs[8], isa[12], "").definition
    assert definition is not None
    segments = document.sets[1].segments
    placement = Placement(table_of(definition), segments.marks[0], KNOWN_SEGMENTS)
    counts: Counter[tuple[tuple[LoopStep, ...], str]] = Counter()
    names: dict[tuple[LoopStep, ...], str] = {(): ""}
    for at, tag in enumerate(segments.tags):
        row = segments.plain_row(at)
        cursor = placement.locate(row)
        assert cursor.slot is not None
        is_opener = cursor.slot.inner is not None
        around = cursor.path[:-1] if is_opener else cursor.path
        counts[around, tag] += 1
        path = f"{names[around]}{tag}[{counts[around, tag]}]"
        if is_opener:
            names[cursor.path] = f"{path}>"
        yield "*".join(row), path


def identity_rules(text: str) -> Iterator[dict[str, object]]:
    """Yield a rule for each value; where it stands is said by ``:``, where it goes by ``>``."""
    marks = X12Document(text).sets[1].segments.marks[0]
    for segment, path in located(text):
        for position, element in enumerate(elements_of(segment, marks)[1:], 1):
            repetitions = element if isinstance(element, list) else [element]
            for number, repetition in enumerate(repetitions, 1):
                place = f".{position:02d}[{number}]"
                count = 0 if isinstance(repetition, str) else len(repetition)
                for part in [f".{at:02d}" for at in range(1, count + 1)] or [""]:
                    src = f":{path.replace('>', ':')}{place}{part}"
                    yield {"src": src, "tgt": f"{path}{place}{part}"}


def carried_over(text: str) -> Converted:
    """Return a document, its separators ``*``, written anew."""
    return convert(text, list(identity_rules(text)), target_format="x12", stamp=STAMP)
