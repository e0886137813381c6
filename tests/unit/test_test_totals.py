"""The closing line of `make test` adds up the runs of pytest."""

from tools.test_totals import totals

REPORT = """\
....
12 passed, 3 deselected in 1.02s
FAILED tests/a.py::test_b - assert 3 passed
===== 1 failed, 20 passed, 2 skipped, 1 error in 61.20s (0:01:01) =====
"""


def test_the_runs_are_added_up_and_an_error_is_a_failure() -> None:
    assert totals(REPORT) == "32 passed, 2 failed, 2 skipped"
    assert totals("") == "0 passed, 0 failed, 0 skipped"
