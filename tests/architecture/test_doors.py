"""The names that others build on: adding one is a decision, losing one breaks somebody."""

import doctest

from longshore import engine


def test_the_library_door_is_exactly_this() -> None:
    assert sorted(engine.__all__) == [
        "Acknowledgement",
        "CodeLists",
        "Converted",
        "ConvertedResult",
        "ErrorCode",
        "ErrorDetail",
        "ExpectedFinding",
        "Finding",
        "FindingCode",
        "GeneratedSample",
        "LongshoreError",
        "Output",
        "Parsed",
        "RedactedDocument",
        "RuleList",
        "RuleText",
        "SegmentStream",
        "Severity",
        "Stamp",
        "Validated",
        "acknowledge",
        "compile_rules",
        "convert",
        "parse",
        "read_code_lists",
        "redact",
        "sample",
        "schema",
        "schemas",
        "stream_segments",
        "validate",
    ]
    assert all(hasattr(engine, name) for name in engine.__all__)


def test_every_name_behind_the_door_says_what_it_is() -> None:
    assert [name for name in engine.__all__ if not getattr(engine, name).__doc__] == []


def test_the_example_at_the_door_runs() -> None:
    assert doctest.testmod(engine) == doctest.TestResults(failed=0, attempted=3)
