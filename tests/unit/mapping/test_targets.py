"""From a document to a document: rules, sources and targets together."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from longshore.kit.errors import LongshoreError
from longshore.mapping.addressing import Addressing
from longshore.mapping.cells import Built
from longshore.mapping.document_x12 import X12Document
from longshore.mapping.rules import compile_rules
from longshore.mapping.run import run
from longshore.mapping.sources_fields import FieldSource
from longshore.mapping.sources_x12 import X12Source
from longshore.mapping.targets import build
from longshore.mapping.targets_x12 import X12Options
from longshore.mapping.trees import json_root
from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.library import shipped
from longshore.x12.validate.validation import validate
from tests.unit.mapping.written_x12 import OPTIONS

CASES = Path(__file__).parents[2] / "cases"
ORDER = (CASES / "01_850_basic.edi").read_text()
Rules = list[dict[str, object]]


def converted(
    text: str, rules: Rules, target: str = "json", *, of: X12Options = OPTIONS, traced: bool = False
) -> Built:
    """Return an X12 or JSON document converted."""
    if text.startswith("ISA"):
        source_format = "x12"
        document = X12Document(text, is_traced=traced)
        source: X12Source | FieldSource = X12Source(document, shipped())
    else:
        source_format, source = "json", FieldSource(json_root(text), has_literals=True)
    compiled = compile_rules(rules, source_format=source_format, target_format=target)
    outcome = run(compiled, source, is_explained=traced)
    return build(target, outcome.writes, of, is_traced=traced)


def rule(src: str | list[str], tgt: str, **members: object) -> dict[str, object]:
    return {"src": src, "tgt": tgt, **members}


def const(text: str, tgt: str) -> dict[str, object]:
    return {"const": text, "tgt": tgt}


def segments(built: Built) -> list[str]:
    return built.text.split(built.text[105])[3:-4]


def test_example_80_lines_and_descriptions() -> None:
    rules = [rule("PO1[*].02", "lines[*].qty"), rule("PO1[*]>PID.05", "lines[*].desc")]
    assert converted(ORDER, rules).text == (
        '{"lines":[{"qty":"10","desc":"Blue widget"},{"qty":"4"},{"qty":"1","desc":"Red widget"}]}'
    )


def test_example_86_many_values_need_a_word() -> None:
    rules = [rule("PO1[*].02", "qty", on_duplicate="append")]
    assert converted(ORDER, rules).text == '{"qty":["10","4","1"]}'


def test_example_96_lines_of_json_become_lines_of_an_order() -> None:
    rules = [rule("lines[*].sku", "PO1[*].07"), const("EA", "PO1[*].03")]
    built = converted('{"lines":[{"sku":"A"},{"sku":"B"}]}', rules, "x12")
    assert segments(built) == ["PO1***EA****A", "PO1***EA****B"]
    assert built.text.endswith("~SE*4*0001~GE*1*1~IEA*1*000000001~")


def test_example_97_a_value_that_holds_separators() -> None:
    document, rules = '{"v":"A*B~C"}', [rule("v", "BEG.03")]
    built = converted(document, rules, "x12")
    assert segments(built) == ["BEG|||A*B~C"]
    assert [each.code for each in built.warnings] == ["separators_changed"]
    with pytest.raises(LongshoreError) as caught:
        converted(document, rules, "x12", of=replace(OPTIONS, is_fixed=True))
    assert caught.value.code == "delimiter_in_data"
    assert [each.param for each in caught.value.details] == ["field_map[0]"]


def test_example_98_an_id_longer_than_its_element() -> None:
    with pytest.raises(LongshoreError) as caught:
        converted('{"v":"LONGERTHANFIFTEENCHARS"}', [rule("v", "ISA.06")], "x12")
    assert caught.value.code == "conversion_failed"
    assert caught.value.details[0].code == "value_too_long"


def test_example_99_an_order_as_csv() -> None:
    rules = [
        rule("BEG.03", "po"),
        rule("PO1[*].07", "upc"),
        rule("PO1[*]>PID.05", "desc, if any"),
        rule("PO1[*].02", "qty"),
    ]
    assert converted(ORDER, rules, "csv").text == (
        'po,upc,"desc, if any",qty\r\n'
        "PO-4711,012345678905,Blue widget,10\r\n"
        "PO-4711,012345678912,,4\r\n"
        "PO-4711,012345678929,Red widget,1\r\n"
    )


def test_example_100_levels_become_nested_arrays() -> None:
    path = "HL[03=O][*]>HL[03=P][*]>HL[03=I][*]>LIN.03"
    rules = [rule(path, "orders[*].packs[*].items[*].upc")]
    assert converted((CASES / "22_856_hl.edi").read_text(), rules).text == (
        '{"orders":[{"packs":[{"items":[{"upc":"012345678905"}]},'
        '{"items":[{"upc":"012345678912"}]}]},{"packs":[{"items":[{"upc":"012345678929"}]}]}]}'
    )


def test_an_order_as_xml() -> None:
    rules = [rule("BEG.03", "Order.@number"), rule("PO1[*].07", "Order.Line[*].Upc")]
    assert converted(ORDER, rules, "xml").text == (
        '<?xml version="1.0" encoding="UTF-8"?>\n<Order number="PO-4711">'
        "<Line><Upc>012345678905</Upc></Line><Line><Upc>012345678912</Upc></Line>"
        "<Line><Upc>012345678929</Upc></Line></Order>"
    )


# Everything in the order: its path as a key of JSON, and as a path of X12.
PLACES = [
    *(f"BEG.{position}" for position in ("01", "02", "03", "05")),
    *("REF.01", "REF.02", "DTM.01", "DTM.02"),
    *(f"N1[*].{position}" for position in ("01", "02", "03", "04")),
    *("N1[*]>N3.01", "N1[*]>N3.02", "N1[*]>N4.01", "N1[*]>N4.02", "N1[*]>N4.03"),
    *(f"PO1[*].0{position}" for position in range(1, 10)),
    *("PO1[*]>PID.01", "PO1[*]>PID.05", "CTT.01", "CTT.02"),
]


def json_path(place: str) -> str:
    *around, last = place.split(".")
    return ".".join(around).replace(">", ".") + f".e{last}"


def test_an_order_to_json_and_back_is_the_same_order() -> None:
    there = [rule(place, json_path(place)) for place in PLACES]
    middle = converted(ORDER, there).text
    back = [rule(json_path(place), place) for place in PLACES]
    built = converted(middle, back, "x12")
    assert segments(built) == ORDER.replace("\n", "").split("~")[3:-4]
    second = json.loads(middle)["PO1"][1]
    assert [*second] == ["e01", "e02", "e03", "e04", "e06", "e07"]
    assert [*second.values()] == ["2", "4", "CA", "100", "UP", "012345678912"]
    assert validate(lambda: (built.text,)).findings == ()


def test_a_complete_order_made_of_json_is_valid_whatever_its_values_hold() -> None:
    document = json.dumps({"po": "4711*~", "lines": [{"sku": "A:B", "qty": 1.5}, {"qty": 2}]})
    rules = [
        const("00", "BEG.01"),
        const("SA", "BEG.02"),
        rule("po", "BEG.03"),
        const("20260115", "BEG.05"),
        rule("lines[*].qty", "PO1[*].02"),
        const("EA", "PO1[*].03"),
        rule("lines[*].sku", "PO1[*].07"),
        rule("lines[*].sku", "PO1[*].06", lookup={"table": {"A:B": "VN"}, "on_miss": "error"}),
        const("auto", "CTT.01"),
    ]
    wanted = Delimiters("*", "~", ":", "^")
    of = replace(OPTIONS, layers=(Addressing(tx_set="850", version="005010", separators=wanted),))
    built = converted(document, rules, "x12", of=of)
    assert segments(built) == [
        "BEG|00|SA|4711*~||20260115",
        "PO1||1.5|EA|||VN|A:B",
        "PO1||2|EA",
        "CTT|2",
    ]
    assert validate(lambda: (built.text,)).findings == ()


def test_explain_points_from_every_written_value_to_its_source() -> None:
    rules = [rule("BEG.03", "po"), rule("PO1[*].02", "l[*].q"), const("x", "l[*].c")]
    found = converted(ORDER, rules, traced=True)
    assert [(each.tgt, each.rule, each.after) for each in found.written[:3]] == [
        ("po", 0, "PO-4711"),
        ("l[0].q", 1, "10"),
        ("l[0].c", 2, "x"),
    ]
    for each in found.written:
        assert each.origin is not None
        for read in each.origin.sources:
            assert read.span is not None
            assert ORDER[slice(*read.span)] == read.value
    assert [each.origin.kind for each in found.written if each.origin] == [
        *("source", "source", "const", "source", "const", "source", "const")
    ]
