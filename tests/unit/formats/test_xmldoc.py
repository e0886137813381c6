import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.formats import xmldoc
from longshore.formats.document import ParsedDocument
from longshore.kit.errors import ErrorCode
from tests.unit.formats.claims import (
    TREE,
    fault_of,
    fields_of,
    limit_of,
    refusal_of,
    tree_of,
)

XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
BRACES = (
    '<o xmlns:x="a}x.{b" xmlns:y="a" xmlns:z="b"><x:y>1</x:y><y>2</y>'
    "<y:x><z:y>3</z:y><y>4</y></y:x><x>5</x></o>"
)
TWO_NAMESPACES = 'xmlns:x="u" xmlns:y="v"'


def parsed(document: str) -> ParsedDocument:
    return xmldoc.parse(document)


def items(document: str) -> list[tuple[str, str]]:
    return list(fields_of(parsed(document)).items())


@pytest.mark.parametrize(
    ("_case", "document", "fields"),
    [
        (
            "an order (example 93)",
            '<o v="1" xmlns="u"><l>1</l><l>2</l></o>',
            [("o.@v", "1"), ("o.l", "1"), ("o.l[2]", "2")],
        ),
        (
            "keys begin with the root",
            "<Order><Header><PONumber>7</PONumber></Header></Order>",
            [("Order.Header.PONumber", "7")],
        ),
        (
            "siblings are counted below their parent",
            "<o><l><q>1</q></l><m>x</m><l><q>2</q><q>3</q></l></o>",
            [("o.l.q", "1"), ("o.m", "x"), ("o.l[2].q", "2"), ("o.l[2].q[2]", "3")],
        ),
        ("text of the root", "<o>a</o>", [("o", "a")]),
        ("an empty attribute is a value", '<o a=""/>', [("o.@a", "")]),
        ("without text no key", "<o><a/><b></b><c x='1'/></o>", [("o.c.@x", "1")]),
        (
            "text, comments, CDATA and instructions",
            "<o>a<!-- no -->b<![CDATA[<c>]]>&amp;&#x64;<?no no?>e</o>",
            [("o", "ab<c>&de")],
        ),
        ("a leaf is not trimmed", "<o> \n a </o>", [("o", " \n a ")]),
        ("a blank leaf is a value", "<o><a> </a></o>", [("o.a", " ")]),
        ("text beside elements is trimmed", "<o> a\n<b/>\tc </o>", [("o", "a\n\tc")]),
        ("blank text beside elements is none", "<o>\r\n <b>1</b> </o>", [("o.b", "1")]),
        ("only XML white space is trimmed", "<o>\u00a0<b/> </o>", [("o", "\u00a0")]),
        ("a name with a dot", "<a.b c.d='1'>2</a.b>", [(r"a\.b.@c\.d", "1"), (r"a\.b", "2")]),
        ("other scripts", "<größe>数</größe>", [("größe", "数")]),
    ],
)
def test_fields(_case: str, document: str, fields: list[tuple[str, str]]) -> None:
    assert items(document) == fields


def test_text_stands_where_its_element_starts_after_the_attributes() -> None:
    document = '<o a="1"><p b="2"><q>3</q>4</p>5</o>'
    assert items(document) == [
        ("o.@a", "1"),
        ("o", "5"),
        ("o.p.@b", "2"),
        ("o.p", "4"),
        ("o.p.q", "3"),
    ]


@pytest.mark.parametrize(
    ("_case", "document", "fields"),
    [
        ("a prefix is no part of a name", '<x:o xmlns:x="u"><x:l>1</x:l></x:o>', [("o.l", "1")]),
        (
            "two namespaces: both are written, also for the earlier sibling",
            f"<o {TWO_NAMESPACES}><x:l>1</x:l><m>0</m><y:l>2</y:l><x:l>3</x:l></o>",
            [("o.{u}l", "1"), ("o.m", "0"), ("o.{v}l", "2"), ("o.{u}l[2]", "3")],
        ),
        (
            "a name in no namespace has no braces",
            f"<o {TWO_NAMESPACES}><l>1</l><y:l>2</y:l></o>",
            [("o.l", "1"), ("o.{v}l", "2")],
        ),
        (
            "only among siblings",
            f"<o {TWO_NAMESPACES}><x:l><y:l>1</y:l></x:l><m><x:l>2</x:l><y:l>3</y:l></m></o>",
            [("o.l.l", "1"), ("o.m.{u}l", "2"), ("o.m.{v}l", "3")],
        ),
        (
            "one namespace under two prefixes is one",
            '<o xmlns:x="u" xmlns:y="u"><x:l>1</x:l><y:l>2</y:l></o>',
            [("o.l", "1"), ("o.l[2]", "2")],
        ),
        (
            "attributes with a prefix always carry the namespace",
            '<o xmlns:x="urn:a" x:lang="1" lang="2" xml:lang="3"/>',
            [
                ("o.@{urn:a}lang", "1"),
                ("o.@lang", "2"),
                ("o.@{http://www.w3.org/XML/1998/namespace}lang", "3"),
            ],
        ),
        (
            "braces of a namespace cannot end it early",
            BRACES,
            [
                (r"o.{a\}x.\{b}y", "1"),
                ("o.y", "2"),
                ("o.{a}x.{b}y", "3"),
                ("o.{a}x.y", "4"),
                ("o.x", "5"),
            ],
        ),
    ],
)
def test_namespaces(_case: str, document: str, fields: list[tuple[str, str]]) -> None:
    assert items(document) == fields


@pytest.mark.parametrize("true", ["true", "1", " true "])
def test_a_nil_element_is_listed_and_is_no_field(true: str) -> None:
    order = parsed(f'<o {XSI}><a/><b/><b xsi:nil="{true}" why="none"/></o>')
    assert (order.null_fields, fields_of(order)) == (("o.b[2]",), {"o.b[2].@why": "none"})


def test_an_element_that_is_not_nil_keeps_the_attribute_that_says_so() -> None:
    order = parsed(f'<o {XSI} xsi:nil="false" nil="true">a</o>')
    assert order.null_fields == ()
    assert fields_of(order) == {
        "o.@{http://www.w3.org/2001/XMLSchema-instance}nil": "false",
        "o.@nil": "true",
        "o": "a",
    }


def test_text_of_a_nil_element_is_not_lost() -> None:
    order = parsed(f'<o {XSI} xsi:nil="true">a</o>')
    assert (order.null_fields, fields_of(order)) == (("o",), {"o": "a"})


@pytest.mark.parametrize(
    "declaration",
    [
        '<?xml version="1.0" encoding="utf-16"?>',
        '<?xml version="1.0" encoding="ISO-8859-1" standalone="yes"?>',
        '<?xml version="1.0" encoding="no-such-charset"?>',
        '\ufeff<?xml version="1.1" encoding="us-ascii"?>',
        "\ufeff",
    ],
)
def test_the_document_is_text_whatever_encoding_it_declares(declaration: str) -> None:
    assert items(f"{declaration}<o>é</o>") == [("o", "é")]


def test_what_belongs_to_other_formats_stays_empty() -> None:
    order = parsed("<o/>")
    assert (order.format, order.elem_sep, order.seg_term, order.empty_containers) == (
        "xml",
        "",
        "",
        (),
    )
    assert (order.views, order.warnings, order.errors) == ({}, (), ())


@pytest.mark.parametrize(
    ("_case", "document", "offset", "line"),
    [
        ("an entity that grows", '<!DOCTYPE o [<!ENTITY a "aaa">]><o>&a;&a;</o>', 0, 1),
        ("a system identifier", '<?xml version="1.0"?>\n<!DOCTYPE o SYSTEM "x"><o/>', 22, 2),
        ("nothing but a name", "<!-- é <!DOCTYPE -->\r\n\n<!DOCTYPE o><o/>", 23, 3),
        ("unfinished behind it", "\ufeff<!DOCTYPE o [", 1, 1),
    ],
)
def test_any_doctype_is_refused_where_it_starts(
    _case: str, document: str, offset: int, line: int
) -> None:
    assert fault_of(lambda: parsed(document)) == ("xml_doctype", offset, line)


@pytest.mark.parametrize(
    ("_case", "document", "offset", "line"),
    [
        ("no markup", "abc", 0, 1),
        ("cut", "<o>\n<a>", 7, 2),
        ("wrong end tag", "<o>é</a></o>", 6, 1),
        ("two roots", "<o/><o/>", 4, 1),
        ("text behind", "<o/>\r\nx", 6, 2),
        ("unknown entity", "<o>&nbsp;</o>", 3, 1),
        ("unknown prefix", "<x:o/>", 0, 1),
        ("same attribute", '<o a="1" a="2"/>', 9, 1),
        ("same attribute by namespace", '<o xmlns:x="u" xmlns:y="u" x:a="" y:a=""/>', 0, 1),
        ("U+0000", "<o>\x00</o>", 3, 1),
        ("control character", "<o>&#1;</o>", 3, 1),
        ("surrogate by number", "<o>&#xD800;</o>", 3, 1),
        ("surrogate", "<o>\n\ud800</o>", 4, 2),
        ("declaration not at the start", '\n<?xml version="1.0"?><o/>', 1, 2),
        ("unfinished DOCTYPE", "<!DOCTYPE", 0, 1),
    ],
)
def test_a_fault_of_syntax_is_refused_at_its_place(
    _case: str, document: str, offset: int, line: int
) -> None:
    assert fault_of(lambda: parsed(document)) == ("xml_syntax", offset, line)


@pytest.mark.parametrize("document", ["", " \r\n", "\ufeff\n"])
def test_white_space_only_is_an_empty_document(document: str) -> None:
    assert refusal_of(lambda: parsed(document))[0] == ErrorCode.DOCUMENT_EMPTY


def test_a_view_of_x12_is_refused() -> None:
    code, detail = refusal_of(lambda: xmldoc.parse("<o/>", views=frozenset({"segments"})))
    assert (code, detail.param, detail.allowed) == ("invalid_parameter", "include", ("tree",))


def test_the_tree_nests_elements_in_document_order() -> None:
    document = f'<o {XSI} v="é"> t <l>1</l><m xsi:nil="true"/><l a.b="2"><q/></l></o>'
    assert tree_of(xmldoc.parse(document, views=TREE)) == {
        "step": "o",
        "attributes": {"v": "é"},
        "nodes": [
            {"step": "l", "text": "1"},
            {"step": "m", "null": True},
            {"step": "l[2]", "attributes": {r"a\.b": "2"}, "nodes": [{"step": "q"}]},
        ],
        "text": "t",
    }


def test_sixty_four_levels_pass_and_one_more_does_not() -> None:
    assert items("<a>" * 64 + "1" + "</a>" * 64) == [(".".join("a" * 64), "1")]
    assert limit_of(lambda: parsed("<a>" * 65 + "</a>" * 65)) == ("depth", 64)


def test_four_hundred_thousand_fields_pass_and_one_more_does_not() -> None:
    assert parsed(f"<o>{'<a>1</a>' * 400_000}</o>").field_count == 400_000
    assert limit_of(lambda: parsed(f"<o>{'<a>1</a>' * 400_001}</o>")) == ("fields", 400_000)


def test_a_namespace_of_1024_characters_passes_and_one_more_does_not() -> None:
    assert items(f'<o xmlns="{"u" * 1024}" xmlns:x="v"><a xmlns="">1</a></o>') == [("o.a", "1")]
    assert limit_of(lambda: parsed(f'<o xmlns:x="{"u" * 1025}"/>')) == ("namespace_chars", 1024)


def a_tag(attributes: int) -> str:
    written = " ".join(f"a{n:x}=''" for n in range(attributes))
    return f"<o {written}/>"


def test_a_flood_of_attributes_is_refused_and_as_many_as_fields_are_not() -> None:
    assert parsed(a_tag(400_000)).field_count == 400_000
    assert limit_of(lambda: parsed(a_tag(400_001))) == ("fields", 400_000)


def test_a_long_text_with_many_equal_signs_is_not_a_flood() -> None:
    text = "=" * 2_100_000
    assert items(f"<o a='>'>{text}</o>") == [("o.@a", ">"), ("o", text)]


names = st.sampled_from(["a", "b", "x:a", "y:a", "a.b"])
texts = st.text(alphabet="t é\n", max_size=4)
elements = st.recursive(
    st.builds(lambda name, text: f"<{name}>{text}</{name}>", names, texts),
    lambda inner: st.builds(
        lambda name, text, children: f"<{name} p='{text}'>{''.join(children)}{text}</{name}>",
        names,
        texts,
        st.lists(inner, min_size=1, max_size=4),
    ),
    max_leaves=20,
)


@given(element=elements)
def test_every_text_and_attribute_has_a_key_of_its_own(element: str) -> None:
    document = f"<r {TWO_NAMESPACES}>{element}</r>"
    fields = fields_of(parsed(document))
    attribute_count = sum(".@p" in key for key in fields)
    assert attribute_count == document.count(" p='")
    assert all(key.startswith("r.") for key in fields)
    assert all(value for key, value in fields.items() if ".@" not in key)
