"""Which definition validates each set of a document, and where its segments stand."""

from longshore.x12.loops.documents import DocumentPlacement, requested_definition
from longshore.x12.walk import Walk
from tests.unit.x12.documents import GS, a_set, interchange, isa
from tests.unit.x12.loops.sets import CLAIM, CLAIM_GUIDE, GUIDE, dictionary

DICTIONARY = dictionary(CLAIM, CLAIM_GUIDE)
BODY = ("BHT", "NM1*41", "NM1*40", "HL*1**20", "NM1*85", "N3")
STANDARD = [None, None, "heading", "heading", "1000", "1000", "2000", "2010", "2010", "summary"]
GUIDED = ["heading", "heading", "1000A", "1000B", "2000A", "2010AA", "2010AA", "summary"]


def locate(document: str, release: str = "", guide: str = "") -> list[str | None]:
    """Return the loop of each segment of a document."""
    walk = Walk(lambda: (document,))
    placement = DocumentPlacement(DICTIONARY, release, guide)
    loops: list[str | None] = []
    for spans in walk.span_lists():
        for span in spans:
            cursors = placement.of(span)
            assert placement.of(span) is cursors
            loops += [each.loop_id if each is not None else None for each in cursors]
    return loops


def a_document(*versions: str, st03: str = "", isa12: str = "00501", set_id: str = "900") -> str:
    """Return an interchange with a group a version, one set in each."""
    groups = []
    for version in versions:
        opening, *body, closing = a_set(*BODY, set_id=set_id)
        opening = f"{opening}*{st03}" if st03 else opening
        group = GS.replace("004010", version)
        groups += [group, opening, *body, closing, "GE*1*7"]
    end = f"IEA*{len(versions)}*000000101"
    return interchange(*groups, end, head=isa(e11="^", e12=isa12))


def test_the_group_says_which_definition_validates_its_sets() -> None:
    guided = [None, *GUIDED, None]
    assert locate(a_document("005010")) == [*STANDARD, None, None]
    assert locate(a_document(GUIDE)) == [None, *guided, None]
    assert locate(a_document("005010", GUIDE)) == [*STANDARD, None, *guided, None]


def test_the_set_goes_before_the_group_and_the_interchange_behind_it() -> None:
    assert locate(a_document("005010", st03=GUIDE))[2:10] == GUIDED
    assert locate(a_document("T"))[2:10] == STANDARD[2:]
    assert locate(a_document("T", isa12="00401")) == [None] * 12


def test_what_is_asked_for_goes_before_what_the_document_says() -> None:
    assert locate(a_document("T", isa12="00401"), release="005010")[2:10] == STANDARD[2:]
    assert locate(a_document("005010"), guide=GUIDE)[2:10] == GUIDED
    assert locate(a_document(GUIDE), release="005010")[2:10] == STANDARD[2:]
    assert locate(a_document("005010"), guide="005010X901") == [None] * 12
    assert locate(a_document("005010", set_id="901")) == [None] * 12


def test_a_release_and_a_guide_must_fit_each_other() -> None:
    found = requested_definition(DICTIONARY, "900", "005010", GUIDE)
    assert (found is not None, found and found.guide) == (True, GUIDE)
    assert requested_definition(DICTIONARY, "900", "004010", GUIDE) is None


def test_segments_outside_sets_and_other_control_segments_stand_in_no_loop() -> None:
    document = interchange(
        GS.replace("004010", "005010"), "NM1*X", "ST*900*0001", "BHT", "TA1*1", "HL*1", "GE*1*7",
        "NM1*X", "IEA*1*000000101", head=isa(e12="00501"),
    )  # fmt: skip
    assert locate(document) == [
        None, None, None, "heading", "heading", None, "2000", None, None, None,
    ]  # fmt: skip


def test_segments_without_any_envelope_stand_in_no_loop() -> None:
    assert locate("N1*A~N1*B~") == [None, None]
    assert locate("ST*900*0001~BHT~SE*2*0001~", release="005010") == [
        "heading",
        "heading",
        "summary",
    ]
