"""S10: what a login costs tells nothing, and does not cost the others anything."""

import asyncio
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from threading import Event

import httpx2
import pytest
from argon2 import Parameters, Type, extract_parameters

from longshore.crypto.passwords import HASH_COST, MAX_RUNNING, MAX_WAITING, Argon2Hasher
from longshore.domain.users.errors import InvalidLoginError, TooManyLoginsError
from longshore.domain.users.model import UserRole
from longshore.http.app import create_app
from tests.support.clock import StoppedClock
from tests.support.http_service import RecordedEngine, World, bearer
from tests.support.users import PASSWORD, People

pytestmark = pytest.mark.full("real hashes")

PAIRS = 25
LOGINS = 100


@pytest.fixture
def hasher() -> Iterator[Argon2Hasher]:
    hasher = Argon2Hasher()
    yield hasher
    hasher.close()


async def real_people(world: World) -> People:
    """Return services that hash at the cost of the program, and store a viewer with it."""
    people = People(world.database, StoppedClock(), "real", HASH_COST)
    await people.administration.create("demo", "viewer@real.example", UserRole.VIEWER, PASSWORD)
    return people


async def test_a_hash_has_the_parameters_that_were_chosen(hasher: Argon2Hasher) -> None:
    assert extract_parameters(await hasher.hash(PASSWORD)) == Parameters(
        type=Type.ID,
        version=19,
        salt_len=16,
        hash_len=32,
        time_cost=1,
        memory_cost=47_104,
        parallelism=1,
    )


async def test_a_hash_verifies_its_password_alone(hasher: Argon2Hasher) -> None:
    password_hash = await hasher.hash(PASSWORD)
    assert await hasher.hash(PASSWORD) != password_hash
    assert await hasher.verify(PASSWORD, password_hash)
    assert not await hasher.verify(PASSWORD + " ", password_hash)
    assert not await hasher.verify(PASSWORD, None)


async def test_two_hashes_run_twenty_wait_and_the_next_is_sent_away(hasher: Argon2Hasher) -> None:
    most = MAX_RUNNING + MAX_WAITING
    assert most == 22
    all_have_asked = Event()
    for _ in range(MAX_RUNNING):  # or the first are done before the last have asked
        hasher._threads.submit(all_have_asked.wait)  # noqa: SLF001 - there is no other way in
    asked = [asyncio.ensure_future(hasher.verify(PASSWORD, None)) for _ in range(most + 8)]
    await asyncio.sleep(0)
    all_have_asked.set()
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert Counter(map(type, results)) == {bool: most, TooManyLoginsError: 8}
    refused = next(each for each in results if isinstance(each, TooManyLoginsError))
    assert (refused.code, refused.retry_after_seconds) == ("rate_limited", 5)
    assert await hasher.verify(PASSWORD, None) is False


async def test_an_attempt_that_is_given_up_gives_its_place_back(hasher: Argon2Hasher) -> None:
    for _ in range(3):
        tasks = [asyncio.ensure_future(hasher.verify(PASSWORD, None)) for _ in range(22)]
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        while True:
            try:
                await hasher.verify(PASSWORD, None)
            except TooManyLoginsError:
                await asyncio.sleep(0.01)
            else:
                break


async def test_an_unknown_user_takes_as_long_as_a_known_one(
    own_world: World,
) -> None:
    people = await real_people(own_world)
    times: dict[str, list[float]] = {"viewer": [], "nobody": []}
    for number in range(PAIRS):
        for name, taken in times.items():
            begun = time.process_time()  # of all threads: the hash runs in another
            with pytest.raises(InvalidLoginError):
                await people.login.log_in(
                    f"{name}@real.example", "a wrong password", f"10.0.{number}.1"
                )
            taken.append(time.process_time() - begun)
    known, unknown = (statistics.median(taken) for taken in times.values())
    print(f"known {known * 1000:.1f} ms, unknown {unknown * 1000:.1f} ms of CPU")  # noqa: T201 - an absolute figure, for people
    # A processor has two speeds, by what its other half does: neighbours in time are compared.
    ratios = [other / one for one, other in zip(*times.values(), strict=True)]
    assert 1 / 1.1 <= statistics.median(ratios) <= 1.1


async def test_a_hundred_logins_at_once_are_answered_and_pings_go_on_meanwhile(
    own_world: World,
) -> None:
    people = await real_people(own_world)
    services = replace(own_world.services(RecordedEngine()), login=people.login)
    key = bearer(own_world.keys.sandbox)
    transport = httpx2.ASGITransport(create_app(services))
    waits: list[float] = []
    async with httpx2.AsyncClient(transport=transport, base_url="http://x") as client:

        async def log_in(number: int) -> int:
            body = {"email": f"user{number}@real.example", "password": "a wrong password"}
            return (await client.post("/api/session", json=body)).status_code

        logins = asyncio.gather(*(log_in(number) for number in range(LOGINS)))
        while not logins.done():
            begun = time.perf_counter()
            assert (await client.get("/api/v1/ping", headers=key)).status_code == 200
            waits.append(time.perf_counter() - begun)
            await asyncio.sleep(0)
        statuses = Counter(await logins)
    slowest = sorted(waits)[int(len(waits) * 0.95)]
    print(f"{len(waits)} pings beside {statuses}: p95 {slowest * 1000:.1f} ms")  # noqa: T201 - as above
    assert statuses == {401: 20, 429: 80}  # of one client twenty may fail
    assert len(waits) > 100  # had a hash held the event loop, there would be about twenty
