"""``longshore control-numbers``: shows counters and skips numbers."""

import pytest

from tests.unit.cli.conftest import CommandLine
from tests.unit.cli.test_partners import with_a_partner

pytestmark = pytest.mark.usefixtures("empty_database")


def test_numbers_that_were_used_elsewhere_are_skipped_and_recorded(run: CommandLine) -> None:
    with_a_partner(run, settings={"control_max": 5_000, "st02": "continuous"})
    assert run("control-numbers", "list", "2", "--json").json == {"control_numbers": []}
    moved = run("control-numbers", "advance", "2", "--by", "1200", "--json").json
    assert [
        (each["environment"], each["kind"], each["last"]) for each in moved["control_numbers"]
    ] == [
        ("production", "isa", 1_200),
        ("production", "gs", 1_200),
        ("production", "st", 1_200),
    ]
    assert moved["control_numbers"][0]["left"] == 3_800
    test = run("control-numbers", "advance", "2", "--by", "1", "--environment", "sandbox")
    assert test.out.splitlines()[1].split() == ["sandbox", "isa", "1", "1", "5000", "4999"]
    shown = run("control-numbers", "list", "2").out.splitlines()
    assert shown[0].split() == ["environment", "kind", "last", "smallest", "largest", "left"]
    assert len(shown) == 7
    verified = run("audit", "verify", "--json").json
    assert verified["ok"]
    assert verified["accounts"][0]["entries"] == 4  # the account, the partner, two moves


def test_a_whole_range_is_not_skipped(run: CommandLine) -> None:
    with_a_partner(run, settings={"control_max": 50})
    refused = run("control-numbers", "advance", "2", "--by", "50")
    assert (refused.code, refused.out) == (2, "")
    assert "Skip at least 1 number and fewer than 50, the size of the smallest range" in refused.err
    assert run("control-numbers", "list", "2", "--json").json == {"control_numbers": []}
    assert "There is no such partner" in run("control-numbers", "advance", "9", "--by", "1").err


def test_st02_is_skipped_only_where_it_counts_on(run: CommandLine) -> None:
    with_a_partner(run)
    moved = run("control-numbers", "advance", "2", "--by", "3", "--json").json["control_numbers"]
    assert [(each["kind"], each["last"]) for each in moved] == [("isa", 3), ("gs", 3)]
