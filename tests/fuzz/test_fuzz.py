"""A slice of the fuzzer in each run (reliability.md S2), every kept find, and its control."""

from pathlib import Path
from random import Random

import pytest

from tests.fuzz import campaign as running
from tests.fuzz import oracles
from tests.fuzz.campaign import Campaign, fault_of, minimised
from tests.fuzz.oracles import strict
from tests.fuzz.seeds import FORMAT_BY_SUFFIX, TESTS, seeds

INPUTS = 3_000
KEPT = sorted(path for path in (TESTS / "corpus").iterdir() if path.suffix in FORMAT_BY_SUFFIX)


@pytest.mark.parametrize("seed", [2026, 850])
def test_no_changed_document_breaks_a_promise(seed: int) -> None:
    campaign = Campaign(seed)
    campaign.run(INPUTS, cpu_seconds=300)
    assert campaign.finds == []
    assert campaign.inputs.total() == INPUTS


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_no_kept_find_breaks_a_promise_again(path: Path) -> None:
    text = path.read_bytes().decode()
    faults = {fault_of(FORMAT_BY_SUFFIX[path.suffix], text, Random(n)) for n in range(20)}
    assert faults == {""}


@pytest.mark.parametrize("name", ["x12", "json", "xml", "csv"])
def test_every_seed_as_it_is_keeps_all_promises(name: str) -> None:
    for text in seeds()[name]:
        assert {fault_of(name, text, Random(n)) for n in range(4)} == {""}


def test_a_planted_fault_is_found_made_short_and_seen_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control: an oracle that cannot bear a tilde behind a star."""

    def picky(text: str, draw: Random) -> None:
        del draw
        assert "*~" not in text, "a star and a tilde"

    monkeypatch.setattr(running, "ORACLES", dict.fromkeys(oracles.ORACLES, picky))
    campaign = Campaign(1)
    campaign.run(500, cpu_seconds=60)
    find = campaign.finds[0]
    assert find.fault.startswith("AssertionError: a star and a tilde")
    assert minimised(find, lambda text: fault_of(find.format, text, Random(1)) != "") == "*~"


def test_the_same_seed_tries_the_same_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[list[str]] = []
    for _ in range(2):
        seen: list[str] = []
        note = {name: lambda text, _, seen=seen: seen.append(text) for name in oracles.ORACLES}
        monkeypatch.setattr(running, "ORACLES", note)
        Campaign(7).run(50, cpu_seconds=60)
        tried.append(seen)
    assert tried[0] == tried[1]
    assert len(set(tried[0])) > 30


@pytest.mark.parametrize(
    "content", [b'{"a":1,"a":2}', b'{"a":NaN}', b'{"a":"\xff"}', b'{"a":"\t"}']
)
def test_what_is_no_strict_json_is_noticed(content: bytes) -> None:
    with pytest.raises((AssertionError, ValueError)):
        strict(content)
