"""Whole sets taken off the text: only good ones, and nothing else is said of any document."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longshore.x12.samples.parts import SampleKind
from longshore.x12.validate import rules
from longshore.x12.validate.validation import validate
from tests.unit.x12.mutated import mutated
from tests.unit.x12.valid_documents import a_document, by_name, enveloped
from tests.unit.x12.validate.whole import learning_at_once, said, sample_sets, taken

DEFINITIONS = by_name()
SETS = ("850_purchase_order", "810_invoice", "856_ship_notice", "835_remittance", "837p_claim")


@pytest.fixture(autouse=True)
def _at_once() -> Iterator[None]:
    with learning_at_once():
        yield


@pytest.mark.parametrize("line_break", ["", "\n", "\r\n"], ids=["none", "LF", "CRLF"])
@pytest.mark.parametrize("folder", SETS)
def test_all_sets_but_the_first_are_taken_whole(folder: str, line_break: str) -> None:
    text = sample_sets(folder, 12, line_break)
    validate(lambda: (text,))
    assert taken(text) == 12
    assert said(text) == said(text, is_whole=False)
    assert said(text)[0].error_count == 0  # type: ignore[attr-defined]  # a Validation


@settings(max_examples=25)  # each makes patterns of its own
@given(
    st.sampled_from(sorted(DEFINITIONS)),
    st.sampled_from([SampleKind.MINIMAL, SampleKind.VARIED, SampleKind.VARIED]),
    st.sampled_from(["", "\n"]),
    st.integers(0, 2**32),
)
def test_the_same_is_said_of_any_document(
    name: str, manner: SampleKind, line_break: str, seed: int
) -> None:
    definition, random = DEFINITIONS[name], Random(seed)
    good = [a_document(definition, manner, seed + at).rows for at in range(2)]
    bad = [mutated(random.choice(good), random) for _ in range(4)]
    text = enveloped(definition, *good, *good, *bad, *good).replace("~", "~" + line_break)
    with learning_at_once():
        assert said(text) == said(text, is_whole=False)


def test_sets_with_a_segment_that_has_no_pattern_are_checked_segment_by_segment() -> None:
    definition = DEFINITIONS["270_005010X279A1"]  # the pattern of its HI would be too long
    rows = a_document(definition, SampleKind.FULL, 1).rows
    assert "HI" in {row[0] for row in rows}
    text = enveloped(definition, rows, rows, rows)
    assert taken(text) == 0
    assert said(text) == said(text, is_whole=False)
    assert said(text)[0].error_count == 0  # type: ignore[attr-defined]  # a Validation


# What is wrong with the fifth of eight sets, and no pattern can tell by the segments alone.
CHANGES = {
    "number of another set": ("850_purchase_order", "ST*850*0005", "ST*850*0002"),
    "SE02 differs": ("850_purchase_order", "*0005~ST*850*0006", "*0009~ST*850*0006"),
    "SE01 is wrong": ("850_purchase_order", "SE*28*0005", "SE*29*0005"),
    "SE has more": ("850_purchase_order", "*0005~ST*850*0006", "*0005*X~ST*850*0006"),
    "ST03 is surplus": ("850_purchase_order", "ST*850*0005", "ST*850*0005*X"),
    "ST03 is odd": ("837p_claim", "ST*837*0005*005010X222A1", "ST*837*0005*00501\x1f"),
    "ST ends with a separator": ("850_purchase_order", "ST*850*0005", "ST*850*0005*"),
    "a separator too many": ("850_purchase_order", "*0005~BEG*00", "*0005~BEG*00"),
    "another set": ("850_purchase_order", "ST*850*0005", "ST*997*0005"),
    "a set nobody knows": ("850_purchase_order", "ST*850*0005", "ST*QQQ*0005"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_wrong_in_one_set_is_said_and_the_others_are_taken(change: str) -> None:
    folder, old, new = CHANGES[change]
    text = sample_sets(folder, 8)
    validate(lambda: (text,))
    assert text.count(old) == 1
    text = text.replace(old, new)
    assert taken(text) == 7 + (old == new)
    assert said(text) == said(text, is_whole=False)
    assert (said(text)[0].finding_count > 0) is (old != new)  # type: ignore[attr-defined]  # a Validation


@pytest.mark.parametrize(
    ("folder", "old", "new"),
    [
        ("850_purchase_order", "CTT*3*", "CTT*5*"),
        ("850_purchase_order", "CTT*3*", "CTT*04*"),
        ("856_ship_notice", "HL*2*1*O", "HL*2*9*O"),
        ("837p_claim", "HL*2*1*22", "HL*2*2*22"),
        ("810_invoice", "TDS*140400", "TDS*140401"),
        ("835_remittance", "CAS*PR*3*20", "CAS*PR*3*21"),
        ("837p_claim", "*185***11:B:1", "*186***11:B:1"),
        ("850_purchase_order", "N4*Port Merrin*ME", "N4*Port Merrin\x02*ME"),
        ("850_purchase_order", "N4*Port Merrin*ME", "N4*Port M\u00e9rrin*ME"),
        ("850_purchase_order", "*US~", "*US*~"),
    ],
)
def test_what_segments_alone_do_not_tell_is_looked_at(folder: str, old: str, new: str) -> None:
    text = sample_sets(folder, 3)
    validate(lambda: (text,))
    at = text.index(old, text.index("*0002~"))
    text = text[:at] + new + text[at + len(old) :]
    assert taken(text) == 2
    assert said(text) == said(text, is_whole=False)


def test_a_number_that_occurs_again_is_said() -> None:
    text = sample_sets("850_purchase_order", 4)
    validate(lambda: (text,))
    text = text.replace("*0003~", "*0002~")
    assert taken(text) == 3
    assert said(text)[0].findings[0].code == "set_control_number_repeated"  # type: ignore[attr-defined]
    assert said(text) == said(text, is_whole=False)


def test_a_set_that_was_read_in_windows_teaches_as_well() -> None:
    lines = "".join(f"PO1*{at}*1*EA*1**BP*A{at}~" for at in range(1, 1_001))
    one = sample_sets("850_purchase_order", 1)
    start, end = one.index("PO1*"), one.index("CTT*")
    text = (one[:start] + lines + "CTT*1000~" + one[one.index("~", end) + 1 :]).replace(
        one[one.index("SE*") : one.index("GE*")], ""
    )
    text = text.replace(
        "GE*", f"SE*{text[text.index('ST*') : text.index('GE*')].count('~') + 1}*0001~GE*"
    )
    assert (taken(text), taken(text)) == (0, 1)
    assert said(text) == said(text, is_whole=False)


def test_sets_outside_groups_and_of_a_second_group_are_followed() -> None:
    text = sample_sets("850_purchase_order", 4)
    validate(lambda: (text,))
    start, third = text.index("GS*"), text.index("ST*850*0003")
    group = text[start : text.index("ST*850*0001")]
    second = f"GE*2*{group.split('*')[6]}~{group.replace(group.split('*')[6], '77', 1)}"
    grouped = text[:third] + second + text[third:]
    assert (taken(grouped), said(grouped)) == (4, said(grouped, is_whole=False))
    bare = text.replace(group, "")
    assert (taken(bare), said(bare)) == (0, said(bare, is_whole=False))


def test_sets_cut_by_pieces_are_read_as_ever() -> None:
    text = sample_sets("810_invoice", 40)
    pieces = [text[at : at + 5_000] for at in range(0, len(text), 5_000)]
    assert said(*pieces) == said(text, is_whole=False)


def test_a_pattern_is_made_only_of_what_was_seen_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "_LEARNED_AFTER", 1_000)
    rules.rules_of.cache_clear()
    text = sample_sets("850_purchase_order", 12)
    segments = text.count("~") // 12
    counts = [taken(text) for _ in range(5)]
    assert counts[0] == 0
    assert counts[-1] == 12
    assert sum(count == 0 for count in counts) == -(-1_000 // (12 * segments))


def test_a_pattern_that_would_be_too_long_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "_MAX_SOURCE_CHARS", 1_000)
    text = sample_sets("850_purchase_order", 5)
    assert (taken(text), taken(text)) == (0, 0)
    assert said(text)[0].error_count == 0  # type: ignore[attr-defined]  # a Validation


def test_line_breaks_have_a_pattern_each_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "_MAX_SEPARATORS", 1)
    assert taken(sample_sets("850_purchase_order", 5)) > 0
    assert taken(sample_sets("850_purchase_order", 5, "\n")) == 0
