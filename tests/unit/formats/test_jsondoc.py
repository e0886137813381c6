import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.formats import jsondoc
from longshore.formats.document import ParsedDocument
from longshore.kit.errors import ErrorCode, LongshoreError
from tests.unit.formats.claims import (
    TREE,
    fault_of,
    fields_of,
    limit_of,
    refusal_of,
    tree_of,
)

ORDER = (
    '{"o":{"id":1.10,"big":12345678901234567890,"n":null,"l":[{"s":"a"},{"s":"b"}]}}'  # example 91
)

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)
json_documents = st.lists(json_values) | st.dictionaries(st.text(), json_values)


def parsed(document: str) -> ParsedDocument:
    return jsondoc.parse(document)


def test_an_order_becomes_its_leaves_in_document_order() -> None:
    order = parsed(ORDER)
    assert list(fields_of(order).items()) == [
        ("o.id", "1.10"),
        ("o.big", "12345678901234567890"),
        ("o.l[0].s", "a"),
        ("o.l[1].s", "b"),
    ]
    assert order.null_fields == ("o.n",)


def test_what_belongs_to_other_formats_stays_empty() -> None:
    order = parsed(ORDER)
    assert (order.format, order.tx_set, order.elem_sep, order.seg_term, order.segment_count) == (
        "json",
        "",
        "",
        "",
        0,
    )
    assert (order.charset, order.warnings, order.errors, order.views) == ("utf-8", (), (), {})


@pytest.mark.parametrize(
    "literal", ["1.10", "1e5", "1E+05", "-0", "0.0", "-0.50", "1e999", "9" * 5000, "true", "false"]
)
def test_a_literal_is_kept_as_it_is_written(literal: str) -> None:
    assert fields_of(parsed(f"[ {literal} ]")) == {"[0]": literal}


@pytest.mark.parametrize(
    ("_case", "document", "fields"),
    [
        ("a name with a dot (example 92)", '{"a.b":1}', {r"a\.b": "1"}),
        ("every character with a meaning", r'{"\\.[]/*>@{":1}', {r"\\\.\[\]\/\*\>\@\{": "1"}),
        ("an array at the root", '[{"sku":"a"},[1]]', {"[0].sku": "a", "[1][0]": "1"}),
        ("an empty text is a value", '{"a":""}', {"a": ""}),
        ("an empty name", '{"":{"":1,"a":2}}', {".": "1", ".a": "2"}),
        ("an escaped name", r'{"\u0061\n":{"\"" : 1}}', {'a\n."': "1"}),
        ("escaped text", r'["\ud83d\ude00\u00e9\/\t"]', {"[0]": "😀é/\t"}),
        ("any white space between", ' {\t"a"\r:\n[ 1 ,2 ] } \n', {"a[0]": "1", "a[1]": "2"}),
        ("a leading U+FEFF", '\ufeff {"a":1}', {"a": "1"}),
        ("U+0000 in a text", r'["\u0000"]', {"[0]": "\x00"}),
    ],
)
def test_fields(_case: str, document: str, fields: dict[str, str]) -> None:
    assert fields_of(parsed(document)) == fields


@pytest.mark.parametrize(
    ("document", "paths"),
    [
        ('{"a":{},"b":[ ],"c":[{}]}', ("a", "b", "c[0]")),
        ("{}", ("",)),
        (" [ ] ", ("",)),
    ],
)
def test_empty_containers_are_listed_and_are_no_fields(
    document: str, paths: tuple[str, ...]
) -> None:
    assert parsed(document).empty_containers == paths
    assert fields_of(parsed(document)) == {}


@pytest.mark.parametrize(
    ("_case", "document", "offset", "line"),
    [
        ("cut in an array", "[1", 2, 1),
        ("cut after an opening", "[", 1, 1),
        ("comma before the end", "[1,]", 3, 1),
        ("comma before the end of an object", '{"a":1,}', 7, 1),
        ("comma first", "[,1]", 1, 1),
        ("two values", '["a" "b"]', 5, 1),
        ("wrong bracket", "[1}", 2, 1),
        ("bare name", "{a:1}", 1, 1),
        ("no colon", '{"a" 1}', 4, 1),
        ("no colon after an escaped name", r'{"\n" 1}', 5, 1),
        ("no value", '{"a":}', 5, 1),
        ("leading zero", "[01]", 2, 1),
        ("leading plus", "[+1]", 1, 1),
        ("point first", "[.5]", 1, 1),
        ("point last", "[1.]", 2, 1),
        ("minus alone", "[-]", 1, 1),
        ("capital literal", "[True]", 1, 1),
        ("longer literal", "[nullx]", 5, 1),
        ("other white space", "[1,\u00a02]", 3, 1),
        ("text behind", '{"a":1}\n{"b":2}', 8, 2),
        ("raw control character", '["a\nb"]', 3, 1),
        ("unfinished string", '\n\r\n\r["a', 5, 4),
        ("unfinished name", '{"a', 1, 1),
        ("wrong escape", r'["\x41"]', 2, 1),
        ("offsets count a leading U+FEFF", "\ufeff[}", 2, 1),
        ("comment", "[1] // done", 4, 1),
    ],
)
def test_a_fault_of_syntax_is_refused_at_its_place(
    _case: str, document: str, offset: int, line: int
) -> None:
    assert fault_of(lambda: parsed(document)) == ("json_syntax", offset, line)


@pytest.mark.parametrize(
    ("_case", "document", "fault"),
    [
        ("same name", '{"a":1,\n"a":1}', ("json_duplicate_name", 8, 2)),
        ("same name, spelled otherwise", r'[{"ab":1,"\u0061b":2}]', ("json_duplicate_name", 9, 1)),
        ("NaN", "[NaN]", ("json_number", 1, 1)),
        ("Infinity", '{"a": Infinity}', ("json_number", 6, 1)),
        ("-Infinity", "[1,-Infinity]", ("json_number", 3, 1)),
        ("NaN at the root", "NaN", ("json_number", 0, 1)),
        ("high surrogate", r'["a","\ud800"]', ("json_surrogate", 5, 1)),
        ("low surrogate in a name", r'{"\udc00a":1}', ("json_surrogate", 1, 1)),
        ("surrogates in the wrong order", r'["\ude00\ud83d"]', ("json_surrogate", 1, 1)),
        ("surrogate outside an escape", '["a\ud800"]', ("json_surrogate", 3, 1)),
        ("text at the root", ' "abc" ', ("json_scalar", 1, 1)),
        ("number at the root", "12", ("json_scalar", 0, 1)),
        ("null at the root", "\nnull", ("json_scalar", 1, 2)),
        ("two scalars are no JSON at all", "12 34", ("json_syntax", 3, 1)),
    ],
)
def test_a_refusal_says_exactly_why(_case: str, document: str, fault: tuple[str, int, int]) -> None:
    assert fault_of(lambda: parsed(document)) == fault


@pytest.mark.parametrize("document", ["", " \n\t", "\ufeff", "\ufeff\r\n"])
def test_white_space_only_is_an_empty_document(document: str) -> None:
    code, detail = refusal_of(lambda: parsed(document))
    assert (code, detail.code, detail.param) == ("document_empty", "document_empty", "document")


def test_one_name_may_stand_in_several_objects() -> None:
    assert fields_of(parsed('[{"a":1},{"a":{"a":2}}]')) == {"[0].a": "1", "[1].a.a": "2"}


def test_the_envelope_says_what_is_wrong_and_where_in_a_sentence() -> None:
    with pytest.raises(LongshoreError) as caught:
        parsed("[1,\n2")
    assert caught.value.message == (
        "A comma or the end of the array or object is expected (line 2, character offset 5)."
    )


@pytest.mark.parametrize("view", ["segments", "validation", "Tree"])
def test_a_view_of_another_format_is_refused(view: str) -> None:
    code, detail = refusal_of(lambda: jsondoc.parse(ORDER, views=frozenset({view, "tree"})))
    assert (code, detail.param, detail.allowed) == (
        ErrorCode.INVALID_PARAMETER,
        "include",
        ("tree",),
    )


def test_the_tree_is_the_document_with_its_literals_and_without_white_space() -> None:
    document = '\ufeff{ "a b" :\n[1.10, 1e5 ,12345678901234567890, "x \\u00e9\\" "],\t"n":null }\n'
    tree = jsondoc.parse(document, views=TREE).views["tree"]
    assert tree == b'{"a b":[1.10,1e5,12345678901234567890,"x \\u00e9\\" "],"n":null}'


def test_sixty_four_levels_pass_and_one_more_does_not() -> None:
    assert fields_of(parsed("[" * 64 + "1" + "]" * 64)) == {"[0]" * 64: "1"}
    assert limit_of(lambda: parsed("[" * 65 + "1" + "]" * 65)) == ("depth", 64)


def test_brackets_in_text_are_no_levels() -> None:
    assert fields_of(parsed('["' + "[" * 100 + '"]')) == {"[0]": "[" * 100}


def test_four_hundred_thousand_fields_pass_and_one_more_does_not() -> None:
    assert parsed("[" + "1," * 399_999 + "null,1]").field_count == 400_000
    assert limit_of(lambda: parsed("[" + "1," * 400_000 + "1]")) == ("fields", 400_000)


def leaves(value: object) -> tuple[int, int, int]:
    """Count fields, nulls and empty containers."""
    if value is None:
        return 0, 1, 0
    if not isinstance(value, dict | list):
        return 1, 0, 0
    inner = [leaves(item) for item in (value.values() if isinstance(value, dict) else value)]
    fields, nulls, empties = (
        (sum(counts) for counts in zip(*inner, strict=True))
        if inner
        else (
            0,
            0,
            1,
        )
    )
    return fields, nulls, empties


@given(value=json_documents, ensure_ascii=st.booleans(), indent=st.sampled_from([None, 1]))
def test_every_leaf_has_one_place(value: object, *, ensure_ascii: bool, indent: int | None) -> None:
    document = json.dumps(value, ensure_ascii=ensure_ascii, indent=indent)
    read = jsondoc.parse(document, views=TREE)
    places = len(fields_of(read)), len(read.null_fields), len(read.empty_containers)
    assert places == leaves(value)
    assert len(set(read.null_fields)) == places[1]
    assert len(set(read.empty_containers)) == places[2]
    assert tree_of(read) == value


@given(text=st.text(alphabet='{}[]:,"\\u0aD8ntrue-1.e \n\ud800\ufeff'))
def test_accepted_and_refused_as_the_standard_decoder_does(text: str) -> None:
    def refuse(_value: object) -> None:
        raise ValueError

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError
        return dict(pairs)

    try:
        value = json.loads(
            text.removeprefix("\ufeff"), parse_constant=refuse, object_pairs_hook=unique
        )
        json.dumps(value, ensure_ascii=False).encode()
        is_json = isinstance(value, dict | list) and "\ud800" not in text
    except ValueError:
        is_json = False
    try:
        jsondoc.parse(text)
    except LongshoreError:
        assert not is_json
    else:
        assert is_json
