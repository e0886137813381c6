"""Conversions in worker processes: what is handed over, comes back, and is refused there."""

import json
from collections.abc import Iterator

import pytest

from longshore.compute import documents
from longshore.compute.documents import convert_result
from longshore.compute.pool import ProcessPool
from longshore.engine import ConvertedResult, RuleText, Stamp
from longshore.http.api_v1.execution import run_conversion
from longshore.kit.errors import LongshoreError

STAMP = Stamp(date="20260115", time="1405")
LINES = "".join(f"PO1*{number}*{number}~" for number in range(5_000))
LONG = f"ST*850*0001~BEG*00*SA*PO-1~{LINES}SE*5003*0001~"
RULES = RuleText(
    json.dumps([{"src": "BEG.03", "tgt": "BEG.03"}, {"src": "PO1[*].02", "tgt": "PO1[*].02"}]),
    target_format="x12",
)


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPool]:
    pool = ProcessPool(1, preload=(documents.__name__,))
    yield pool
    pool.close()


async def test_a_long_document_comes_back_as_from_here(pool: ProcessPool) -> None:
    made = await run_conversion(pool, convert_result, LONG, RULES, stamp=STAMP)
    assert isinstance(made, ConvertedResult)
    assert made == convert_result(LONG, RULES, stamp=STAMP)
    assert made.sets == (("850", "850"),)


async def test_a_refusal_comes_back_with_its_details(pool: ProcessPool) -> None:
    wrong = RuleText('[{"src":"BEG..3","tgt":"x"}]')
    for document in (LONG, LONG[:30]):
        with pytest.raises(LongshoreError) as caught:
            await run_conversion(pool, convert_result, document, wrong)
        assert caught.value.details[0].param == "field_map[0].src"


async def test_rules_that_take_too_long_here_are_stopped_there(pool: ProcessPool) -> None:
    turns = [{"op": "replace", "find": a, "with": b} for a, b in (" x", "x ")] * 49
    rules = [
        {"src": "BEG.03", "tgt": f"t{number}", "then": [{"op": "pad", "len": 900_000}, *turns]}
        for number in range(60)
    ]
    made = await run_conversion(pool, convert_result, LONG[:30], RuleText(json.dumps(rules[:2])))
    assert len(json.loads(json.loads(made.members)["output"])["t1"]) == 900_000
    forever = RuleText(json.dumps(rules))
    with pytest.raises(LongshoreError) as caught:
        await run_conversion(pool, convert_result, LONG, forever, cpu_seconds=0.1)
    assert (caught.value.details[0].limit, caught.value.details[0].max) == ("cpu_seconds", 0)
