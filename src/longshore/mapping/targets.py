"""Documents of every target format, from what rules write.

Source: fields-and-mapping.md section 7.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from longshore.mapping.cells import Built
from longshore.mapping.targets_csv import build_csv
from longshore.mapping.targets_json import build_json
from longshore.mapping.targets_x12 import X12Options, build_x12
from longshore.mapping.targets_xml import build_xml
from longshore.mapping.writes import RuleWrites

_TEXTS: Final[Mapping[str, Callable[..., Built]]] = MappingProxyType({
    "json": build_json,
    "csv": build_csv,
    "xml": build_xml,
})


def build(
    target_format: str,
    rules: Sequence[RuleWrites],
    x12_options: X12Options | None,
    *,
    is_traced: bool = False,
) -> Built:
    """Return what rules write as a document; ``x12_options``: of X12 only.

    ``rules``: in list order, each of them, with targets of ``target_format``. ``is_traced``: they
    carry origins, and ``Built.written`` is wanted.

    Raises:
        LongshoreError: as the builder of the format says.
    """
    if target_format == "x12":
        assert x12_options is not None  # who wants X12 says how
        return build_x12(rules, x12_options, is_traced=is_traced)
    return _TEXTS[target_format](rules, is_traced=is_traced)
