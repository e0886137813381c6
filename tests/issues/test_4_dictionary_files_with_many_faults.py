"""Issue 4, found by fuzzing: what is wrong with a dictionary's files is told once, and soon.

A bad line in ``elements.xd`` had the file read again for every element of every segment;
neighbours that cannot be told apart were reported pair by pair; numbers of thousands of digits
ended in another error than a DictionaryError.
"""

import gc
import time
from collections.abc import Callable, Mapping

import pytest

from longshore.x12.dictionary.library import Dictionary
from longshore.x12.dictionary.lines import DictionaryError
from longshore.x12.dictionary.lint import lint
from tests.unit.x12.dictionary.texts import CODES, ELEMENTS, ORDER, SEGMENTS, TEXTS

SMALL = 600  # lines; the larger file has four times as many
MAX_TIMES = 8.0
LEAST_SECONDS = 0.02
OVERLAY = 'overlay acme on 850@004010 "ACME"\n'


def lines(count: int, text: str) -> str:
    return "".join(f"{text.replace('%', str(at))}\n" for at in range(count))


def with_file(name: str, text: str) -> Mapping[str, str]:
    return TEXTS | {name: text}


FAMILIES: dict[str, Callable[[int], Mapping[str, str]]] = {
    "bad elements": lambda n: with_file("elements.xd", ELEMENTS + lines(n, "1% AN 2/1")),
    "bad segments": lambda n: with_file("segments.xd", SEGMENTS + lines(n, "A1 %0 ; Z0102")),
    "unknown elements": lambda n: with_file("segments.xd", SEGMENTS + "A1" + " 99999" * n + "\n"),
    "a bad segment used often": lambda n: {
        **with_file("segments.xd", SEGMENTS + "A1" + " 99999" * n + "\n"),
        "sets/850.xd": ORDER + lines(n, "  loop L% O1\n    A1 M1"),
    },
    "unknown segments": lambda n: with_file("sets/850.xd", ORDER + lines(n, "  ZZ9 O1")),
    "bad lines of a set": lambda n: with_file("sets/850.xd", ORDER + lines(n, "  REF Q%")),
    "the same neighbour": lambda n: with_file("sets/850.xd", ORDER + lines(n, "  CTT O1")),
    "one code of all neighbours": lambda n: with_file(
        "sets/850.xd", ORDER + lines(n, "  REF O1 when REF.01=AA")
    ),
    "neighbours under other elements": lambda n: with_file(
        "sets/850.xd", ORDER + lines(n, "  REF O1 when REF.01=AA\n  REF O1 when REF.02=A%")
    ),
    "one segment defined anew": lambda n: with_file("segments.xd", SEGMENTS + lines(n, "REF 128")),
    "a segment of every release": lambda n: with_file(
        "segments.xd", SEGMENTS + "".join(f"A1 128 @{at:06d}\n" for at in range(n))
    ),
    "codes": lambda n: with_file("codes/lists.xd", CODES + "list x\n" + lines(n, "  A% a")),
    "one code": lambda n: with_file("codes/lists.xd", CODES + "list x\n" + lines(n, "  A a")),
    "a code of every release": lambda n: with_file(
        "codes/lists.xd",
        CODES + "list x\n" + "".join(f"  A a @{at:06d}\n" for at in range(n)),
    ),
    "position numbers": lambda n: with_file("sets/850.xd", ORDER + "  REF O1 " + "#12 " * n * 8),
    "open loops": lambda n: with_file("sets/850.xd", ORDER + lines(n, "  loop L% O1")),
    "bad edits": lambda n: with_file("overlays/a.xd", OVERLAY + lines(n, "ZZ% drop")),
    "added segments": lambda n: with_file("overlays/a.xd", OVERLAY + lines(n, "extend CTT NTE O2")),
}


def seconds(texts: Mapping[str, str]) -> float:
    """Return the CPU time of one run, without what the collector makes of all other objects."""
    gc.collect()
    gc.disable()
    start = time.process_time()
    lint(texts)
    spent = time.process_time() - start
    gc.enable()
    return spent


@pytest.mark.parametrize("family", FAMILIES)
def test_the_time_grows_with_the_lines_and_no_faster(family: str) -> None:
    build = FAMILIES[family]
    ratio, small, large = 0.0, [], []
    for _ in range(5):  # another process may disturb some of them
        small.append(seconds(build(SMALL)))
        large.append(seconds(build(4 * SMALL)))
        ratio = min(large) / max(min(small), LEAST_SECONDS)
        if ratio < MAX_TIMES:
            return
    pytest.fail(f"four times the lines took {ratio:.1f} times the time")


@pytest.mark.parametrize("family", FAMILIES)
def test_there_are_no_more_faults_than_there_is_text(family: str) -> None:
    texts = FAMILIES[family](SMALL)
    words = sum(len(text.split()) for text in texts.values())
    assert len(lint(texts).errors) <= 2 * words


def test_each_of_many_neighbours_is_reported_once() -> None:
    errors = lint(with_file("sets/850.xd", ORDER + lines(50, "  REF O1"))).errors
    assert len([each for each in errors if "REF is ambiguous" in each.reason]) == 49


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("elements.xd", ELEMENTS + f"9 AN 1/{'9' * 5000}"),
        ("elements.xd", ELEMENTS + "9 AN 1/9999999999"),
        ("segments.xd", SEGMENTS + f"A1 128x{'9' * 5000}"),
        ("sets/850.xd", ORDER + f"  REF O{'9' * 5000}"),
        ("guides/005010X999.xd", TEXTS["guides/005010X999.xd"] + f"  REF R1 : 01Rx{'9' * 5000}"),
        ("guides/005010X999.xd", TEXTS["guides/005010X999.xd"] + f"  REF R1 : 01R:1/{'9' * 5000}"),
        ("overlays/a.xd", OVERLAY + f"BEG.01 len 1/{'9' * 5000}"),
        ("overlays/a.xd", OVERLAY + f"REF M{'9' * 5000}"),
        ("overlays/a.xd", OVERLAY + f"REF[{'9' * 5000}] drop"),
    ],
)
def test_a_number_no_document_can_have_is_refused(name: str, text: str) -> None:
    (error,) = lint(with_file(name, text)).errors
    assert (error.file, error.line) == (name, text.count("\n") + 1)


def test_the_same_error_is_raised_each_time() -> None:
    dictionary = Dictionary(with_file("elements.xd", ELEMENTS + "9 AN 2/1\n"))
    raised = []
    for _ in range(2):
        with pytest.raises(DictionaryError) as caught:
            dictionary.vocabulary.element("9", "004010")
        raised.append(caught.value)
    assert raised[0] is raised[1]
