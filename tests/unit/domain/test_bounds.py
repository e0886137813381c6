"""What a partner, a map and a key may be at most: taken at the limit, refused one above."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import product

import pytest

from longshore.domain.accounts.errors import InvalidAccountParameterError
from longshore.domain.accounts.keys import KeyFacts
from longshore.domain.maps.definitions import definition_faults
from longshore.domain.partners.errors import InvalidPartnerError
from longshore.domain.partners.parser import read_partner
from longshore.engine.trials import MapTest
from longshore.kit.environment import Environment
from tests.support.clock import START
from tests.support.maps import a_map


def sets(count: int) -> object:
    return ["850"] * count


def routes(count: int) -> object:
    ways = product(range(100, 999), ("inbound", "outbound"))
    return [{"tx_set": str(number), "direction": way} for number, way in ways][:count]


def headers(count: int) -> object:
    given = {f"X-{number}": "x" for number in range(count)}
    return {"test": {"type": "http", "url": "https://edi.example.com/in", "headers": given}}


def overlays(count: int) -> object:
    return {"overlays": [f"overlay-{number}" for number in range(count)]}


def networks(count: int) -> object:
    return {"inbound_networks": [f"192.0.2.{number}" for number in range(count)]}


@pytest.mark.parametrize(
    ("member", "made", "most", "at_fault"),
    [
        ("tx_sets", sets, 200, "tx_sets"),
        ("routes", routes, 200, "routes"),
        ("ack_hours", int, 720, "ack_hours"),
        ("connections", headers, 20, "connections.test.headers"),
        ("settings", overlays, 10, "settings.overlays"),
        ("settings", networks, 100, "settings.inbound_networks"),
    ],
)
def test_a_partner_is_taken_at_its_limits_and_refused_above(
    member: str, made: Callable[[int], object], most: int, at_fault: str
) -> None:
    read_partner({"name": "N", member: made(most)}, is_new=True)
    with pytest.raises(InvalidPartnerError) as refused:
        read_partner({"name": "N", member: made(most + 1)}, is_new=True)
    assert [each.param for each in refused.value.details] == [at_fault]


def lookups(tables: int, rows: int) -> str:
    row = {"from": "a", "to": "b"}
    made = [{"name": f"table {number}", "rows": []} for number in range(tables)]
    return json.dumps([*made, {"name": "long", "rows": [row] * rows}])


@pytest.mark.parametrize(
    ("at", "above", "at_fault"),
    [
        ({"name": "x" * 200}, {"name": "x" * 201}, "name"),
        ({"description": "x" * 2_000}, {"description": "x" * 2_001}, "description"),
        ({"lookups": lookups(99, 0)}, {"lookups": lookups(100, 0)}, "lookups"),
        ({"lookups": lookups(0, 50_000)}, {"lookups": lookups(0, 50_001)}, "lookups"),
        ({"tests": 100}, {"tests": 101}, "tests"),
    ],
    ids=["name", "description", "lookup tables", "lookup rows", "tests"],
)
def test_a_map_is_taken_at_its_limits_and_refused_above(
    at: dict[str, object], above: dict[str, object], at_fault: str
) -> None:
    assert faults(at) == []
    assert faults(above) == [at_fault]


def faults(changed: dict[str, object]) -> list[str | None]:
    count = changed.get("tests")
    if isinstance(count, int):
        names = map(str, range(count))
        changed = {"tests": tuple(MapTest(name=each, document="", expected="") for each in names)}
    made = replace(a_map(), **changed)  # type: ignore[arg-type]  # each as its field
    return [each.param for each in definition_faults(made)]


def test_a_key_is_issued_at_its_limits_and_refused_above() -> None:
    longest = START + timedelta(days=3_650)
    facts = KeyFacts(environment=Environment.SANDBOX, name="x" * 64, expires_at=longest)
    facts.check(START)
    with pytest.raises(InvalidAccountParameterError, match="name"):
        replace(facts, name="x" * 65).check(START)
    with pytest.raises(InvalidAccountParameterError, match="3,650 days"):
        replace(facts, expires_at=longest + timedelta(microseconds=1)).check(START)
