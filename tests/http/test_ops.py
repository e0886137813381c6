"""/healthz, /readyz and /metrics."""

import asyncio
from dataclasses import replace

import pytest

from longshore.domain.delivery.worker import Backlog
from longshore.http.app import create_app
from longshore.http.services import HttpServices
from longshore.http.storage_check import ThrottledCheck
from longshore.kit.errors import ErrorCode, LongshoreError
from tests.support.client import ApiClient, calling


def test_health_is_open_to_strangers(client: ApiClient) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"ok": True, "status": "alive"})
    assert response.headers["cache-control"] == "no-store"


def test_readiness_asks_the_database(client: ApiClient) -> None:
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (200, {"ok": True, "status": "ready"})


def test_without_storage_it_is_alive_and_not_ready(services: HttpServices) -> None:
    async def fail() -> None:
        raise LongshoreError(
            ErrorCode.STORAGE_UNAVAILABLE, "The database does not answer.", retry_after_seconds=5
        )

    with calling(create_app(replace(services, check_storage=fail))) as client:
        assert client.get("/healthz").status_code == 200
        response = client.get("/readyz")
    assert (response.status_code, response.json()["code"]) == (503, "storage_unavailable")
    assert response.headers["retry-after"] == "5"


async def test_the_database_is_checked_once_a_second_however_often_strangers_ask() -> None:
    now, outcomes = [0.0], [None, LongshoreError(ErrorCode.STORAGE_UNAVAILABLE, "Away.")]

    async def check() -> None:
        outcome = outcomes.pop(0)
        await asyncio.sleep(0)
        if outcome is not None:
            raise outcome

    throttled = ThrottledCheck(check, lambda: now[0])
    await asyncio.gather(*(throttled() for _ in range(50)))
    now[0] = 0.9
    await throttled()
    assert len(outcomes) == 1
    now[0] = 1.0
    for _ in range(2):
        with pytest.raises(LongshoreError, match="Away"):
            await throttled()
    assert outcomes == []


def test_when_stopping_it_is_not_ready(client: ApiClient, services: HttpServices) -> None:
    services.readiness.stop()
    response = client.get("/readyz")
    assert (response.status_code, response.json()["code"]) == (503, "overloaded")
    assert client.get("/healthz").status_code == 200


def test_metrics_are_prometheus_text(client: ApiClient) -> None:
    response = client.get("/metrics")
    assert response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert "# TYPE longshore_http_requests_total counter\n" in response.text


def test_the_metrics_say_whether_workers_keep_up(client: ApiClient) -> None:
    assert "\nlongshore_outbox_oldest_due_seconds 0.0\n" in client.get("/metrics").text


def test_without_storage_the_other_metrics_are_shown(services: HttpServices) -> None:
    class Silent(Backlog):
        async def oldest_seconds(self) -> float:
            raise LongshoreError(ErrorCode.STORAGE_UNAVAILABLE, "The database does not answer.")

    trading = replace(services.trading, backlog=Silent(None, None))  # type: ignore[arg-type]  # it asks neither
    with calling(create_app(replace(services, trading=trading))) as client:
        response = client.get("/metrics")
    assert (response.status_code, "outbox" in response.text) == (200, False)
    assert "\nlongshore_acks_overdue_total 0.0\n" in response.text
