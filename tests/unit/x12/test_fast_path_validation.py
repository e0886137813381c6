"""A small document without findings is validated in one step, with equal results."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.x12.acks.build import preview_acks
from longshore.x12.samples.parts import SampleKind
from longshore.x12.validate import validation
from longshore.x12.validate.validation import Options, Validation, validate
from tests.unit.x12.mutated import mutated
from tests.unit.x12.valid_documents import a_document, by_name, enveloped

SAMPLES = sorted((Path(__file__).parents[3] / "samples").glob("[0-9]*/input.edi"))
DEFINITIONS = by_name()


def said(found: Validation) -> dict[str, object]:
    """Return everything a validation says, its acknowledgement included."""
    names = [name for name in found._fields if name != "envelope"]
    envelope = found.envelope
    summaries = (envelope.interchanges, envelope.groups, envelope.sets)
    counts = (envelope.segment_count, envelope.set_count, envelope.first_group_version)
    acks = [ack.text for _, ack in preview_acks(envelope, found.results)]
    return {name: getattr(found, name) for name in names} | {
        "summaries": summaries,
        "counts": counts,
        "acks": acks,
    }


def the_general_way(text: str) -> Validation:
    """Validate without the look at the whole document."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(validation, "_validate_clean", lambda *_: None)
        return validate(lambda: (text,))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.parent.name)
def test_a_sample_is_common_and_says_the_same_the_general_way(path: Path) -> None:
    text = path.read_text("ascii")
    found = validation._validate_clean(lambda: (text,), Options())  # noqa: SLF001 - whether it is taken
    assert found is not None
    assert said(found) == said(the_general_way(text))


@given(
    st.sampled_from(sorted(DEFINITIONS)),
    st.sampled_from([SampleKind.MINIMAL, SampleKind.VARIED]),
    st.integers(0, 2**32),
)
def test_both_ways_say_the_same_of_any_document(name: str, manner: SampleKind, seed: int) -> None:
    definition, random = DEFINITIONS[name], Random(seed)
    sets = [a_document(definition, manner, seed + at).rows for at in range(1 + seed % 2)]
    text = enveloped(definition, *(mutated(rows, random) if seed % 3 else rows for rows in sets))
    assert said(validate(lambda: (text,))) == said(the_general_way(text))


def test_a_document_in_pieces_goes_the_general_way() -> None:
    text = SAMPLES[0].read_text("ascii")
    assert validation._validate_clean(lambda: (text[:500], text[500:]), Options()) is None  # noqa: SLF001
    whole, parts = validate(lambda: (text,)), validate(lambda: (text[:500], text[500:]))
    assert said(parts) == said(whole)


def test_a_release_that_is_only_near_is_said() -> None:
    text = (SAMPLES[-2]).read_text("ascii").replace("*X*004010~", "*X*004030~")
    (finding,) = validate(lambda: (text,)).findings
    assert finding.message == "checked against release 004010, the nearest available"
