"""Formulas over small documents, and what came of them."""

from collections.abc import Mapping, Sequence
from json import dumps
from types import MappingProxyType
from typing import Final

import pytest

from longshore.engine.convert import convert
from longshore.engine.converted import Converted
from longshore.kit.errors import LongshoreError
from longshore.mapping.envelopes import Stamp

STAMP: Final = Stamp(date="20260304", time="0815", seconds="30")
LOOKUPS: Final = MappingProxyType({"units": {"EA": "each", "5": "five"}})
DOCUMENT: Final = """{
"n": 5, "price": 12.750, "t": "abc", "digits": "0042", "yes": true, "none": null, "empty": "",
"huge": 1e2000, "vast": 1e99999999999, "long": %s,
"lines": [{"sku": "A", "qty": 2, "tags": ["x", "y"]}, {"sku": "B", "qty": "10"}, {"sku": null}],
"orders": [
  {"no": "1", "rows": [{"p": 1}, {"p": 2}]}, {"no": "2"}, {"no": "3", "rows": [{"p": 7}]}]
}""" % ("1" * 1001)


def converted(rules: Sequence[object], document: str = DOCUMENT, **options: object) -> Converted:
    chosen = {"source_format": "json", "lookups": LOOKUPS, "stamp": STAMP, **options}
    return convert(document, rules, **chosen)  # type: ignore[arg-type]


def formula(text: str, tgt: str = "v", **others: object) -> dict[str, object]:
    return {"tgt": tgt, "formula": text, **others}


def result_of(text: str, document: str = DOCUMENT, **options: object) -> str:
    """Return the value of a formula as JSON, or why there is none."""
    made = converted([formula(text, type="raw")], document, **options)
    messages = [each.message for each in made.warnings if each.code != "nothing_converted"]
    if messages:
        assert made.output == "{}"
        return "; ".join(messages).removesuffix("; the value is missing")
    return made.output if made.output == "{}" else made.output[len('{"v":') : -1]


def results_of(texts: Mapping[str, str]) -> dict[str, str]:
    return {text: result_of(text) for text in texts}


def refusal_of(text: str, tgt: str = "v", **others: object) -> tuple[str, int | None, str]:
    """Return code, position and message of a formula that is refused."""
    with pytest.raises(LongshoreError) as caught:
        converted([formula(text, tgt, **others)])
    (detail,) = caught.value.details
    assert caught.value.code == "invalid_formula"
    return detail.code, detail.position, detail.message.partition(": ")[2]


def order(**members: object) -> str:
    return dumps(members)
