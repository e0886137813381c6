"""Convert documents by maps, and write what was made to files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from longshore.engine.convert import convert as convert_content
from longshore.engine.converted import X12, Converted
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.library.documents import Document
from longshore.library.sources import encoded_text
from longshore.mapping.envelopes import Stamp
from longshore.mapping.rules import RuleList
from longshore.mapping.starters import compiled


class HasContent(Protocol):
    """Protocol of a document or an acknowledgement, which can be written."""

    def content(self) -> bytes:
        """Return the octets of a file."""
        ...


def convert(  # noqa: PLR0913 - the options of ``engine.convert``
    document: Document | str | bytes,
    field_map: str | Sequence[object] | RuleList,
    *,
    source_format: str = X12,
    target_format: str = "json",
    csv_header: bool = True,
    envelope: Mapping[str, object] | None = None,
    tx_set: str = "",
    stamp: Stamp | None = None,
    is_explained: bool = False,
    is_split: bool = False,
) -> Converted:
    """Convert a document by a starter map or by rules.

    Args:
        document: A document of ``read``, or the text or bytes of one in any format.
        field_map: The key of a starter map, such as ``850-to-json``, or rules as ``engine.convert``
            takes them. Formats need not be named with a starter map.
        source_format: ``x12``, ``json``, ``csv`` or ``xml``.
        target_format: Likewise.
        csv_header: The first record of a CSV document names its columns.
        envelope: The envelope of an X12 target.
        tx_set: The set that the rules are for.
        stamp: Time and control numbers; required for an X12 target.
        is_explained: Also report the origin of each value.
        is_split: Make an output of each transaction set.

    Raises:
        LongshoreError: not_found: there is no such starter map; otherwise as ``engine.convert``.
        _no_conversion: A LongshoreError invalid_parameter: the document was read with separators of
            the caller.
        TypeError: An X12 target has no stamp, or ``document`` is none of these.
    """
    rules = compiled(field_map) if isinstance(field_map, str) else field_map
    # A text is UTF-8 to ``engine.convert``; of any other charset the octets have to be given.
    if isinstance(document, Document):
        if document.has_own_separators:
            raise _no_conversion()
        document = document.text if document.charset == "utf-8" else document.content()
    return convert_content(
        document,
        rules,
        source_format=source_format,
        target_format=target_format,
        csv_header=csv_header,
        envelope=envelope,
        tx_set=tx_set,
        stamp=stamp,
        is_explained=is_explained,
        is_split=is_split,
    )


def _no_conversion() -> LongshoreError:
    code = ErrorCode.INVALID_PARAMETER
    message = "A document that was read with elem_sep or seg_term cannot be converted."
    detail = ErrorDetail(code=code, param="document", message=message)
    return LongshoreError(code, message, details=(detail,))


def write(
    content: HasContent | str | bytes,
    target: str | os.PathLike[str],
    *,
    is_forced: bool = False,
) -> None:
    """Write a document, an acknowledgement, a text or bytes to a new file.

    Args:
        content: What to write; text is written as UTF-8, a document in its charset.
        target: The path of the file.
        is_forced: Replace a file that is there already.

    Raises:
        FileExistsError: There is such a file, and it is not to be replaced.
        OSError: The file cannot be written.
        LongshoreError: delimiter_in_data, document_unparseable: the content has no octets.
    """
    if isinstance(content, str):
        data = encoded_text(content)
    else:
        data = content if isinstance(content, bytes) else content.content()
    with Path(target).open("wb" if is_forced else "xb") as file:
        file.write(data)
