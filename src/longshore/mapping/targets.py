"""Build the output document of every target format from what rules write.

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
    """Build the output document from what rules write.

    Args:
        target_format: The format of the document.
        rules: What each rule writes, in list order, with targets of ``target_format``.
        x12_options: Options of X12 outputs only.
        is_traced: List the origins that the rules carry in ``Built.written``.

    Raises:
        LongshoreError: As the builder of the format.
    """
    if target_format == "x12":
        assert x12_options is not None  # callers that want X12 give its options
        return build_x12(rules, x12_options, is_traced=is_traced)
    return _TEXTS[target_format](rules, is_traced=is_traced)
