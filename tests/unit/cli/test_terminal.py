"""What is said for people of a refusal with several faults."""

import pytest

from longshore.cli.terminal import print_refusal
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError, more_in_details


def refusal(count: int) -> LongshoreError:
    details = tuple(
        ErrorDetail(code="invalid_parameter", param=f"a[{at}]", message=f"Fault {at}.")
        for at in range(count)
    )
    text = details[0].message + more_in_details(count)
    return LongshoreError(ErrorCode.INVALID_PARAMETER, text, details=details)


def test_each_fault_has_a_line_up_to_twenty_beyond_the_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_refusal(refusal(23), "order.json")
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == [
        "longshore: order.json: Fault 0. (invalid_parameter)",
        "longshore: order.json: a[1]: Fault 1.",
    ]
    assert lines[20:] == [
        "longshore: order.json: a[20]: Fault 20.",
        "longshore: order.json: … and 2 more; --json has them all",
    ]
