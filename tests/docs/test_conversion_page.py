"""The page about rules names every code, limit and member that the code has."""

import ast
import json
import re
from pathlib import Path

from longshore.compute.budget import MAX_CHARS
from longshore.compute.documents import CONVERSION_CPU_SECONDS
from longshore.engine import Stamp, convert
from longshore.mapping.cells import MAX_OUTPUT_BYTES
from longshore.mapping.paths import MAX_PATH_CHARS
from longshore.mapping.rules import MAX_RULES
from longshore.mapping.source import MAX_VALUES
from longshore.mapping.target_paths import MAX_INDEX, MAX_STEPS
from longshore.mapping.targets_json import MAX_BEYOND
from longshore.mapping.values import MAX_VALUE_CHARS
from tests.docs.pages import ROOT
from tests.docs.test_reference import rows, section

PAGE = "fields-and-mapping.md"
MAPPING = sorted((ROOT / "src/longshore/mapping").glob("*.py"))
MIB = 2**20


def first_arguments(*names: str) -> set[str]:
    """Return the texts, or what constants stand for, that calls of these names begin with."""
    constants, found = _constants(), set()
    for path in MAPPING:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _name(node.func) in names and node.args:
                found.add(constants.get(ast.unparse(node.args[0]), ast.unparse(node.args[0])))
    return {each.strip("'") for each in found}


def _constants() -> dict[str, str]:
    found = {}
    for path in MAPPING:
        for match in re.finditer(
            r'^([A-Z_]+)(?:: Final)? = "([a-z_]+)"$', path.read_text("utf-8"), re.MULTILINE
        ):
            found[match[1]] = match[2]
    return found


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return f"{ast.unparse(function.value).rpartition('.')[2]}.{function.attr}"
    return ast.unparse(function)


def words(text: str) -> set[str]:
    return set(re.findall(r"`([a-z_]+)`", text))


def test_every_warning_of_a_conversion_has_its_row() -> None:
    table = [row for row in rows(section(PAGE, "## 7. Targets")) if row[0] != "warning"]
    named = {word for row in table for word in words(row[0])}
    given = first_arguments("warnings.add", "_warnings.add", "MappingWarning") - {"code"}
    assert named == given | {"date_iso", "date", "time"}


def test_every_exact_code_of_a_failed_conversion_is_named() -> None:
    named = words(section(PAGE, "## 5. Rules"))
    given = first_arguments("conversion_failed", "ValueFaultError", "_refusal")
    codes = {code for code in given if re.fullmatch("[a-z_]+", code)}
    assert codes - named - {"code", "limit", "param"} == set()
    assert {"tx_set_missing", "functional_id_missing", "lookup_miss"} <= codes


def test_the_limits_of_conversions_are_those_of_the_code() -> None:
    limits = {row[0]: row[1] for row in rows(section(PAGE, "## 10. Limits"))}
    assert limits["rules"] == f"{MAX_RULES:,}"
    assert limits["depth of `tgt`"] == str(MAX_STEPS)
    assert limits["array index in `tgt`"] == (
        f"{MAX_INDEX:,}, and at most {MAX_BEYOND:,} beyond the current length"
    )
    assert limits["values that rules look up, missing ones included"] == f"{MAX_VALUES:,}"
    assert limits["a source path or condition"] == f"{MAX_PATH_CHARS:,} characters"
    made = limits["a value that operations make"]
    assert (
        made == f"{MAX_VALUE_CHARS:,} characters; all together {MAX_CHARS // MIB} MiB of characters"
    )
    output = next(value for name, value in limits.items() if name.startswith("output"))
    assert output == f"{MAX_OUTPUT_BYTES // MIB} MiB"
    assert limits["CPU per conversion"].startswith(f"{CONVERSION_CPU_SECONDS:g} s ")


def test_the_answer_has_its_members_in_the_order_of_the_page() -> None:
    text = section(PAGE, "## 7. Targets").split("in this order: ")[1].split(". ")[0]
    named = re.findall(r"`([a-z_]+)`", re.sub(r"\([^)]*\)", "", text))
    rules = [{"src": "BEG.03", "tgt": "BEG.03"}]
    stamp = Stamp(date="20260115", time="1405")
    document = "ST*850*0001~BEG*00*SA*PO-1~SE*3*0001~"
    made = convert(
        document, rules, target_format="x12", stamp=stamp, is_explained=True, is_split=True
    )
    members = list(json.loads(made.result_json()))
    assert named == ["ok", *members, "doc_id", "map_version", "environment"]


def test_the_examples_of_the_page_are_tests() -> None:
    tested = (ROOT / "tests/unit/engine").glob("*con*.py")
    names = "\n".join(Path(path).read_text("utf-8") for path in tested)
    numbers = [row[0] for row in rows(section(PAGE, "## 11. Examples")) if row[0].isdecimal()]
    of_parse = {"91", "92", "93", "94", "95"}
    missing = [
        each
        for each in numbers
        if each not in of_parse and not re.search(rf'["_]{each}[ "_]', names)
    ]
    assert (len(numbers), missing) == (27, [])
