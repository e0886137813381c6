"""From the bodies that partners' machines send to the documents in them."""

import gzip
import zlib
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.http.body import BodyTooLargeError, UnsupportedContentError
from longshore.http.edi.bodies import FORM, JSON, MULTIPART, documents_in, is_plain
from longshore.http.edi.faults import EmptyDocumentError, MalformedBodyError, NoDocumentError
from longshore.http.edi.gzip import MAX_MEMBERS, expanded
from longshore.http.edi.multipart import MAX_HEADER_BYTES, MAX_PARTS, read_parts
from longshore.kit.errors import LongshoreError

AN_850 = b"ISA*00*~\r\nST*850*0001~"
MIB = 1024 * 1024
BOUND = f'{MULTIPART}; boundary="b"'


def contents(body: bytes, content_type: str = "", coding: str = "") -> list[bytes]:
    return [each.content for each in documents_in(body, content_type, coding, MIB)]


def part(content: bytes, *, name: str = "file", more: str = "") -> bytes:
    disposition = f'form-data; name="{name}"{more}'
    return f"--b\r\nContent-Disposition: {disposition}\r\n\r\n".encode() + content + b"\r\n"


def form(*parts: bytes) -> bytes:
    return b"".join(parts) + b"--b--\r\n"


@pytest.mark.parametrize(
    "content_type",
    [
        *("", "application/edi-x12", "application/octet-stream", "text/plain", "application/xml"),
        *("text/csv; charset=utf-16", "application/EDIFACT", "nonsense", "multipart/mixed"),
    ],
)
def test_most_bodies_are_the_document(content_type: str) -> None:
    assert contents(AN_850, content_type) == [AN_850]
    assert is_plain(content_type, "") is is_plain(content_type, "Identity") is True
    assert is_plain(content_type, "gzip") is False


# ---- JSON ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b'{"document":"ISA*\\u00e9"}',
        b'{"content":"ISA*\xc3\xa9"}',
        b'{"document":"ISA*\\u00e9","content":"other"}',
    ],
)
def test_json_of_one_document_is_that_document(body: bytes) -> None:
    assert contents(body, "Application/JSON; charset=utf-8") == [b"ISA*\xc3\xa9"]


@pytest.mark.parametrize(
    "body",
    [
        *(b'{"document":"PO-1","lines":[]}', b'{"document":7}', b"[1]", b"{}", b"null", b'"ISA"'),
        *(b"ISA*00*~", b'{"document":"\\ud800"}', b"[" * 5_000, b'\xff{"document":"a"}'),
    ],
)
def test_any_other_json_and_what_is_none_is_itself_the_document(body: bytes) -> None:
    assert contents(body, JSON) == [body]


# ---- urlencoded ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "content"),
    [
        (b"document=ISA%2A00%2a%7E&x=1", b"ISA*00*~"),
        (b"x=1&edi=a+b%2Bc", b"a b+c"),
        (b"data=first&data=second", b"first"),
        (b"data=3&edi=2&document=1", b"1"),
        (b"document=100%&x", b"100%"),
        (b"document=" + b"%41" * 70_000, b"A" * 70_000),
        (b"document=" + b"a" * 65_535 + b"%42", b"a" * 65_535 + b"B"),
    ],
)
def test_a_form_has_its_document_in_a_field(body: bytes, content: bytes) -> None:
    assert contents(body, FORM) == [content]


@given(st.binary(min_size=1, max_size=300), st.integers(65_400, 65_700))
def test_every_byte_of_a_form_comes_through(content: bytes, padding: int) -> None:
    content = b"." * padding + content
    body = b"document=" + b"".join(b"%%%02x" % each for each in content[padding:])
    assert contents(body.replace(b"=", b"=" + b"." * padding, 1), FORM) == [content]


def test_a_body_that_is_sent_as_a_form_and_is_none_is_the_document() -> None:
    assert contents(b"ISA*00*&document=x~", FORM) == [b"ISA*00*&document=x~"]
    assert contents(b"isa*00*~", FORM) == [b"isa*00*~"]


def test_a_form_without_a_document_is_refused() -> None:
    with pytest.raises(NoDocumentError, match="in the field document or edi or data"):
        contents(b"file=ISA", FORM)
    with pytest.raises(MalformedBodyError, match="more than 100 fields"):
        contents(b"x=1&" * 100 + b"document=ISA", FORM)


# ---- multipart -----------------------------------------------------------------------------------


def test_each_file_of_a_form_is_a_document() -> None:
    body = form(
        part(b"note", name="document"),
        part(AN_850, more='; filename="a.edi"\r\nContent-Type: application/edi-x12'),
        part(b"--bb\r\nx\r\n--bc\r\n--", more="; filename*=UTF-8''b.edi"),
        part(b"", more='; filename=""'),
    )
    documents = documents_in(body, BOUND, "", MIB)
    assert [(each.content, each.filename, each.content_type) for each in documents] == [
        (AN_850, "a.edi", "application/edi-x12"),
        (b"--bb\r\nx\r\n--bc\r\n--", "b.edi", ""),
    ]


@pytest.mark.parametrize("name", ["document", "content", "edi", "file"])
def test_without_a_file_a_field_is_the_document(name: str) -> None:
    body = form(part(b"note", name="note"), part(AN_850, name=name), part(b"no", name="file"))
    assert contents(b"preamble\r\n" + body + b"epilogue", BOUND) == [AN_850]


def test_a_form_of_fields_that_nobody_knows_is_refused() -> None:
    with pytest.raises(NoDocumentError, match="document or content or edi or file"):
        contents(form(part(AN_850, name="invoice")), BOUND)


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        (form(part(AN_850)), MULTIPART, "names no boundary"),
        (form(part(AN_850)), f"{MULTIPART}; boundary=c", "has no end"),
        (part(AN_850), BOUND, "has no end"),
        (b"", BOUND, "has no end"),
        (part(AN_850)[:-12], BOUND, "has no end"),
        (b"--b\r\n" + AN_850, BOUND, "Part 1 of the form is malformed"),
        (form(part(b"", more="x" * MAX_HEADER_BYTES)), BOUND, "Maximum header size"),
        (form(b"--b\r\nContent-Type: a\r\n\r\nx\r\n"), BOUND, "Part 1 of the form has no name"),
        (form(*[part(b"x")] * (MAX_PARTS + 1)), BOUND, "more than 100 parts"),
    ],
)
def test_a_malformed_form_is_refused(body: bytes, content_type: str, text: str) -> None:
    with pytest.raises(MalformedBodyError, match=text):
        contents(body, content_type)


def test_an_encoded_part_is_refused() -> None:
    with pytest.raises(UnsupportedContentError, match="Content-Transfer-Encoding"):
        contents(form(part(b"SVNB", more="\r\nContent-Transfer-Encoding: base64")), BOUND)
    plain = part(AN_850, more="\r\nContent-Transfer-Encoding: Binary")
    assert contents(form(plain), f"{MULTIPART};boundary=b;x=y") == [AN_850]


@given(st.lists(st.binary(max_size=60), min_size=1, max_size=5))
def test_parts_come_out_as_they_went_in(pieces: list[bytes]) -> None:
    body = b"".join(part(each).replace(b"--b\r\n", b"--7d3bound\r\n") for each in pieces)
    parts = read_parts(body + b"--7d3bound--", f"{MULTIPART}; boundary=7d3bound")
    assert [each.content for each in parts] == pieces


@given(st.binary(max_size=200))
def test_any_body_of_any_type_gives_documents_or_a_refusal(body: bytes) -> None:
    for content_type, coding in product((BOUND, FORM, JSON, ""), ("", "gzip")):
        try:
            found = contents(b"--b\r\n" + body, content_type, coding)
        except LongshoreError:
            continue
        assert all(found)


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        (b"", "", "The document is empty: not one byte was sent."),
        (b'{"document":""}', JSON, "The document is empty"),
        (b"document=", FORM, "The document is empty"),
        (form(part(b"", more='; filename="a"')), BOUND, "The document is empty"),
        (
            form(part(b"x", more='; filename="a"'), part(b"", more='; filename="b"')),
            BOUND,
            "Document 2 of the request is empty",
        ),
    ],
)
def test_an_empty_document_is_refused(body: bytes, content_type: str, text: str) -> None:
    with pytest.raises(EmptyDocumentError, match=text):
        contents(body, content_type)


# ---- gzip ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", " GZIP "])
def test_a_gzip_body_is_expanded_first(coding: str) -> None:
    assert contents(gzip.compress(AN_850), "", coding) == [AN_850]
    wrapped = gzip.compress(b'{"document":"ISA"}')
    assert contents(wrapped, JSON, coding) == [b"ISA"]
    assert contents(gzip.compress(b"ISA") + gzip.compress(b"*~"), "", coding) == [b"ISA*~"]


@pytest.mark.parametrize("coding", ["br", "deflate", "gzip, gzip"])
def test_another_compression_is_refused(coding: str) -> None:
    with pytest.raises(UnsupportedContentError, match="Send the body as it is, or as gzip"):
        contents(AN_850, "", coding)


@pytest.mark.parametrize(
    "body",
    [
        *(AN_850, b"", zlib.compress(AN_850), gzip.compress(AN_850, mtime=0) + b"x"),
        *(gzip.compress(AN_850, mtime=0)[:-1], gzip.compress(AN_850, mtime=0)[:10]),
        gzip.compress(b"a", mtime=0) * (MAX_MEMBERS + 1),
    ],
)
def test_what_is_no_whole_gzip_is_refused(body: bytes) -> None:
    with pytest.raises(MalformedBodyError, match="not valid gzip as stated by Content-Encoding"):
        expanded(body, MIB)


def test_expansion_is_bounded_in_size_and_ratio() -> None:
    body = gzip.compress(bytes(range(256)) * 16)
    assert len(expanded(body, 4_096)) == 4_096
    with pytest.raises(BodyTooLargeError) as refused:
        expanded(body, 4_095)
    assert refused.value.details[0].limit_bytes == 4_095
    bomb = gzip.compress(b"\0" * 20 * MIB)
    with pytest.raises(BodyTooLargeError) as refused:
        expanded(bomb, 25 * MIB)
    assert refused.value.details[0].limit_bytes == 100 * len(bomb)
    with pytest.raises(BodyTooLargeError):
        expanded(gzip.compress(b"a" * 600) * 2, 1_000)
