"""An interchange that is written but for its numbers, and then filled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.domain.control_numbers.numbers import NumberRange
from longshore.domain.control_numbers.store import Allotment
from longshore.domain.outbound.control_numbers import (
    Drawn,
    becomes_low,
    envelope_numbers,
    preview_numbers,
)
from longshore.domain.outbound.envelope import EnvelopeParties, plan_envelope, write_envelope
from longshore.domain.outbound.outlines import InterchangeOutline, NumberCollector, outline_of
from longshore.domain.outbound.templates import (
    Template,
    fill_template,
    mark_of,
    template_of,
    with_numbers,
)
from longshore.x12.walk import Walk
from tests.unit.domain.trading import NOW, US, some_terms
from tests.unit.x12.documents import a_set

TERMS = some_terms()
ADDRESSED = EnvelopeParties(own=US, terms=TERMS, usage="T")
SETS = "~".join((
    *a_set("BEG*00*SA*PO-1**20240115"),
    *a_set("BEG*00*SA*PO-2**20240115", number="0002"),
    *a_set("BIG*20240115*1", number="0003", set_id="810"),
    "",
))
DRAWN = Drawn(interchange=77, groups=(55, 56))
TWENTY = NumberRange(most=20)


def template(document: str = SETS) -> Template:
    walk, numbers = Walk(lambda: (document,)), NumberCollector()
    for spans in walk.span_lists():
        numbers.add(spans)
    groups = plan_envelope(Walk(lambda: (document,)), TERMS.version)
    preview = preview_numbers(groups, TERMS.settings, NOW)
    made, _ = template_of(groups, preview, ADDRESSED, mark_of(document))
    return with_numbers(made, numbers.found())


def test_filling_gives_the_text_that_is_written_with_these_numbers() -> None:
    made = template()
    numbers = envelope_numbers(made.groups, DRAWN, TERMS.settings, NOW)
    groups = plan_envelope(Walk(lambda: (SETS,)), TERMS.version)
    assert fill_template(made, numbers).text == write_envelope(groups, numbers, ADDRESSED).text


def test_the_outline_is_that_of_the_text() -> None:
    made = template()
    found = fill_template(made, envelope_numbers(made.groups, DRAWN, TERMS.settings, NOW))
    assert found.outline == outline_of(found.text)
    outline: InterchangeOutline = found.outline
    assert [(each.tx_index, each.set_id, each.control_number) for each in outline.sets] == [
        (1, "850", "0001"),
        (2, "850", "0002"),
        (3, "810", "0001"),
    ]


@given(st.text(max_size=200))
def test_no_document_holds_its_own_mark(document: str) -> None:
    mark = mark_of(document)
    assert (len(mark), mark in document) == (9, False)


def test_a_document_that_holds_the_mark_of_another_is_written_as_it_is() -> None:
    mark = mark_of(SETS)
    document = SETS.replace("PO-1", mark)
    made = template(document)
    assert len(made.pieces) == len(template().pieces)
    assert f"BEG*00*SA*{mark}**20240115~" in fill_template(made, made.preview).text


def test_little_is_left_with_the_draw_that_leaves_less_than_a_tenth() -> None:
    each = [Allotment((number,), number - 1) for number in range(1, 21)]
    assert [of.before for of in each if becomes_low(TWENTY, of)] == [18]
    assert becomes_low(TWENTY, Allotment((18, 19, 20), 17))
    assert not becomes_low(TWENTY, Allotment((20, 1), 19))


@pytest.mark.parametrize(
    ("before", "drawn", "is_told"),
    [(5, 18, False), (5, 19, True), (18, 20, True), (19, 20, False), (17, 1, True), (20, 1, False)],
)
def test_little_is_left_also_with_a_draw_that_passes_used_numbers_over(
    before: int, drawn: int, *, is_told: bool
) -> None:
    assert becomes_low(TWENTY, Allotment((drawn,), before)) is is_told
