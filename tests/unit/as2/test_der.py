"""A content is cut out of the structure around it, and a structure is written around a content."""

import pytest
from asn1crypto import cms

from longshore.as2.compression import compress
from longshore.as2.der import (
    EXPLICIT,
    MIN_CUT_BYTES,
    OCTETS,
    SEQUENCE,
    Level,
    cut_content,
    surroundings,
)

PATH = (SEQUENCE, EXPLICIT, OCTETS)
CONTENT = b"x" * MIN_CUT_BYTES
LEVELS = (Level(SEQUENCE, b"\x02\x01\x07", b"\x05\x00"), Level(EXPLICIT), Level(OCTETS))


def written(content: bytes) -> bytes:
    head, tail = surroundings(LEVELS, len(content))
    return head + content + tail


def test_a_structure_is_written_around_a_content_of_any_length() -> None:
    assert written(b"") == bytes.fromhex("3009 020107 a002 0400 0500")
    assert written(b"y" * 200)[:12] == bytes.fromhex("3081d3 020107 a081cb 0481c8")
    found = cms.ContentInfo.load(compress(bytes(70_000)), strict=True)
    assert found["content"]["encap_content_info"]["content"].native[:1] == b"x"


def test_the_content_is_cut_out_without_a_change_to_what_is_around_it() -> None:
    cut = cut_content(written(CONTENT), PATH)
    assert cut is not None
    assert (cut.der, bytes(cut.content)) == (written(b""), CONTENT)
    # Of several elements with a tag of the path the last one counts.
    twice = (Level(SEQUENCE, b"\xa0\x00"), Level(EXPLICIT), Level(OCTETS))
    head, tail = surroundings(twice, len(CONTENT))
    cut = cut_content(head + CONTENT + tail, PATH)
    assert cut is not None
    assert (cut.der, bytes(cut.content)) == (b"".join(surroundings(twice, 0)), CONTENT)


LONG = bytes(MIN_CUT_BYTES)


@pytest.mark.parametrize(
    ("_case", "der"),
    [
        ("short", written(b"x")),
        ("another tag", written(CONTENT).replace(b"\x04\x83", b"\x24\x83", 1)),
        ("something behind it", written(CONTENT) + b"\x05\x00"),
        ("a length without an end", b"\x30\x80" + LONG),
        ("a length of nine bytes", b"\x30\x89" + LONG),
        ("a length that is too long", b"\x30\x84\xff\xff\xff\xff" + LONG),
        ("a tag of several bytes", b"\x3f\x81\x01" + LONG),
        (
            "a value that ends within a tag",
            b"\x30\x83"
            + (65_537).to_bytes(3)
            + b"\x04\x82"
            + (65_532).to_bytes(2)
            + bytes(65_532)
            + b"\xa0",
        ),
        (
            "a value that ends within a length",
            b"\x30\x83"
            + (65_538).to_bytes(3)
            + b"\x04\x82"
            + (65_532).to_bytes(2)
            + bytes(65_532)
            + b"\xa0\x82",
        ),
    ],
)
def test_a_structure_in_another_form_is_left_as_it_is(_case: str, der: bytes) -> None:
    assert cut_content(der, PATH) is None
