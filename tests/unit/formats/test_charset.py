"""Bytes to text: by mark, by validity, never failing; whole and in pieces alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.formats.charset import decode, decoded, detect

CASES = [
    (b"", "", "utf-8"),
    (b"abc", "abc", "utf-8"),
    ("é日".encode(), "é日", "utf-8"),
    (b"\xef\xbb\xbfabc", "abc", "utf-8"),
    (b"\xef\xbb\xbf", "", "utf-8"),
    (b"\xff\xfea\0b\0", "ab", "utf-16"),
    (b"\xfe\xff\0a\0b", "ab", "utf-16"),
    (b"\xff\xfe", "", "utf-16"),
    ("\U0001f6a2".encode("utf-16"), "\U0001f6a2", "utf-16"),
    (b"\xff\xfe\xef\xbb\xbf\x00", "\ubbef\u00bf", "utf-16"),
    (b"caf\xe9", "café", "iso-8859-1"),
    (b"\xef\xbb\xbfcaf\xe9", "ï»¿café", "iso-8859-1"),
    (b"\xff\xfea", "ÿþa", "iso-8859-1"),
    (b"\xff\xfe\0\xd8", "ÿþ\0Ø", "iso-8859-1"),
    (b"a\x80", "a\x80", "iso-8859-1"),
    (b"\xed\xa0\x80", "\xed\xa0\x80", "iso-8859-1"),
    (b"\xc3", "Ã", "iso-8859-1"),
    (b"\xef\xbb", "ï»", "iso-8859-1"),
    (b"\xc0\x80", "À\x80", "iso-8859-1"),
]


def in_pieces(data: bytes, size: int) -> tuple[str, str]:
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    codec, charset, mark_bytes = detect(pieces)
    return "".join(decoded(pieces, codec, mark_bytes)), charset


@pytest.mark.parametrize(("data", "text", "charset"), CASES, ids=[repr(each[0]) for each in CASES])
def test_a_mark_decides_else_valid_utf_8_else_iso_8859_1(
    data: bytes, text: str, charset: str
) -> None:
    assert decode(data) == (text, charset)


@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize(("data", "text", "charset"), CASES, ids=[repr(each[0]) for each in CASES])
def test_pieces_decode_like_the_whole(data: bytes, text: str, charset: str, size: int) -> None:
    assert in_pieces(data, size) == (text, charset)


@given(
    data=st.binary(max_size=60),
    mark=st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"]),
    size=st.integers(1, 9),
)
def test_any_octets_decode_in_pieces_as_they_do_whole(data: bytes, mark: bytes, size: int) -> None:
    assert in_pieces(mark + data, size) == decode(mark + data)


@given(data=st.binary(max_size=60))
def test_no_character_is_replaced(data: bytes) -> None:
    text, charset = decode(data)
    marks = {"utf-16": (b"\xff\xfe", b"\xfe\xff"), "utf-8": (b"", b"\xef\xbb\xbf")}
    codecs = {"utf-16": ("utf-16-le", "utf-16-be"), "utf-8": ("utf-8",) * 2}
    if charset == "iso-8859-1":
        assert text.encode("iso-8859-1") == data
    else:
        again = zip(marks[charset], codecs[charset], strict=True)
        assert data in [mark + text.encode(codec) for mark, codec in again]
