"""The benchmarks themselves: their documents are what they claim, and a miss is called one."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from longshore.engine import parse
from tests.bench.__main__ import CASES, MIB, Case, Result, growth_miss, hand_misses, table
from tests.bench.candidates import OPERATIONS, WrongAnswerError
from tests.bench.documents import RECIPES, SEED, Counts, Document, write
from tests.bench.peers.environments import PEERS, Peer, PeerUnavailableError, python_of
from tests.bench.peers.operations import PEER_OPERATIONS

SMALL_RECIPES = [name for name in RECIPES if "10" not in name]


@pytest.mark.parametrize("name", SMALL_RECIPES)
def test_a_bench_document_is_what_its_counts_say(name: str, tmp_path: Path) -> None:
    made = write(name, RECIPES[name], tmp_path)
    answer = json.loads(parse(Path(made.path).read_bytes()).result_json())
    assert len(answer["fields"]) == answer["field_count"] == made.counts.fields
    assert answer["segment_count"] == made.counts.segments
    # What is wrong with an element is for validation, not for parsing, to say.
    assert len(answer["errors"]) == (0 if name == "850-1m-invalid" else made.findings)
    assert answer["warnings"] == []


def test_a_bench_document_has_its_size_and_is_the_same_each_time(tmp_path: Path) -> None:
    first, second = (write("850-1m", RECIPES["850-1m"], folder) for folder in two(tmp_path))
    assert first.counts == second.counts
    assert Path(first.path).read_bytes() == Path(second.path).read_bytes()
    assert len(Path(first.path).read_bytes()) == first.counts.characters == 949_372
    assert first.counts.segments == 28_004


def two(folder: Path) -> list[Path]:
    folders = [folder / "first", folder / "second"]
    for made in folders:
        made.mkdir()
    return folders


def test_a_set_of_the_bench_counts_its_segments() -> None:
    rows = list(RECIPES["850-1k"].rows(Random(SEED)))
    assert [row[0] for row in rows][:4] == ["ISA", "GS", "ST", "BEG"]
    assert rows[-3] == ["SE", "28", "0001"]
    assert len(rows) == 32


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_answers_rightly_and_a_wrong_count_is_noticed(
    operation: str, tmp_path: Path
) -> None:
    made = write("850-1k", RECIPES["850-1k"], tmp_path)
    answer = OPERATIONS[operation].prepare(made)()
    OPERATIONS[operation].check(made, answer)
    with pytest.raises(WrongAnswerError, match="850-1k: "):
        OPERATIONS[operation].check(with_one_segment_more(made), answer)


def with_one_segment_more(document: Document) -> Document:
    counts = document.counts
    return replace(document, counts=replace(counts, segments=counts.segments + 1))


def test_a_field_is_counted_once_for_its_text_and_once_for_each_part(tmp_path: Path) -> None:
    recipe = replace(
        RECIPES["837-1m"],
        rows=lambda _: iter([
            ["HI", "ABK:A^ABF::B", "ABF:C"],
            ["MSG", "10:30"],
            ["QQQ", "", "a:b"],
        ]),
    )
    assert write("small", recipe, tmp_path).counts == Counts(
        characters=41, segments=3, pieces=8, fields=13
    )


def result(*ratios: float, peak: float = 0, goal: float | None = 10) -> Result:
    case = Case("850-1m", "read-file", goal, 32 * MIB)
    return Result(case, [{"ratio": ratio, "peak_rss_bytes": peak * MIB} for ratio in ratios])


def test_a_goal_is_missed_by_more_than_the_tolerance_only() -> None:
    assert not result(10.9, 10.9, 99.0).miss(1.1)
    assert result(11.1, 11.1, 1.0).miss(1.1) == "11.10 F, goal 10 F"
    assert not result(11.1).miss(2.0)
    assert not result(99.0, goal=None).miss(1.1)


def test_memory_has_no_tolerance() -> None:
    assert not result(1.0, peak=32).miss(1.1)
    assert result(1.0, peak=33).miss(1.1) == "33.0 MiB, goal 32 MiB"


def test_memory_that_grows_with_the_document_is_a_miss() -> None:
    assert not growth_miss([result(1.0, peak=17), result(1.0, peak=20)])
    grown = growth_miss([result(1.0, peak=17), result(1.0, peak=25)])
    assert grown == "memory of read-file grows by 8.0 MiB"


def test_what_costs_more_than_by_hand_allows_is_a_miss() -> None:
    def made(operation: str, ratio: float, peer: str = "") -> Result:
        return Result(Case("850-200", operation, peer=peer), [{"ratio": ratio}])

    by_hand = made("convert-lines-by-hand", 10)
    assert hand_misses([made("convert-lines", 65), by_hand], 1.1) == []
    missed = ["850-200 convert-lines: 7.0 x by hand, goal 6 x"]
    assert hand_misses([made("convert-lines", 70), by_hand], 1.1) == missed
    assert hand_misses([by_hand], 1.1) == []
    theirs = made("convert-lines", 500, peer="jsonata-python")
    assert hand_misses([made("convert-lines", 65), by_hand, theirs], 1.1) == []
    assert hand_misses([theirs, made("convert-lines", 70), by_hand], 1.1) == missed
    assert hand_misses([theirs, by_hand], 1.1) == []


def test_the_table_shows_ratio_spread_and_miss() -> None:
    failed = replace(result(), failure="not done within 120 s")
    lines = table([result(12.0, 13.0, 11.5, peak=17), failed], 1.1)
    missed = "MISSED: 12.00 F, goal 10 F"
    assert lines[2] == f"| 850-1m | read-file | 12.00 | 11.50-13.00 | 10 | 17.0 MiB | {missed} |"
    assert lines[3] == "| 850-1m | read-file | - | - | 10 |  | MISSED: not done within 120 s |"


# ---- peers --------------------------------------------------------------------------------------


def test_every_case_has_a_document_and_an_operation_and_every_peer_a_case() -> None:
    assert {case.document for case in CASES} <= set(RECIPES)
    assert {case.name for case in CASES} == set(OPERATIONS | PEER_OPERATIONS)
    assert {case.peer for case in CASES} == {"", *PEERS}


def test_no_goal_is_made_of_a_peer_and_no_quick_run_needs_one() -> None:
    peers = [case for case in CASES if case.peer]
    assert [case.goal for case in peers] == [None] * len(peers)
    assert not any(case.is_quick for case in peers)


@pytest.mark.parametrize("peer", PEERS.values(), ids=lambda peer: peer.name)
def test_a_peer_is_pinned_with_hashes_and_without_an_address(peer: Peer) -> None:
    text = peer.requirements.read_text("ascii")
    pins = [line for line in text.splitlines() if line and line[0] not in " #"]
    assert pins == [line for line in pins if "==" in line and line.endswith("\\")]
    assert f"{peer.name}=={peer.version} \\" in pins
    assert "://" not in text
    assert not any(line.lstrip().startswith(("-i", "--index", "--extra")) for line in pins)


def test_a_peer_that_cannot_be_had_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(PeerUnavailableError, match="Not a directory"):
        python_of(PEERS["pyx12"], tmp_path / "file" / "below")


def test_a_skipped_peer_is_in_the_table_and_is_no_miss() -> None:
    skipped = Result(Case("850-1m", "read", peer="pyx12"), skipped="no network")
    assert not skipped.miss(1.1)
    assert table([skipped], 1.1)[2:] == [
        "| 850-1m | pyx12 read | - | - |  |  | SKIPPED: no network |"
    ]
