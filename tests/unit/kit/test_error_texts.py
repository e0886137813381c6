"""What a text says of several faults."""

import pytest

from longshore.kit.errors import more_in_details


@pytest.mark.parametrize(
    ("count", "text"),
    [(1, ""), (2, " There is one more: see details."), (3, " There are 2 more: see details.")],
)
def test_a_text_tells_how_many_faults_follow_the_first(count: int, text: str) -> None:
    assert more_in_details(count) == text
