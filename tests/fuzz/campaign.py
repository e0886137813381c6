"""A run of the fuzzer: seeds, changes, oracles, and what was found."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from time import process_time

from tests.fuzz.mutations import mutate
from tests.fuzz.oracles import ORACLES
from tests.fuzz.seeds import seeds

SHARES = ("x12", "x12", "x12", "json", "xml", "csv")  # X12 is what this service is about
MAX_FINDS = 20


@dataclass(frozen=True)
class Find:
    """An input that breaks a promise; ``format`` and ``text`` are all it takes to see it again."""

    format: str
    text: str
    fault: str


@dataclass
class Campaign:
    """What was tried, by format, and what was found."""

    seed: int
    inputs: Counter[str] = field(default_factory=Counter)
    finds: list[Find] = field(default_factory=list)
    seconds: float = 0

    def run(self, inputs: int, cpu_seconds: float) -> None:
        """Try more inputs until there are that many, or the processor time is used up."""
        texts, start = seeds(), process_time()
        for number in range(self.inputs.total(), self.inputs.total() + inputs):
            if process_time() - start > cpu_seconds or len(self.finds) >= MAX_FINDS:
                break
            # Each input has a generator of its own, so that one can be made again alone.
            draw = Random(f"{self.seed}/{number}")
            name = SHARES[number % len(SHARES)]
            text = mutate(texts[name], draw)
            self.inputs[name] += 1
            fault = fault_of(name, text, draw)
            if fault:
                self.finds.append(Find(name, text, fault))
        self.seconds += process_time() - start


def fault_of(name: str, text: str, draw: Random) -> str:
    """Return what is wrong with how an input is read; nothing if all promises hold."""
    try:
        ORACLES[name](text, draw)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a find
        return f"{type(error).__name__}: {error}"[:300]
    return ""


def minimised(find: Find, is_same: Callable[[str], bool]) -> str:
    """Return a shorter text for which ``is_same`` holds, by leaving out ever smaller pieces."""
    text, size = find.text, max(1, len(find.text) // 2)
    while size:
        at = 0
        while at < len(text):
            shorter = text[:at] + text[at + size :]
            if is_same(shorter):
                text = shorter
            else:
                at += size
        size //= 2
    return text
