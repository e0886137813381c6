"""What has to hold for any formula over any document: a value, findings, or a catalogue error."""

from collections.abc import Sequence
from functools import cache
from json import loads
from pathlib import Path
from random import Random
from re import findall

from longshore.engine.convert import convert
from longshore.kit.errors import LongshoreError
from longshore.mapping.envelopes import Stamp
from longshore.mapping.formulas.functions import SIGNATURES
from tests.fuzz.oracles import in_time

_PAGE = Path("docs/reference/formulas.md")
_PIECES = (
    *("(", ")", ",", "+", "-", "*", "/", "%", "&", "=", "<>", "<", ">=", " and ", " or ", " not "),
    *('"', '""', '"x"', "{", "}", "0", "1", "2.50", "null", "true", "9" * 40, "1e5", ".", "_", "é"),
    *("{l[*].q}", "{l[*].t}", "{m[*].q}", "{l[*].r[*].q}", "n", "t", "d", "none", "{l[0].q}"),
    *(f"{name}(" for name in SIGNATURES),
)
_VALUES = (
    "1",
    "-2.50",
    '"7"',
    '"a"',
    '""',
    "null",
    "true",
    "1e9",
    '"20260230"',
    '"20260304"',
    "[]",
)
_TARGETS = ("v", "l[*].v", "l[*].r[*].v")
_STAMP = Stamp(date="20260304", time="0815", seconds="30")
_LOOKUPS = {"units": {"EA": "piece", "1": "one"}}
_REFUSALS = frozenset(("invalid_formula", "invalid_mapping_rule", "limit_exceeded"))


@cache
def seeds() -> Sequence[str]:
    """Return the formulas of the reference page."""
    lines = _PAGE.read_text(encoding="utf-8").splitlines()
    found = [findall(r"`([^`]+)`", line) for line in lines if line.startswith("| `")]
    return [codes[1] if codes[0].startswith('{"') else codes[0] for codes in found]


def mutate(texts: Sequence[str], draw: Random) -> str:
    """Join, cut and change formulas."""
    text = draw.choice(texts)
    for _ in range(draw.choice((1, 2, 4))):
        at = draw.randint(0, len(text))
        until = min(at + draw.choice((0, 0, 1, 5)), len(text))
        piece = draw.choice((draw.choice(_PIECES), draw.choice(texts)))
        text = text[:at] + piece + text[until:]
    return text


def _document(draw: Random) -> str:
    def value() -> str:
        return draw.choice(_VALUES)

    def rows(count: int, inner: str = "") -> str:
        return ",".join(f'{{"q":{value()},"t":{value()}{inner}}}' for _ in range(count))

    within = f',"r":[{rows(draw.randint(0, 3))}]'
    lists = f'"l":[{rows(draw.randint(0, 4), within)}],"m":[{rows(draw.randint(0, 2))}]'
    return f'{{"n":{value()},"t":{value()},"d":{value()},{lists}}}'


def formulas(text: str, draw: Random, *, is_thorough: bool) -> None:
    """Convert a document by a formula, for one of the targets."""
    rule = {"tgt": draw.choice(_TARGETS), "formula": text, "type": "raw", "on_duplicate": "append"}
    rules = [rule, {"src": "l[*].q", "tgt": "l[*].q"}]
    document = _document(draw)
    refusal = in_time(lambda: _refusal_of(rules, document, is_explained=is_thorough))
    if refusal is None:
        return
    assert refusal.code in _REFUSALS, refusal.code
    details = [each for each in refusal.details if each.param == "field_map[0].formula"]
    assert all(1 <= (each.position or 1) <= len(text) + 1 for each in details)


def _refusal_of(
    rules: Sequence[object], document: str, *, is_explained: bool
) -> LongshoreError | None:
    try:
        made = convert(
            document,
            rules,
            source_format="json",
            lookups=_LOOKUPS,
            stamp=_STAMP,
            is_explained=is_explained,
        )
    except LongshoreError as error:
        return error
    assert isinstance(loads(made.output), dict)
    return None
