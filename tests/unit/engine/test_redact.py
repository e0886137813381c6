"""Redaction as a function of the library."""

import pytest

from longshore.engine import LongshoreError, redact
from tests.unit.x12.documents import an_850

KEY = b"a key of 16 byte"


def test_a_document_comes_back_in_its_charset() -> None:
    octets = an_850().replace("~SE*", "~MSG*Müller~SE*").encode("iso-8859-1")
    redacted = redact(octets, KEY)
    assert (redacted.charset, len(redacted.content())) == ("iso-8859-1", len(octets))
    assert b"M\xfcller" not in redacted.content()
    assert redact(octets.decode("iso-8859-1"), KEY).text == redacted.text


def test_separators_can_be_given() -> None:
    document = "ST!850!0001%N1!BY!ACME%SE!3!0001%"
    redacted = redact(document, KEY, elem_sep="!", seg_term="%").text
    assert redacted.startswith("ST!850!0001%N1!BY!")
    assert "ACME" not in redacted


@pytest.mark.parametrize(
    ("document", "key", "code"),
    [
        (an_850(), b"short", "invalid_parameter"),
        ("", KEY, "document_empty"),
        ('{"order": 1}', KEY, "document_not_x12"),
    ],
)
def test_what_cannot_be_redacted_is_refused(document: str, key: bytes, code: str) -> None:
    with pytest.raises(LongshoreError) as caught:
        redact(document, key)
    assert caught.value.code == code
