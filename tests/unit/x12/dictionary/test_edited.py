"""A body under many edits: what they cost, and that none is lost on the way."""

from __future__ import annotations

import gc
import time

import pytest

from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.lines import DictionaryError
from longshore.x12.dictionary.model import Definition, Loop, Node
from longshore.x12.dictionary.overlay import apply
from tests.unit.x12.dictionary.texts import faults

HEAD = 'overlay acme.850 on 850@004010 "ACME retail order"\n'
MAX_RATIO = 9  # of four times the lines: 4 if linear, 16 if quadratic


def base() -> Definition:
    definition = shipped().definition("850", "004010")
    assert definition is not None
    return definition


def applied(*lines: str) -> Definition:
    return apply(base(), HEAD + "".join(f"{line}\n" for line in lines), "acme.xd")


def ids(body: tuple[Node, ...]) -> list[str]:
    return [node.id if isinstance(node, Loop) else node.segment.id for node in body]


def loop(definition: Definition, label: str) -> Loop:
    [found] = [each for each in definition.body if each.label == label]
    assert isinstance(found, Loop)
    return found


def alternating(path: str, count: int) -> list[str]:
    """Return lines that put positions behind one, no two of a kind side by side."""
    return [f"extend {path} {'REF' if at % 2 else 'NTE'} O1" for at in range(count)]


KINDS = {
    "positions added": lambda count: alternating("BEG", count),
    "positions added in a loop": lambda count: alternating("lines.PO1", count),
    "a loop limited and added to in turn": lambda count: [
        line
        for at, each in enumerate(alternating("lines.PO1", count // 2))
        for line in (each, f"lines M{90_000 - at}")
    ],
    "elements of one segment": lambda count: ["BEG.03 len 1/22"] * count,
    "variants added to": lambda count: [
        "REF split 01 DP as department O1 | IA as vendor_number O1",
        *alternating("REF[vendor_number]", count),
    ],
}


@pytest.mark.parametrize("kind", KINDS)
def test_four_times_the_edits_cost_four_times_as_much(kind: str) -> None:
    def cost(count: int) -> float:
        lines = KINDS[kind](count)
        gc.collect()
        started = time.process_time()
        applied(*lines)
        return time.process_time() - started

    cost(50)
    small, large = (min(cost(count) for _ in range(3)) for count in (1_000, 4_000))
    assert large / small < MAX_RATIO


def test_what_is_added_stands_behind_its_place_the_last_one_first() -> None:
    definition = applied("extend BEG NTE O1", "extend BEG MSG O2", "extend lines.PO1 NTE O3")
    assert ids(definition.body)[:3] == ["BEG", "MSG", "NTE"]
    assert ids(definition.body)[3:] == ids(base().body)[1:]
    assert ids(loop(definition, "lines").body)[:2] == ["PO1", "NTE"]
    assert definition.extensions == ("BEG: NTE O1", "BEG: MSG O2", "lines.PO1: NTE O3")


def test_edits_of_a_loop_and_within_it_both_remain() -> None:
    definition = applied(
        "lines PO1.06 M", "lines M500", "extend lines.PO1 NTE O1", "lines M400", "lines.NTE O1"
    )
    lines = loop(definition, "lines")
    assert (lines.maximum, ids(lines.body)[:2]) == (400, ["PO1", "NTE"])
    assert lines.trigger.rules[6].requirement == "R"


def test_variants_of_a_loop_have_what_was_edited_in_it_before() -> None:
    definition = applied(
        "extend parties.N1 NTE O1",
        "parties split N1.01 ST as ship_to M1 | BT as bill_to O1",
        "parties[bill_to].NTE drop",
        "ship_to N1.03 M",
    )
    ship_to, bill_to = loop(definition, "ship_to"), loop(definition, "bill_to")
    assert ids(ship_to.body)[:2] == ["N1", "NTE"]
    assert "NTE" not in ids(bill_to.body)
    assert (set(ship_to.trigger.rules), set(bill_to.trigger.rules)) == ({3}, set())


def test_ordinals_count_what_stands_there_now() -> None:
    lines = ("extend BEG NTE O1", "extend CUR NTE O2", "NTE[2] drop", "extend REF NTE O3")
    definition = applied(*lines, "NTE[2].01 drop", "NTE[1] drop")
    assert ids(definition.body)[:4] == ["BEG", "CUR", "REF", "NTE"]
    found = definition.body[3]
    assert (found.maximum, found.layer) == (3, "acme.850")


def test_a_refused_edit_changes_nothing_for_those_behind_it() -> None:
    lines = ("extend BEG BEG O1", "extend BEG NTE O1", "extend BEG NTE O1", "NTE O1", "NTE[2] O1")
    with pytest.raises(DictionaryError) as raised:
        applied(*lines)
    assert faults(raised) == [
        (
            2,
            "two BEG side by side: the one before it has no condition and takes every such segment",
        ),
        (
            4,
            "two NTE side by side: the one before it has no condition and takes every such segment",
        ),
        (6, "NTE[2] names nothing here"),
    ]
