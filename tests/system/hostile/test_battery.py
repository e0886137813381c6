"""The hostile-input battery (reliability.md S1, R17): each case against the shipped server."""

import pytest

from tests.system.hostile import cases_envelope, cases_formats, cases_http, cases_x12
from tests.system.hostile.attack import Baseline, Case, attack
from tests.system.hostile.victim import Victim

CASES = (
    *cases_x12.CASES,
    *cases_formats.CASES,
    *cases_envelope.CASES,
    *cases_http.CASES,
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_answer_is_as_documented_and_the_server_lives_on(
    victim: Victim, baseline: Baseline, case: Case
) -> None:
    attack(victim, case, baseline)
