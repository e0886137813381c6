"""``sample`` makes the same document each time, and refuses what it cannot make."""

import pytest

from longshore.engine import LongshoreError, sample, validate
from longshore.x12.samples.envelope_faults import ENVELOPE_FAULTS

ISA = (
    "ISA*00*          *00*          *ZZ*ACME           *01*123456789      "
    "*260519*1530*U*00401*000000002*0*T*:~\n"
)
MINIMAL_ORDER = """\
GS*PO*ACME*123456789*20260519*1530*2*X*004010~
ST*850*0001~
BEG*00*SA*PO-18175**20260608~
PO1*1~
SE*4*0001~
GE*1*2~
IEA*1*000000002~
"""


def test_a_sample_depends_on_its_arguments_alone() -> None:
    made = sample(
        "850", "004010", kind="minimal", seed=1, sender="ZZ:ACME", receiver="01:123456789"
    )
    assert made.text == ISA + MINIMAL_ORDER
    facts = (made.tx_set, made.release, made.guide, made.kind, made.seed, made.fault)
    assert facts == ("850", "004010", None, "minimal", 1, None)
    assert made.expected == ()


def test_without_a_release_it_is_that_of_the_guide_or_the_newest() -> None:
    assert sample("850").release == "005010"
    assert sample("835", guide="004010X091A1").release == "004010"


def test_sets_are_counted_and_numbered() -> None:
    made = sample("850", "004010", count=3, seed=41)
    assert made.text.count("\nST*850*") == 3
    assert made.text.endswith("\nGE*3*42~\nIEA*1*000000042~\n")
    assert validate(made.text).findings == ()


@pytest.mark.parametrize("fault", ENVELOPE_FAULTS)
def test_an_envelope_has_the_fault_that_is_wanted(fault: str) -> None:
    for seed in (0, 999_999_998):  # whose control number is nine nines
        made = sample("850", "004010", seed=seed, count=2, fault=fault)
        (expected,) = made.expected
        (found,) = validate(made.text).findings
        members = {name: getattr(found, name) for name in expected.members()}
        assert members == expected.members()
        assert (found.code, made.fault) == (fault, fault)


def test_any_fault_is_chosen_by_the_seed() -> None:
    made = [sample("850", "004010", seed=seed, fault="any") for seed in range(8)]
    assert len({each.fault for each in made}) > 3
    for each in made:
        assert [found.code for found in validate(each.text).findings] == [each.fault]


def test_a_fault_is_in_the_first_of_several_sets() -> None:
    made = sample("850", "004010", count=2, fault="segment_over_maximum")
    (found,) = validate(made.text).findings
    assert (found.code, found.tx_index) == ("segment_over_maximum", 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": "odd"}, "kind must be one of minimal, plain, full, varied."),
        ({"seed": -1}, "seed must be 0 to 9007199254740991."),
        ({"count": 0}, "count must be 1 to 10000."),
        (
            {"sender": "ACME"},
            (
                "sender must be a qualifier and an id, such as ZZ:ACME: two, and two to fifteen,"
                " capital letters and digits."
            ),
        ),
        (
            {"kind": "minimal", "fault": "line_count_wrong"},
            "This document has no place for line_count_wrong; use another kind, seed or set.",
        ),
    ],
)
def test_what_no_sample_can_be_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(LongshoreError) as caught:
        sample("850", **arguments)  # type: ignore[arg-type]  # each of its own type
    (detail,) = caught.value.details
    assert (caught.value.code, caught.value.message) == ("invalid_parameter", message)
    assert detail.param in arguments


def test_an_unknown_fault_is_refused_with_those_there_are() -> None:
    with pytest.raises(LongshoreError) as caught:
        sample("850", fault="bogus")
    (detail,) = caught.value.details
    assert detail.allowed is not None
    assert {"any", "segment_missing", "set_count_wrong"} < set(detail.allowed)


def test_what_the_dictionary_does_not_have_is_refused() -> None:
    for arguments in (("123",), ("850", "003040"), ("850", "", "005010X222A1")):
        with pytest.raises(LongshoreError) as caught:
            sample(*arguments)
        assert caught.value.code == "not_found"
