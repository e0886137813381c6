"""What people see of an X12 document: what it is made of, and its first segments with names."""

import pytest

from longshore.engine import LongshoreError, parse
from longshore.engine.listing import DocumentListing, NamedField
from tests.unit.x12.documents import an_850


def listing_of(document: str | bytes) -> DocumentListing:
    content = document.encode() if isinstance(document, str) else document
    return DocumentListing(lambda: iter([content[:7], content[7:]]))


def flat(listing: DocumentListing, most: int | None = None) -> dict[str, str]:
    return {each.key: each.value for fields in listing.fields(most) for each in fields}


def test_interchanges_groups_sets_and_segments_are_counted() -> None:
    document = an_850() * 3
    found = listing_of(document).summary()
    assert (found.interchanges, found.groups, found.sets) == (3, 3, 3)
    assert found.segments == parse(document).document.segment_count
    assert (dict(found.sets_by_id), found.charset) == ({"850": 3}, "utf-8")
    assert found.version == parse(document).document.version
    assert found.delimiters.element == "*"


def test_findings_are_those_of_parse() -> None:
    document = an_850().replace("SE*", "SE*9")
    found, parsed = listing_of(document).summary(), parse(document)
    assert (found.errors, found.warnings) == (parsed.errors, parsed.warnings)
    assert found.errors


@pytest.mark.parametrize(
    "document",
    [an_850() * 2, "N1*A~N1*B~", "BIN*3*a~b~ST*850~", "SV1*HC:99213:25*40~".encode("utf-16")],
    ids=["two interchanges", "a fragment", "binary", "another charset"],
)
def test_all_fields_are_those_of_parse(document: str | bytes) -> None:
    given = document.encode() if isinstance(document, str) else document
    assert flat(listing_of(document)) == parse(given).fields


def test_the_first_segments_are_cut_inside_a_set() -> None:
    fields = parse(an_850()).fields
    some = flat(listing_of(an_850()), 4)  # ISA, GS, ST, BEG
    assert some == {key: value for key, value in fields.items() if key in some}
    assert list(some)[-1].startswith("BEG.")
    assert flat(listing_of(an_850()), 10_000) == fields


def test_the_beginning_is_the_text_of_the_first_segments() -> None:
    document = an_850().replace("~", "~\n")
    some = listing_of(document).beginning(4)
    assert some == "".join(f"{text}~" for text in document.split("~\n")[:4])
    assert parse(some).fields == flat(listing_of(document), 4)
    assert listing_of(document).beginning(10_000) == document.replace("~\n", "~")
    both = an_850() + an_850().replace("~", "|")
    assert listing_of(both).beginning(10_000) == both


def test_elements_and_components_have_names() -> None:
    [fields] = listing_of("SV1*HC:99213*40~ZZZ*1~").fields()
    assert fields == [
        NamedField("SV1.01", "Procedure", "HC:99213"),
        NamedField("SV1.01.01", "Procedure, component 1", "HC"),
        NamedField("SV1.01.02", "Procedure, component 2", "99213"),
        NamedField("SV1.02", "Charge", "40"),
        NamedField("ZZZ.01", "", "1"),
    ]


def test_sets_of_at_most_a_hundred_kinds_are_counted_by_kind() -> None:
    kinds = [f"ST*{number}*1~SE*2*1~" for number in (*range(100, 250), 100)]
    document = "".join(kinds) + "ST~SE*2~"
    found = listing_of(document).summary()
    assert (found.sets, len(found.sets_by_id), found.sets_by_id["100"]) == (152, 100, 2)


def test_what_is_no_x12_is_refused() -> None:
    with pytest.raises(LongshoreError) as refused:
        listing_of("Dear partner").summary()
    assert refused.value.code == "document_unparseable"
