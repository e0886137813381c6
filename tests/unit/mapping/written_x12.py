"""X12 built from rules said in one line each, and what of it a test looks at."""

from dataclasses import replace

import pytest

from longshore.kit.errors import ErrorDetail, LongshoreError
from longshore.mapping.addressing import Addressing
from longshore.mapping.cells import Built
from longshore.mapping.envelopes import Stamp
from longshore.mapping.targets_x12 import X12Options, build_x12
from tests.unit.mapping.written_rules import rules_of

STAMP = Stamp(date="20260115", time="1405")
OPTIONS = X12Options(layers=(Addressing(tx_set="850"),), stamp=STAMP)


def options(**said: str) -> X12Options:
    """Return options of an 850, other members of the envelope by name."""
    layer = Addressing(tx_set="850")
    for member, text in said.items():
        layer = replace(layer, **{member: text})  # type: ignore[arg-type]
    return X12Options(layers=(layer,), stamp=STAMP)


def built(*rules: tuple[object, ...], of: X12Options = OPTIONS) -> Built:
    """Return what rules, given as in ``rules_of``, become."""
    return build_x12(rules_of("x12", *rules), of)


def body(*rules: tuple[object, ...], of: X12Options = OPTIONS) -> str:
    """Return the segments between ST and SE, separated by blanks."""
    text = built(*rules, of=of).text
    terminator = text[105]
    segments = text.split(terminator)[:-1]
    assert [each[:2] for each in segments[:3]] == ["IS", "GS", "ST"]
    assert segments[-3].split(text[3])[1] == str(len(segments) - 4)
    return " ".join(segments[3:-3])


def header(tag: str, *rules: tuple[object, ...], of: X12Options = OPTIONS) -> list[str]:
    """Return the elements of one envelope segment, padded as they are."""
    text = built(*rules, of=of).text
    found = [each for each in text.split(text[105]) if each.startswith(tag + text[3])]
    assert len(found) == 1
    return found[0].split(text[3])


def warnings(*rules: tuple[object, ...], of: X12Options = OPTIONS) -> list[tuple[str, str, str]]:
    """Return code, param and tgt of each warning."""
    return [(each.code, each.param, each.tgt) for each in built(*rules, of=of).warnings]


def refusals(
    *rules: tuple[object, ...], of: X12Options = OPTIONS
) -> tuple[str, list[tuple[str, str | None]]]:
    """Return the code of a refusal, and code and param of its details."""
    with pytest.raises(LongshoreError) as caught:
        built(*rules, of=of)
    details: tuple[ErrorDetail, ...] = caught.value.details
    return caught.value.code, [(each.code, each.param) for each in details]
