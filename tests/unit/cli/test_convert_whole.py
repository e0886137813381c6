"""``longshore convert`` says what it left out, and its exit code does."""

import json

import pytest

from longshore.engine import convert
from tests.unit.cli.conftest import CommandLine
from tests.unit.engine.conversion_examples import case, rule
from tests.unit.engine.test_convert_whole import PO, THREE, orders

SETS_WARNING = (
    "warning: 2 of 3 transaction sets were not converted: the rules read only the others; split "
    "makes an output of each set (sets_not_converted ST[2] 850 0002, ST[3] 850 0003)"
)


def write(run: CommandLine, name: str, content: object) -> str:
    path = run.folder / name
    path.parent.mkdir(exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8", newline="")
    return name


def test_sets_that_were_left_out_are_printed_and_exit_1(run: CommandLine) -> None:
    arguments = ("convert", write(run, "three.edi", THREE), "--rules", write(run, "r.json", PO))
    ran = run(*arguments)
    assert (ran.code, ran.out) == (1, '{"po":"PO-0001"}')
    assert ran.err.splitlines() == [SETS_WARNING]
    in_json = run(*arguments, "--json")
    assert (in_json.code, in_json.json["warnings"][0]["count"]) == (1, 2)


def test_with_first_the_exit_code_is_0_and_the_warning_stays(run: CommandLine) -> None:
    rules = ("--rules", write(run, "r.json", PO))
    ran = run("convert", write(run, "three.edi", THREE), *rules, "--first")
    assert (ran.code, ran.err.splitlines()) == (0, [SETS_WARNING])
    both = run("convert", "three.edi", *rules, "--first", "--split", "--json")
    assert both.code == 2
    assert "--split converts every set, --first only one" in both.err


def test_split_and_rules_for_all_sets_exit_0(run: CommandLine) -> None:
    write(run, "three.edi", THREE)
    split = run("convert", "three.edi", "--rules", write(run, "r.json", PO), "--split", "--json")
    assert (split.code, len(split.json["outputs"]), split.err) == (0, 3, "")
    every = write(run, "all.json", [rule("ST[*]/BEG.03", "po[*]")])
    ran = run("convert", "three.edi", "--rules", every)
    assert (ran.code, ran.out, ran.err) == (0, '{"po":["PO-0001","PO-0002","PO-0003"]}', "")


def test_of_many_files_each_says_what_it_lost(run: CommandLine) -> None:
    write(run, "in/a.edi", THREE)
    write(run, "in/b.edi", orders("0001"))
    arguments = ("convert", "in/*.edi", "--rules", write(run, "r.json", PO), "--out", "out")
    ran = run(*arguments)
    assert ran.code == 1
    assert ran.err.splitlines() == [
        f"longshore: in/a.edi: {SETS_WARNING}",
        "longshore: 2 converted (1 of them in part), 0 failed",
    ]
    again = run(*arguments, "--force", "--json")
    whole, partly = again.json["files"][1], again.json["files"][0]
    assert (again.code, again.json["converted"]) == (1, 2)
    assert [each["code"] for each in partly["warnings"]] == ["sets_not_converted"]
    assert ("warnings" in whole, whole["rules_without_value"]) == (False, [0])
    assert run(*arguments, "--force", "--first").code == 0


def test_a_map_of_another_set_is_refused_unless_forced(run: CommandLine) -> None:
    saved = write(run, "map.json", {"tx_set": "810", "field_map": PO})
    document = write(run, "order.edi", orders("0001"))
    refused = run("convert", document, "--rules", saved)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == (
        "longshore: The map is for transaction set 810, but ST[1] of the document is 850. Use "
        "another map, or convert it with force all the same. (map_tx_set_mismatch)\n"
    )
    forced = run("convert", document, "--rules", saved, "--force")
    assert (forced.code, forced.out) == (0, '{"po":"PO-0001"}')
    assert forced.err.startswith("warning: the map is for transaction set 810, but ST[1] of ")


def test_rules_without_a_value_are_counted(run: CommandLine) -> None:
    document = write(run, "order.edi", case())
    rules = write(run, "r.json", [*PO, rule("CUR.02", "currency"), rule("TD5.01", "routing")])
    ran = run("convert", document, "--rules", rules)
    assert (ran.code, ran.err) == (0, "2 rules without a value\n")


def test_nothing_converted_is_said(run: CommandLine) -> None:
    document = write(run, "order.edi", case())
    rules = write(run, "r.json", [rule("CUR.02", "currency")])
    ran = run("convert", document, "--rules", rules)
    assert (ran.code, ran.out) == (1, "{}")
    assert run("convert", document, "--rules", rules, "--first").code == 1
    assert ran.err.splitlines() == [
        (
            "warning: no rule found a value in the document: nothing of it is in the output"
            " (nothing_converted ST[1] 850 0001)"
        ),
        "1 rule without a value",
    ]


def test_no_rules_are_refused(run: CommandLine) -> None:
    document = write(run, "order.edi", case())
    ran = run("convert", document, "--rules", write(run, "none.json", []))
    assert (ran.code, ran.out) == (2, "")
    assert "There are no rules: field_map is empty." in ran.err


@pytest.mark.parametrize(
    ("source_format", "document", "src"),
    [("csv", "sku\nA\nB\n", "sku"), ("json", '{"l":[{"sku":"A"},{"sku":"B"}]}', "l.sku")],
)
def test_rows_that_were_left_out_are_printed_with_their_rule(
    run: CommandLine, source_format: str, document: str, src: str
) -> None:
    rules = [rule(src, "sku")]
    arguments = (
        *("convert", write(run, "rows", document), "--rules", write(run, "r.json", rules)),
        *("--from", source_format),
    )
    ran = run(*arguments)
    (warning, *_) = convert(document, rules, source_format=source_format).warnings
    is_empty = source_format == "json"  # a plain path names no row of a list at all
    assert (ran.code, run(*arguments, "--first").code) == (1, int(is_empty))
    line = f"warning: {warning.message} (rows_not_converted field_map[0] sku)"
    assert line in ran.err.splitlines()


def test_a_document_that_is_not_complete_exits_1_whatever_is_enough(run: CommandLine) -> None:
    document = write(run, "cut.edi", THREE[: THREE.index("SE*3*0003")])
    arguments = ("convert", document, "--rules", write(run, "r.json", PO), "--first")
    ran = run(*arguments)
    assert (ran.code, ran.out) == (1, '{"po":"PO-0001"}')
    assert ran.err.splitlines()[0] == (
        "warning: the document is not complete: the interchange that begins here has no IEA (line "
        "1, character 0), and 2 more (document_incomplete)"
    )
