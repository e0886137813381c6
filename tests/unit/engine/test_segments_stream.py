"""The segments view as a stream: the same objects, in memory that does not grow."""

import json
import tracemalloc
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.engine import parse, stream_segments
from longshore.kit.errors import LongshoreError
from tests.unit.x12.documents import GS, a_group, a_set, an_850, interchange, isa
from tests.unit.x12.generated import documents

MEGABYTE = 2**20


def streamed(data: bytes, size: int = 7, **options: str) -> list[object]:
    stream = stream_segments(
        lambda: (data[at : at + size] for at in range(0, len(data), size)), **options
    )
    return [json.loads(line) for line in stream]


@pytest.mark.parametrize("size", [1, 3, 64, 10_000])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_the_stream_is_the_segments_view(codec: str, size: int) -> None:
    document = an_850("N1*ST*Zürich", "ref**A*", "BIN*2*~~", "BIN*1*\x01", break_="\r\n")
    data = (document + document.replace("*", "|")).encode(codec)
    view = json.loads(parse(data, include=["segments"]).document.views["segments"])
    assert streamed(data, size) == view
    assert len(view) == 20


def outcome(lines: Callable[[], list[object]]) -> tuple[object, ...]:
    """Return the segments, or what they are refused with."""
    try:
        return tuple(lines())
    except LongshoreError as error:
        return error.code, error.details


@given(text=documents, size=st.integers(1, 200))
def test_the_stream_of_any_document_is_its_segments_view(text: str, size: int) -> None:
    data = text.encode()

    def whole() -> list[object]:
        view: list[object] = json.loads(
            parse(data, include=["segments"]).document.views["segments"]
        )
        return view

    assert outcome(lambda: streamed(data, size)) == outcome(whole)


@given(text=documents, size=st.integers(1, 200))
def test_the_stream_finds_what_parsing_finds_but_what_concerns_fields(text: str, size: int) -> None:
    data = text.encode()
    try:
        parsed = parse(data)
    except LongshoreError:
        return
    stream = stream_segments(lambda: (data[at : at + size] for at in range(0, len(data), size)))
    assert len(list(stream)) == parsed.document.segment_count
    expected = [each for each in parsed.warnings if each.code != "binary_base64"]
    assert (list(stream.warnings), stream.errors) == (expected, parsed.errors)


def test_each_segment_is_one_line_of_utf_8() -> None:
    data = an_850("MSG*a\nb*é").encode()
    lines = list(stream_segments(lambda: [data]))
    assert [line.count(b"\n") for line in lines] == [1] * 7
    assert all(line.endswith(b"}\n") for line in lines)
    assert "é".encode() in lines[3]


def test_findings_are_complete_when_the_stream_has_ended() -> None:
    data = an_850("ref*1").replace("SE*3", "SE*9").encode()
    stream = stream_segments(lambda: [data])
    assert stream.charset == "utf-8"
    assert len(list(stream)) == 7
    assert [each.code for each in stream.warnings] == ["lowercase_segment_id"]
    assert [each.code for each in stream.errors] == ["segment_count_wrong"]


def test_separators_of_the_request_hold() -> None:
    assert streamed(b"N1+A%N1+B%", elem_sep="+", seg_term="%")[1] == {
        "n": 2, "pos": 0, "id": "N1", "key": "N1[2]", "tx": 1, "loop": None, "span": [5, 9],
        "e": ["B"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("data", "options", "code"),
    [
        (b"", {}, "document_empty"),
        (b" \r\n", {}, "document_empty"),
        (b"\xef\xbb\xbf", {}, "document_empty"),
        (b"hello", {}, "document_unparseable"),
        (isa().encode(), {}, "document_unparseable"),
        (b"N1*A~N1*B~", {"elem_sep": "AB"}, "invalid_parameter"),
        (an_850("MSG*" + "A" * MEGABYTE).encode(), {}, "segment_too_long"),
    ],
    ids=range(7),
)
def test_what_cannot_be_read_is_refused(data: bytes, options: dict[str, str], code: str) -> None:
    with pytest.raises(LongshoreError) as caught:
        streamed(data, 4096, **options)
    assert caught.value.code == code


def test_memory_does_not_grow_with_the_document() -> None:
    row = b"N1*ST*NAME OF SOMEBODY*92*0012~\r\n"
    count = MEGABYTE // (100 * len(row))
    head = f"{isa()}~\r\n{GS}~\r\nST*850*0001~\r\n".encode()
    tail = f"SE*{100 * count + 2}*0001~\r\nGE*1*7~\r\nIEA*1*000000101~\r\n".encode()

    def source() -> Iterator[bytes]:
        yield head
        for _ in range(count):
            yield row * 100
        yield tail

    list(stream_segments(lambda: [an_850().encode()]))  # loads the definition, which is kept
    stream = stream_segments(source)
    tracemalloc.start()
    lines = sum(1 for _ in stream)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (lines, stream.errors, stream.warnings) == (100 * count + 6, (), ())
    assert peak < MEGABYTE // 4


def test_a_source_is_read_from_its_beginning_each_time() -> None:
    calls = []
    data = interchange(*a_group(*a_set()), "IEA*1*000000101").encode()

    def source() -> Iterator[bytes]:
        calls.append(1)
        yield from (data[:50], data[50:])

    assert len(list(stream_segments(source))) == 6
    assert len(calls) == 3
