"""A document as people look into it: its format, its findings, and all of it as a tree."""

import json
from pathlib import Path
from typing import Any

import pytest

from longshore.engine.inspect import detect_format, inspect
from longshore.engine.tree import MAX_NODES
from longshore.engine.validate import growth_limit, validate
from longshore.kit.errors import LongshoreError

SAMPLES = Path(__file__).parents[3] / "samples"
ENVELOPE = (
    "ISA*00*          *00*          *ZZ*ACME           *ZZ*NORTHWIND      "
    "*260115*1405*U*00401*000000001*0*T*>~GS*PO*ACME*NW*20260115*1405*1*X*004010~"
)
END = "GE*1*1~IEA*1*000000001~"
Line = tuple[Any, ...]


def sample(name: str) -> str:
    return (SAMPLES / name / "input.edi").read_text(encoding="utf-8")


def seen(document: str, **options: Any) -> dict[str, Any]:  # noqa: ANN401 - of many types
    result: dict[str, Any] = json.loads(inspect(document, **options))
    return result


def lines(nodes: list[dict[str, Any]], *members: str, depth: int = 0) -> list[Line]:
    """Return the nodes as lines: their depth, and the members asked for."""
    found: list[Line] = []
    for node in nodes:
        found.append((depth, *(node[name] for name in members)))
        found += lines(node["children"], *members, depth=depth + 1)
    return found


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (ENVELOPE, "x12"),
        ("\ufeff\r\n " + ENVELOPE, "x12"),
        ("isa*00*", "x12"),
        ("From: x\n" + ENVELOPE, "x12"),
        ("GS*PO*A*B~", "x12"),
        ("ST*850*0001~", "x12"),
        ("ST|850|0001\n", "x12"),
        ("BEG*00*SA~", "x12"),
        ('{"a": 1}', "json"),
        ("\n [1]", "json"),
        ("<a/>", "xml"),
        ("sku,qty\nA,1\n", "csv"),
        ("REF|DATE\n1|2\n", "csv"),
        ("ST,CITY\nME,X\n", "csv"),
        ("SKU*QTY\n", "csv"),
        ("order of ISA\n", "csv"),
        ("REF", "csv"),
        ("", "csv"),
    ],
)
def test_the_format_is_reported_by_how_a_document_begins(text: str, name: str) -> None:
    assert detect_format(text) == name


def test_json_is_shown_as_objects_arrays_and_values() -> None:
    result = seen('{"a": {"b.c": [1.50, null], "d": []}, "e": true, "f": "x"}')
    assert lines(result.pop("tree"), "kind", "path", "code", "type", "value") == [
        (0, "object", "", "", "object", None),
        (1, "object", "a", "a", "object", None),
        (2, "array", r"a.b\.c", "b.c", "array", None),
        (3, "item", r"a.b\.c[0]", "[0]", "number", "1.50"),
        (3, "item", r"a.b\.c[1]", "[1]", "null", None),
        (2, "array", "a.d", "d", "array", None),
        (1, "member", "e", "e", "boolean", "true"),
        (1, "member", "f", "f", "string", "x"),
    ]
    assert result == {
        "valid": True,
        "tx_set": "",
        "version": "",
        "findings": [],
        "format": "json",
        "tx_set_name": "",
        "elem_sep": "",
        "seg_term": "",
        "comp_sep": "",
        "rep_sep": "",
        "field_count": 3,
        "node_count": 8,
        "tree_truncated": False,
    }


def test_xml_is_shown_as_elements_and_attributes() -> None:
    nil = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"'
    result = seen(f'<o id="1"><l n="2">a</l><l>b</l><z {nil}/></o>')
    members = ("kind", "path", "code", "type", "value", "count")
    assert lines(result["tree"], *members) == [
        (0, "element", "o", "o", None, None, 1),
        (1, "attribute", "o.@id", "@id", "string", "1", 1),
        (1, "element", "o.l", "l", "string", "a", 2),
        (2, "attribute", "o.l.@n", "@n", "string", "2", 1),
        (1, "element", "o.l[2]", "l", "string", "b", 2),
        (1, "element", "o.z", "z", "null", None, 1),
    ]
    assert (result["format"], result["node_count"]) == ("xml", 6)


def test_csv_is_shown_as_rows_and_cells() -> None:
    result = seen("sku;qty\nA;\nB;2\n")
    members = ("kind", "path", "code", "type", "value", "count")
    assert lines(result["tree"], *members) == [
        (0, "row", "row[1]", "row", None, None, 2),
        (1, "cell", "sku", "sku", "string", "A", 1),
        (1, "cell", "qty", "qty", "string", "", 1),
        (0, "row", "row[2]", "row", None, None, 2),
        (1, "cell", "row[2]/sku", "sku", "string", "B", 1),
        (1, "cell", "row[2]/qty", "qty", "string", "2", 1),
    ]
    assert (result["format"], result["elem_sep"], result["seg_term"]) == ("csv", ";", "\n")


def test_csv_without_a_header_names_its_columns_by_position() -> None:
    tree = seen("A;1\n", csv_header=False)["tree"]
    assert lines(tree, "code", "value")[1:] == [(1, "c01", "A"), (1, "c02", "1")]


ORDER = (
    "ST*850*0001~BEG*00*SA*PO-1**20260115~REF*DP*038~N1*ST*Acme~N3*1 Road~PO1*1*2*EA*3~"
    "PID*F****Nut~PO1*2*4*EA*3~CTT*2~SE*10*0001~"
)


def test_x12_is_shown_as_sets_loops_and_segments_with_names() -> None:
    result = seen(ENVELOPE + ORDER + END)
    shown = [
        line
        for line in lines(result["tree"], "kind", "path", "code", "name", "count", "qualifier")
        if line[1] != "element"
    ]
    assert shown == [
        (0, "segment", "ISA", "ISA", "Interchange header", 1, None),
        (0, "segment", "GS", "GS", "Functional group header", 1, None),
        (0, "set", "ST", "850", "Purchase order", 1, None),
        (1, "segment", "ST", "ST", "Transaction set header", 1, None),
        (1, "segment", "BEG", "BEG", "Header", 1, None),
        (1, "segment", "REF", "REF", "References", 1, "department"),
        (1, "loop", "N1", "N1", "Parties", 1, "ship to"),
        (2, "segment", "N1", "N1", "Party", 1, "ship to"),
        (2, "segment", "N3", "N3", "Street", 1, None),
        (1, "loop", "PO1", "PO1", "Lines", 2, None),
        (2, "segment", "PO1", "PO1", "Line", 1, None),
        (2, "loop", "PID", "PID", "Descriptions", 1, None),
        (3, "segment", "PID", "PID", "Description", 1, None),
        (1, "loop", "PO1[2]", "PO1", "Lines", 2, None),
        (2, "segment", "PO1[2]", "PO1", "Line", 1, None),
        (1, "loop", "CTT", "CTT", "Totals", 1, None),
        (2, "segment", "CTT", "CTT", "Totals", 1, None),
        (1, "segment", "SE", "SE", "Transaction set trailer", 1, None),
        (0, "segment", "GE", "GE", "Functional group trailer", 1, None),
        (0, "segment", "IEA", "IEA", "Interchange trailer", 1, None),
    ]


def test_an_element_has_its_name_type_requirement_value_and_meaning() -> None:
    (order,) = [each for each in seen(ENVELOPE + ORDER + END)["tree"] if each["kind"] == "set"]
    assert order["value"] == "0001"
    assert order["children"][1] == {
        "path": "BEG",
        "code": "BEG",
        "kind": "segment",
        "name": "Header",
        "type": None,
        "value": None,
        "required": True,
        "count": 1,
        "qualifier": None,
        "children": order["children"][1]["children"],
    }
    number = order["children"][1]["children"][2]
    assert number == {
        "path": "BEG.03",
        "code": "BEG03",
        "kind": "element",
        "name": "Purchase order number",
        "type": "AN 1..22",
        "value": "PO-1",
        "required": True,
        "count": 1,
        "qualifier": None,
        "children": [],
    }
    members = ("path", "name", "type", "required", "qualifier")
    assert lines(order["children"][1]["children"], *members)[:2] == [
        (0, "BEG.01", "Purpose", "ID 2..2", True, "original"),
        (0, "BEG.02", "Order type", "ID 2..2", True, "stand-alone order"),
    ]


def test_a_guide_decides_what_is_required_and_how_loops_are_called() -> None:
    document = sample("837p_claim")
    result = seen(document)
    assert (result["guide"], result["definition"]) == ("005010X222A1", "exact")
    loops = [
        line[:-1]
        for line in lines(result["tree"], "code", "name", "required", "kind")
        if line[-1] == "loop"
    ]
    assert loops[:8] == [
        (1, "1000A", "Submitter", True),
        (1, "1000B", "Receiver", True),
        (1, "2000A", "Billing level", True),
        (2, "2010AA", "Billing provider", True),
        (2, "2000B", "Subscriber level", True),
        (3, "2010BA", "Subscriber", True),
        (3, "2010BB", "Payer", True),
        (3, "2300", "Claim", False),
    ]
    rows = lines(result["tree"], "path", "code", "kind", "name", "value", "qualifier")
    assert [line[1:] for line in rows if str(line[1]).startswith("SV1.01")] == [
        ("SV1.01", "SV101", "element", "Procedure", "HC:G0438", None),
        (
            *("SV1.01.01", "SV101-01", "component", "Qualifier", "HC"),
            "procedure code, HCPCS or CPT",
        ),
        ("SV1.01.02", "SV101-02", "component", "Code", "G0438", None),
    ]
    assert "element" in {line[3] for line in rows}


def test_the_members_of_validate_are_those_of_validate() -> None:
    document = sample("850_purchase_order").replace("*SA*", "*SAXX*")
    result = seen(document)
    validated = json.loads(validate(document).result_json())
    assert result["valid"] is False
    assert {name: result[name] for name in validated} == validated
    assert (result["format"], result["tx_set_name"]) == ("x12", "Purchase order")
    assert (result["elem_sep"], result["seg_term"]) == ("*", "~")


def test_a_set_without_a_definition_nests_its_levels_and_names_what_it_can() -> None:
    body = "HL*1**S~TD1*CTN~HL*2*1*O~PRF*1~HL*3*1*O~ZZZ*a~"
    tree = seen(f"ST*ZZ9*0001~{body}SE*8*0001~")["tree"]
    members = ("kind", "path", "name", "type")
    shown = [line for line in lines(tree, *members) if line[1] != "element"]
    assert shown == [
        (0, "set", "ST", "", None),
        (1, "segment", "ST", "Transaction set header", None),
        (1, "loop", "HL", "Level", None),
        (2, "segment", "HL", "Level", None),
        (2, "segment", "TD1", "Package", None),
        (2, "loop", "HL[2]", "Level", None),
        (3, "segment", "HL[2]", "Level", None),
        (3, "segment", "PRF", "Purchase order", None),
        (2, "loop", "HL[3]", "Level", None),
        (3, "segment", "HL[3]", "Level", None),
        (3, "segment", "ZZZ", "", None),
        (1, "segment", "SE", "Transaction set trailer", None),
    ]


def test_segments_without_a_place_stand_where_they_were_found() -> None:
    """Outside every set, out of order, and in a document without sets."""
    stray = ORDER.replace("CTT*2~", "CTT*2~ISB*1~XYZ*1~BEG*00*SA*PO-1**20260115~")
    tree = seen(ENVELOPE + "N9*1~" + stray + "REF*1~" + END)["tree"]
    top = [(line[1], line[2]) for line in lines(tree, "kind", "code") if line[0] == 0]
    assert top == [
        ("segment", "ISA"),
        ("segment", "GS"),
        ("segment", "N9"),
        ("set", "850"),
        ("segment", "ISB"),
        ("segment", "XYZ"),
        ("segment", "BEG"),
        ("segment", "SE"),
        ("segment", "REF"),
        ("segment", "GE"),
        ("segment", "IEA"),
    ]
    assert [node["code"] for node in seen("BEG*00*SA~PO1*1~")["tree"]] == ["BEG", "PO1"]


def test_a_loop_is_left_where_another_one_stands_next_to_it() -> None:
    stray = ORDER.replace("CTT*2~", "N1*ST*A~PID*F****x~N3*x~CTT*2~")
    rows = lines(seen(ENVELOPE + stray + END)["tree"], "kind", "path")
    assert [line for line in rows if line[1] == "loop"] == [
        (1, "loop", "N1"),
        (1, "loop", "PO1"),
        (2, "loop", "PID"),
        (1, "loop", "PO1[2]"),
        (2, "loop", "N1[2]"),
        (2, "loop", "PID[2]"),
        (2, "loop", "N3[2]"),
        (1, "loop", "CTT"),
    ]


def test_what_is_repeated_where_one_value_names_a_set_is_named_by_the_first() -> None:
    (shown,) = seen("ST*850^851*0001^2~SE*2*0001~")["tree"]
    assert (shown["kind"], shown["code"], shown["value"]) == ("set", "850", "0001")


def test_repetitions_stand_side_by_side_and_composites_have_components() -> None:
    body = "ST*837*0001~EB*1^2*A:B^C*:D~ZZZ*x::y~BIN*3*a*b~SE*5*0001~"
    rows = lines(seen(body)["tree"], "path", "kind", "value", "count")
    assert [line[1:] for line in rows if str(line[1]).startswith(("EB.", "ZZZ.", "BIN."))] == [
        ("EB.01", "element", "1", 2),
        ("EB.01[2]", "element", "2", 2),
        ("EB.02", "element", "A:B", 2),
        ("EB.02[2]", "element", "C", 2),
        ("EB.03", "element", ":D", 1),
        ("ZZZ.01", "element", "x::y", 1),
        ("ZZZ.01.01", "component", "x", 1),
        ("ZZZ.01.03", "component", "y", 1),
        ("BIN.01", "element", "3", 1),
        ("BIN.02", "element", "a*b", 1),
    ]


def test_of_a_long_document_the_first_nodes_are_shown() -> None:
    for document in (
        "ST*850*0001~" + "PO1*1*2*EA*3~" * 20_000 + "SE*1*0001~",
        json.dumps([{"a": [index]} for index in range(10_000)]),
        "<o>" + "<a>1</a>" * 21_000 + "</o>",
        "a,b\n" + "1,2\n" * 20_000,
    ):
        result = seen(document)
        assert (result["tree_truncated"], result["node_count"]) == (True, MAX_NODES)
        assert len(lines(result["tree"], "path")) == MAX_NODES


@pytest.mark.parametrize(
    "document",
    [
        "ST*850*0001~" + ("REF*DP" + "*A" * 500 + "~") * 10 + "SE*1*0001~",
        "ST*856*0001~" + "".join(f"HL*{n}*{n - 1}*I~" for n in range(1, 900)) + "SE*1*0001~",
        json.dumps([0] * 15_000),
        "<o " + " ".join(f'a{n}="1"' for n in range(19_000)) + "/>",
        "a\n" * 15_000,
    ],
)
def test_no_answer_is_longer_than_answers_may_be(document: str) -> None:
    assert len(inspect(document)) <= growth_limit(document) + 1_000


def test_levels_nest_no_deeper_than_readers_of_json_can_follow() -> None:
    levels = "".join(f"HL*{n}*{n - 1 or ''}*I~" for n in range(1, 200))
    tree = seen(f"ST*ZZ9*0001~{levels}SE*1*0001~")["tree"]
    assert max(line[0] for line in lines(tree, "path")) == 66  # of 64 levels, set and element


@pytest.mark.parametrize(
    ("document", "options", "code"),
    [
        ("", {}, "document_empty"),
        ("x", {"format": "x12"}, "document_unparseable"),
        ("[1", {}, "document_unparseable"),
        ("[1]", {"format": "edi"}, "unsupported_format"),
        (ORDER, {"release": "4010"}, "invalid_parameter"),
        (ORDER, {"codes": "partner"}, "invalid_parameter"),
    ],
)
def test_what_cannot_be_read_is_refused(document: str, options: dict[str, Any], code: str) -> None:
    with pytest.raises(LongshoreError) as refusal:
        inspect(document, **options)
    assert refusal.value.code == code
