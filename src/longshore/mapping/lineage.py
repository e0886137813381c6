"""Find the fields of a source that no rule used.

Source: fields-and-mapping.md section 8 (``unused``).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable

from longshore.x12.control import CONTROL_IDS

_AFTER_ID = re.compile(r"[.\[]")
_SET = re.compile(r"ST\[([0-9]+)\]/")
_COMPONENT = re.compile(r"(.*\.[0-9]{2,3}(?:\[[0-9]+\])?)\.[0-9]{2,3}")


def keys_of_sets(keys: Iterable[str]) -> dict[int, list[str]]:
    """Return the keys of each set of an X12 document by its index, from 1, in order.

    Those of the envelope are with the first set.
    """
    sets = defaultdict[int, list[str]](list)
    for key in keys:
        sets[_tx_index_of(key)].append(key)
    return sets


def unused_x12(keys: Iterable[str], reads: Collection[str]) -> list[str]:
    """Return the keys of an X12 document that are not among ``reads``, in order.

    Keys of the envelope are left out. A composite was read if it or all its components were read,
    and with it its components.
    """
    body = [key for key in keys if not _is_control(key)]
    parents = {key: match[1] for key in body if (match := _COMPONENT.fullmatch(key))}
    unread_parts = {parent for key, parent in parents.items() if key not in reads}
    whole = {parent for parent in parents.values() if parent not in unread_parts}
    return [
        key
        for key in body
        if key not in reads and key not in whole and parents.get(key) not in reads
    ]


def unused_fields(keys: Iterable[str], reads: Collection[str]) -> list[str]:
    """Return the keys of a JSON, XML or CSV document that are not among ``reads``, in order."""
    return [key for key in keys if key not in reads]


def _is_control(key: str) -> bool:
    """Return whether a key is of the envelope; those of further sets have a prefix before ``/``."""
    return "/" not in key and _AFTER_ID.split(key, maxsplit=1)[0] in CONTROL_IDS


def _tx_index_of(key: str) -> int:
    match = _SET.match(key)
    return int(match[1]) if match else 1
