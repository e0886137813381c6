"""MIME entities: bodies stay the bytes they are, and what is malformed is named."""

import pytest

from longshore.as2.buffers import PIECE_BYTES
from longshore.as2.errors import MimeError
from longshore.as2.mime import (
    MAX_HEADER_BYTES,
    Entity,
    read_base64,
    read_entity,
    read_media_type,
    split_parts,
    with_crlf,
    write_base64,
    write_entity,
)

BODIES = (
    b"",
    b"a\r\nb\r\n",
    b"a\nb\n\n",
    b"\r\n",
    b"\n",
    b"\r",
    bytes(range(256)),
    b"x\r\n--other\r\n",
)


def _parts(body: bytes, boundary: str) -> tuple[bytes, ...]:
    return tuple(map(bytes, split_parts(body, boundary)))


@pytest.mark.parametrize("body", BODIES)
def test_a_body_is_written_and_read_as_it_is(body: bytes) -> None:
    raw = write_entity((("Content-Type", "a/b"), ("X-Y", "z: 1")), body)
    assert raw == b"Content-Type: a/b\r\nX-Y: z: 1\r\n\r\n" + body
    assert read_entity(raw) == Entity({"content-type": "a/b", "x-y": "z: 1"}, body)


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("line_end", [b"\r\n", b"\n"])
def test_parts_are_the_bytes_between_boundaries(body: bytes, line_end: bytes) -> None:
    if line_end == b"\n" and body.endswith(b"\r"):
        return  # then the return belongs to the line end
    mark = b"--b=1"
    lines = (b"preamble", mark, body, mark + b" \t", b"second", mark + b"--", b"epilogue")
    assert _parts(line_end.join(lines), "b=1") == (body, b"second")


def test_empty_parts_and_longer_boundaries_are_told_apart() -> None:
    assert _parts(b"--b\r\n--b\r\n\r\n--b--", "b") == (b"", b"")
    assert _parts(b"--b\r\n--bc\r\n--b--\r\n", "b") == (b"--bc",)
    assert _parts(b"--bc\r\n--b\nx\n--b--", "b") == (b"x",)


@pytest.mark.parametrize(
    ("body", "boundary", "text"),
    [
        (b"--b\r\nx\r\n", "b", "The last boundary of the multipart entity is missing."),
        (b"nothing", "b", "The last boundary of the multipart entity is missing."),
        (b"", "", "The multipart entity names no usable boundary."),
        (b"", "b" * 201, "The multipart entity names no usable boundary."),
        (b"", "\xe9", "The multipart entity names no usable boundary."),
        (b"--b\r\n\r\n" * 12, "b", "The multipart entity has more than 10 parts."),
    ],
)
def test_what_is_no_multipart_is_refused(body: bytes, boundary: str, text: str) -> None:
    with pytest.raises(MimeError) as refused:
        split_parts(body, boundary)
    assert str(refused.value) == text


def test_headers_are_unfolded_and_the_first_of_a_name_counts() -> None:
    entity = read_entity(b"A: 1\r\n  2\r\n\t3\r\na: 4\r\nB :x\r\n\r\nbody")
    assert entity == Entity({"a": "1 2 3", "b": "x"}, b"body")
    assert entity.header("c") == ""
    assert read_entity(b"\r\nbody") == read_entity(b"\nbody") == Entity({}, b"body")
    assert read_entity(b"A: 1\n\nx").body == b"x"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"", "The headers do not end within 32,768 bytes."),
        (b"A: 1\r\n", "The headers do not end within 32,768 bytes."),
        (
            b"A: " + b"x" * MAX_HEADER_BYTES + b"\r\n\r\n",
            "The headers do not end within 32,768 bytes.",
        ),
        (b"no colon\r\n\r\n", "A header has no name."),
        (b" folded: 1\r\n\r\n", "A header has no name."),
        (b"\xe9: 1\r\n\r\n", "A header has no name."),
        (b"A: 1\r\n" * 101 + b"\r\n", "The entity has more than 100 headers."),
    ],
)
def test_what_are_no_headers_is_refused(raw: bytes, text: str) -> None:
    with pytest.raises(MimeError) as refused:
        read_entity(raw)
    assert str(refused.value) == text


def test_media_types_are_read_with_their_parameters() -> None:
    read = read_media_type('Multipart/Signed; Protocol="a;\\"b"; micalg=sha-256;; ')
    assert (read.name, read.parameters) == (
        "multipart/signed",
        {"protocol": 'a;"b', "micalg": "sha-256"},
    )
    assert (read.parameter("micalg"), read.parameter("x")) == ("sha-256", "")
    assert Entity({}, b"").media_type.name == "text/plain"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", "The Content-Type is no media type."),
        ("a/b; " + "x" * 2_000, "The Content-Type is no media type."),
        ("a/b; x", "A parameter of the Content-Type is malformed."),
        ('a/b; x="y', "A parameter of the Content-Type is malformed."),
        ("a/b; x=1 y", "A parameter of the Content-Type is malformed."),
    ],
)
def test_what_is_no_media_type_is_refused(value: str, text: str) -> None:
    with pytest.raises(MimeError) as refused:
        read_media_type(value)
    assert str(refused.value) == text


def test_transfer_encodings_are_taken_off() -> None:
    def content(encoding: str, body: bytes) -> bytes:
        return bytes(Entity({"content-transfer-encoding": encoding}, body).content())

    assert content("", b"=41\n") == content("Binary", b"=41\n") == b"=41\n"
    assert content("Base64", b" QQ\r\n==\n") == b"A"
    long = bytes(range(256)) * 9_000
    assert content("base64", write_base64(long)) == long
    assert content("quoted-printable", b"=41=\r\nB") == b"AB"
    with pytest.raises(MimeError, match=r"^The Content-Transfer-Encoding is unknown\.$"):
        content("gzip", b"")
    with pytest.raises(MimeError, match=r"^The body is no base64\.$"):
        read_base64(b"Q")
    # Padding in the middle, also where a piece ends.
    for filled in (b"QQ==QQQQ", b"QQQ=" + b"Q" * (PIECE_BYTES + 4)):
        with pytest.raises(MimeError, match=r"^The body is no base64\.$"):
            read_base64(filled)
    with pytest.raises(MimeError, match=r"^The body is no base64\.$"):
        read_base64(b"Q" * (PIECE_BYTES - 8) + b"QQ==" + b"Q" * 8)


def test_base64_is_written_in_lines_and_read_again() -> None:
    content = bytes(range(256))
    written = write_base64(content)
    assert {len(line) for line in written.splitlines()} == {76, 40}
    assert written.count(b"\r\n") == 5
    assert read_base64(written) == content
    assert write_base64(b"") == read_base64(b"") == b""


def test_line_ends_are_made_canonical() -> None:
    assert with_crlf(b"a\nb\r\nc\rd\n\n") == b"a\r\nb\r\nc\r\nd\r\n\r\n"
