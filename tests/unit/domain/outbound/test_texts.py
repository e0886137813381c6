"""What is told of a record that was not sent, and of one that was made of another."""

import pytest

from longshore.domain.outbound.errors import unsent_text
from longshore.domain.outbound.submission import origin_of
from longshore.x12.findings import Finding, Severity

MISSING = Finding(
    code="mandatory_missing",
    severity=Severity.ERROR,
    message="mandatory element is missing",
    path="BEG.03",
)
COUNT = Finding(code="se_count", severity=Severity.ERROR, message="SE01 counts 5 segments")


@pytest.mark.parametrize(
    ("errors", "count", "text"),
    [
        ((MISSING,), 1, "an error and was not sent: mandatory element is missing (BEG.03)."),
        (
            (MISSING, COUNT),
            2,
            (
                "2 errors and was not sent: mandatory element is missing (BEG.03); SE01 counts 5"
                " segments."
            ),
        ),
        (
            (COUNT,) * 100,
            120,
            (
                "120 errors and was not sent: SE01 counts 5 segments; SE01 counts 5 segments; SE01"
                " counts 5 segments; and 117 more."
            ),
        ),
    ],
    ids=["one", "two", "many"],
)
def test_what_was_not_sent_names_its_first_three_errors(
    errors: tuple[Finding, ...], count: int, text: str
) -> None:
    assert unsent_text(errors, count) == f"The document has {text}"


def test_a_record_says_of_which_other_it_was_made_and_why_if_that_was_told() -> None:
    assert origin_of("Reissued", 7, " ") == "Reissued from transaction 7."
    assert origin_of("Corrected", 7, "wrong unit ") == "Corrected from transaction 7: wrong unit"
