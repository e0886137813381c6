"""What a new map begins with: nothing, or a copy of a starter map."""

import json
from typing import Final

from longshore.domain.maps.model import MapDefinition
from longshore.mapping.starters import starter

BLANK: Final = MapDefinition(
    name="",
    description="",
    source_fmt="x12",
    target_fmt="json",
    tx_set="",
    direction="inbound",
    field_map="[]",
    lookups="[]",
    sample=None,
    target_sample="",
    tests=(),
)


def copy_of_starter(key: str) -> MapDefinition:
    """Return the definition that a copy of a starter map begins with.

    Raises:
        LongshoreError: not_found.
    """
    found = starter(key)
    return MapDefinition(
        name=found.name,
        description=BLANK.description,
        source_fmt=found.source_fmt,
        target_fmt=found.target_fmt,
        tx_set=found.tx_set,
        direction=found.direction,
        field_map=json.dumps(found.field_map, ensure_ascii=False, separators=(",", ":")),
        lookups=json.dumps(found.lookups, ensure_ascii=False, separators=(",", ":")),
        sample=None,
        target_sample="",
        tests=(),
    )
