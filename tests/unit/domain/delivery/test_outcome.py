"""What an answer, or the lack of one, means for a delivery. Example 77 of x12.md section 5.2."""

import pytest

from longshore.domain.delivery.model import JobKind, order_key
from longshore.domain.delivery.outcome import (
    VERDICT_BY_FAILURE,
    AttemptOutcome,
    AttemptVerdict,
    FailureKind,
    FailureScope,
    error_code,
    failure_scope,
    verdict_of_failure,
    verdict_of_status,
)
from longshore.domain.partners.model import PartnerId

OK, FAILED, PERMANENT = AttemptOutcome.SUCCEEDED, AttemptOutcome.FAILED, AttemptOutcome.PERMANENT


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        *((status, OK) for status in (200, 201, 202, 204, 299)),
        *((status, FAILED) for status in (100, 301, 302, 304, 408, 409, 425, 500, 501, 505, 599)),
        *((status, PERMANENT) for status in (400, 401, 403, 404, 405, 413, 422, 451)),
    ],
)
def test_a_status_means(status: int, outcome: AttemptOutcome) -> None:
    assert verdict_of_status(status) == AttemptVerdict(outcome)


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_these_ask_for_less(status: int) -> None:
    assert verdict_of_status(status) == AttemptVerdict(FAILED, is_slow_down=True)


def test_77_gone_disables() -> None:
    assert verdict_of_status(410) == AttemptVerdict(PERMANENT, is_final=True, disables=True)


def test_only_what_will_not_change_by_itself_is_permanent() -> None:
    outcomes = {kind: verdict_of_failure(kind).outcome for kind in FailureKind}
    assert {kind for kind, outcome in outcomes.items() if outcome is PERMANENT} == {
        FailureKind.ADDRESS_REFUSED,
        FailureKind.CERTIFICATE_INVALID,
        FailureKind.AUTHENTICATION_FAILED,
        FailureKind.PERMISSION_DENIED,
        FailureKind.HOST_KEY_CHANGED,
        FailureKind.FOLDER_NOT_FOUND,
        FailureKind.FILE_EXISTS,
        FailureKind.MIC_MISMATCH,
        FailureKind.RECEIPT_NEGATIVE,
        FailureKind.NOT_FETCHED,
        FailureKind.NOT_CONFIGURED,
    }
    assert [kind for kind, outcome in outcomes.items() if outcome is AttemptOutcome.LOST] == [
        FailureKind.LEASE_LOST
    ]
    assert OK not in outcomes.values()


def test_only_what_a_person_has_to_look_at_ends_it_at_once() -> None:
    final = [kind for kind, verdict in VERDICT_BY_FAILURE.items() if verdict.is_final]
    assert final == [
        *(FailureKind.FILE_EXISTS, FailureKind.MIC_MISMATCH, FailureKind.NOT_FETCHED),
    ]
    disabling = [kind for kind, verdict in VERDICT_BY_FAILURE.items() if verdict.disables]
    assert disabling == [FailureKind.HOST_KEY_CHANGED]


@pytest.mark.parametrize(
    ("scope", "statuses", "codes"),
    [
        (
            FailureScope.DOCUMENT,
            (400, 406, 409, 413, 415, 422, 451),
            ("mic_mismatch", "receipt_negative", "file_exists", "not_fetched"),
        ),
        (
            FailureScope.DESTINATION,
            (401, 403, 404, 405, 407, 408, 410, 429, 502, 503, 504),
            ("connection_refused", "timed_out", "certificate_invalid", "host_key_changed"),
        ),
        (FailureScope.UNKNOWN, (302, 500, 501), ("lease_lost", "internal_error", None)),
    ],
)
def test_a_failure_is_about(
    scope: FailureScope, statuses: tuple[int, ...], codes: tuple[str | None, ...]
) -> None:
    assert {each: failure_scope(each, error_code(each)) for each in statuses} == dict.fromkeys(
        statuses, scope
    )
    assert {each: failure_scope(None, each) for each in codes} == dict.fromkeys(codes, scope)


def test_a_failure_has_a_code() -> None:
    assert error_code(503) == "http_503"


def test_order_is_kept_by_partner_and_kind_of_document() -> None:
    seven = PartnerId(7)
    assert order_key(JobKind.DOCUMENT, seven, "PO") == "7/PO"
    assert order_key(JobKind.DOCUMENT, seven, "IN") == "7/IN"
    assert order_key(JobKind.ACKNOWLEDGEMENT, seven, "FA") == "7/acknowledgement"
