"""The work on one message, with keys as texts, so that another process can do it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from longshore.as2.certificates import PemKeyPair
from longshore.as2.errors import As2Error, CertificateError, Disposition
from longshore.as2.headers import MessageHeaders, write_name
from longshore.as2.keys import KeyPair, make_key_pair, read_certificate, read_key_pair
from longshore.as2.messages import Acceptance, Composed, Opened, Wrapping, compose, open_message
from longshore.as2.mime import write_entity
from longshore.as2.receipt_facts import As2Receipt
from longshore.as2.receipts import (
    As2Body,
    NewAs2Receipt,
    read_receipt,
    write_receipt,
    write_signed_receipt,
)

_RECEIPT_DIGEST: Final = "sha256"


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedFrom:
    """The terms for messages of a partner; our keys and its certificates are texts."""

    pairs: Sequence[PemKeyPair] = field(repr=False)
    """Ours, for which it may encrypt; the first signs receipts."""
    certificates: Sequence[str] = field(repr=False)
    must_be_signed: bool
    must_be_encrypted: bool
    digests: Sequence[str]
    ciphers: Sequence[str]
    max_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedMessage:
    """A message that was read, and its answer."""

    opened: Opened | None
    """None: it is refused."""
    refusal: str
    """Why, ``""`` if it is accepted."""
    answer: bytes = field(repr=False)
    """The receipt as a MIME entity; ``b""`` if none was asked for."""


def compose_with_texts(
    payload: bytes,
    wrapping: Wrapping,
    pair: PemKeyPair | None,
    certificate: str | None,
    now: datetime,
) -> Composed:
    """Return a payload as the body of a request.

    Raises:
        CertificateError: A key or certificate cannot be used.
    """
    return compose(
        payload,
        wrapping,
        None if pair is None else read_key_pair(pair),
        None if certificate is None else read_certificate(certificate),
        now,
    )


def receive_message(
    of: MessageHeaders,
    headers: Mapping[str, str],
    body: bytes,
    accepted: AcceptedFrom,
    now: datetime,
) -> ReceivedMessage:
    """Return what a message holds, and the receipt for it.

    Args:
        of: The AS2 headers of the message.
        headers: All headers of the request, by name in lower case.
        body: The body of the request.
        accepted: What is accepted from the partner.
        now: The signing time of the receipt.

    Raises:
        CertificateError: A key of ours cannot be used.
    """
    pairs = [read_key_pair(each) for each in accepted.pairs]
    opened, refusal, disposition = None, "", Disposition.PROCESSED
    text = f"The message {of.message_id} was received."
    try:
        opened = open_message(headers, body, of.receipt, _acceptance(pairs, accepted))
    except As2Error as error:
        text = refusal = str(error)
        disposition = error.disposition
    answer = b""
    if of.receipt is not None:
        mic = None if opened is None else opened.mic
        new = NewAs2Receipt(of=of, disposition=disposition, text=text, mic=mic)
        receipt = (
            write_signed_receipt(new, pairs[0], _RECEIPT_DIGEST, now)
            if of.receipt.is_signed
            else write_receipt(new)
        )
        answer = as_entity(receipt)
    return ReceivedMessage(opened=opened, refusal=refusal, answer=answer)


def _acceptance(pairs: Sequence[KeyPair], accepted: AcceptedFrom) -> Acceptance:
    try:
        certificates = [read_certificate(each) for each in accepted.certificates]
    except CertificateError as error:
        text = "A certificate that is pinned for the sender cannot be used."
        raise As2Error(Disposition.UNEXPECTED_ERROR, text) from error
    return Acceptance(
        pairs=pairs,
        certificates=certificates,
        must_be_signed=accepted.must_be_signed,
        must_be_encrypted=accepted.must_be_encrypted,
        digests=accepted.digests,
        ciphers=accepted.ciphers,
        max_bytes=accepted.max_bytes,
    )


def read_receipt_with_texts(
    body: As2Body, certificates: Sequence[str], allowed: Collection[str]
) -> As2Receipt:
    """Return what a receipt says, with its signature verified if it has one.

    Raises:
        ReceiptError: It is none, is malformed, or has a signature that is not valid.
        CertificateError: A pinned certificate cannot be used.
    """
    return read_receipt(body, [read_certificate(each) for each in certificates], allowed)


def unknown_relationship(of: MessageHeaders) -> bytes:
    """Return the receipt for a message of somebody with whom nothing was agreed; not signed."""
    new = NewAs2Receipt(
        of=of,
        disposition=Disposition.UNKNOWN_RELATIONSHIP,
        text="Nothing is received under these AS2 names.",
    )
    return as_entity(write_receipt(new))


def as_entity(body: As2Body) -> bytes:
    """Return a body with its Content-Type in front, as it is stored."""
    return write_entity((("Content-Type", body.content_type),), body.content)


def answer_headers(of: MessageHeaders, message_id: str) -> tuple[tuple[str, str], ...]:
    """Return the AS2 headers of an answer, in which sender and receiver are exchanged."""
    return (
        ("AS2-Version", "1.2"),
        ("AS2-From", write_name(of.receiver)),
        ("AS2-To", write_name(of.sender)),
        ("Message-ID", message_id),
        ("MIME-Version", "1.0"),
    )


def make_pem_key_pair(name: str, now: datetime, serial: bytes, valid_days: int) -> PemKeyPair:
    """Return a new key with its certificate, as texts."""
    pair = make_key_pair(name, now, serial, valid_days)
    return PemKeyPair(pair.certificate.pem, pair.private_pem)
