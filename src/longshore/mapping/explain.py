"""The origin of every value of an output, as JSON.

Source: fields-and-mapping.md section 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from json import dumps
from typing import TypedDict

from longshore.mapping.cells import MAX_OUTPUT_BYTES, Written
from longshore.mapping.rule import Rule
from longshore.mapping.target_refusals import output_too_long

_GENERATED = "generated"


class ExplainedSource(TypedDict):
    """A value that was read."""

    src: str
    span: Sequence[int] | None
    """Characters [start, end) of the document, 0-based."""
    value: str


class ExplainedTarget(TypedDict):
    """A position of the output. ``rule`` and ``before`` are None for generated values."""

    tgt: str
    rule: int | None
    origin: str
    sources: list[ExplainedSource]
    before: str | None
    after: str


class UnmatchedRule(TypedDict):
    """A rule that found nothing to write in the source."""

    rule: int
    src: list[str]
    tgt: str


class ExplainedConversion(TypedDict, total=False):
    """The contents of ``explanation``; empty unless requested."""

    outputs: list[ExplainedTarget]
    unused: list[str]
    """Keys of the source."""
    rules_without_value: list[UnmatchedRule]


def explanation(
    written: Iterable[Written], unused: Iterable[str], without_value: Iterable[Rule]
) -> str:
    """Return the value of ``explain`` as JSON text.

    It is an ``ExplainedConversion``.

    Raises:
        output_too_long: A LongshoreError limit_exceeded: longer than an output may be.
    """
    outputs: list[str] = []
    chars = 0
    for each in written:
        outputs.append(_json(_entry(each)))
        chars += len(outputs[-1])
        if chars > MAX_OUTPUT_BYTES:
            raise output_too_long(MAX_OUTPUT_BYTES)
    missing: list[UnmatchedRule] = [
        {"rule": rule.index, "src": [path.text for path in rule.sources], "tgt": rule.tgt}
        for rule in without_value
    ]
    return (
        f'{{"outputs":[{",".join(outputs)}],"unused":{_json(list(unused))},'
        f'"rules_without_value":{_json(missing)}}}'
    )


def _entry(written: Written) -> ExplainedTarget:
    tgt, rule, origin, after = written
    sources = () if origin is None else origin.sources
    return {
        "tgt": tgt,
        "rule": rule,
        "origin": _GENERATED if origin is None else origin.kind,
        "sources": [{"src": each.src, "span": each.span, "value": each.value} for each in sources],
        "before": None if origin is None else origin.before,
        "after": after,
    }


def _json(value: object) -> str:
    return dumps(value, ensure_ascii=False, separators=(",", ":"))
