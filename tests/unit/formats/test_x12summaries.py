"""Interchanges and sets are listed whole, and neither list holds more than it must."""

import json

import pytest

from longshore.engine import parse
from longshore.formats import x12doc
from longshore.formats.refusals import LimitExceededError
from longshore.formats.x12summaries import CHARS_PER_SET, SETS_ALLOWANCE, Summaries
from longshore.x12.walk import Walk
from tests.unit.x12.documents import GS, a_group, a_set, interchange, isa

SET_COUNT = 3_000


def many_sets() -> str:
    sets = [text for at in range(SET_COUNT) for text in a_set("N1*A", number=f"{at:04d}")]
    return interchange(*a_group(*sets, sets=SET_COUNT), "IEA*1*000000101")


def test_every_set_and_every_interchange_is_listed_in_order() -> None:
    result = json.loads(parse(many_sets() * 2).result_json())
    numbers = [each["control_number"] for each in result["transactions"]]
    assert numbers == [f"{at:04d}" for at in range(SET_COUNT)] * 2
    assert [each["index"] for each in result["transactions"]] == [*range(1, 2 * SET_COUNT + 1)]
    assert {each["segment_count"] for each in result["transactions"]} == {3}
    assert [each["isa_control_number"] for each in result["interchanges"]] == ["000000101"] * 2
    assert (result["tx_set"], result["errors"]) == ("850", [])


def test_what_is_written_is_not_held_as_well() -> None:
    document = many_sets() * 2
    walk = Walk(lambda: (document,))
    summaries = Summaries(walk.envelope, len(document))
    held = []
    for _ in walk.span_lists():
        summaries.take()
        envelope = walk.envelope
        held.append((len(envelope.interchanges), len(envelope.groups), len(envelope.sets)))
    assert max(held) <= (1, 1, 1)
    _, sets = summaries.json()
    assert len(json.loads(sets)) == 2 * SET_COUNT


def test_a_document_without_sets_has_empty_lists() -> None:
    document = "BEG*00*SA~"
    walk = Walk(lambda: (document,))
    summaries = Summaries(walk.envelope, len(document))
    assert (summaries.first_interchange, summaries.first_set) == (None, None)
    assert summaries.json() == (b"[]", b"[]")


@pytest.mark.parametrize("views", [frozenset[str](), frozenset(["tree"])], ids=["fields", "tree"])
def test_a_flood_of_set_headers_is_refused(views: frozenset[str]) -> None:
    document = f"{isa()}~{GS}~" + "ST~" * 100_000
    most = len(document) // CHARS_PER_SET + SETS_ALLOWANCE
    with pytest.raises(LimitExceededError) as refused:
        x12doc.parse(document, views=views)
    assert (refused.value.details[0].limit, refused.value.details[0].max) == ("transactions", most)


def test_the_shortest_sound_sets_are_not_refused() -> None:
    result = parse("ST*850*0001~SE*2*0001~" * 20_000).document
    assert result.transactions_json.count(b'"index"') == 20_000
