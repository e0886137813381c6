"""The transaction sets of the dictionary, for programs.

Source: contract.md section 3 (GET /api/v1/schemas).
"""

from __future__ import annotations

from collections.abc import Mapping

from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.x12.dictionary.export import schema_export
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.model import Definition


def schemas() -> list[Mapping[str, object]]:
    """Return what there is, one entry for each set and release, by set, oldest release first.

    ``{"tx_set", "name", "release", "functional_id", "guides"}``.

    Args:
        guides: On that release.
    """
    known = shipped()
    return [
        {
            "tx_set": entry.tx_set,
            "name": entry.title,
            "release": release,
            "functional_id": entry.functional_id,
            "guides": [
                guide
                for guide in entry.guides
                if known.guide_release(entry.tx_set, guide) == release
            ],
        }
        for entry in known.contents
        for release in entry.releases
    ]


def schema(tx_set: str, release: str = "", guide: str = "") -> Mapping[str, object]:
    """Return the segments and loops of a set, in order, with their elements.

    The shape is that of ``longshore.x12.dictionary.export.schema_export``. Without ``release`` it
    is that of the guide, or the newest there is.

    Raises:
        LongshoreError: not_found.
    """
    definition = find_definition(tx_set, release, guide)
    if definition is None:
        raise LongshoreError(
            ErrorCode.NOT_FOUND,
            "The dictionary has no such set, release or guide. GET /api/v1/schemas lists them.",
        )
    return schema_export(definition)


def find_definition(tx_set: str, release: str, guide: str) -> Definition | None:
    """Return a definition; without ``release`` that of the guide, or the newest there is."""
    known = shipped()
    releases = known.releases(tx_set) or ("",)
    newest = known.guide_release(tx_set, guide) if guide else releases[-1]
    return known.definition(tx_set, release or newest, guide or None)
