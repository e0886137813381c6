"""What is timed: the floor, and each operation of the engine with a check of its output.

The only file of the benchmarks that knows the engine's names. An operation is made for one
document; calling it does the work once, and what it returns is checked before anything is timed.
"""

import codecs
import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, cast

from longshore.compute.documents import convert_result
from longshore.engine import ConvertedResult, RuleText, parse, stream_segments
from longshore.x12.acks.build import preview_acks
from longshore.x12.delimiters import NO_OVERRIDES
from longshore.x12.layout import scout
from longshore.x12.reader import SegmentReader
from longshore.x12.validate.validation import validate
from longshore.x12.walk import Walk
from tests.bench.conversions import CONVERSIONS, segments_of
from tests.bench.documents import Document

CHUNK = 65_536
"""Bytes or characters of one piece of a streamed document, as a socket would hand it on."""


class WrongAnswerError(Exception):
    """An operation answered wrongly: its time means nothing."""


class Operation(NamedTuple):
    """One thing to time. ``run`` does it; ``check`` takes its answer.

    ``is_flat`` bounds memory as a whole; ``is_weighed`` what the document adds to that.
    """

    about: str
    prepare: Callable[[Document], Callable[[], object]]
    check: Callable[[Document, object], None]
    is_flat: bool = False
    is_weighed: bool = False


def floor(text: str, document: Document) -> int:
    """Split into segments and elements and drop the rows: what nothing in Python is faster than."""
    terminator, separator = document.marks.segment, document.marks.element
    return sum(len(segment.split(separator)) for segment in text.split(terminator))


def pieces_of_file(path: str) -> Iterator[bytes]:
    """Yield a file in chunks."""
    with Path(path).open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


def text_of_file(path: str) -> Iterator[str]:
    """Yield a file in chunks of text."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    for chunk in pieces_of_file(path):
        yield decoder.decode(chunk)


def read(first: Iterable[str], second: Iterable[str]) -> tuple[int, int]:
    """Scout in ``first``, read ``second`` to the end; return how many segments and pieces."""
    reader = SegmentReader(scout(first, NO_OVERRIDES))
    segments = pieces = 0
    for batch in reader.read(second):
        segments += len(batch.rows)
        pieces += sum(map(len, batch.rows))
    return segments, pieces


def whole_text(document: Document) -> str:
    """Return the text of a document."""
    return Path(document.path).read_bytes().decode()


def prepare_read(document: Document) -> Callable[[], object]:
    """Read from memory, in chunks that were cut beforehand."""
    text = whole_text(document)
    chunks = [text[at : at + CHUNK] for at in range(0, len(text), CHUNK)]
    return lambda: read(chunks, chunks)


def prepare_read_file(document: Document) -> Callable[[], object]:
    """Read from a file: open, decode, scout and read."""
    return lambda: read(text_of_file(document.path), text_of_file(document.path))


def check_read(document: Document, answer: object) -> None:
    """Compare the numbers of segments and pieces."""
    expected = document.counts.segments, document.counts.pieces
    if answer != expected:
        raise WrongAnswerError(f"{document.name}: read {answer}, expected {expected}")


def prepare_check(document: Document) -> Callable[[], object]:
    """Read from memory with everything said of the envelope and the segments; no fields."""
    text = whole_text(document)

    def check() -> tuple[int, int]:
        walk = Walk(lambda: (text,), NO_OVERRIDES)
        for _ in walk.span_lists():
            pass
        return walk.envelope.segment_count, len(walk.log.errors())

    return check


def check_checked(document: Document, answer: object) -> None:
    """Compare the numbers of segments and errors."""
    expected = document.counts.segments, document.findings
    if answer != expected:
        raise WrongAnswerError(f"{document.name}: checked {answer}, expected {expected}")


def prepare_result(document: Document) -> Callable[[], object]:
    """Go from text to the complete result bytes."""
    text = whole_text(document)
    return lambda: parse(text).result_json()


def check_result(document: Document, answer: object) -> None:
    """Compare the counts, the number of findings and the ends of the fields."""
    assert isinstance(answer, bytes)
    result = json.loads(answer)
    fields = result["fields"]
    found = {
        "fields": len(fields),
        "field_count": result["field_count"],
        "segments": result["segment_count"],
        "errors": len(result["errors"]),
        "warnings": len(result["warnings"]),
        "last": list(fields.items())[-1],
    }
    expected = {
        "fields": document.counts.fields,
        "field_count": document.counts.fields,
        "segments": document.counts.segments,
        "errors": document.findings,
        "warnings": 0,
        "last": ("IEA.02", "000000001"),
    }
    if found != expected:
        raise WrongAnswerError(f"{document.name}: answered {found}, expected {expected}")


def judged(text: str) -> tuple[int, int, str]:
    """Validate a document; return its segments, its errors and its acknowledgement."""
    validation = validate(lambda: (text,))
    acks = preview_acks(validation.envelope, validation.results)
    written = "".join(ack.text for _, ack in acks)
    return validation.envelope.segment_count, validation.error_count, written


def prepare_validate(document: Document) -> Callable[[], object]:
    """Go from text to findings and the 997 or 999."""
    text = whole_text(document)
    return lambda: judged(text)


def prepare_weigh(document: Document) -> Callable[[], object]:
    """As ``validate``, from the file; the rules of the set are ready, as in a server."""
    with Path(document.path).open(encoding="utf-8") as file:
        judged(file.read(CHUNK))
    return lambda: judged(whole_text(document))


def check_judged(document: Document, answer: object) -> None:
    """Compare the counts, and what the acknowledgement says of each set and each fault.

    A document with faults has one in a set, each of one element.
    """
    segments, errors, ack = cast("tuple[int, int, str]", answer)
    start = f"{document.marks.segment}ST{document.marks.element}"
    sets, faults = whole_text(document).count(start), document.findings
    found = (segments, errors, *(len(re.findall(f"~{tag}.", ack)) for tag in _NOTES))
    expected = (document.counts.segments, faults, sets, faults, faults, sets)
    counts = re.findall(r"~AK9.[APR].(\d+).(\d+).(\d+)~", ack)
    if found != expected or counts != [(str(sets), str(sets), str(sets - faults))]:
        raise WrongAnswerError(f"{document.name}: {found} and {counts}, expected {expected}")


# A set, a segment and an element of it that is wrong, the result of the set.
_NOTES = ("AK2", "[AI]K3", "[AI]K4", "[AI]K5")


def prepare_lines(document: Document) -> Callable[[], object]:
    """Go from a file to one JSON line a segment, each dropped at once."""
    return lambda: sum(1 for _ in stream_segments(lambda: pieces_of_file(document.path)))


def check_lines(document: Document, answer: object) -> None:
    """Compare the number of lines."""
    if answer != document.counts.segments:
        expected = document.counts.segments
        raise WrongAnswerError(f"{document.name}: {answer} lines, expected {expected}")


def prepare_convert(name: str) -> Callable[[Document], Callable[[], object]]:
    """Go from text and the JSON text of rules to the result bytes; the rules are known, as warm."""
    rules, _ = CONVERSIONS[name]

    def prepare(document: Document) -> Callable[[], object]:
        text, rule_text = whole_text(document), RuleText(json.dumps(rules))
        return lambda: convert_result(text, rule_text, cpu_seconds=60)

    return prepare


def prepare_by_hand(name: str) -> Callable[[Document], Callable[[], object]]:
    """Do the same in plain Python that knows its document."""
    _, by_hand = CONVERSIONS[name]

    def prepare(document: Document) -> Callable[[], object]:
        text = whole_text(document)
        return lambda: by_hand(text)

    return prepare


def check_converted(name: str) -> Callable[[Document, object], None]:
    """Compare with what plain Python makes of the document."""
    _, by_hand = CONVERSIONS[name]

    def check(document: Document, answer: object) -> None:
        output = (
            json.loads(answer.members)["output"] if isinstance(answer, ConvertedResult) else answer
        )
        text = whole_text(document)
        if output != by_hand(text) or len(segments_of(text)) != document.counts.segments:
            raise WrongAnswerError(f"{document.name}: converted otherwise than by hand")

    return check


OPERATIONS = {
    **{
        name: Operation("text, rules -> result bytes", prepare_convert(name), check_converted(name))
        for name in CONVERSIONS
    },
    **{
        f"{name}-by-hand": Operation(
            "text -> the same output", prepare_by_hand(name), check_converted(name)
        )
        for name in CONVERSIONS
    },
    "validate": Operation("text -> findings, 997 or 999", prepare_validate, check_judged),
    "weigh": Operation(
        "file -> findings, 997 or 999", prepare_weigh, check_judged, is_weighed=True
    ),
    "read": Operation("chunks in memory -> segments, elements", prepare_read, check_read),
    "read-file": Operation(
        "file -> segments, elements", prepare_read_file, check_read, is_flat=True
    ),
    "check": Operation("text -> segments, findings", prepare_check, check_checked),
    "result": Operation("text -> complete result bytes", prepare_result, check_result),
    "lines": Operation("file -> a JSON line a segment", prepare_lines, check_lines, is_flat=True),
}
