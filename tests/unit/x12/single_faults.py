"""Generated documents with one fault each, and what has to be said of it.

Worked out from the definition and from how the document was made, not from how it is placed. Where
the same segment could just as well be meant for a later place, there is no one fault to expect, and
the case is left out.
"""

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise
from typing import Final, NamedTuple

from longshore.x12.dictionary.model import STANDARD, Loop, Node, SegmentUse
from tests.unit.x12.valid_documents import Document, Item, Iteration

Row = list[str]


class Expected(NamedTuple):
    """``loop``: None where the segment stands in none."""

    code: str
    layer: str
    segment: str
    position: int
    loop: str | None


class Case(NamedTuple):
    rows: list[Row]
    expected: Expected


def tag_of(node: Node) -> str:
    return (node.trigger if isinstance(node, Loop) else node).segment.id


def iterations(document: Document) -> list[Iteration]:
    found = dict.fromkeys(each for item in document.items for each in item.within.around())
    return list(found)


def without_one(document: Document) -> Iterator[Case]:
    """Leave out what must be there: a segment, or a loop with all that is in it."""
    for within in iterations(document):
        for at, node in enumerate(within.nodes):
            is_trigger = within.loop is not None and at == 0
            if node.is_required and not is_trigger and not _is_swallowed(document, within, at):
                yield _left_out(document, within, at)


def _is_swallowed(document: Document, within: Iteration, at: int) -> bool:
    """Tell whether what follows outside could stand in the loops that the node would have ended."""
    items = document.items
    gone = [index for index, item in enumerate(items) if _node_in(item, within) == at]
    after = gone[-1] + 1
    if gone[0] == 0 or after == len(items) or _node_in(items[after], within) is not None:
        return False
    inner = items[gone[0] - 1].within.around()
    still_open = [each for each in inner if each is not within and within in each.around()]
    return any(_is_meant(each.nodes, items[after].row) for each in still_open)


def _left_out(document: Document, within: Iteration, at: int) -> Case:
    node, items = within.nodes[at], document.items
    gone = [index for index, item in enumerate(items) if _node_in(item, within) == at]
    group = _group(within, at)
    following = next(
        (
            index
            for index in range(gone[-1] + 1, len(items))
            if _node_in(items[index], within) not in group
        ),
        len(items),
    )
    kept = [index for index in range(len(items)) if index not in set(gone)]
    position = sum(index < following for index in kept) + 2
    alike = [each for each, other in enumerate(within.nodes) if tag_of(other) == tag_of(node)]
    is_alone = all(_node_in(items[index], within) not in alike for index in kept)
    is_standard = document.definition.guide is None or (node.base_requirement == "M" and is_alone)
    under = "loop_under_minimum" if isinstance(node, Loop) else "segment_under_minimum"
    loop = node.id if isinstance(node, Loop) else within.loop_id
    expected = Expected(
        "segment_missing" if is_standard else under,
        STANDARD if is_standard else document.definition.layer,
        tag_of(node),
        position,
        loop,
    )
    return Case([items[index].row for index in kept], expected)


def _node_in(item: Item, within: Iteration) -> int | None:
    """Return below which node of ``within`` an item stands; None if elsewhere."""
    at, each = item.at, item.within
    if each is within:
        return at
    while each.parent is not None:
        if each.parent is within:
            return each.at
        each = each.parent
    return None


def _group(within: Iteration, at: int) -> set[int]:
    """Return the nodes next to this one with the same tag, whose order is free."""
    tags = [tag_of(node) for node in within.nodes]
    start = end = at
    minimum = 0 if within.loop is None else 1
    while start > minimum and tags[start - 1] == tags[at]:
        start -= 1
    while end + 1 < len(tags) and tags[end + 1] == tags[at]:
        end += 1
    return set(range(start, end + 1))


def with_one_twice(document: Document) -> Iterator[Case]:
    """Write a segment twice that may occur once."""
    items = document.items
    for index, item in enumerate(items):
        node = item.within.nodes[item.at]
        count = sum(each.within is item.within and each.at == item.at for each in items)
        if item.is_trigger or isinstance(node, Loop) or node.maximum != 1 or count != 1:
            continue
        if _is_meant_ahead(item, item.within, item.at):
            continue
        is_standard = document.definition.guide is None or node.base_maximum == 1
        rows = [each.row for each in items]
        rows.insert(index + 1, item.row)
        layer = STANDARD if is_standard else document.definition.layer
        loop = item.within.loop_id
        yield Case(rows, Expected("segment_over_maximum", layer, item.row[0], index + 3, loop))


def with_two_swapped(document: Document) -> Iterator[Case]:
    """Swap neighbours of different tags, neither of which begins a loop."""
    items = document.items
    for index, (one, other) in enumerate(pairwise(items)):
        within = one.within
        if other.within is not within or one.is_trigger or one.row[0] == other.row[0]:
            continue
        before = items[index - 1].within.around() if index else iter(())
        inner = [each for each in before if within in list(each.around())[1:]]
        if any(_is_meant(each.nodes, other.row) for each in inner):
            continue
        between = within.nodes[: other.at]
        if _is_meant_ahead(one, within, other.at) or _is_meant(between, other.row):
            continue
        rows = [each.row for each in items]
        rows[index : index + 2] = [other.row, one.row]
        loop = within.loop_id
        expected = Expected("segment_out_of_order", STANDARD, one.row[0], index + 3, loop)
        yield Case(rows, expected)


def _is_meant_ahead(item: Item, within: Iteration, at: int) -> bool:
    """Tell whether a segment may also be meant for a place behind ``at``, here or further out."""
    ahead: tuple[Node, ...] = within.nodes[at + 1 :]
    each = within
    while each.parent is not None:
        ahead += each.parent.nodes[each.at :]
        each = each.parent
    own = item.within.nodes[item.at]
    return _is_meant(tuple(node for node in ahead if node is not own), item.row)


def _is_meant(nodes: tuple[Node, ...], row: Row) -> bool:
    return any(tag_of(node) == row[0] and _holds(node, row) for node in nodes)


def _holds(node: Node, row: Row) -> bool:
    use: SegmentUse = node.trigger if isinstance(node, Loop) else node
    when = node.when or use.when
    if when is None:
        return True
    text = row[when.position] if when.position < len(row) else ""
    if when.component is not None:
        text = (*text.split("^")[0].split(":"), *[""] * when.component)[when.component - 1]
    return text in when.values


class WrongAmount(NamedTuple):
    """Segments of which one states another amount; what is said: code, position, element."""

    rows: list[Row]
    expected: list[tuple[str, int, int]]


# By set, segment and element: what stands there no longer agrees.
_STATED: Final = {
    ("810", "TDS", 1): "invoice_out_of_balance",
    ("835", "BPR", 2): "payment_out_of_balance",
    ("835", "CLP", 4): "claim_out_of_balance",
    ("835", "SVC", 3): "service_out_of_balance",
    ("837", "CLM", 2): "claim_out_of_balance",
    ("837", "SVD", 2): "service_out_of_balance",
    **{(tx_set, "CTT", 1): "line_count_wrong" for tx_set in ("810", "850", "855", "856")},
}


def with_one_amount_wrong(document: Document) -> Iterator[WrongAmount]:
    """Add one to each amount and count that is stated."""
    tags = [row[0] for row in document.rows]
    for (tx_set, tag, element), code in _STATED.items():
        if tx_set != document.definition.tx_set:
            continue
        for at in [at for at, each in enumerate(tags) if each == tag]:
            rows = [list(row) for row in document.rows]
            rows[at][element] = f"{Decimal(rows[at][element]) + 1:f}"
            expected = [(code, at + 2, element)]
            if tag == "CLP":  # what a claim pays is part of the payment
                expected.insert(0, ("payment_out_of_balance", tags.index("BPR") + 2, 2))
            yield WrongAmount(rows, expected)
