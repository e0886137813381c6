"""Blocks of inputs, tried in this process or in others next to it."""

import resource
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import NamedTuple

from tests.fuzz.campaign import MAX_FINDS, Campaign, Find, has_same_fault, minimised

BLOCK = 4_800  # inputs that a process tries in one go


class Block(NamedTuple):
    """What came of a stretch of inputs, and the memory of the process that tried it, in MiB."""

    inputs: Counter[str]
    finds: int
    seconds: float
    mebibytes: int


def run_block(seed: int, numbers: range, cpu_seconds: float) -> Block:
    """Try the inputs with these numbers; print each find when it is found, then shortened."""

    known: set[tuple[str, str]] = set()

    def report(find: Find) -> None:
        _say(f"find {find.number} {find.entry}: {find.fault}")
        if (find.entry, find.fault) not in known:
            known.add((find.entry, find.fault))
            short = minimised(find, has_same_fault(find))
            _say(f"find {find.number} {find.entry}, shortened: {short!r}")

    campaign = Campaign(seed, on_find=report)
    campaign.run_numbers(numbers, cpu_seconds)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    return Block(campaign.inputs, len(campaign.finds), campaign.seconds, peak)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def blocks(seed: int, numbers: range, jobs: int, seconds: float) -> Iterator[Block]:
    """Try these inputs in as many processes.

    Ends when the processor time is used up, or enough was found to know that something is wrong.
    """
    waiting = iter(numbers[start : start + BLOCK] for start in range(0, len(numbers), BLOCK))
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        running: set[Future[Block]] = set()
        spent, finds = 0.0, 0
        while True:
            while len(running) < jobs and spent < seconds and finds < MAX_FINDS:
                block = next(waiting, None)
                if block is None:
                    break
                running.add(pool.submit(run_block, seed, block, seconds - spent))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for each in done:
                spent += each.result().seconds
                finds += each.result().finds
                yield each.result()
