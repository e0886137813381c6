"""The work on documents by names that a worker process can import, and nothing it does not need."""

from collections.abc import Collection
from functools import lru_cache
from typing import Final, TypedDict, Unpack

from longshore.engine import parse, schema, schemas, validate
from longshore.formats.document import json_text

# All definitions that come with Longshore are fewer; the largest takes 600 kB and 30 ms to write.
_MOST_SCHEMAS: Final = 64


class Separators(TypedDict, total=False):
    """What a caller may say about an X12 document."""

    elem_sep: str | None
    seg_term: str | None
    release: str
    guide: str


class ParseOptions(Separators, total=False):
    """What a caller of parse may choose, by the engine's names."""

    format: str
    include: Collection[str]
    csv_header: bool


def parse_result(document: str, **chosen: Unpack[ParseOptions]) -> bytes:
    """Return the result members of a parsed document."""
    return parse(document, **chosen).result_json()


def validate_result(document: str, **chosen: Unpack[Separators]) -> bytes:
    """Return the result members of a validated document."""
    return validate(document, **chosen).result_json()


def schemas_result() -> bytes:
    """Return the list of sets as result members."""
    return json_text({"schemas": schemas()})


@lru_cache(maxsize=_MOST_SCHEMAS)
def schema_result(tx_set: str, release: str, guide: str) -> bytes:
    """Return the description of a set as result members.

    Raises:
        LongshoreError: not_found.
    """
    return json_text({"schema": schema(tx_set, release, guide)})
