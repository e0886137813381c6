"""The limit of memory of a process that works on documents, under a limit of the system."""

import resource

import pytest

from longshore.compute import worker

MIB = 1_048_576


@pytest.mark.parametrize(
    ("hard", "allowed"),
    [(resource.RLIM_INFINITY, 512 * MIB), (600 * MIB, 512 * MIB), (400 * MIB, 400 * MIB)],
)
def test_a_lower_limit_of_the_system_stays(
    monkeypatch: pytest.MonkeyPatch, hard: int, allowed: int
) -> None:
    found: list[object] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (hard, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda *given: found.append(given))
    worker.limit_memory(512 * MIB)
    assert found == [(resource.RLIMIT_AS, (allowed, allowed))]
