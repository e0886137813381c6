"""What a record of a transaction is."""

import pytest

from longshore.domain.accounts.model import AccountId
from longshore.domain.partners.model import Direction
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    NewTransaction,
    ProcessingStatus,
    SetFacts,
    Source,
    States,
    Transaction,
    TransactionId,
    ValidationStatus,
)
from longshore.kit.environment import Environment
from tests.unit.domain.trading import NOW, THEM, US


@pytest.mark.parametrize(("usage", "environment"), [("P", "sandbox"), ("T", "production")])
def test_the_environment_of_the_row_says_what_is_a_test(usage: str, environment: str) -> None:
    record = NewTransaction(
        environment=Environment(environment),
        partner_id=None,
        direction=Direction.INBOUND,
        facts=SetFacts(sender=THEM, receiver=US, usage_indicator=usage),
        states=States(
            ProcessingStatus.RECEIVED,
            ValidationStatus.NOT_CHECKED,
            DeliveryStatus.NOT_APPLICABLE,
            AckStatus.NOT_EXPECTED,
        ),
        source=Source.RECEIVE,
    )
    stored = Transaction(
        id=TransactionId(1),
        account_id=AccountId(1),
        record=record,
        partner_name="",
        attempts=0,
        created_at=NOW,
        updated_at=NOW,
    )
    assert stored.is_test is (environment == "sandbox")
