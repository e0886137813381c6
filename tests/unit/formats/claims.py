"""What the tests of the formats say about a document: its fields, or its refusal."""

import json
from collections.abc import Callable

import pytest

from longshore.formats.document import ParsedDocument
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

TREE = frozenset({"tree"})


def fields_of(parsed: ParsedDocument) -> dict[str, str]:
    """Return the fields, having checked that no key stands twice and the count is true."""
    pairs: list[tuple[str, str]] = json.loads(parsed.fields_json, object_pairs_hook=list)
    fields = dict(pairs)
    assert len(pairs) == len(fields) == parsed.field_count
    return fields


def tree_of(parsed: ParsedDocument) -> object:
    tree: object = json.loads(parsed.views["tree"])
    return tree


def refusal_of(act: Callable[[], object]) -> tuple[ErrorCode, ErrorDetail]:
    """Return code and only detail of the refusal, whose message the envelope repeats."""
    with pytest.raises(LongshoreError) as caught:
        act()
    (detail,) = caught.value.details
    assert detail.message[1:] in caught.value.message
    return caught.value.code, detail


def fault_of(act: Callable[[], object]) -> tuple[str, int | None, int | None]:
    """Return exact code, offset and line of an unparseable document."""
    code, detail = refusal_of(act)
    assert (code, detail.param) == (ErrorCode.DOCUMENT_UNPARSEABLE, "document")
    return detail.code, detail.offset, detail.line


def limit_of(act: Callable[[], object]) -> tuple[str | None, int | None]:
    """Return name and maximum of the limit that a document passes."""
    code, detail = refusal_of(act)
    assert (code, detail.code) == (ErrorCode.LIMIT_EXCEEDED, ErrorCode.LIMIT_EXCEEDED)
    return detail.limit, detail.max
