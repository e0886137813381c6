"""However a document is cut into pieces, it reads alike."""

from collections.abc import Sequence
from dataclasses import asdict

from hypothesis import given
from hypothesis import strategies as st

from longshore.kit.errors import LongshoreError
from longshore.x12.delimiters import NO_OVERRIDES
from longshore.x12.fields import FieldWriter
from longshore.x12.layout import scout
from longshore.x12.reader import SegmentReader
from longshore.x12.views import SegmentLister
from longshore.x12.walk import Numbering, Walk
from tests.unit.x12.generated import cuts, documents


def what_the_reader_gives(text: str, pieces: Sequence[str]) -> list[object]:
    given: list[object] = []
    try:
        reader = SegmentReader(scout((text,), NO_OVERRIDES))
        count = 0
        for number, piece in enumerate(pieces, 1):
            for batch in reader.feed(piece, is_last=number == len(pieces)):
                for index, row in enumerate(batch.rows):
                    start = batch.starts[index]
                    place = (
                        reader.positions.of(start),
                        reader.positions.after(start + len(batch.texts[index])),
                    )
                    given.append((count + index, batch.texts[index], row, batch.delimiters, place))
                    given.append((row[0] in batch.odd_ids, batch.kind))
                given.extend(
                    (
                        diagnostic.code,
                        diagnostic.place or reader.positions.of(diagnostic.start),
                        diagnostic.end,
                        count + diagnostic.before,
                        diagnostic.message,
                    )
                    for diagnostic in batch.diagnostics
                )
                count += len(batch.rows)
    except LongshoreError as refused:
        given.append((refused.code, refused.message, refused.details))
    return sorted(given, key=repr)


def what_the_walk_gives(pieces: Sequence[str]) -> tuple[object, ...]:
    lines: list[str] = []
    try:
        walk = Walk(lambda: iter(pieces))
        fields = FieldWriter(walk)
        lister = SegmentLister(walk, Numbering())
        for spans in walk.span_lists():
            for span in spans:
                lines.extend(lister.lines(span))
            fields.add(spans)
    except LongshoreError as refused:
        return lines, refused.code, refused.message, refused.details
    findings = [asdict(each) for each in (*walk.log.errors(), *walk.log.warnings())]
    return lines, fields.json(), findings, walk.envelope.segment_count


@given(data=st.data(), text=documents)
def test_the_reader_gives_the_same_for_any_split_into_pieces(
    data: st.DataObject, text: str
) -> None:
    pieces = data.draw(cuts(text))
    assert what_the_reader_gives(text, pieces) == what_the_reader_gives(text, [text])


@given(data=st.data(), text=documents)
def test_the_walk_gives_the_same_for_any_split_into_pieces(data: st.DataObject, text: str) -> None:
    pieces = data.draw(cuts(text))
    assert what_the_walk_gives(pieces) == what_the_walk_gives([text])
