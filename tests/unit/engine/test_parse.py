"""The library: documents of any format in, fields and findings out; and what it refuses."""

import json

import pytest

from longshore.engine import Parsed, parse
from longshore.kit.errors import LongshoreError
from tests.unit.x12.documents import an_850, isa

X12 = an_850()


def refused(document: str | bytes, **options: object) -> LongshoreError:
    with pytest.raises(LongshoreError) as caught:
        parse(document, **options)  # type: ignore[arg-type]  # wrong options are the point
    return caught.value


def test_x12_is_what_a_document_is_unless_said_otherwise() -> None:
    parsed = parse(X12)
    assert isinstance(parsed, Parsed)
    assert parsed.fields["BEG.03"] == "PO-1"
    assert (parsed.warnings, parsed.errors) == ((), ())
    assert parsed.document.format == "x12"


@pytest.mark.parametrize(
    ("document_format", "document", "fields"),
    [
        ("json", '{"a": {"b": 1.10}}', {"a.b": "1.10"}),
        ("xml", "<a><b>1</b></a>", {"a.b": "1"}),
        ("csv", "sku,qty\nA,1\n", {"sku": "A", "qty": "1"}),
        ("x12", "N1*A~N1*B~", {"N1.01": "A", "N1[2].01": "B"}),
    ],
)
@pytest.mark.parametrize("as_bytes", [False, True])
def test_each_format_gives_its_fields(
    document_format: str, document: str, fields: dict[str, str], *, as_bytes: bool
) -> None:
    parsed = parse(document.encode() if as_bytes else document, format=document_format)
    assert (parsed.fields, parsed.document.format) == (fields, document_format)
    assert json.loads(parsed.result_json())["fields"] == fields


def test_csv_may_have_no_header() -> None:
    assert parse("A,1\n", format="csv", csv_header=False).fields == {"c01": "A", "c02": "1"}


@pytest.mark.parametrize(
    ("options", "at"),
    [
        ({"release": "001000"}, "001000"),
        ({"guide": "005010X222A1"}, "005010X222A1"),
        ({"guide": "005010X222A1", "release": "004010"}, "005010X222A1"),
        ({"guide": "no word"}, "this guide"),
    ],
)
def test_a_release_or_guide_without_definition_is_answered_by_a_warning(
    options: dict[str, str], at: str
) -> None:
    parsed = parse(X12, **options)  # type: ignore[arg-type]  # names of options
    assert [(each.code, each.message, each.tx_index) for each in parsed.warnings] == [
        ("no_definition", f"no definition for 850 at {at}: structure not checked", 1)
    ]
    assert parsed.fields == parse(X12).fields


def test_each_kind_of_set_without_definition_is_said_once_and_never_quoted_as_content() -> None:
    sets = "".join(f"ST*{name}*0001~SE*2*0001~" for name in ("850", "123", "850", "secret", "123"))
    parsed = parse(sets, release="004010")
    said = [(each.tx_index, each.message) for each in parsed.warnings if each.tx_index]
    assert said == [
        (2, "no definition for 123 at 004010: structure not checked"),
        (4, "no definition for this set at 004010: structure not checked"),
    ]


def test_a_release_that_is_none_is_refused() -> None:
    error = refused(X12, release="4010")
    assert (error.code, error.details[0].param) == ("invalid_parameter", "release")


@pytest.mark.parametrize("name", ["X12", "edifact", "", "yaml"])
def test_another_format_is_refused_with_the_formats_there_are(name: str) -> None:
    error = refused(X12, format=name)
    (detail,) = error.details
    assert (error.code, detail.code, detail.param) == (
        "unsupported_format", "unsupported_format", "format",
    )  # fmt: skip
    assert detail.allowed == ("x12", "json", "xml", "csv")


@pytest.mark.parametrize("view", ["segment", "valid", "", "Tree"])
def test_another_view_is_refused_with_the_views_there_are(view: str) -> None:
    error = refused(X12, include=["tree", view])
    (detail,) = error.details
    assert (error.code, detail.param) == ("invalid_parameter", "include")
    assert detail.allowed == ("segments", "tree", "validation")
    assert refused("{}", format="json", include=["segments"]).details[0].allowed == ("tree",)


@pytest.mark.parametrize(
    ("options", "params"),
    [
        ({"elem_sep": "A"}, ["elem_sep"]),
        ({"seg_term": "ab"}, ["seg_term"]),
        ({"elem_sep": "1", "seg_term": " "}, ["elem_sep", "seg_term"]),
        ({"elem_sep": "~", "seg_term": "~"}, ["seg_term"]),
    ],
)
def test_a_bad_separator_is_refused_by_its_parameter(
    options: dict[str, object], params: list[str]
) -> None:
    error = refused(X12, **options)
    assert (error.code, [each.param for each in error.details]) == ("invalid_parameter", params)
    assert [each.code for each in error.details] == ["invalid_parameter"] * len(params)


@pytest.mark.parametrize(
    ("document", "charset"),
    [
        (X12.encode(), "utf-8"),
        (b"\xef\xbb\xbf" + X12.encode(), "utf-8"),
        (X12.encode("utf-16"), "utf-16"),
        (b"\xff\xfe" + X12.encode("utf-16-le"), "utf-16"),
        (b"\xfe\xff" + X12.encode("utf-16-be"), "utf-16"),
        (X12.replace("PO-1", "Zürich").encode("iso-8859-1"), "iso-8859-1"),
        (X12, "utf-8"),
    ],
)
def test_the_charset_is_reported(document: str | bytes, charset: str) -> None:
    parsed = parse(document)
    assert parsed.document.charset == charset
    assert parsed.fields["BEG.03"] in {"PO-1", "Zürich"}


def test_offsets_count_characters_after_decoding() -> None:
    document = an_850("N1*日本", "ref*1")
    at = document.index("ref")
    for data in (document.encode(), b"\xef\xbb\xbf" + document.encode(), document.encode("utf-16")):
        assert [each.offset for each in parse(data).warnings] == [document.index("日"), at]


def test_result_members_stand_in_one_order() -> None:
    result = json.loads(parse(X12, include=["tree", "segments"]).result_json())
    assert list(result) == [
        "fields", "format", "tx_set", "elem_sep", "seg_term", "field_count", "comp_sep", "rep_sep",
        "charset", "version", "segment_count", "interchanges", "transactions", "null_fields",
        "empty_containers", "warnings", "errors", "segments", "tree",
    ]  # fmt: skip
    assert (result["null_fields"], result["empty_containers"]) == ([], [])


def test_a_finding_has_every_member_of_its_shape() -> None:
    document = an_850().replace("SE*3", "SE*4")
    (finding,) = json.loads(parse(document).result_json())["errors"]
    assert finding == {
        "code": "segment_count_wrong", "severity": "error", "layer": "standard",
        "message": "SE01 is wrong: the set has 3 segments", "tx_index": 1, "segment_id": "SE",
        "segment_position": 3, "loop_id": None, "element_position": 1, "component_position": None,
        "repeat": None, "element_ref": None, "path": "SE.01", "offset": document.index("SE*4") + 3,
        "line": 1, "allowed": None, "ack_code": {"set": "4"},
    }  # fmt: skip


def test_no_message_holds_document_content() -> None:
    secret = "S3CR3T"
    documents = [
        an_850(f"{secret}*1", f"ref*{secret}*", f"MSG*{secret}\né"),
        an_850(head=isa(e9=secret, e5="99")).replace("SE*3*0001", f"SE*{secret}*{secret}"),
        f"{secret}\n" + an_850() + secret,
        isa(padded=False, e6=secret) + "~GS~ST~SE~GE~IEA~",
    ]
    for document in documents:
        parsed = parse(document)
        findings = (*parsed.warnings, *parsed.errors)
        assert findings
        assert not [each.message for each in findings if secret in each.message]
    for document in (secret, f"ISA*{secret}", f"ISA*{secret}*~"):
        error = refused(document)
        assert secret not in error.message + "".join(each.message for each in error.details)
