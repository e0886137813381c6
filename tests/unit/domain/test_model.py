"""The status of a key at a moment."""

from datetime import datetime, timedelta

import pytest

from longshore.domain.accounts.model import AccountId, ApiKey, ApiKeyId, IssuedKey, KeyStatus
from longshore.domain.accounts.service import fold
from longshore.kit.environment import Environment
from tests.support.clock import START

EARLIER = START - timedelta(microseconds=1)
LATER = START + timedelta(microseconds=1)
NEXT = ApiKeyId(2)


def a_key(
    *,
    expires_at: datetime | None = None,
    revoked_at: datetime | None = None,
    replaced_by: ApiKeyId | None = None,
) -> ApiKey:
    return ApiKey(
        id=ApiKeyId(1),
        account_id=AccountId(1),
        environment=Environment.SANDBOX,
        prefix="svc_test_AbCd",
        last_four="WxYz",
        scopes=frozenset(),
        created_at=EARLIER,
        expires_at=expires_at,
        revoked_at=revoked_at,
        replaced_by=replaced_by,
    )


@pytest.mark.parametrize(
    ("key", "status"),
    [
        (a_key(), KeyStatus.ACTIVE),
        (a_key(expires_at=LATER), KeyStatus.ACTIVE),
        (a_key(expires_at=START), KeyStatus.EXPIRED),
        (a_key(expires_at=LATER, replaced_by=NEXT), KeyStatus.GRACE),
        (a_key(expires_at=START, replaced_by=NEXT), KeyStatus.EXPIRED),
        (a_key(revoked_at=EARLIER), KeyStatus.REVOKED),
        (a_key(revoked_at=EARLIER, expires_at=EARLIER, replaced_by=NEXT), KeyStatus.REVOKED),
    ],
)
def test_a_key_has_one_status_at_a_moment(key: ApiKey, status: KeyStatus) -> None:
    assert key.status(START) is status


def test_an_issued_key_does_not_show_in_a_log() -> None:
    issued = IssuedKey(key="svc_test_secret", record=a_key())
    assert "svc_test_secret" not in f"{issued} {issued!r}"


@pytest.mark.parametrize(
    "other", ["STRASSE", "strasse", "\N{FULLWIDTH LATIN SMALL LETTER S}trasse", "straße"]
)
def test_case_and_width_do_not_make_another_name(other: str) -> None:
    assert fold(other) == "strasse"
