"""A slice of the fuzzer in each run (reliability.md S2), every kept find, and its control."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from longshore.x12.validate.rules import SetRules
from tests.fuzz import campaign as running
from tests.fuzz.campaign import Campaign, Find, fault_of, minimised, texts_of
from tests.fuzz.entries import ENTRIES, SHARES, Check, Entry
from tests.fuzz.oracles import strict
from tests.fuzz.seeds import FORMAT_BY_SUFFIX, TESTS

INPUTS = 4_000
KEPT = sorted(path for path in (TESTS / "corpus").iterdir() if path.suffix in FORMAT_BY_SUFFIX)


@pytest.mark.timeout(400)  # it counts processor time itself
@pytest.mark.parametrize("seed", [2026, 850])
def test_no_changed_document_breaks_a_promise(seed: int) -> None:
    campaign = Campaign(seed)
    campaign.run(INPUTS, cpu_seconds=300)
    assert campaign.finds == []
    assert campaign.inputs.total() == INPUTS


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_no_kept_find_breaks_a_promise_again(path: Path) -> None:
    text = path.read_bytes().decode()
    name = FORMAT_BY_SUFFIX[path.suffix]
    for entry in {name, *(("validate", "ack") if name == "x12" else ())}:
        assert {fault_of(entry, text, Random(n)) for n in range(4)} == {""}


@pytest.mark.parametrize("name", ENTRIES)
def test_every_seed_as_it_is_keeps_all_promises(name: str) -> None:
    for text in texts_of(name):
        assert fault_of(name, text, Random(1)) == ""


def test_every_entry_has_its_share() -> None:
    assert set(SHARES) == set(ENTRIES)


def entries(check: Check) -> dict[str, Entry]:
    """Return all entries with another check."""
    return {name: replace(each, check=check) for name, each in ENTRIES.items()}


def test_a_planted_fault_is_found_made_short_and_seen_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control: an oracle that cannot bear a tilde behind a star."""

    def picky(text: str, draw: Random, *, is_thorough: bool) -> None:
        del draw, is_thorough
        assert "*~" not in text, "a star and a tilde"

    monkeypatch.setattr(running, "ENTRIES", entries(picky))
    reported: list[Find] = []
    campaign = Campaign(1, on_find=reported.append)
    campaign.run(500, cpu_seconds=60)
    find = campaign.finds[0]
    assert reported == campaign.finds
    assert find.fault.startswith("AssertionError: a star and a tilde")
    assert minimised(find, running.has_same_fault(find)) == "*~"


def test_a_text_is_made_shorter_no_longer_than_is_allowed() -> None:
    find = Find("x12", "abcdef" * 50, "")
    assert minimised(find, lambda _: True, cpu_seconds=0) == find.text


def test_the_same_seed_tries_the_same_inputs_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def note(text: str, draw: Random, *, is_thorough: bool) -> None:
        tried.append(f"{text}{draw.random()}{is_thorough}")

    monkeypatch.setattr(running, "ENTRIES", entries(note))
    Campaign(7).run(60, cpu_seconds=60)
    whole, tried = tried, []
    for start in (30, 0):
        Campaign(7).run_numbers(range(start, start + 30), cpu_seconds=60)
    assert [*tried[30:], *tried[:30]] == whole
    assert len(set(whole)) == 60


@pytest.mark.parametrize(
    "content", [b'{"a":1,"a":2}', b'{"a":NaN}', b'{"a":"\xff"}', b'{"a":"\t"}']
)
def test_what_is_no_strict_json_is_noticed(content: bytes) -> None:
    with pytest.raises((AssertionError, ValueError)):
        strict(content)


def test_a_fast_path_that_accepts_everything_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control of what compares the fast path with the exact one."""
    monkeypatch.setattr(SetRules, "accepts", lambda *_: True)
    entry, texts, faults = ENTRIES["validate"], texts_of("validate"), set()
    for number in range(100):
        draw = Random(number)
        faults.add(fault_of("validate", entry.mutate(texts, draw), draw))
    assert "AssertionError: the fast and the exact way differ" in faults
