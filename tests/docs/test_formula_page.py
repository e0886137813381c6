"""The examples of docs/reference/formulas.md, computed."""

import re
from collections.abc import Mapping
from json import loads
from pathlib import Path

import pytest

from longshore.engine.convert import convert
from longshore.kit.errors import LongshoreError
from longshore.mapping.envelopes import Stamp
from longshore.mapping.formulas.functions import SIGNATURES
from longshore.mapping.operations import OPERATION_NAMES
from longshore.mapping.values import TRANSFORMS

PAGE = Path("docs/reference/formulas.md").read_text(encoding="utf-8")
DOCUMENT = PAGE.split("```text\n")[1].split("```")[0]
STAMP = Stamp(date="20260304", time="0815", seconds="30")
LOOKUPS = {"units": {"EA": "piece"}}
_CODE = re.compile("`([^`]+)`")


def rows_of(head: str) -> list[list[str]]:
    """Return the cells of the tables whose head begins with some cells."""
    tables = [part for part in PAGE.split("\n\n") if part.startswith(head)]
    lines = [line for table in tables for line in table.splitlines()[2:]]
    return [re.split(r"(?<!\\) \| ", line.strip("| ")) for line in lines]


def made_of(rule: Mapping[str, object], *others: Mapping[str, object]) -> tuple[object, list[str]]:
    """Return the value that a rule writes, or those of all rows, and the codes of warnings."""
    made = convert(DOCUMENT, [*others, rule], lookups=LOOKUPS, stamp=STAMP)
    output = loads(made.output)
    found = [line.get("v") for line in output["lines"]] if others else output.get("v")
    codes = [each.code for each in made.warnings if each.code != "nothing_converted"]
    return found, codes


@pytest.mark.parametrize("cells", rows_of("| formula | gives"), ids=lambda cells: cells[0])
def test_a_formula_gives_what_the_page_says(cells: list[str]) -> None:
    (formula,), given = _CODE.findall(cells[0]), cells[1]
    codes = [code for code in ("formula_type", "lookup_miss") if code in given]
    values = [each for each in _CODE.findall(given) if each not in codes]
    if len(values) < 2:
        made = made_of({"tgt": "v", "formula": formula})
        assert made == (values[0] if values else None, codes)
        return
    parts = re.findall("`([^`]+)`|(nothing)", given)
    expected = [None if nothing else value for value, nothing in parts]
    rows = {"src": "PO1[*].01", "tgt": "lines[*].n"}
    assert made_of({"tgt": "lines[*].v", "formula": formula}, rows) == (expected, codes)


@pytest.mark.parametrize("cells", rows_of("| formula | refused"), ids=lambda cells: cells[0])
def test_a_faulty_formula_is_refused_as_the_page_says(cells: list[str]) -> None:
    (formula,) = _CODE.findall(cells[0])
    match = re.fullmatch("`([a-z_]+)` at ([0-9]+): (.*)", cells[1])
    assert match is not None
    with pytest.raises(LongshoreError) as caught:
        convert(DOCUMENT, [{"tgt": "v", "formula": formula}], lookups=LOOKUPS)
    (detail,) = caught.value.details
    assert caught.value.code == "invalid_formula"
    position = int(match[2])
    assert (detail.code, detail.param) == (match[1], "field_map[0].formula")
    assert (detail.position, detail.message) == (position, f"character {position}: {match[3]}")


@pytest.mark.parametrize("cells", rows_of("| rule | formula"), ids=lambda cells: cells[0])
def test_a_rule_and_its_formula_give_the_same(cells: list[str]) -> None:
    rule, formula = (_CODE.findall(cell)[0].replace("\\|", "|") for cell in cells)
    expected = made_of({"tgt": "v", **loads(rule)})
    assert made_of({"tgt": "v", "formula": formula}) == expected


def test_the_page_has_every_function_transform_and_operation() -> None:
    formulas = " ".join(cells[0] for cells in rows_of("| formula | gives"))
    called = set(re.findall("([a-z_]+)\\(", formulas))
    assert called == SIGNATURES.keys() - {"count_written"}
    rules = [loads(_CODE.findall(cells[0])[0].replace("\\|", "|")) for cells in rows_of("| rule |")]
    assert {rule["transform"] for rule in rules if "transform" in rule} == set(TRANSFORMS)
    assert {each["op"] for rule in rules for each in rule.get("then", ())} == set(OPERATION_NAMES)
