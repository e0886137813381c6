"""A segment out of order: the message names the segment it belongs before, and its position."""

import re
from pathlib import Path
from random import Random

import pytest

from longshore.engine import validate
from tests.unit.test_samples import SAMPLES

SAID = re.compile(
    r"[A-Z0-9]{2,3} is out of order: it belongs before ([A-Z0-9]{2,3}) at segment ([0-9]+)"
)
X12_SAMPLES = sorted(SAMPLES.glob("*/input.edi"))


def an_order(*segments: str) -> str:
    body = ("ST*850*0001", *segments, f"SE*{len(segments) + 2}*0001")
    return "".join(f"{each}~" for each in body)


BEG, PO1, N1 = "BEG*00*SA*PO-1**20240115", "PO1*1*4*EA*1**BP*A", "N1*ST*Acme"


@pytest.mark.parametrize(
    ("segments", "message", "position"),
    [
        ((BEG, PO1, "CTT*1", "REF*DP*1"), "REF is out of order: it belongs before PO1", 5),
        ((BEG, N1, "DTM*002*20240120", PO1), "DTM is out of order: it belongs before N1", 4),
    ],
)
def test_the_segment_that_was_passed_is_named_with_its_position(
    segments: tuple[str, ...], message: str, position: int
) -> None:
    validated = validate(an_order(*segments), release="004010")
    [finding] = [each for each in validated.findings if each.code == "segment_out_of_order"]
    assert finding.message == f"{message} at segment 3"
    assert (finding.segment_position, finding.ack_code) == (position, {"segment": "7"})


@pytest.mark.parametrize("sample", X12_SAMPLES, ids=lambda each: each.parent.name)
def test_wherever_segments_are_moved_to_the_named_one_stands_there(sample: Path) -> None:
    text = sample.read_text(encoding="utf-8")
    delimiters = validate(text).delimiters[0]
    segments = [each.strip() for each in text.split(delimiters.segment) if each.strip()]
    ids = [each.split(delimiters.element)[0] for each in segments]
    random, named = Random(len(text)), 0
    for _ in range(15):
        order = list(range(len(segments)))
        for _ in range(2):
            order.insert(random.randrange(3, len(order) - 3), order.pop(random.randrange(3, 9)))
        moved = delimiters.segment.join([segments[each] for each in order])
        first = [ids[each] for each in order].index("ST")
        for finding in validate(moved).findings:
            said = SAID.fullmatch(finding.message)
            if said is not None:
                named += 1
                assert ids[order[first + int(said[2]) - 1]] == said[1]
                assert finding.segment_position is not None
                assert int(said[2]) < finding.segment_position
    assert named
