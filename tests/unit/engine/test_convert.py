"""Convert: the examples of the specification, explanations, split, envelopes, refusals."""

import json
from hashlib import sha256
from typing import Any

import pytest

from longshore.engine import Converted, RuleText, Stamp, convert, parse, validate
from longshore.kit.errors import ErrorDetail, LongshoreError
from longshore.mapping.addressing import Addressing, PartnerEnvelope
from longshore.mapping.exact_json import exact_json
from tests.unit.engine.conversion_examples import (
    EXAMPLES,
    LINES_OF_JSON,
    TO_X12,
    Example,
    Rule,
    case,
    rule,
)

STAMP = Stamp(date="20260115", time="1405")
TWO_SETS = "14_two_sets_one_group.edi"
TWO_INTERCHANGES = "13_two_interchanges_diff_seps.edi"
PO = [rule("BEG.03", "po")]
PO_TO_X12 = [rule("BEG.03", "BEG.03")]


def converted(
    rules: list[Any], document: str | bytes | None = None, **options: object
) -> Converted:
    text = case() if document is None else document
    return convert(text, rules, stamp=STAMP, **options)  # type: ignore[arg-type]  # any, also wrong


def refusal(rules: list[Any], document: str | None = None, **options: object) -> LongshoreError:
    with pytest.raises(LongshoreError) as caught:
        converted(rules, document, **options)
    return caught.value


def places(refused: LongshoreError) -> list[tuple[str, str | None]]:
    details: tuple[ErrorDetail, ...] = refused.details
    return [(detail.code, detail.param) for detail in details]


def header(made: Converted, tag: str) -> list[str]:
    """Return the elements of one segment of an X12 output with the usual separators."""
    (found,) = [each for each in made.output.split("~") if each.startswith(f"{tag}*")]
    return [element.strip() for element in found.split("*")]


@pytest.mark.parametrize("example", EXAMPLES, ids=[each.row for each in EXAMPLES])
def test_the_examples_of_the_specification(example: Example) -> None:
    if example.refusal is not None:
        refused = refusal(example.rules, example.document, **example.options)
        assert (refused.code, *places(refused)[0]) == example.refusal
        return
    made = converted(example.rules, example.document, **example.options)
    assert made.output == example.output
    assert tuple(each.code for each in made.warnings) == example.warnings


def test_row_88_lists_the_transforms_that_are_allowed() -> None:
    (detail,) = refusal([rule("BEG.03", "po", transform="titlecase")]).details
    assert detail.allowed == ("none", "uppercase", "lowercase", "trim", "date_iso")


def test_row_104_explains_the_way_of_a_value_and_what_is_unused() -> None:
    document = case()
    explained = converted(PO, is_explained=True).explain
    (entry,) = explained["outputs"]
    start, end = entry["sources"][0]["span"] or ()
    assert document[start:end] == "PO-4711"
    source = {"src": "BEG.03", "span": [start, end], "value": "PO-4711"}
    assert entry == {
        "tgt": "po", "rule": 0, "origin": "source", "sources": [source],
        "before": "PO-4711", "after": "PO-4711",
    }  # fmt: skip
    unused = set(explained["unused"])
    assert "REF.02" in unused
    assert not unused & {"BEG.03", "ISA.06", "GS.02", "ST.01", "SE.01"}


def test_explaining_changes_neither_output_nor_warnings() -> None:
    rules = [rule("PO1[*].07", "l[*].d", transform="date_iso"), {"const": "x", "tgt": "c"}]
    plain, explained = converted(rules), converted(rules, is_explained=True)
    assert (plain.output, plain.warnings) == (explained.output, explained.warnings)
    assert plain.explain == {}


@pytest.mark.parametrize(
    "example", [each for each in EXAMPLES if not each.refusal], ids=lambda each: each.row
)
def test_explaining_changes_no_output(example: Example) -> None:
    made = converted(example.rules, example.document, **example.options, is_explained=True)
    assert made.output == example.output
    assert tuple(each.code for each in made.warnings) == example.warnings


# Rules that write single values to names take a shorter way, unless they are to be explained.
STRAIGHT: dict[str, tuple[list[Rule], str]] = {
    "a default": ([rule("BEG.09", "a.b", default="x"), *PO], '{"a":{"b":"x"},"po":"PO-4711"}'),
    "nothing": ([rule("BEG.09", "a")], "{}"),
    "null and empty": (
        [rule("BEG.09", "a", on_missing="null"), rule("BEG.09", "b", on_missing="empty")],
        '{"a":null,"b":""}',
    ),
    "constants among values": (
        [{"const": "1", "tgt": "c.x"}, *PO, {"const": True, "tgt": "c.y", "type": "boolean"}],
        '{"c":{"x":"1","y":true},"po":"PO-4711"}',
    ),
    "what operations lose": (
        [rule("BEG.03", "a", then=[{"op": "split", "on": "-", "index": 7}], default="d"), *PO],
        '{"a":"d","po":"PO-4711"}',
    ),
    "types": ([rule("PO1.04", "n", type="number")], '{"n":9.25}'),
    "names to be escaped": ([rule("BEG.03", 'a"\\.b.é')], '{"a\\".b":{"é":"PO-4711"}}'),
    "a loop": ([rule("N1[01=ST]>N4.01", "city")], '{"city":"Peoria"}'),
}


@pytest.mark.parametrize("name", STRAIGHT)
def test_the_short_way_leads_where_the_long_one_does(name: str) -> None:
    rules, output = STRAIGHT[name]
    short, long = converted(rules), converted(rules, is_explained=True)
    assert (short.output, long.output) == (output, output)
    assert short.warnings == long.warnings


def test_the_short_way_warns_of_guessed_loops() -> None:
    document = "ST*999999*0001~N1*ST*A~N4*Peoria~SE*4*0001~"
    made = converted([rule("N1>N4.01", "city")], document)
    assert (made.output, [each.code for each in made.warnings]) == (
        '{"city":"Peoria"}',
        ["loop_scope_guessed"],
    )


@pytest.mark.parametrize(
    ("rules", "code", "param"),
    [
        ([rule("BEG.09", "a", required=True)], "required_missing", "field_map[0]"),
        ([*PO, {"const": "\ud800", "tgt": "c"}], "character_not_allowed", "field_map[1]"),
    ],
)
def test_the_short_way_refuses_as_the_long_one(rules: list[Rule], code: str, param: str) -> None:
    assert places(refusal(rules)) == places(refusal(rules, is_explained=True)) == [(code, param)]


def test_literals_of_json_go_the_short_way_too() -> None:
    rules = [rule("a", "raw", type="raw"), rule("a", "text"), rule("b", "b")]
    made = converted(rules, '{"a":1.50,"b":null}', source_format="json")
    assert made.output == '{"raw":1.50,"text":"1.50"}'


@pytest.mark.parametrize(
    ("source_format", "document", "rules", "unused"),
    [
        ("json", '{"a":"1","b":["2","3"]}', [rule("a", "x")], ["b[0]", "b[1]"]),
        ("xml", "<o><a>1</a><b>2</b></o>", [rule("o.a", "x")], ["o.b"]),
        ("csv", "a,b\n1,2\n3,4\n", [rule("row[*]/a", "x[*]")], ["b", "row[2]/b"]),
    ],
)
def test_the_other_formats_are_explained_too(
    source_format: str, document: str, rules: list[Any], unused: list[str]
) -> None:
    made = converted(rules, document, source_format=source_format, is_explained=True)
    assert made.explain["unused"] == unused


def test_the_answer_has_its_members_in_the_documented_order() -> None:
    assert list(json.loads(converted(PO).result_json())) == [
        "output", "format", "filename", "warnings", "rules_without_value",
    ]  # fmt: skip
    made = converted(PO_TO_X12, target_format="x12", is_explained=True, is_split=True)
    answer = json.loads(made.result_json())
    assert list(answer) == [
        "output", "format", "filename", "preview", "warnings", "rules_without_value", "explain",
        "outputs",
    ]  # fmt: skip
    assert answer["preview"] is True
    assert list(answer["outputs"][0]) == [
        "index", "tx_set", "control_number", "filename", "output", "rules_without_value",
        "explain",
    ]  # fmt: skip


def test_a_warning_names_the_rule_and_its_target() -> None:
    made = converted([rule("BEG.03", "d", transform="date_iso")])
    assert json.loads(made.result_json())["warnings"] == [
        {
            "code": "date_iso",
            "message": "1 of 1 values are not as date_iso expects; left unchanged",
            "param": "field_map[0]",
            "tgt": "d",
        }
    ]


@pytest.mark.parametrize(
    ("options", "stem", "ending"),
    [
        ({}, "850", "json"),
        ({"target_format": "csv"}, "850", "csv"),
        ({"target_format": "xml"}, "850", "xml"),
    ],
)
def test_a_file_is_named_by_set_and_content(
    options: dict[str, Any], stem: str, ending: str
) -> None:
    made = converted(PO, **options)
    digest = sha256(made.output.encode()).hexdigest()[:8]
    assert made.outputs[0].filename == f"{stem}-{digest}.{ending}"


def test_a_file_without_a_set_is_a_document_and_a_hostile_id_names_none() -> None:
    made = converted([rule("a", "x")], '{"a":"1"}', source_format="json")
    assert made.outputs[0].filename.startswith("document-")
    made = converted(PO, "ST*../*0001~BEG*00*SA*PO-1~SE*3*0001~")
    assert made.outputs[0].filename.startswith("document-")
    made = converted([rule("a", "x")], '{"a":"1"}', source_format="json", tx_set="855")
    assert made.outputs[0].filename.startswith("855-")
    made = converted(PO_TO_X12, envelope={"tx_set": "855"}, target_format="x12")
    assert (made.outputs[0].filename[:4], made.outputs[0].filename[-4:]) == ("855-", ".edi")


# ---- several sets --------------------------------------------------------------------------------


def test_rules_see_the_first_set_unless_the_document_is_split() -> None:
    document = case(TWO_SETS).replace("PO-4711", "PO-1", 1).replace("PO-4711", "PO-2", 1)
    assert [each.text for each in converted(PO, document).outputs] == ['{"po":"PO-1"}']
    made = converted(PO, document, is_split=True)
    reported = [(each.index, each.tx_set, each.control_number, each.text) for each in made.outputs]
    assert reported[0] == (1, "850", "0001", '{"po":"PO-1"}')
    assert reported[1][:3] == (2, "850", "0002")
    assert made.output == reported[0][3]


def test_each_part_has_its_own_explanation() -> None:
    made = converted(PO, case(TWO_SETS), is_split=True, is_explained=True)
    first, second = (json.loads(each.explain) for each in made.outputs)
    assert first["outputs"][0]["sources"][0]["src"] == "BEG.03"
    assert second["outputs"][0]["sources"][0]["src"] == "ST[2]/BEG.03"
    assert not [key for key in first["unused"] if key.startswith("ST[")]
    assert {key[:6] for key in second["unused"]} == {"ST[2]/"}


def test_the_same_warning_of_several_sets_is_reported_once() -> None:
    made = converted([rule("BEG.03", "d", transform="date_iso")], case(TWO_SETS), is_split=True)
    assert [each.code for each in made.warnings] == ["date_iso"]


def test_what_has_no_sets_is_split_into_itself() -> None:
    for document, options in (('{"a":"1"}', {"source_format": "json"}), ("BEG*00*SA*P~", {})):
        rules = [rule("a" if options else "BEG.03", "x")]
        (only,) = converted(rules, document, is_split=True, **options).outputs
        assert (only.index, only.tx_set, only.control_number) == (1, "", "")


def test_rules_about_all_sets_reach_them_without_a_split() -> None:
    made = converted([rule("ST[*]/BEG.03", "po[*]")], case(TWO_SETS))
    assert len(json.loads(made.output)["po"]) == 2


# ---- X12 -----------------------------------------------------------------------------------------


def test_the_envelope_comes_from_the_request_then_the_source_then_by_default() -> None:
    made = converted(PO_TO_X12, target_format="x12", envelope={"receiver_id": "NORTHWIND"})
    isa = header(made, "ISA")
    assert (isa[5:9], isa[15]) == (["ZZ", "ACMERETAIL", "14", "NORTHWIND"], "T")
    assert header(made, "GS")[2:4] == ["ACMERETAIL", "NORTHWIND"]
    made = converted([rule("lines[0].sku", "BEG.03")], LINES_OF_JSON, **TO_X12, usage_indicator="P")
    isa = header(made, "ISA")
    assert (isa[5:9], isa[15]) == (["ZZ", "SENDER", "ZZ", "RECEIVER"], "P")


def test_outbound_swaps_sender_and_receiver_of_an_x12_source() -> None:
    made = converted(PO_TO_X12, target_format="x12", direction="outbound")
    assert header(made, "ISA")[5:9] == ["14", "0614141SUPPLIER", "ZZ", "ACMERETAIL"]
    assert header(made, "GS")[2:4] == ["0614141SUPPLIER", "ACMERETAIL"]


@pytest.mark.parametrize(
    "separators",
    [{"elem_sep": "|", "seg_term": "\n", "comp_sep": ">", "rep_sep": "^"}, "| \n > ^"],
)
def test_separators_may_be_chosen(separators: object) -> None:
    envelope = {"separators": separators, "version": "005010"}
    made = converted(PO_TO_X12, target_format="x12", envelope=envelope)
    parsed = parse(made.output).document
    assert (parsed.elem_sep, parsed.seg_term, parsed.comp_sep, parsed.rep_sep) == (
        "|",
        "\n",
        ">",
        "^",
    )


@pytest.mark.parametrize(
    ("envelope", "faults"),
    [
        ({"versions": "004010"}, [("unknown_parameter", "envelope.versions")]),
        ({"version": 4010}, [("invalid_parameter", "envelope.version")]),
        ({"version": "4010"}, [("invalid_parameter", "envelope.version")]),
        ({"sender_id": "LONGERTHANFIFTEENCHARS"}, [("value_too_long", "envelope.sender_id")]),
        ([], [("invalid_parameter", "envelope")]),
        ({"separators": 5}, [("invalid_parameter", "envelope.separators")]),
        (
            {"separators": {"elem_sep": "**"}},
            [("invalid_parameter", "envelope.separators.elem_sep")],
        ),
        ({"separators": {"elem": "*"}}, [("unknown_parameter", "envelope.separators.elem")]),
        ({"separators": {"elem_sep": "~"}}, [("invalid_parameter", "envelope.separators")]),
        (
            {"sender_id": 1, "tx_set": [], "x" * 90: ""},
            [
                ("unknown_parameter", "envelope.(a long name)"),
                ("invalid_parameter", "envelope.sender_id"),
                ("invalid_parameter", "envelope.tx_set"),
            ],
        ),
    ],
)
def test_faults_of_the_envelope_have_their_place(
    envelope: object, faults: list[tuple[str, str]]
) -> None:
    refused = refusal(PO_TO_X12, target_format="x12", envelope=envelope)
    assert [place[1] for place in places(refused)] == [place for _, place in faults]


def test_nulls_and_empty_texts_of_the_envelope_say_nothing() -> None:
    envelope = {"version": None, "sender_id": "", "separators": {"elem_sep": ""}}
    made = converted(PO_TO_X12, target_format="x12", envelope=envelope)
    assert made.output == converted(PO_TO_X12, target_format="x12").output


def test_no_set_at_all_is_a_refusal() -> None:
    rules = [rule("lines[0].sku", "BEG.03")]
    refused = refusal(rules, LINES_OF_JSON, source_format="json", target_format="x12")
    assert (refused.code, places(refused)) == ("conversion_failed", [("tx_set_missing", None)])
    made = converted(rules, LINES_OF_JSON, source_format="json", target_format="x12", tx_set="850")
    assert header(made, "ST") == ["ST", "850", "0001"]


def test_an_x12_target_without_a_stamp_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(TypeError):
        convert(case(), PO_TO_X12, target_format="x12")
    assert convert(case(), PO).output == '{"po":"PO-4711"}'


def test_an_order_rewritten_field_by_field_is_valid_and_the_same() -> None:
    document = case()
    fields = parse(document).fields
    body = [key for key in fields if key.split(".")[0].split("[")[0] not in ENVELOPE]
    rules = [rule(key, TARGETS.get(key.split(".")[0], key.split(".")[0]) + key[key.index("."):])
             for key in body]  # fmt: skip
    made = converted(rules, target_format="x12")
    assert {key: parse(made.output).fields[key] for key in body} == {
        key: fields[key] for key in body
    }
    assert validate(made.output).findings == validate(document).findings == ()


ENVELOPE = {"ISA", "GS", "ST", "SE", "GE", "IEA"}
TARGETS = {
    "N3": "N1>N3",
    "N4": "N1>N4",
    "N4[2]": "N1[2]>N4",
    "PID": "PO1>PID",
    "PID[2]": "PO1[3]>PID",
}


# ---- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("document", "options", "code", "detail"),
    [
        ("", {}, "document_empty", "document_empty"),
        ("Dear partner", {}, "document_unparseable", "not_x12"),
        ("{", {"source_format": "json"}, "document_unparseable", "json_syntax"),
        ('{"a":1,"a":2}', {"source_format": "json"}, "document_unparseable", "json_duplicate_name"),
        ("<a>", {"source_format": "xml"}, "document_unparseable", "xml_syntax"),
        ("<!DOCTYPE a []><a/>", {"source_format": "xml"}, "document_unparseable", "xml_doctype"),
        ('a,b\n"x', {"source_format": "csv"}, "document_unparseable", "csv_syntax"),
        (" ", {"source_format": "csv"}, "document_empty", "document_empty"),
        ("ST*850*0001~BEG*\ud800~", {}, "document_unparseable", "lone_surrogate"),
    ],
)
def test_a_document_that_is_not_of_its_format_is_refused_as_parse_does(
    document: str, options: dict[str, Any], code: str, detail: str
) -> None:
    src = "row[*]/a" if options.get("source_format") == "csv" else "a.b"
    rules = PO if not options else [rule(src, "x[*]" if "row" in src else "x")]
    refused = refusal(rules, document, **options)
    assert (refused.code, places(refused)) == (code, [(detail, "document")])


@pytest.mark.parametrize(
    ("options", "param", "code"),
    [
        ({"source_format": "edifact"}, "source_format", "unsupported_format"),
        ({"target_format": "pdf"}, "target_format", "unsupported_format"),
        ({"direction": "sideways"}, "direction", "invalid_parameter"),
    ],
)
def test_unknown_words_are_refused_with_those_that_are_known(
    options: dict[str, Any], param: str, code: str
) -> None:
    refused = refusal(PO, **options)
    assert (refused.code, places(refused)) == (code, [(code, param)])
    assert refused.details[0].allowed


def test_rules_are_validated_before_the_document() -> None:
    assert (
        refusal([rule("BEG.03", "po", typ="number")], "Dear partner").code == "invalid_mapping_rule"
    )


def test_bytes_are_decoded_as_parse_does() -> None:
    document = b"ST*850*0001~BEG*00*SA*PO-\xe9~SE*3*0001~"
    assert converted(PO, document).output == '{"po":"PO-é"}'
    signed = b"\xef\xbb\xbf" + case().encode()
    assert converted(PO, signed).output == '{"po":"PO-4711"}'


def test_csv_without_a_header_is_addressed_by_number() -> None:
    made = converted(
        [rule("row[*]/c02", "x[*]")], "1,2\n3,4\n", source_format="csv", csv_header=False
    )
    assert made.output == '{"x":["2","4"]}'


def test_numbers_in_rules_are_exact() -> None:
    text = '[{"const": 0.1000000000000000055, "tgt": "a", "type": "number"}]'
    made = converted(list(exact_json(text, "field_map")))  # type: ignore[call-overload]  # a list
    assert made.output == '{"a":0.1000000000000000055}'
    compiled = RuleText(text).compiled()
    assert convert(case(), compiled).output == made.output


def test_a_partner_says_what_the_request_leaves_open() -> None:
    partner = PartnerEnvelope(
        addressing=Addressing(sender_id="US", receiver_id="SHOP", version="005010")
    )
    made = converted(PO_TO_X12, target_format="x12", partner=partner, envelope={"sender_id": "WE"})
    isa, group = header(made, "ISA"), header(made, "GS")
    assert (isa[6], isa[8], isa[12], group[8]) == ("WE", "SHOP", "00501", "005010")
