"""Maps of pyx12: a guide over the set, what is a warning, what is refused with line and reason."""

import pytest

from longshore.x12.dictionary.importing.importer import import_schema
from longshore.x12.dictionary.importing.pyx12 import read_pyx12
from longshore.x12.dictionary.importing.schema import ImportSource
from longshore.x12.dictionary.lines import DictionaryError
from longshore.x12.dictionary.model import SegmentUse
from tests.unit.x12.dictionary.texts import small


def element(number: str, seq: int, usage: str = "R", inner: str = "") -> str:
    facts = f"<data_ele>{number}</data_ele><usage>{usage}</usage><seq>{seq:02d}</seq>"
    return f"<element>{facts}{inner}</element>"


def codes(*values: str) -> str:
    listed = "".join(f"<code>{each}</code>" for each in values)
    return f"<valid_codes>{listed}</valid_codes>"


def segment(xid: str, *elements: str, usage: str = "R", most: str = "1") -> str:
    facts = f"<name>x</name><usage>{usage}</usage><pos>1</pos><max_use>{most}</max_use>"
    return f'<segment xid="{xid}">{facts}{"".join(elements)}</segment>\n'


def loop(xid: str, *inner: str, usage: str = "R", most: str = "&gt;1", kind: str = "") -> str:
    facts = f"<name>x</name><usage>{usage}</usage><pos>1</pos><repeat>{most}</repeat>"
    return f'<loop xid="{xid}" type="{kind}">{facts}\n{"".join(inner)}</loop>\n'


def whole(*inner: str, guide: str = "005010X999", xid: str = "837") -> str:
    reference = f'<element xid="ST03">{codes(guide)}</element>'
    header = f'<segment xid="ST">{reference}</segment>\n'
    st_loop = loop("ST_LOOP", header, *inner, segment("SE"), kind="explicit")
    body = loop("GS_LOOP", st_loop)
    return f'<transaction xid="{xid}"><name>Our "claim"</name>\n{body}</transaction>'


BHT = segment("BHT", element("1005", 1, inner=codes("0019")), element("353", 2))
NM1 = ("NM1", element("1065", 2), element("1035", 3, "S"))
COMPOSITE = (
    "<composite><data_ele>C022</data_ele><usage>R</usage><seq>01</seq>"
    f"{element('1270', 1, inner=codes('ABK'))}{element('1271', 2)}</composite>"
)
OTHERS = (
    "<composite><data_ele>C022</data_ele><usage>S</usage><seq>02</seq><repeat>2</repeat>"
    f"{element('1270', 1)}{element('1271', 2)}</composite>"
)
MAP = whole(
    loop(
        "HEADER",
        BHT,
        segment("REF", element("128", 1, inner=codes("87")), element("127", 2), usage="N"),
        loop("1000A", segment("NM1", element("98", 1, inner=codes("41")), *NM1[1:]), most="1"),
        loop(
            "1000B",
            segment("NM1", element("98", 1, inner=codes("40")), element("1065", 2)),
            most="9",
        ),
        kind="wrapper",
    ),
    loop(
        "2000A",
        segment("HL", element("628", 1), element("735", 3, inner=codes("20"))),
        loop(
            "2300",
            segment("CLM", element("1028", 1), element("C023", 2, "N")),
            segment("HI", COMPOSITE, OTHERS),
            segment("HI", COMPOSITE.replace("ABK", "AB"), usage="S"),
            usage="S",
            most="5",
        ),
        loop("2400", segment("LX", element("554", 1)), usage="N"),
    ),
)


def source(text: str, **names: str) -> ImportSource:
    return ImportSource(file="ours.xml", text=text, known=small(), **names)


def reasons(text: str, **names: str) -> list[str]:
    with pytest.raises(DictionaryError) as caught:
        read_pyx12(source(text, **names))
    return [each.reason for each in caught.value.faults]


def test_a_map_becomes_a_guide_that_passes_the_lint() -> None:
    imported = import_schema("pyx12", source(MAP))
    assert imported.warnings == ()
    assert imported.texts == {
        "005010X999_837.xd": (
            "# sources: ours.xml, imported\n"
            "guide 005010X999 on 837@005010 \"Our 'claim'\"\n"
            "  BHT R1 : 01R=0019 02R\n"
            "  loop 1000A R1 when NM1.01=41\n"
            "    NM1 R1 : 01R=41 02R 03S\n"
            "  loop 1000B R9 when NM1.01=40\n"
            "    NM1 R1 : 01R=40 02R\n"
            "  loop 2000A R* when HL.03=20\n"
            "    HL R1 : 01R 03R=20\n"
            "    loop 2300 S5\n"
            "      CLM R1 : 01R\n"
            "      HI R1 when HI.01.01=ABK : 01R(01R=ABK 02R) 02Sx2(01R 02R)\n"
            "      HI S1 when HI.01.01=AB : 01R(01R=AB 02R)\n"
        )
    }


def test_what_is_not_taken_over_is_a_warning_with_its_line() -> None:
    external = '<valid_codes external="states"><code>1</code></valid_codes><regex>x</regex>'
    text = whole(
        segment("REF", element("999", 1, inner=external), "<syntax>R0203</syntax><other/>"),
        segment("NM1", element("98", 9), element("98", 0)),
        segment("XX9", "<syntax>P0102</syntax>"),
        "<note/>",
        segment("DTM"),
        segment("DTM", element("374", 1)),
    )
    found = read_pyx12(source(text))
    assert [str(each) for each in found.warnings] == [
        "ours.xml:5: position 1 is 128 in the standard, not 999",
        "ours.xml:5: the external list states is not taken over",
        "ours.xml:5: <regex> is not taken over",
        "ours.xml:5: <other> is not taken over",
        "ours.xml:7: <syntax> is not taken over",
        "ours.xml:8: <note> is not taken over",
    ]
    assert [getattr(each, "when", None) for each in found.sets[0].body] == [None] * 5


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<a/>", "the file is no map of pyx12: <transaction> is missing"),
        (whole(xid="x"), "x is not a set such as 850: use --set"),
        ('<transaction xid="837"/>', "the map has no loop with the segment ST"),
        (
            whole(guide="005010"),
            "the map does not name its guide, such as 005010X222A1: use --guide",
        ),
        (whole(segment("toolong")), "toolong is not an id that the dictionary can have"),
        (whole(segment("REF", usage="O")), "O is not an id that the dictionary can have"),
        (whole(segment("REF", most="x")), "x is not a number of at most fifteen digits"),
        (whole(loop("1000", BHT, usage="S", most="y")), "y is not a number of at most fifteen dig"),
        (whole(loop("1000", loop("1100", BHT), BHT)), "a loop must begin with a segment"),
        (whole(BHT.replace("<usage>R</usage>", "", 1)), "<segment> has no usage"),
        (whole(loop("a-b", BHT)), "a-b is not an id that the dictionary can have"),
    ],
    ids=range(11),
)
def test_a_map_that_cannot_be_read_is_refused(text: str, reason: str) -> None:
    (found,) = reasons(text)
    assert found.startswith(reason)


def test_the_guide_and_its_release_can_be_given() -> None:
    (found,) = read_pyx12(source(whole(BHT, guide=""), guide="005010X888", release="004010")).sets
    assert (found.guide, found.release, found.functional_id) == ("005010X888", "004010", "")


def test_a_guide_that_allows_more_than_the_standard_is_refused_by_the_lint() -> None:
    text = whole(BHT.replace("<max_use>1<", "<max_use>2<"))
    with pytest.raises(DictionaryError) as caught:
        import_schema("pyx12", source(text))
    assert [str(each) for each in caught.value.faults] == [
        "005010X999_837.xd:3: the standard allows BHT 1 times here"
    ]


def test_newer_maps_have_attributes_in_place_of_children() -> None:
    element = '<element xid="BHT01" data_ele="1005" usage="R" seq="01"/>'
    other = '<element xid="BHT02" data_ele="353" usage="S" seq="02" repeat="1"/>'
    header = f'<segment xid="BHT" usage="S" max_use="2">{element}{other}</segment>'
    found = read_pyx12(source(whole(f'<loop xid="DETAIL" type="wrapper">{header}</loop>')))
    (use,) = found.sets[0].body
    assert isinstance(use, SegmentUse)
    assert (use.requirement, use.maximum) == ("S", 2)
    assert {at: rule.requirement for at, rule in use.rules.items()} == {1: "R", 2: "S"}
