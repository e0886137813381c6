"""Documents as objects: structure, loops, elements, findings, acknowledgements."""

import json
from pathlib import Path

import pytest

import longshore as ls
from longshore import library
from longshore.engine import parse, validate
from tests.architecture.repository import ROOT
from tests.unit.x12.documents import GS, a_group, a_set, an_850, interchange, isa

SAMPLES = sorted((ROOT / "samples").glob("*/input.edi"))
ORDER = ROOT / "samples/850_purchase_order/input.edi"
CLAIMS = ROOT / "samples/837p_claim/input.edi"
SHIPMENT = ROOT / "samples/856_ship_notice/input.edi"
TWICE = interchange(
    *a_group(*a_set("BEG*00*SA*PO-1**20240115"), *a_set("BEG*1", number="0002"), sets=2),
    "IEA*1*000000101",
)


def view_of(data: str | bytes) -> list[tuple[object, ...]]:
    """Return place, path and loop of the segments as ``parse`` has them."""
    view = json.loads(parse(data, include=["segments"]).document.views["segments"])
    return [(each["n"], each["pos"], each["key"], each["loop"]) for each in view]


def seen(segments: object) -> list[tuple[object, ...]]:
    assert hasattr(segments, "__iter__")
    return [(each.ordinal, each.position, each.path, each.loop_id or None) for each in segments]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.parent.name)
def test_segments_have_the_place_path_and_loop_that_parse_gives_them(path: Path) -> None:
    document, view = ls.read(path), view_of(path.read_bytes())
    assert seen(document.segments()) == view
    assert seen(ls.stream(path)) == view
    in_sets = [each for st in document.transaction_sets for each in st.segments()]
    assert len([*document.segments("ST")]) == len(document)
    assert seen(in_sets) == [each for each in view if each[1]]


def test_segments_outside_sets_and_a_ta1_within_one_have_theirs() -> None:
    text = interchange(
        "REF*1", *a_group(*a_set("BEG*1", "TA1*1", "BEG*2"), "REF*2"), "REF*3", "IEA*1*000000101"
    ).replace("SE*5", "SE*6")
    document = ls.read(text + text)
    assert seen(document.segments()) == view_of(text + text)
    second = document.transaction_sets[1]
    assert [each.path for each in second.segments()] == [
        *("ST[2]", "ST[2]/BEG", "TA1[2]", "ST[2]/BEG[2]", "SE[2]"),
    ]


def test_the_structure_is_interchanges_groups_and_sets() -> None:
    document = ls.read(TWICE + TWICE.partition("SE*")[0])
    first, second = document.interchanges
    assert (first.sender, first.receiver) == (("ZZ", "SENDER"), ("14", "RECEIVER"))
    assert (first.date, first.time, first.version) == ("240115", "0930", "00401")
    assert (first.control_number, first.usage_indicator) == ("000000101", "T")
    assert (first.is_ack_requested, first.is_complete, second.is_complete) == (False, True, False)
    assert first.delimiters == ("*", "~", ">", "", "")
    (group,) = first
    assert (group.functional_id, group.sender, group.receiver) == ("PO", "SENDER", "RECEIVER")
    assert (group.date, group.time, group.control_number) == ("20240115", "0930", "7")
    assert (group.version, group.is_complete, second.groups[0].is_complete) == (
        *("004010", True, False),
    )
    assert [each.control_number for each in group] == ["0001", "0002"]
    assert [each.index for each in second.groups[0].transaction_sets] == [3]
    assert [each.ordinal for each in document] == [3, 6, 13]
    assert document.groups == (group, *second.groups)


def test_loops_nest_as_the_definition_does() -> None:
    (claims,) = ls.read(CLAIMS)
    assert (claims.name, claims.version, claims.guide) == (
        *("Health care claim", "005010X222A1", "005010X222A1"),
    )
    subscriber = claims.loop("2000B")
    ids = [each.id for each in subscriber]
    assert ids == ["HL", "SBR", "2010BA", "2010BB", "2300"]
    claim = subscriber.loop("2300")
    assert (claim.number, claim.name, claim.path, claim.position) == (1, "Claim", "CLM", 19)
    assert [each["SV1"]["SV101-2"] for each in claims.loops("2400")] == ["G0438", "G0444", "G0463"]
    assert [each.loop_id for each in claim["CLM"].loops] == ["2000A", "2000B", "2300"]
    assert [each.path for each in claim.segments("REF")] == ["REF[2]", "REF[3]"]
    assert claim["REF"].path == ""  # it is in the loops below


def test_hl_loops_nest_by_hl02_with_and_without_a_definition() -> None:
    (shipment,) = ls.read(SHIPMENT)

    def levels(holder: ls.TransactionSet | ls.DocumentLoop) -> list[object]:
        return [
            [each.number, each["HL"]["HL03"], *levels(each)]
            for each in holder
            if isinstance(each, ls.DocumentLoop) and each.id == "HL"
        ]

    items = [[3 + at, "P", [4 + at, "I"]] for at in (0, 2, 4)]
    assert levels(shipment) == [[1, "S", [2, "O", *items]]]
    rows = ("HL*1**S", "HL*2*1*O", "HL*3*2*I", "HL*4*1*O")
    (unknown,) = ls.read(interchange(*a_set(*rows, set_id="XXX"), "IEA*0*000000101"))
    assert levels(unknown) == [[1, "S", [2, "O", [3, "I"]], [4, "O"]]]
    assert (unknown.name, unknown.definition, unknown.guide) == ("", "none", "")
    assert unknown.loop("HL").name == "Level"


def test_what_is_not_there_is_false_and_empty() -> None:
    (order,) = ls.read(ORDER)
    missing = order.loop("2310B")
    assert (bool(missing), missing.id, missing.number, list(missing)) == (False, "2310B", 0, [])
    assert (missing.path, missing.position, missing.name) == ("", 0, "")
    name = missing["NM1"]
    assert (bool(name), name.id, name.ordinal, len(name)) == (False, "NM1", 0, 1)
    assert (name[3], name["NM103"], name.nm103, name["NM103-2"]) == ("", "", "", "")
    assert (name.repetitions(3), name.elements, name.loop_id, name.loops) == ([[""]], [], "", ())
    assert (repr(missing), repr(name)) == ("<no loop 2310B>", "<no segment NM1>")


def test_elements_by_position_and_name() -> None:
    (order,) = ls.read(ORDER)
    line = order.loop("PO1")["PO1"]
    assert (line[0], line[2], line["PO102"], line.po102, line[25], line[5]) == (
        *("PO1", "48", "48", "48", "", ""),
    )
    assert (line.elements[:3], list(line)[:3], len(line)) == (
        *(["1", "48", "EA"], ["PO1", "1", "48"], 10),
    )
    assert (line.name(2), line.name(), order["BEG"].name(3)) == (
        *("Quantity", "Line", "Purchase order number"),
    )
    assert (line.name(99), line.has_place, line.row[2]) == ("", True, "48")
    header = order.header
    assert (header.name(1), header.name(), header.has_place) == (
        *("Transaction set", "Transaction set header", False),
    )
    assert (hasattr(line, "po1"), hasattr(line, "po100"), hasattr(line, "beg01")) == (
        *(False, False, False),
    )


@pytest.mark.parametrize(
    ("element", "message"),
    [
        (-1, "PO1 has no element -1: positions begin at 1."),
        ("BEG03", "'BEG03' names no element of a PO1, as PO101 or PO101-2 do."),
        ("PO100", "'PO100' names no element of a PO1, as PO101 or PO101-2 do."),
        ("PO101-0", "'PO101-0' names no element of a PO1, as PO101 or PO101-2 do."),
        ("PO1", "'PO1' names no element of a PO1, as PO101 or PO101-2 do."),
    ],
)
def test_a_name_of_no_element_is_refused(element: int | str, message: str) -> None:
    line = ls.read(ORDER).transaction_sets[0].loop("PO1")["PO1"]
    with pytest.raises(ls.LongshoreError) as refused:
        line[element]
    assert (refused.value.code, refused.value.message) == ("invalid_parameter", message)
    assert refused.value.details[0].param == "element"


def test_repetitions_components_and_released_separators() -> None:
    head = isa(e11="^", e12="00704", e16=":")
    rows = ("ISX*?", *a_group(*a_set("SV1*HC:1?:2:3*9??", "III*A^B?^C^D", "BIN*3**~:")))
    text = interchange(*rows, "IEA*1*000000101", head=head)
    service, third, binary = list(ls.read(text).transaction_sets[0].segments())[1:4]
    assert (service[1], service["SV101-2"], service["SV101-4"]) == ("HC:1:2:3", "1:2", "")
    assert third.repetitions(1) == [["A"], ["B^C"], ["D"]]
    assert (binary[2], binary.repetitions(2), binary["BIN02-1"]) == ("*~:", [["*~:"]], "*~:")
    as_received = [each.row for each in ls.read(text).segments() if each.position]
    assert as_received == [each.row for each in ls.read(text).transaction_sets[0].segments()]
    assert (service[2], as_received[1][2]) == ("9?", "9??")
    (header,) = ls.read(text).segments("ISA")
    assert (header[6], header[11], header[16], header.repetitions(11)) == (
        *("SENDER", "^", ":", [["^"]]),
    )


def test_findings_outcome_and_acknowledgement_are_those_of_validate() -> None:
    line = "PO1*1*5*EA"
    good, bad = a_set("BEG*00*SA*PO-1**20240115", line), a_set("BEG*1", line, number="0002")
    text = interchange(*a_group(*good, *bad, sets=2), "IEA*1*000000101")
    document = ls.read(text, leniency={"element_too_short": "warning"})
    validated = validate(text, leniency={"element_too_short": "warning"})
    assert document.findings == validated.findings
    assert (document.outcome, document.is_valid) == ("invalid", False)
    first, second = document
    assert (first.findings, first.outcome, second.outcome) == ((), "valid", "invalid")
    assert {each.tx_index for each in second.findings} == {2}
    assert (first.definition, first.guide) == ("exact", "")
    assert document.ack() == validated.acknowledgement
    assert document.ack("TA1").ack_type == "TA1"
    with pytest.raises(ls.LongshoreError) as refused:
        document.ack("855")
    assert refused.value.details[0].param == "ack_type"


def test_release_and_guide_choose_the_loops() -> None:
    data = CLAIMS.read_bytes()
    (plain,) = ls.read(data, release="005010", guide="005010X223A2")
    assert plain.guide == "005010X223A2"
    assert [each.loop_id for each in ls.stream(data, guide="XYZ")][5] == ""
    with pytest.raises(ls.LongshoreError) as refused:
        ls.read(data, release="5010")
    assert refused.value.details[0].param == "release"


def test_text_charset_and_content() -> None:
    latin = an_850("N1*ST*Zürich").encode("iso-8859-1")
    document = ls.read(latin)
    assert (document.charset, document.content(), document.file) == ("iso-8859-1", latin, "")
    assert document.text == latin.decode("iso-8859-1")
    assert ls.read("\ufeff" + an_850()).content() == b"\xef\xbb\xbf" + an_850().encode()
    assert not document.has_own_separators


def test_what_a_document_has_no_sets_of() -> None:
    document = ls.read(interchange("IEA*0*000000101"))
    assert (len(document), bool(document), document.groups) == (0, True, ())
    assert repr(document) == "<document without a file: no transaction set>"
    fragment = ls.read(b"ST*850*0001~BEG*00*SA*PO-1**20240115~IEA*1*1~")
    assert (fragment.interchanges, [each.control_number for each in fragment]) == ((), ["0001"])


def test_a_version_is_that_of_the_innermost_header() -> None:
    rows = (GS, "ST*850*0001", "SE*2*0001", "GE*1*7", "ST*850*2*004020", "SE*2*2", "ST*850*3")
    document = ls.read(interchange(*rows))
    assert [each.version for each in document] == ["004010", "004020", "00401"]


def test_reprs_name_what_a_reader_looks_for() -> None:
    document = ls.read(ORDER)
    (order,), (group,), (sent,) = document, document.groups, document.interchanges
    assert repr(document).endswith("850_purchase_order/input.edi: 850 0001>")
    assert repr(ls.read(TWICE * 2)) == ("<document without a file: 850 0001, 850 0002, 850 0001…>")
    assert repr(sent) == "<interchange 000000417 from ZZ:QUILLMARK to ZZ:BRINDLEWOOD>"
    assert repr(group) == "<group PO 417: 1 transaction sets>"
    assert repr(order) == "<transaction set 850 0001: 28 segments>"
    assert repr(order.loop("PO1").loop("PID")) == "<loop PID 1 at PID>"
    assert repr(order["CUR"]) == "<segment CUR: 'CUR*BY*USD'>"
    assert repr(next(document.segments())).endswith("BRINDL…'>")


def test_the_package_has_the_names_of_the_library() -> None:
    assert {*library.__all__} <= {*dir(ls)}
    assert {name for name in library.__all__ if not hasattr(ls, name)} == set()
    assert not hasattr(ls, "_parse")
    with pytest.raises(AttributeError, match="has no attribute 'reed'"):
        ls.reed  # type: ignore[attr-defined]  # noqa: B018 - the point
