"""Where every value of an output comes from, as JSON.

Source: fields-and-mapping.md section 8.
"""

from __future__ import annotations

from collections.abc import Iterable
from json import dumps

from longshore.mapping.cells import MAX_OUTPUT_BYTES, Written
from longshore.mapping.target_refusals import output_too_long

_GENERATED = "generated"


def explanation(written: Iterable[Written], unused: Iterable[str]) -> str:
    """Return the value of ``explain`` as JSON text.

    ``{"outputs": [{"tgt", "rule", "origin", "sources": [{"src", "span", "value"}], "before",
    "after"}], "unused": [key]}``; of what was generated ``rule`` and ``before`` are null.

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
    return f'{{"outputs":[{",".join(outputs)}],"unused":{_json(list(unused))}}}'


def _entry(written: Written) -> dict[str, object]:
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
