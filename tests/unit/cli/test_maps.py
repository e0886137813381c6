"""``longshore maps``: saved maps as lists, files and tests."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from longshore.storage.sqlite.data_directory import DATABASE_FILE
from tests.support.maps import ORDER, ORDER_JSON
from tests.unit.cli.conftest import CommandLine

pytestmark = pytest.mark.usefixtures("empty_database")

RULES = """[
  {"src": "BEG.03", "tgt": "number"},
  {"src": "PO1[*].02", "tgt": "lines[*].quantity"}
]"""
TEST = {"name": "two lines", "document": ORDER, "expected": ORDER_JSON}
HEAD = ["id", "name", "from", "to", "set", "version", "rules", "locked", "updated_at"]


def a_file(run: CommandLine, **members: object) -> str:
    path = run.folder / "map.json"
    others = json.dumps({"name": "Orders", "tx_set": "850", **members})[1:]
    path.write_text(f'{{"field_map": {RULES}, {others}', encoding="utf-8")
    return str(path)


def a_saved_map(run: CommandLine, **members: object) -> int:
    run("accounts", "create", "acme")
    saved: int = run("maps", "import", a_file(run, **members), "--json").json["map"]["id"]
    return saved


@pytest.mark.parametrize(
    "command", [("list",), ("show", "1"), ("export", "1"), ("test", "1"), ("import", "map.json")]
)
def test_whose_maps_has_to_be_clear(run: CommandLine, command: tuple[str, ...]) -> None:
    a_file(run)
    ran = run("maps", *command)
    assert (ran.code, ran.out) == (2, "")
    assert "Name the account of the map with --account. Accounts: none yet." in ran.err
    run("accounts", "create", "acme")
    run("accounts", "create", "Northwind")
    assert "Accounts: acme, Northwind." in run("maps", *command).err
    assert "There is no account 'nobody'" in run("maps", *command, "--account", "nobody").err


def test_the_map_of_another_account_is_not_found(run: CommandLine) -> None:
    map_id = a_saved_map(run, tests=[TEST])
    run("accounts", "create", "northwind")
    for command in ("show", "export", "test"):
        ran = run("maps", command, str(map_id), "--account", "northwind")
        assert (ran.code, "(not_found)" in ran.err) == (2, True)
    over = run("maps", "import", a_file(run), "--id", str(map_id), "--account", "northwind")
    assert (over.code, over.err) == (
        2,
        "longshore: There is no such map, or it is not yours. (not_found)\n",
    )
    assert run("maps", "list", "--account", "northwind", "--json").json == {"maps": []}
    assert run("maps", "list", "--account", "ACME", "--json").json["maps"][0]["version"] == 1


def test_an_import_is_in_the_log_as_the_operators_and_a_refused_one_is_not(
    run: CommandLine,
) -> None:
    map_id = a_saved_map(run)
    run("maps", "import", a_file(run), "--id", str(map_id))
    run("maps", "import", a_file(run), "--id", "9")
    run("maps", "export", str(map_id))
    with closing(sqlite3.connect(run.folder / "longshore-data" / DATABASE_FILE)) as connection:
        rows = connection.execute("SELECT actor, action, object FROM audit_entries").fetchall()
    log = [row for row in rows if row[1].startswith("map.")]
    assert log == [("operator", "map.create", "map 1"), ("operator", "map.save", "map 1")]


def test_a_file_becomes_a_map_and_the_map_the_same_file(run: CommandLine) -> None:
    run("accounts", "create", "acme")
    ran = run("maps", "import", a_file(run, tests=[TEST]))
    assert ran.out == "Map 1 (Orders) is saved as version 1: 2 rules. 1 of 1 tests passed.\n"
    assert run("maps", "export", "1", "out.json").out == ""
    exported = (run.folder / "out.json").read_text(encoding="utf-8")
    assert exported == run("maps", "export", "1").out
    assert f'"field_map": {RULES},' in exported
    assert json.loads(exported) == {
        "name": "Orders",
        "description": "",
        "source_fmt": "x12",
        "target_fmt": "json",
        "tx_set": "850",
        "direction": "inbound",
        "field_map": json.loads(RULES),
        "lookups": [],
        "sample": None,
        "target_sample": "",
        "tests": [TEST],
    }


def test_an_exported_map_converts(run: CommandLine) -> None:
    map_id = a_saved_map(run)
    run("maps", "export", str(map_id), "rules.json")
    (run.folder / "order.edi").write_text(ORDER, encoding="utf-8")
    assert run("convert", "order.edi", "--rules", "rules.json").out == ORDER_JSON


def test_an_export_overwrites_only_if_it_is_told_to(run: CommandLine) -> None:
    map_id = str(a_saved_map(run))
    target = run.folder / "out.json"
    target.write_text("mine", encoding="utf-8")
    ran = run("maps", "export", map_id, "out.json")
    assert (ran.code, target.read_text(encoding="utf-8")) == (2, "mine")
    assert run("maps", "export", map_id, "out.json", "--force").code == 0
    assert json.loads(target.read_text(encoding="utf-8"))["name"] == "Orders"


def test_numbers_are_stored_as_they_are_written(run: CommandLine) -> None:
    run("accounts", "create", "acme")
    text = '{"name": "n", "field_map": [{"const": 1.10, "type": "number", "tgt": "a"}]}'
    (run.folder / "n.json").write_text(text, encoding="utf-8")
    run("maps", "import", "n.json")
    assert '{"const": 1.10, "type": "number", "tgt": "a"}' in run("maps", "export", "1").out
    assert '{"const": 1.10, "type": "number", "tgt": "a"}' in run("maps", "show", "1", "--json").out


def test_a_second_import_is_the_next_version_and_the_old_one_stays(run: CommandLine) -> None:
    map_id = a_saved_map(run)
    text = '{"name": "Fewer", "field_map": [{"const": "x", "tgt": "a"}]}'
    (run.folder / "fewer.json").write_text(text, encoding="utf-8")
    ran = run("maps", "import", "fewer.json", "--id", str(map_id), "--note", "less is more")
    assert ran.out == "Map 1 (Fewer) is saved as version 2: 1 rule.\n"
    newest = run("maps", "show", "1", "--json").json["map"]
    assert (newest["name"], newest["version"], newest["rule_count"]) == ("Fewer", 2, 1)
    old = run("maps", "show", "1", "--version", "1", "--json").json["map"]
    assert (old["name"], old["version"], old["rule_count"]) == ("Orders", 1, 2)
    assert json.loads(run("maps", "export", "1", "--version", "1").out)["name"] == "Orders"
    assert run("maps", "export", "1", "--version", "3").code == 2


def test_a_map_is_shown_with_its_rules_and_its_history(run: CommandLine) -> None:
    map_id = str(a_saved_map(run, description="what the shop reads", tests=[TEST]))
    rules = [
        {"const": 1, "tgt": "a", "note": "always"},
        {"src": ["BEG.03", "BEG.05"], "tgt": "b", "transform": "trim"},
    ]
    path = run.folder / "next.json"
    path.write_text(json.dumps({"name": "Next", "field_map": rules}), encoding="utf-8")
    run("maps", "import", "next.json", "--id", map_id, "--note", "again")
    lines = [line.split() for line in run("maps", "show", map_id).out.splitlines()]
    assert lines[:4] == [
        ["map", "1", "Next"],
        ["version", "2"],
        ["converts", "x12", "to", "json,", "inbound"],
        ["tests", "0"],
    ]
    assert ["0", "constant", "1", "a", "always"] in lines
    assert ["1", "BEG.03", "+", "BEG.05", "b", "trim"] in lines
    assert [line[:3] for line in lines[-2:]] == [["2", "2", "cli"], ["1", "2", "cli"]]
    assert lines[-2][-1] == "again"
    old = run("maps", "show", map_id, "--version", "1").out
    assert [line.rstrip().split(None, 1) for line in old.splitlines()[1:3]] == [
        ["about", "what the shop reads"],
        ["version", "1 of 2"],
    ]


def test_maps_are_listed(run: CommandLine) -> None:
    a_saved_map(run)
    head, line = run("maps", "list").out.splitlines()
    assert head.split() == HEAD
    assert line.split()[:7] == ["1", "Orders", "x12", "json", "850", "1", "2"]
    [listed] = run("maps", "list", "--json").json["maps"]
    assert (listed["id"], listed["direction"], listed["rule_count"], listed["locked"]) == (
        1,
        "inbound",
        2,
        False,
    )


@pytest.mark.parametrize(
    ("text", "code", "param"),
    [
        ("{", "invalid_json", "map.json"),
        ('{"name": "x"}', "missing_parameter", "field_map"),
        ('{"name": "", "field_map": []}', "invalid_parameter", "name"),
        (
            '{"name": "x", "field_map": [{"src": "BEG..3", "tgt": "a"}]}',
            "invalid_mapping_rule",
            "field_map[0].src",
        ),
        (
            '{"name": "x", "field_map": [{"src": "BEG.03", "tgt": "a", "transform": "up"}]}',
            "unsupported_transform",
            "field_map[0].transform",
        ),
    ],
)
def test_a_faulty_file_is_refused_and_nothing_is_stored(
    run: CommandLine, text: str, code: str, param: str
) -> None:
    map_id = a_saved_map(run)
    (run.folder / "map.json").write_text(text, encoding="utf-8")
    for options in ((), ("--id", str(map_id))):
        ran = run("maps", "import", "map.json", "--json", *options)
        assert (ran.code, ran.json["code"]) == (2, code)
        assert ran.json["details"][0]["param"] == param
    [only] = run("maps", "list", "--json").json["maps"]
    assert only["version"] == 1


def test_a_failing_test_is_told_and_refuses_no_import(run: CommandLine) -> None:
    failing = {**TEST, "expected": '{"number": "PO-2"}'}
    run("accounts", "create", "acme")
    ran = run("maps", "import", a_file(run, tests=[failing]), "--json")
    assert (ran.code, ran.json["tests"]["failed"], ran.json["map"]["version"]) == (0, 1, 1)


def test_tests_of_a_saved_map_that_pass(run: CommandLine) -> None:
    map_id = str(a_saved_map(run, tests=[TEST]))
    ran = run("maps", "test", map_id)
    assert (ran.code, ran.out) == (0, "passed  two lines\n1 of 1 tests passed.\n")
    assert run("maps", "test", map_id, "--json").json == {
        "passed": 1,
        "failed": 0,
        "results": [{"name": "two lines", "passed": True, "diff": []}],
    }


def test_tests_that_fail_end_with_1_and_say_where(run: CommandLine) -> None:
    tests = [
        TEST,
        {**TEST, "name": "other", "expected": '{"number": 1.10, "lines": []}'},
        {"name": "none", "document": "", "expected": ""},
    ]
    file = a_file(run, tests=tests)
    ran = run("maps", "test", file)
    assert ran.code == 1
    assert ran.out.splitlines() == [
        "passed  two lines",
        "FAILED  other",
        '        number: 1.10 expected, "PO-1" made',
        "        lines: [] expected, nothing made",
        '        lines[0].quantity: nothing expected, "10" made',
        '        lines[1].quantity: nothing expected, "4" made',
        "FAILED  none",
        "        The document is empty or only white space.",
        "1 of 3 tests passed.",
    ]
    told = run("maps", "test", file, "--json")
    assert (told.code, told.json["failed"]) == (1, 2)
    assert '{"path": "number", "expected": 1.10, "actual": "PO-1"}' in told.out
    assert told.json["results"][2]["error"] == "The document is empty or only white space."


def test_many_differences_are_shown_in_part(run: CommandLine) -> None:
    rules = [{"const": str(at), "tgt": f"a{at:02d}"} for at in range(25)]
    tests = [{"name": "all", "document": ORDER, "expected": "[]"}]
    (run.folder / "m.json").write_text(
        json.dumps({"name": "m", "field_map": rules, "tests": tests}), encoding="utf-8"
    )
    lines = run("maps", "test", "m.json").out.splitlines()
    assert lines[-2:] == ["        and 6 more; --json has them", "0 of 1 tests passed."]
    assert lines[1] == "        the document: [] expected, nothing made"


def test_a_file_is_tested_without_a_data_directory(run: CommandLine) -> None:
    ran = run("maps", "test", a_file(run), "--data-dir", "absent")
    assert ran.out == "There are no tests.\n"
    assert not (run.folder / "absent").exists()
    faulty = run("maps", "test", a_file(run, direction="sideways"), "--json")
    assert (faulty.code, faulty.json["details"][0]["param"]) == (2, "direction")


def test_a_file_that_is_called_like_an_id_is_a_file(run: CommandLine) -> None:
    Path(a_file(run, tests=[TEST])).rename(run.folder / "7")
    assert run("maps", "test", "7").out.endswith("1 of 1 tests passed.\n")
    assert run("maps", "test", "0").code == run("maps", "test", "\u0667").code == 2


def test_starter_maps_are_listed(run: CommandLine) -> None:
    found = run("maps", "starters", "--json").json["starters"]
    assert found[0] == {
        "key": "850-to-json",
        "name": "850 purchase order to JSON order",
        "source_fmt": "x12",
        "target_fmt": "json",
        "tx_set": "850",
    }
    head, first, *_ = run("maps", "starters").out.splitlines()
    assert (head.split(), first.split()[0]) == (["key", "name", "from", "to", "set"], "850-to-json")


def test_the_first_use_tells_of_the_master_key_and_later_ones_do_not(run: CommandLine) -> None:
    assert "the master key was created; keep a safe copy: " in (
        run("accounts", "create", "acme").err
    )
    assert run("maps", "list").err == ""


def test_text_of_a_map_cannot_steer_the_terminal(run: CommandLine) -> None:
    map_id = str(a_saved_map(run, description="\x1b[2J", tests=[{**TEST, "name": "\x1b[1m"}]))
    assert "\x1b" not in run("maps", "show", map_id).out + run("maps", "test", map_id).out
