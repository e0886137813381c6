"""Documents of any size: the same segments and sets, in memory that does not grow."""

import tracemalloc
from collections.abc import Iterator

import longshore as ls
from tests.unit.x12.documents import GS, a_group, a_set, an_850, interchange, isa

TWO = interchange(*a_group(*a_set("BEG*1"), *a_set(), sets=2), "IEA*1*000000101")


def test_sets_are_those_of_the_document_one_after_the_other() -> None:
    for text in (TWO, TWO + interchange(*a_set("BEG*1")[:-1])):
        expected = [[each.path for each in st.segments()] for st in ls.read(text)]
        stream = ls.stream(text)
        assert [[each.path for each in st.segments()] for st in stream.transaction_sets()] == (
            expected
        )
        assert [each.path for each in stream] == [each.path for each in ls.read(text).segments()]


def test_findings_of_the_envelope_are_those_of_the_last_iteration() -> None:
    stream = ls.stream(TWO.replace("GE*2", "GE*3").replace("SE*2", "SE*2*0001~REF*1~"))
    assert (stream.errors, stream.warnings) == ((), ())
    assert len([*stream]) == 11
    codes = ["set_control_number_repeated", "interchange_content_invalid"]
    assert [each.code for each in stream.errors][:2] == codes
    assert [*stream.transaction_sets()][1].id == "850"
    assert len(ls.stream(TWO, elem_sep="*", seg_term="~").charset) == 5
    broken = ls.stream(TWO + "~")
    assert [*broken]
    assert [each.code for each in broken.warnings] == ["trailing_data"]


def peak_of(rows: int) -> tuple[int, int]:
    """Return the segments of a document with one long set, and the memory of reading it."""
    row = b"N1*ST*NAME OF SOMEBODY*92*0012~\r\n"
    head = f"{isa()}~\r\n{GS}~\r\nST*850*0001~\r\n".encode()

    def source() -> Iterator[bytes]:
        yield head
        for _ in range(rows // 100):
            yield row * 100

    stream = ls.stream(source)
    tracemalloc.start()
    count = sum(1 for each in stream if each.loop_id == "N1")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return count, peak


def test_memory_does_not_grow_with_the_document() -> None:
    list(ls.stream(an_850("N1*ST*NAME")))  # loads the definition, which is kept
    (few, small), (many, large) = peak_of(1_000), peak_of(10_000)
    assert (few, many) == (1_000, 10_000)
    assert large < 1.2 * small
