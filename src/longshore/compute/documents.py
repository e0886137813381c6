"""The work on documents by names that a worker process can import, and nothing it does not need."""

from collections.abc import Collection
from typing import TypedDict, Unpack

from longshore.engine import parse


class ParseOptions(TypedDict, total=False):
    """What a caller of parse may choose, by the engine's names."""

    format: str
    elem_sep: str | None
    seg_term: str | None
    include: Collection[str]
    csv_header: bool
    release: str
    guide: str


def parse_result(document: str, **chosen: Unpack[ParseOptions]) -> bytes:
    """Return the result members of a parsed document."""
    return parse(document, **chosen).result_json()
