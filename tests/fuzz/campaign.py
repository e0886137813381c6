"""A run of the fuzzer: seeds, changes, oracles, and what was found."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from time import process_time

from tests.fuzz.entries import ENTRIES, SHARES

MAX_FINDS = 20
ROUNDS = 4  # of looking at one text; an oracle draws pieces and the like anew each time
THOROUGH = 16  # one input in so many is looked at with all oracles
_BETWEEN_LOOKS = 32  # inputs; to ask for the processor time is slow
MINIMISING_SECONDS = 10.0  # of processor time, for each find


@dataclass(frozen=True)
class Find:
    """An input that breaks a promise; ``entry`` and ``text`` are all it takes to see it again.

    ``number``: of the input in its campaign, from 0.
    """

    entry: str
    text: str
    fault: str
    number: int = 0


@dataclass
class Campaign:
    """What was tried, by entry, and what was found.

    ``on_find`` is called with each find at once.
    """

    seed: int
    inputs: Counter[str] = field(default_factory=Counter)
    finds: list[Find] = field(default_factory=list)
    seconds: float = 0
    on_find: Callable[[Find], object] | None = None

    def run(self, inputs: int, cpu_seconds: float) -> None:
        """Try more inputs until there are that many, or the processor time is used up."""
        done = self.inputs.total()
        self.run_numbers(range(done, done + inputs), cpu_seconds)

    def run_numbers(self, numbers: Iterable[int], cpu_seconds: float) -> None:
        """Try the inputs with these numbers, or as many as the processor time is enough for."""
        start = process_time()
        for tried, number in enumerate(numbers):
            if len(self.finds) >= MAX_FINDS:
                break
            if tried % _BETWEEN_LOOKS == 0 and process_time() - start > cpu_seconds:
                break
            # Each input has a generator of its own, so that one can be made again alone.
            draw = Random(f"{self.seed}/{number}")
            name = SHARES[number % len(SHARES)]
            text = ENTRIES[name].mutate(texts_of(name), draw)
            self.inputs[name] += 1
            fault = fault_of(name, text, draw, is_thorough=draw.randrange(THOROUGH) == 0)
            if fault:
                self.finds.append(Find(name, text, fault, number))
                if self.on_find is not None:
                    self.on_find(self.finds[-1])
        self.seconds += process_time() - start


@cache
def texts_of(name: str) -> Sequence[str]:
    """Return what an entry begins with."""
    return ENTRIES[name].seeds()


def fault_of(name: str, text: str, draw: Random, *, is_thorough: bool = True) -> str:
    """Return what is wrong with how an input is read; nothing if all promises hold."""
    try:
        ENTRIES[name].check(text, draw, is_thorough=is_thorough)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a find
        return f"{type(error).__name__}: {error}"[:300]
    return ""


def has_same_fault(find: Find) -> Callable[[str], bool]:
    """Return what tells whether another text shows the fault of a find."""
    kind = find.fault[:40]
    return lambda text: any(
        fault_of(find.entry, text, Random(each))[:40] == kind for each in range(ROUNDS)
    )


def minimised(
    find: Find, is_same: Callable[[str], bool], cpu_seconds: float = MINIMISING_SECONDS
) -> str:
    """Return a shorter text for which ``is_same`` holds, by leaving out ever smaller pieces.

    Ends with what it has when the processor time is used up.
    """
    text, size, start = find.text, max(1, len(find.text) // 2), process_time()
    while size:
        at = 0
        while at < len(text) and process_time() - start < cpu_seconds:
            shorter = text[:at] + text[at + size :]
            if is_same(shorter):
                text = shorter
            else:
                at += size
        size //= 2
    return text
