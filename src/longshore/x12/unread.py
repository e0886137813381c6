"""Tell whether a text that stands outside every interchange may be a document of its own.

Networks put lines of their own before and behind an interchange, and nobody misses them. An
interchange whose ISA is damaged, a functional group behind IEA or a document of another format is
a loss: what was read is not all there is.

Source: x12.md sections 1.2 and 1.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from longshore.x12.layout import FILLER
from longshore.x12.other_formats import recognise

_CONTROL_SEGMENTS: Final = "ISA|IEA|GS|GE|ST|SE"
_COMMON_SEPARATORS: Final = "*|^\x1c\x1d\x1e\x1f"


def may_be_document(text: str, separators: Iterable[str]) -> bool:
    """Return whether a text has a control segment, or is a document of another format.

    Args:
        text: What was not read.
        separators: The element separators of the interchanges that were.
    """
    if recognise(text.lstrip(FILLER)) is not None:
        return True
    marks = re.escape("".join((_COMMON_SEPARATORS, *separators)))
    return re.search(rf"(?<![A-Za-z0-9])(?:{_CONTROL_SEGMENTS})[{marks}]", text) is not None
