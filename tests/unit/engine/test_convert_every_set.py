"""X12 to X12 of every set, release and guide, by rules that each carry one value over."""

from pathlib import Path

import pytest

from longshore.engine import validate
from longshore.x12.samples.parts import SampleKind
from tests.unit.engine.carried_over import carried_over
from tests.unit.x12.valid_documents import a_document, by_name

BY_NAME = by_name()
SAMPLES = sorted(Path(__file__).parents[3].glob("samples/*/input.edi"))


def segments_of(text: str) -> list[str]:
    """Return the segments between ST and SE."""
    return [segment.strip() for segment in text.split("~")][3:-4]


@pytest.mark.parametrize("name", BY_NAME)
@pytest.mark.parametrize("manner", [SampleKind.MINIMAL, SampleKind.FULL, SampleKind.VARIED])
def test_a_document_carried_over_is_whole_and_valid(name: str, manner: SampleKind) -> None:
    text = a_document(BY_NAME[name], manner, seed=7).text()
    converted = carried_over(text)
    validated = validate(converted.output)
    assert (validated.is_valid, validated.findings, converted.warnings) == (True, (), ())
    assert sorted(segments_of(converted.output)) == sorted(segments_of(text))


@pytest.mark.parametrize("path", SAMPLES, ids=[path.parent.name for path in SAMPLES])
def test_a_sample_carried_over_is_whole_and_valid(path: Path) -> None:
    text = path.read_text("ascii")
    output = carried_over(text).output
    assert validate(output).findings == ()
    assert segments_of(output) == segments_of(text)


def test_every_set_release_and_guide_is_there() -> None:
    described = {(each.tx_set, each.release, each.guide) for each in BY_NAME.values()}
    assert len(described) == len(BY_NAME) > 20
    assert {guide for _, _, guide in described} > {"005010X221A1", "005010X222A1", None}
