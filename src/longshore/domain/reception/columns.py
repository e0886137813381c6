"""What documents say, as plain columns take it: short, and of characters to be seen.

A document may hold anything where an id or a number stands, such as NUL, which not every database
stores. What is longer than its place in X12 is cut; the document itself is stored byte for byte.
"""

from __future__ import annotations

from typing import Final

from longshore.domain.partners.addresses import Address, Pair
from longshore.domain.reception.store import NewGroup
from longshore.x12.control import GroupSummary, element_at

_MOST_CHARS: Final = 35  # no id, number or version is as long
_SUBSTITUTE: Final = "?"


def plain(text: str) -> str:
    """Return a text of a document as a plain column takes it."""
    shown = text.strip()[:_MOST_CHARS]
    if shown.isprintable():
        return shown
    return "".join(each if each.isprintable() else _SUBSTITUTE for each in shown)


def plain_pair(pair: Pair) -> Pair:
    """Return the addresses of an interchange likewise."""
    return Pair(*(Address(plain(each.qualifier), plain(each.id)) for each in pair))


def plain_group(group: GroupSummary) -> NewGroup:
    """Return the row of a group likewise."""
    return NewGroup(
        functional_id=plain(group.functional_id),
        sender_code=plain(element_at(group.header, 2)),
        receiver_code=plain(element_at(group.header, 3)),
        gs_control_number=plain(group.control_number),
        version=plain(group.version),
    )
