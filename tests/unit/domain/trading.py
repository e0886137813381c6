"""Partners and identities to test the rules of trading with."""

from datetime import UTC, datetime, timedelta

from longshore.domain.accounts.model import AccountId
from longshore.domain.partners.model import (
    ConnectionStatus,
    Identity,
    Partner,
    PartnerId,
    PartnerStatus,
    PartnerTerms,
    Route,
)
from longshore.domain.partners.settings import PartnerSettings

NOW = datetime(2026, 1, 15, 14, 5, 9, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
US = Identity(qualifier="ZZ", isa_id="ACMECORP")
THEM = Identity(qualifier="01", isa_id="123456789", gs_id="NWRETAIL")


def some_terms(
    identity: Identity = THEM,
    *,
    tx_sets: tuple[str, ...] = (),
    routes: tuple[Route, ...] = (),
    version: str = "004010",
    settings: PartnerSettings | None = None,
) -> PartnerTerms:
    return PartnerTerms(
        name="Northwind Retail",
        identity=identity,
        tx_sets=tx_sets,
        routes=routes,
        version=version,
        settings=settings or PartnerSettings(),
    )


def a_partner(
    number: int = 7,
    status: PartnerStatus = PartnerStatus.ACTIVE,
    terms: PartnerTerms | None = None,
) -> Partner:
    return Partner(
        id=PartnerId(number),
        account_id=AccountId(1),
        version=1,
        status=status,
        status_before=None,
        terms=terms or some_terms(),
        test_status=ConnectionStatus.CONNECTED,
        live_status=ConnectionStatus.UNVERIFIED,
        last_activity_at=None,
        created_at=NOW,
        updated_at=NOW,
    )
