"""Documents of every definition, taken apart into rules and written again: nothing is lost."""

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.mapping.addressing import Addressing
from longshore.mapping.envelopes import Stamp
from longshore.mapping.targets_x12 import X12Options, build_x12
from longshore.x12.samples.parts import SampleKind
from longshore.x12.samples.sample_set import Iteration, SampleSegment
from longshore.x12.validate.validation import validate
from longshore.x12.writer.segments import elements_of
from longshore.x12.writer.separators import DEFAULT_DELIMITERS
from tests.unit.mapping.written_rules import rules_of
from tests.unit.x12.valid_documents import Document, a_document, by_name

BY_NAME = by_name()
STAMP = Stamp(date="20260525", time="1133", interchange_number="417", group_number="417")


def paths(document: Document) -> Iterator[tuple[SampleSegment, str]]:
    """Yield each segment with its target path: the loops around it, counted in their parents."""
    counts: Counter[tuple[Iteration | None, str]] = Counter()
    names: dict[Iteration, str] = {}
    for item in document.items:
        around = item.within.parent if item.is_trigger else item.within
        tag = item.row[0]
        counts[around, tag] += 1
        prefix = names[around] + ">" if around in names else ""
        path = f"{prefix}{tag}[{counts[around, tag]}]"
        if item.is_trigger:
            names[item.within] = path
        yield item, path


def rewritten(document: Document) -> str:
    """Return a document written from rules that each name one value of it."""
    rules: list[tuple[str, str]] = []
    marks = DEFAULT_DELIMITERS
    if document.definition.release < "005010":
        marks = marks._replace(repetition="")
    for item, path in paths(document):
        for position, element in enumerate(elements_of("*".join(item.row), marks)):
            repetitions = element if isinstance(element, list) else [element]
            for number, repetition in enumerate(repetitions, 1):
                tgt = f"{path}.{position:02d}[{number}]"
                if isinstance(repetition, str):
                    rules.append((tgt, repetition))
                else:
                    rules += [(f"{tgt}.{at:02d}", text) for at, text in enumerate(repetition, 1)]
    found = [(tgt, text) for tgt, text in rules if text and ".00" not in tgt]
    definition = document.definition
    if definition.tx_set == "835" and definition.guide and definition.release >= "005010":
        found.append(("ST.03", definition.guide))  # it is written only if asked for
    said = Addressing(
        version=definition.guide or definition.release,
        tx_set=definition.tx_set,
        usage_indicator="T",
    )
    return build_x12(rules_of("x12", *found[::-1]), X12Options(layers=(said,), stamp=STAMP)).text


@pytest.mark.parametrize("name", BY_NAME)
@pytest.mark.parametrize("manner", [SampleKind.MINIMAL, SampleKind.FULL])
def test_a_document_comes_back_from_its_values(name: str, manner: SampleKind) -> None:
    document = a_document(BY_NAME[name], manner)
    assert rewritten(document).split("~") == document.text().split("~")


@given(st.sampled_from(list(BY_NAME)), st.integers(0, 10_000))
def test_any_document_comes_back_from_its_values(name: str, seed: int) -> None:
    document = a_document(BY_NAME[name], SampleKind.VARIED, seed)
    text = rewritten(document)
    assert sorted(text.split("~")) == sorted(document.text().split("~"))
    assert validate(lambda: (text,)).findings == ()
