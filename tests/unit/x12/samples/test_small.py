"""Samples and faults of a small dictionary, which has what definitions can have."""

from dataclasses import fields, replace
from itertools import islice

import pytest

from longshore.x12.dictionary.model import Definition, SegmentUse
from longshore.x12.findings import FindingCode
from longshore.x12.samples.faults import FAULTS, broken_rows, faults
from longshore.x12.samples.interchange import interchange, text_of
from longshore.x12.samples.numbers import SeededNumbers
from longshore.x12.samples.parts import SampleKind
from longshore.x12.samples.sample_set import SampleSet, sample_set
from longshore.x12.validate.validation import Options, validate
from tests.unit.x12.dictionary.texts import GUIDE, defined, small

# The guide leaves REF02 unused, of which, or of REF03, the standard requires one.
DICTIONARY = small({"guides/005010X999.xd": GUIDE.replace("02R:5/20", "03S")})
ORDER = defined("850", "005010", dictionary=DICTIONARY)
CLAIM = defined("837", "005010", "005010X999", DICTIONARY)
OF_ORDERS = {FindingCode.CODE_INVALID, FindingCode.LINE_COUNT_WRONG}
OF_GUIDES = {
    *(FindingCode.CODE_NOT_USED, FindingCode.SEGMENT_UNDER_MINIMUM),
    FindingCode.LOOP_UNDER_MINIMUM,
}


def found(sample: SampleSet, rows: list[list[str]]) -> list[dict[str, object]]:
    text = text_of(interchange(sample, [rows], 1))
    findings = validate(lambda: (text,), options=Options(dictionary=DICTIONARY)).findings
    return [
        {each.name: getattr(finding, each.name) for each in fields(finding)} for finding in findings
    ]


@pytest.mark.parametrize("definition", [ORDER, CLAIM], ids=lambda each: each.tx_set)
def test_samples_are_valid_and_faults_are_found_exactly(definition: Definition) -> None:
    made = set()
    for kind in SampleKind:
        sample = sample_set(definition, kind, 3)
        assert found(sample, sample.rows) == []
        for code in FAULTS:
            for fault in islice(faults(code, sample, SeededNumbers(3)), 3):
                made.add(code)
                expected = [each.members() for each in fault.expected]
                reported = found(sample, broken_rows(sample, fault))
                stated = [
                    {name: finding[name] for name in members}
                    for finding, members in zip(reported, expected, strict=True)
                ]
                assert stated == expected
    assert made & (OF_ORDERS | OF_GUIDES) == (OF_GUIDES if definition.guide else OF_ORDERS)


def test_a_full_sample_of_a_guide_has_what_it_allows() -> None:
    rows = sample_set(CLAIM, SampleKind.FULL, 0).rows
    claim = ["CLM", "HI", "HI", "HI"]
    assert [row[0] for row in rows] == ["BHT", "REF", "NM1", "NM1", "HL", "NM1", "HL", *claim * 2]
    assert rows[1][:3] == ["REF", "87", ""]
    assert [row[1].split(":")[0] for row in rows[-3:]] == ["ABK", "ABF", "ABF"]
    assert [row[1:3] for row in rows if row[0] == "HL"] == [["1", ""], ["2", "1"]]


def test_a_position_that_is_not_used_is_left_out() -> None:
    header, *others = ORDER.body
    assert isinstance(header, SegmentUse)
    definition = replace(ORDER, body=(replace(header, requirement="N"), *others))
    rows = sample_set(definition, SampleKind.FULL, 0).rows
    assert "BEG" not in {row[0] for row in rows}
