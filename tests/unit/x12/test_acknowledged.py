"""Whatever is wrong with a document, what answers it is a valid acknowledgement."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.x12.acks.build import preview_acks
from longshore.x12.acks.contexts import add_contexts
from longshore.x12.acks.profile import DEFAULT_PROFILE, AckProfile, AckType, Ta1Rule
from longshore.x12.findings import Severity
from longshore.x12.samples.parts import SampleKind
from longshore.x12.validate.validation import validate
from longshore.x12.walk import Walk
from tests.unit.x12.mutated import mutated
from tests.unit.x12.valid_documents import a_document, by_name, enveloped
from tests.unit.x12.variants import Variant, variants

DEFINITIONS = by_name()
ANSWERED = [name for name, each in DEFINITIONS.items() if each.functional_id != "FA"]
PROFILES = (
    DEFAULT_PROFILE,
    AckProfile(ack_type=AckType.A997, has_accepted_sets=False),
    AckProfile(ack_type=AckType.A999, ta1=Ta1Rule.ON_ERROR),
)


def answers_to(text: str, profile: AckProfile = DEFAULT_PROFILE) -> list[str]:
    validation = validate(lambda: (text,))
    add_contexts(Walk(lambda: (text,)), validation.results)
    made = preview_acks(validation.envelope, validation.results, profile)
    return [written.text for _, written in made]


# The loops of guides have names of up to six characters; element 447 of 005010 has four.
LONG_LOOP = ("element_too_long", "IK3", 3)


def errors_in(text: str) -> list[tuple[str, str | None, int | None]]:
    """Return the errors; a value that was received may be quoted with characters that only warn."""
    found = [
        (each.code, each.segment_id, each.element_position)
        for each in validate(lambda: (text,)).findings
        if each.severity is Severity.ERROR
    ]
    return [each for each in found if each != LONG_LOOP]


@pytest.mark.parametrize("name", ANSWERED)
def test_a_valid_document_is_accepted(name: str) -> None:
    [answer] = answers_to(a_document(DEFINITIONS[name], SampleKind.FULL).text())
    assert "~AK9*A*1*1*1~" in answer
    assert errors_in(answer) == []


@pytest.mark.parametrize("profile", PROFILES)
def test_what_answers_a_variant_is_valid(profile: AckProfile) -> None:
    answers = {answer for each in variants() for answer in _answers(each, profile)}
    assert len(answers) > 100
    for answer in answers:
        assert errors_in(answer) == []


def _answers(variant: Variant, profile: AckProfile) -> list[str]:
    return answers_to(variant.text, profile)


@given(st.sampled_from(ANSWERED), st.integers(0, 2**32), st.sampled_from(PROFILES))
def test_what_answers_any_document_is_valid(name: str, seed: int, profile: AckProfile) -> None:
    definition, random = DEFINITIONS[name], Random(seed)
    sets = [a_document(definition, SampleKind.VARIED, seed + at).rows for at in range(2)]
    document = enveloped(definition, *(mutated(rows, random) for rows in sets))
    for answer in answers_to(document, profile):
        assert errors_in(answer) == []
