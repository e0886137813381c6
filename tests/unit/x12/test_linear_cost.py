"""Hostile documents: four times the input costs about four times the time."""

import gc
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import pytest

from longshore.engine import parse, stream_segments
from longshore.kit.errors import LongshoreError
from tests.unit.x12.documents import GS, a_group, a_set, interchange, isa
from tests.unit.x12.generated import wrapped

HEAD = isa() + "~"
REPEATING = isa(e11="^", e12="00501", e16=":") + "~"
RELEASING = isa(e11="^", e12="00704") + "~ISX*?~"
TINY = interchange(*a_group(*a_set()), "IEA*1*000000101")
SMALL = 16_000  # characters; the larger document has four times as many
MAX_TIMES = 8.0
LEAST_SECONDS = 0.004  # below it a ratio says nothing


def chain(count: int) -> str:
    return HEAD + "ST*856*0001~" + "".join(f"HL*{at}*{at - 1}*S~" for at in range(count // 12))


KINDS: dict[str, Callable[[int], str]] = {
    "empty segments": lambda n: HEAD + "~" * n,
    "tiny interchanges": lambda n: TINY * (n // len(TINY)),
    "interchanges without end": lambda n: HEAD * (n // 106),
    "binary data": lambda n: HEAD + "BIN*2*ab~" * (n // 9),
    "binary data in two octets": lambda n: HEAD + "BIN*2*é~" * (n // 8),
    "lying lengths": lambda n: HEAD + "BIN*99999*ab~" * (n // 13),
    "lying lengths in two octets": lambda n: HEAD + "BIN*999*é~" * (n // 10),
    "lengths that are none": lambda n: HEAD + "BIN*x*ab~" * (n // 9),
    "segments like an ISA": lambda n: HEAD + "ISA*~" * (n // 5),
    "segments like another ISA": lambda n: HEAD + "ISA|~" * (n // 5),
    "odd ids": lambda n: HEAD + "".join(f"{at:x}~" for at in range(n // 5)),
    "quotes": lambda n: HEAD + 'A1*"*"~' * (n // 7),
    "octets above ASCII": lambda n: HEAD + "é*é~" * (n // 4),
    "wrapped lines": lambda n: wrapped(HEAD + "N1*AB*CD~" * (n // 9), 80, "\n"),
    "nearly wrapped lines": lambda n: wrapped(HEAD + "N1*AB*CD~" * (n // 9), 80, "\n") + "\n\nX",
    "a fragment without end": lambda n: "N1*" + "A" * n,
    "a fragment of line breaks": lambda n: "N1*A" + "\n" * n + "B",
    "a fragment of blanks": lambda n: "N1*A" + "~ \n" * (n // 3),
    "white space": lambda n: " " * n,
    "white space at the end": lambda n: TINY + "\r\n" * (n // 2),
    "tags": lambda n: "ISA" * (n // 3),
    "tags as garbage": lambda n: "x" + "ISA*" * (n // 4) + TINY,
    "tags after the end": lambda n: TINY + "ISA*" * (n // 4),
    "released separators": lambda n: RELEASING + "N1*?*?*~" * (n // 8),
    "release characters": lambda n: RELEASING + "N1*" + "?" * n,
    "released terminators": lambda n: RELEASING + "?~" * (n // 2),
    "release segments": lambda n: RELEASING + "ISX*?~" * (n // 6),
    "components": lambda n: REPEATING + "ZZ9*" + ":A" * (n // 2) + "~",
    "repetitions": lambda n: REPEATING + "ZZ9*" + "^A" * (n // 2) + "~",
    "repeated components": lambda n: REPEATING + "ZZ9*" + "^A:B" * (n // 4) + "~",
    "elements": lambda n: HEAD + "ZZ9" + "*A" * (n // 2) + "~",
    "empty elements": lambda n: HEAD + "ZZ9" + "*" * n + "~",
    "sets left open": lambda n: HEAD + GS + "~" + "ST*850*0001~" * (n // 12),
    "trailers alone": lambda n: HEAD + "SE*1*1~" * (n // 7),
    "segments outside sets": lambda n: HEAD + "N1*A~GE~" * (n // 8),
    "a chain of levels": chain,
}


def parse_all(document: str) -> None:
    parse(document, include=["segments", "tree"]).result_json()


def stream(document: str) -> None:
    data = document.encode()

    def pieces() -> Iterable[bytes]:
        return (data[at : at + 512] for at in range(0, len(data), 512))

    for _ in stream_segments(pieces):
        pass


def seconds(act: Callable[[str], None], document: str) -> float:
    """Return the CPU time of one run, which may end in a refusal.

    The collector rests meanwhile: what it costs depends on all else that this process holds.
    """
    gc.collect()
    gc.disable()
    try:
        started = time.process_time()
        with suppress(LongshoreError):
            act(document)
        return time.process_time() - started
    finally:
        gc.enable()


@pytest.mark.parametrize("act", [parse_all, stream])
@pytest.mark.parametrize("kind", KINDS)
def test_cost_grows_with_the_document_and_no_faster(act: Callable[[str], None], kind: str) -> None:
    build, ratios = KINDS[kind], []
    for _ in range(3):  # another process may disturb one measurement, hardly three
        small, large = seconds(act, build(SMALL)), seconds(act, build(4 * SMALL))
        ratios.append(large / max(small, LEAST_SECONDS))
        if ratios[-1] < MAX_TIMES:
            return
    pytest.fail(f"four times the document took {ratios} times the time")
