"""What is kept of interchanges, groups and sets, and the acknowledgement codes of each."""

from longshore.engine import parse
from longshore.formats.document import findings_json
from longshore.x12.envelope import Envelope
from longshore.x12.findings import MAX_FINDINGS, Finding, Severity, Trigger
from tests.unit.x12.acks.acknowledged import case, walked
from tests.unit.x12.documents import GS, a_group, a_set, interchange, isa

IEA = "IEA*1*000000101"


def envelope_of(*segments: str, head: str = "") -> Envelope:
    return walked(interchange(*segments, head=head)).envelope


def test_a_group_knows_its_place_its_header_and_its_sets() -> None:
    first = a_group(*a_set(number="0001"), *a_set(number="0002"), sets=2, number="7")
    second = a_group(number="8", sets=0)
    envelope = envelope_of(*first, *second, "IEA*2*000000101")
    one, two = envelope.groups
    assert (one.interchange, one.header, one.trailer_count) == (0, GS.split("*"), "2")
    assert (one.functional_id, one.control_number, one.version) == ("PO", "7", "004010")
    assert (list(one.sets), list(two.sets), two.trailer_count) == ([1, 2], [], "0")
    assert (one.codes, two.codes, envelope.interchanges[0].codes) == ((), (), ())


def test_groups_of_later_interchanges_point_to_theirs() -> None:
    envelope = walked(case(13)).envelope
    assert [(each.interchange, list(each.sets)) for each in envelope.groups] == [(0, [1]), (1, [2])]


def test_a_group_without_isa_belongs_to_no_interchange() -> None:
    (group,) = walked("~".join((*a_group(*a_set()), ""))).envelope.groups
    assert (group.interchange, group.set_count) == (None, 1)


def test_a_set_knows_its_header_and_whether_it_ends() -> None:
    envelope = envelope_of(GS, "ST*850*0001*REF", *a_set(number="0002"), "GE*2*7", IEA)
    assert [(each.header, each.has_trailer, each.codes) for each in envelope.sets] == [
        (["ST", "850", "0001", "REF"], False, ("2",)),
        (["ST", "850", "0002"], True, ()),
    ]


def test_each_level_has_its_own_codes_once_in_the_order_found() -> None:
    segments = (
        GS.replace("*7*", "*A*"), "ST*85*1", "SE*9*2", *a_set(), *a_set(), "GE*9*8",
        GS, "ST*850*0001",
    )  # fmt: skip
    envelope = envelope_of(*segments, head=isa(e9="240230", e5="Z", e15="X"))
    assert envelope.interchanges[0].codes == ("005", "014", "020", "023")
    assert [each.codes for each in envelope.groups] == [("6", "4", "5"), ("3",)]
    assert [each.codes for each in envelope.sets] == [("6", "7", "3", "4"), (), ("23",), ("2",)]
    assert [each.trailer_count for each in envelope.groups] == ["9", None]


def test_codes_are_kept_beyond_the_findings() -> None:
    count = MAX_FINDINGS + 100
    sets = [text for _ in range(count) for text in ("ST*850*0001", "SE*3*0001")]
    envelope = envelope_of(GS, *sets, f"GE*{count}*7", "IEA*1*000000102")
    assert envelope.sets[0].codes == ("4",)
    assert {each.codes for each in envelope.sets[1:]} == {("23", "4")}
    assert envelope.interchanges[0].codes == ("001",)


def test_sets_without_end_are_reported_beyond_the_findings() -> None:
    count = MAX_FINDINGS + 100
    envelope = envelope_of(GS, *(f"ST*850*{number:04d}" for number in range(count)))
    assert [each.codes for each in envelope.sets] == [("2",)] * count
    assert envelope.groups[0].codes == ("3",)
    assert envelope.interchanges[0].codes == ("023",)


def test_segments_that_stand_wrong_concern_the_interchange() -> None:
    assert envelope_of("GE*1*7", "BEG*00", IEA).interchanges[0].codes == ("022", "024", "021")
    assert envelope_of(*a_set(), IEA).interchanges[0].codes == ("024", "021")
    assert walked("GE*1*7~ST*850*0001~SE*2*0001~").envelope.interchanges == []


def test_an_isa_that_was_trimmed_is_reported_apart() -> None:
    padded, trimmed = isa(), isa(padded=False)
    kept = [
        envelope_of(*a_group(sets=0), IEA, head=head).interchanges[0].is_fixed_width
        for head in (padded, trimmed)
    ]
    assert kept == [True, False]


def test_a_ta1_is_remembered() -> None:
    with_ta1 = envelope_of("TA1*000000077*240114*2359*A*000", "IEA*0*000000101")
    assert with_ta1.interchanges[0].has_ta1
    assert not envelope_of(IEA).interchanges[0].has_ta1


def test_the_fast_way_keeps_the_same_of_a_set() -> None:
    document = interchange(*a_group(*a_set("BEG*00*SA*PO-1")), IEA)
    assert parse(document).document.transactions_json == (
        parse(document, include=["segments"]).document.transactions_json
    )


def test_what_a_finding_carries_for_acknowledgements_is_in_no_answer() -> None:
    plain = Finding(code="x", severity=Severity.ERROR, message="")
    reported = Finding(
        code="x",
        severity=Severity.ERROR,
        message="",
        bad_value="SECRET",
        trigger=Trigger("CLM", 3),
    )
    assert findings_json((reported,)) == findings_json((plain,))
