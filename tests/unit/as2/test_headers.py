"""AS2 headers: names with their case and quotes, and the receipt that is asked for."""

import pytest

from longshore.as2.algorithms import find_digest, mic_of
from longshore.as2.headers import (
    HeadersError,
    MessageHeaders,
    ReceiptRequest,
    read_message_headers,
    read_name,
    read_receipt_options,
    receipt_options,
    write_name,
)

REQUIRED = {"as2-from": "A", "as2-to": '"B c"', "message-id": "<1@x>"}


@pytest.mark.parametrize("name", ["ACME", "acme co", 'a"b', "a\\b", "x" * 128])
def test_a_name_is_written_and_read(name: str) -> None:
    assert read_name(write_name(name)) == name


def test_only_names_that_need_it_are_quoted() -> None:
    assert [write_name(each) for each in ("ACME", "a b", 'a"b', "a\\b")] == [
        "ACME",
        '"a b"',
        '"a\\"b"',
        '"a\\\\b"',
    ]


@pytest.mark.parametrize("value", ["", '""', 'a"b', "a\\b", "x" * 129, '" a"', "\xe9", '"a'])
def test_what_is_no_name_is_none(value: str) -> None:
    assert read_name(value) is None


def test_the_headers_of_a_message_are_read() -> None:
    assert read_message_headers(REQUIRED) == MessageHeaders(
        sender="A", receiver="B c", message_id="<1@x>"
    )
    options = (
        "signed-receipt-protocol=optional, pkcs7-signature;"
        " signed-receipt-micalg=required, SHA1, sha-256"
    )
    more = {
        "subject": " s ",
        "disposition-notification-to": "x@y",
        "disposition-notification-options": options,
        "receipt-delivery-option": "https://edi.example.com/mdn",
    }
    read = read_message_headers(REQUIRED | more)
    assert read.subject == "s"
    assert read.receipt == ReceiptRequest(
        is_signed=True,
        micalgs=("sha1", "sha-256"),
        requires_micalg=True,
        delivery_url="https://edi.example.com/mdn",
    )


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"message-id": ""}, "Message-ID is missing or malformed."),
        ({"message-id": "a\tb"}, "Message-ID is missing or malformed."),
        ({"message-id": "x" * 1_001}, "Message-ID is missing or malformed."),
        ({"as2-from": ""}, "AS2-From is missing or malformed."),
        ({"as2-to": 'B"'}, "AS2-To is missing or malformed."),
    ],
)
def test_headers_that_a_message_needs_are_asked_for(change: dict[str, str], text: str) -> None:
    with pytest.raises(HeadersError) as refused:
        read_message_headers(REQUIRED | change)
    assert str(refused.value) == text


def test_options_that_say_nothing_ask_for_a_plain_receipt() -> None:
    for options in ("", "x", "a=b;=;", "signed-receipt-micalg", "signed-receipt-protocol=required"):
        assert read_receipt_options(options) == ReceiptRequest()
    assert read_receipt_options(receipt_options("sha-256")) == ReceiptRequest(
        is_signed=True, micalgs=("sha-256",), requires_micalg=True
    )


def test_digests_are_found_by_every_name_of_theirs() -> None:
    found = [find_digest(each) for each in ("SHA-256", "sha256", "rsa-sha512", '"sha1"', "md5")]
    assert found == ["sha256", "sha256", "sha512", "sha1", "md5"]
    assert find_digest("crc32") is None
    assert find_digest("sha1", ("sha256",)) is None


def test_a_mic_is_written_with_its_algorithm() -> None:
    assert str(mic_of("sha256", b"abc")) == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=, sha-256"
    assert str(mic_of("sha1", b"abc")) == "qZk+NkcGgWq6PiVxeFDCbJzQ2J0=, sha1"
