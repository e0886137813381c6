"""The name of the file that an interchange is sent as: transports.md section 3."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from longshore.domain.delivery.attempt_start import outbound_file_name
from longshore.domain.interchanges.store import Interchange
from longshore.domain.ports import AccountId
from longshore.domain.transactions.model import InterchangeId
from tests.support.trading import an_interchange

AT = datetime(2026, 1, 15, 14, 5, 9, tzinfo=UTC)
STORED = Interchange(
    id=InterchangeId(1),
    account_id=AccountId(1),
    new=an_interchange(),
    sent_at=None,
    created_at=AT,
    updated_at=AT + timedelta(hours=1),
)


@pytest.mark.parametrize(
    ("tx_set", "number", "name"),
    [
        ("850", "000000123", "850_000000123_20260115140509.edi"),
        ("", "000000123", "TA1_000000123_20260115140509.edi"),
        ("../", "000000123", "EDI_000000123_20260115140509.edi"),
        ("850", "00/../123", "850_00123_20260115140509.edi"),
    ],
)
def test_it_is_made_of_the_set_its_number_and_when_it_was_stored(
    tx_set: str, number: str, name: str
) -> None:
    interchange = replace(STORED, new=an_interchange(number))
    assert outbound_file_name(tx_set, interchange) == name
    elsewhere = AT.astimezone(timezone(timedelta(hours=-5)))
    assert outbound_file_name(tx_set, replace(interchange, created_at=elsewhere)) == name
