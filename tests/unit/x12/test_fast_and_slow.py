"""The fast path reports exactly what the slow path reports, for documents with any faults.

Four optimisations make it fast: the check of a whole set, which only says that it has no fault;
patterns, which match whole segments; the automaton, which places segments without counting; and
moves, computed once from the definition. Without them every segment is checked element by element.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.x12.dictionary.model import SegmentUse
from longshore.x12.elements.check import check
from longshore.x12.elements.faults import ElementFault, SetContext
from longshore.x12.loops.placement import Placement
from longshore.x12.loops.recovery import Recovery
from longshore.x12.loops.slots import Slot
from longshore.x12.samples.parts import SampleKind
from longshore.x12.validate import rules, set_validator
from longshore.x12.validate.validation import Validation, validate
from tests.unit.x12.mutated import mutated
from tests.unit.x12.valid_documents import a_document, by_name, enveloped

DEFINITIONS = by_name()
AIDS = ("look", "patterns", "automaton", "moves")


@contextmanager
def without(*aids: str) -> Iterator[None]:
    """Switch off some of what makes it fast."""
    rules.rules_of.cache_clear()
    with pytest.MonkeyPatch.context() as patched:
        if "look" in aids:
            patched.setattr(rules.SetRules, "accepts", lambda *_: False)
        if "patterns" in aids:
            patched.setattr(rules, "patterns_for", lambda *_: None)
        if "automaton" in aids:
            patched.setattr(Placement, "_follow", lambda *_: None)
        if "moves" in aids:
            patched.setattr(Placement, "_place_counted", lambda *_: [])
        yield
    rules.rules_of.cache_clear()


def validated(*chunks: str) -> tuple[object, ...]:
    """Return everything that is said of a document."""
    found: Validation = validate(lambda: chunks)
    faults = {index: (each.faults, each.codes) for index, each in found.results.items()}
    return (found.findings, found.finding_count, found.error_count, faults)


@given(
    st.sampled_from(sorted(DEFINITIONS)),
    st.sampled_from([SampleKind.MINIMAL, SampleKind.VARIED, SampleKind.VARIED]),
    st.integers(0, 2**32),
)
def test_fast_and_slow_say_the_same(name: str, manner: SampleKind, seed: int) -> None:
    definition, random = DEFINITIONS[name], Random(seed)
    documents = [a_document(definition, manner, seed + at).rows for at in range(1 + seed % 3)]
    sets = [mutated(rows, random) if random.random() < 0.7 else rows for rows in documents]
    text = enveloped(definition, *sets)
    fast = validated(text)
    for aids in (
        ("look",),
        ("patterns",),
        ("look", "automaton"),
        ("look", "automaton", "moves"),
        AIDS,
    ):
        with without(*aids):
            assert validated(text) == fast


def test_the_mutated_documents_are_mostly_wrong() -> None:
    wrong = 0
    for seed, definition in enumerate(DEFINITIONS.values()):
        document = a_document(definition, SampleKind.VARIED, seed)
        text = document.text(mutated(document.rows, Random(seed)))
        wrong += not validate(lambda text=text: (text,)).is_valid  # type: ignore[misc]  # bound now
    assert wrong > len(DEFINITIONS) / 2


def test_the_slow_path_looks_at_every_segment(monkeypatch: pytest.MonkeyPatch) -> None:
    document = a_document(DEFINITIONS["204_004010"], SampleKind.FULL)
    text = document.text()
    seen: list[list[str]] = []
    different: set[tuple[str, ...]] = set()  # what is checked is remembered
    place = Recovery.place

    def placed(recovery: Recovery, row: list[str]) -> Slot | None:
        seen.append(row)
        return place(recovery, row)

    def checked(row: list[str], use: SegmentUse, context: SetContext) -> list[ElementFault]:
        different.add((*row,))
        return check(row, use, context)

    monkeypatch.setattr(Recovery, "place", placed)
    monkeypatch.setattr(set_validator, "check", checked)
    assert validated(text)[1] == 0
    assert (seen, different) == ([], set())
    with without(*AIDS):
        assert validated(text)[1] == 0
    assert seen == document.rows
    assert different == {(*row,) for row in document.rows}


@given(st.sampled_from(sorted(DEFINITIONS)), st.integers(0, 2**32), st.integers(20, 400))
def test_what_is_said_does_not_depend_on_chunks(name: str, seed: int, size: int) -> None:
    document = a_document(DEFINITIONS[name], SampleKind.VARIED, seed)
    text = document.text(mutated(document.rows, Random(seed)))
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    assert validated(*chunks) == validated(text)


def said_of_sets(text: str) -> list[tuple[object, ...]]:
    """Return what is said of sets, without where they stand in the document."""
    found = []
    for each in validate(lambda: (text,)).findings:
        values = {name: getattr(each, name) for name in each.__slots__}
        for name in ("offset", "line", "path", "tx_index"):
            del values[name]
        found.append((each.tx_index, *values.values()))
    return found


@given(st.sampled_from(sorted(DEFINITIONS)), st.integers(0, 2**32))
def test_a_set_is_validated_by_itself(name: str, seed: int) -> None:
    definition, random = DEFINITIONS[name], Random(seed)
    sets = [a_document(definition, SampleKind.VARIED, seed + at).rows for at in range(3)]
    sets = [mutated(rows, random) if random.random() < 0.6 else rows for rows in sets]
    alone = []
    for number, rows in enumerate(sets, 1):
        found = said_of_sets(enveloped(definition, rows))
        alone += [(each[0] and number, *each[1:]) for each in found]
    assert said_of_sets(enveloped(definition, *sets)) == alone
