"""Guessing keys (reliability.md S7, S8): no read, one answer, no telling near from far."""

import os
import random
import statistics
import string
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from longshore.domain.accounts.authentication import Authenticator
from longshore.domain.accounts.errors import InvalidApiKeyError
from longshore.domain.accounts.keys import looks_genuine
from tests.support.clock import StoppedClock
from tests.support.database import CountedUnits
from tests.support.http_service import World

pytestmark = pytest.mark.full("thousands of guesses")

GUESSES = int(os.environ.get("KEY_GUESSES", "5000"))
PAIRS = 300
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase


@dataclass
class Guesser:
    """Asks with keys that do not exist, and counts what that cost."""

    authenticator: Authenticator
    units: CountedUnits
    seen: set[str] = field(default_factory=set)

    async def ask(self, key: str) -> None:
        with pytest.raises(InvalidApiKeyError) as refused:
            await self.authenticator.authenticate(key)
        self.seen.add(f"{refused.value.code} {refused.value.message} {refused.value.details}")


@contextmanager
def guessing(world: World) -> Iterator[Guesser]:
    units = CountedUnits(world.database.units)
    authenticator = Authenticator(units, StoppedClock(), world.database.revocations)
    yield Guesser(authenticator, units)


def with_checksum(body: str) -> str:
    """Return a key whose checksum is right, as its 6 base62 digits of CRC32."""
    number, digits = zlib.crc32(body.encode()), ""
    for _ in range(6):
        number, digit = divmod(number, 62)
        digits = BASE62[digit] + digits
    return body + digits


async def test_random_keys_of_the_right_shape_cost_no_read(world: World) -> None:
    seed = random.randrange(2**32)
    draw = random.Random(seed)
    with guessing(world) as guesser:
        for number in range(GUESSES):
            prefix = ("svc_test_", "svc_live_")[number % 2]
            key = prefix + "".join(draw.choices(BASE62, k=36))
            await guesser.ask(key)
    assert (guesser.units.reads, guesser.units.writes, guesser.units.deferred) == (0, 0, 0), seed
    assert len(guesser.seen) == 1


async def test_one_wrong_character_of_a_real_key_costs_no_read(world: World) -> None:
    key = world.keys.sandbox
    with guessing(world) as guesser:
        for at in range(len("svc_test_"), len(key)):
            await guesser.ask(key[:at] + ("a" if key[at] != "a" else "b") + key[at + 1 :])
            await guesser.ask(key[:at])
            await guesser.ask(key[:at] + "\0" + key[at:])
    assert guesser.units.reads == 0
    assert len(guesser.seen) == 1


async def test_a_near_miss_takes_as_long_as_a_miss(world: World) -> None:
    near = with_checksum(world.keys.sandbox[:-7] + "x")
    far = with_checksum("svc_test_" + "q" * 30)
    assert looks_genuine(near)
    assert looks_genuine(far)
    seconds: dict[str, list[float]] = {near: [], far: []}
    with guessing(world) as guesser:
        for _ in range(PAIRS):
            for key, spent in seconds.items():
                start = time.process_time()
                await guesser.ask(key)
                spent.append(time.process_time() - start)
    ratio = statistics.median(seconds[near]) / statistics.median(seconds[far])
    print(f"near miss / miss: {ratio:.3f} of processor time, median of {PAIRS}")  # noqa: T201 - the figure, for pytest -s
    assert guesser.units.reads == 2 * PAIRS
    assert len(guesser.seen) == 1
    assert 0.5 < ratio < 2
