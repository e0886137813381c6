"""Documents whose sets are taken whole: the pattern is made at once, and can be switched off."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from longshore.x12.acks.build import preview_acks
from longshore.x12.elements.patterns import patterns_in_use
from longshore.x12.validate import rules, validation
from longshore.x12.validate.validation import validate
from longshore.x12.validate.whole_sets import WholeSets

SAMPLES = Path(__file__).parents[4] / "samples"


@contextmanager
def learning_at_once() -> Iterator[None]:
    """Make the pattern of a whole set from the first good one; small documents go the long way.

    What other tests left is forgotten: of separators a definition keeps the first few alone.
    """
    _forget()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(rules, "_LEARNED_AFTER", 0)
        patched.setattr(validation, "_validate_clean", lambda *_: None)
        yield
    _forget()


def _forget() -> None:
    rules.rules_of.cache_clear()
    patterns_in_use.cache_clear()


def said(*chunks: str, is_whole: bool = True) -> tuple[object, ...]:
    """Return everything that is said of a document; ``is_whole``: sets may be taken whole."""
    with pytest.MonkeyPatch.context() as patched:
        if not is_whole:
            patched.setattr(WholeSets, "__call__", lambda _, _text, at, *_rest: at)
        found = validate(lambda: chunks)
    envelope = found.envelope
    faults = {index: (each.faults, each.codes) for index, each in found.results.items()}
    acks = [ack.text for _, ack in preview_acks(envelope, found.results)]
    counts = (envelope.segment_count, envelope.set_count, envelope.first_group_version)
    summaries = (envelope.interchanges, envelope.groups, envelope.sets)
    return (found._replace(results={}, envelope=None), faults, counts, summaries, acks)  # type: ignore[arg-type]  # compared apart


def taken(text: str) -> int:
    """Return how many sets of a document are taken whole."""
    count = 0
    call = WholeSets.__call__

    def counted(sets: WholeSets, *given: object) -> int:
        nonlocal count
        before = sets._envelope.set_count  # noqa: SLF001 - what is counted
        end = call(sets, *given)  # type: ignore[arg-type]  # as they came
        count += sets._envelope.set_count - before  # noqa: SLF001
        return end

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(WholeSets, "__call__", counted)
        validate(lambda: (text,))
    return count


def sample_sets(folder: str, count: int, line_break: str = "") -> str:
    """Return a document with the set of a sample so many times, in one group."""
    text = (SAMPLES / folder / "input.edi").read_text("ascii").replace("\n", "")
    start, end = text.index("~ST*") + 1, text.index("~GE*") + 1
    body = text[start:end]
    number = body.split("*", 3)[2].split("~")[0]
    sets = "".join(body.replace(f"*{number}", f"*{at:04}") for at in range(1, count + 1))
    ending = text[end:].replace("GE*1*", f"GE*{count}*")
    return (text[:start] + sets + ending).replace("~", "~" + line_break)
