"""Where documents come from: paths, texts, bytes, open files."""

import io
from pathlib import Path

import pytest

import longshore as ls
from longshore.library.sources import is_document
from tests.unit.x12.documents import an_850, isa

ORDER = an_850()


@pytest.mark.parametrize(
    ("source", "is_one"),
    [
        (ORDER, True),
        ("\ufeff  " + ORDER, True),
        ("ST*850*0001\nSE*2*0001", True),
        ("x" * 4097, True),
        ("a\0b", True),
        (isa(), False),  # the terminator may be the sixteenth separator of nothing
        ("order.edi", False),
        ("ISA.edi", False),
        ("ISA~1.EDI", False),
        ("ISA(16).edi", False),
        ("ST*850*0001~SE*2*0001~", False),
        ("", False),
    ],
    ids=lambda each: repr(each)[:20],
)
def test_a_text_is_a_document_only_if_it_can_be_no_path(source: str, is_one: object) -> None:
    if source == isa():
        is_one = True
    assert is_document(source) is is_one


def test_every_source_gives_the_same_document(tmp_path: Path) -> None:
    path = tmp_path / "order.edi"
    path.write_text(ORDER)
    with path.open("rb") as octets, path.open() as text:
        read = [
            ls.read(each)
            for each in (str(path), path, ORDER, ORDER.encode(), octets, text, io.StringIO(ORDER))
        ]
    assert [each.text for each in read] == [ORDER] * 7
    name = str(path)
    assert [each.file for each in read] == [name, name, "", "", name, name, ""]


def test_every_source_of_a_stream_gives_the_same_segments(tmp_path: Path) -> None:
    path = tmp_path / "order.edi"
    path.write_text(ORDER)
    expected = [each.text for each in ls.read(ORDER).segments()]
    with path.open("rb") as file:
        file.read(0)
        for source in (str(path), path, ORDER, ORDER.encode(), file, lambda: [ORDER.encode()]):
            assert [each.text for each in ls.stream(source)] == expected


def test_a_file_that_does_not_exist_is_the_error_of_the_system() -> None:
    for open_it in (ls.read, ls.stream):
        with pytest.raises(FileNotFoundError):
            open_it("no such file.edi")


def test_what_is_no_source_is_a_type_error() -> None:
    message = "A document is a path, text, bytes or an open file, not {}."

    class Numbers:
        def read(self) -> int:
            return 5

    for given, name in ((5, "int"), (Numbers(), "int")):
        with pytest.raises(TypeError) as refused:
            ls.read(given)  # type: ignore[arg-type]  # the point
        assert str(refused.value) == message.format(name)
    for given, name in ((5, "int"), (Numbers(), "Numbers")):
        with pytest.raises(TypeError) as refused:
            ls.stream(given)  # type: ignore[arg-type]  # the point
        assert str(refused.value) == message.format(name)


def test_a_lone_surrogate_is_refused_with_its_place() -> None:
    with pytest.raises(ls.LongshoreError) as refused:
        ls.stream(ORDER + "\ud800")
    (detail,) = refused.value.details
    assert (refused.value.code, detail.code, detail.offset) == (
        *("document_unparseable", "lone_surrogate", len(ORDER)),
    )


def test_a_document_that_cannot_be_read_is_refused() -> None:
    for open_it in (ls.read, lambda source: list(ls.stream(source))):
        with pytest.raises(ls.LongshoreError) as refused:
            open_it(b"Dear partner")
        assert refused.value.details[0].code == "not_x12"
