"""Signatures of webhooks, against a vector of the specification and the official library."""

from datetime import UTC, datetime

import pytest
from standardwebhooks import Webhook

from longshore.domain.webhooks.signature import secret_text, sign, timestamp_of

pytestmark = pytest.mark.fast

FIRST, SECOND = secret_text(bytes(range(32))), secret_text(bytes(range(24)))
VECTOR = "v1,fhksJF5ElKjlPoT/jtefCO5XjQPvhf7Dhf/8R1ad9yU="
MOMENT = datetime(2023, 11, 14, 22, 13, 20, 900_000, tzinfo=UTC)


def test_the_vector_of_the_specification() -> None:
    assert FIRST == "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    assert sign([FIRST], "msg_1", timestamp_of(MOMENT), b"{}") == VECTOR


def test_each_secret_signs_as_the_official_library_does() -> None:
    body = b'{"type":"map.saved"}'
    both = sign([FIRST, SECOND], "evt_31", timestamp_of(MOMENT), body)
    expected = [Webhook(each).sign("evt_31", MOMENT, body.decode()) for each in (FIRST, SECOND)]
    assert both.split(" ") == expected
