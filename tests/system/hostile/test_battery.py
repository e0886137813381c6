"""The hostile-input battery (reliability.md S1, R17): each case against the shipped server.

A data directory meets all cases, except for a sample of the documents that take long to validate.
PostgreSQL meets every case about requests and keys and a sample of the cases about documents, whose
work does not use the storage. With ``HOSTILE_CASES=all``, as in ``make faults``, both meet all.
"""

import os

import pytest

from tests.system.hostile import (
    cases_convert,
    cases_envelope,
    cases_formats,
    cases_http,
    cases_judged,
    cases_x12,
)
from tests.system.hostile.attack import Baseline, Case, attack
from tests.system.hostile.victim import Victim

EVERY_CASE = os.environ.get("HOSTILE_CASES") == "all"
CASES = (
    *cases_x12.CASES,
    *cases_judged.CASES,
    *cases_judged.FLOODS[:: 1 if EVERY_CASE else 8],
    *cases_formats.CASES,
    *cases_envelope.CASES,
    *cases_http.CASES,
    *cases_convert.CASES,
)
ABOUT_STORAGE = [case for case in CASES if case.name.startswith(("key:", "http:"))]
ABOUT_DOCUMENTS = [case for case in CASES if case not in ABOUT_STORAGE]
CASES_ON_POSTGRES = (*ABOUT_STORAGE, *ABOUT_DOCUMENTS[:: 1 if EVERY_CASE else 16])


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_answer_is_as_documented_and_the_server_lives_on(
    victim: Victim, baseline: Baseline, case: Case
) -> None:
    attack(victim, case, baseline)


@pytest.mark.parametrize("case", CASES_ON_POSTGRES, ids=str)
def test_every_answer_is_the_same_on_postgresql(
    victim_on_postgres: Victim, baseline_on_postgres: Baseline, case: Case
) -> None:
    attack(victim_on_postgres, case, baseline_on_postgres)


def test_both_storage_modes_meet_every_kind_of_case() -> None:
    """S1 asks for at least 120 cases in each, and no case about keys may be left to one of them."""
    kinds = {case.name.partition(":")[0] for case in CASES}
    assert {case.name.partition(":")[0] for case in CASES_ON_POSTGRES} == kinds
    assert min(len(CASES), len(CASES_ON_POSTGRES)) >= 120
    assert {case.name for case in CASES if case.name.startswith("key:")} <= {
        case.name for case in CASES_ON_POSTGRES
    }
