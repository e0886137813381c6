"""Answers that a browser saves instead of showing.

Nothing of what is stored is ever run: it comes as an attachment, which no browser shows, under a
policy that allows nothing (reliability.md section 4). A spreadsheet program is no browser:
it takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula. In a CSV file such a
cell gets an apostrophe before it, unless it is a plain number that nothing goes on with: what
follows a closing quote belongs to the cell too, and what follows a line end or a delimiter may.
Where a cell begins is decided for every delimiter that a spreadsheet program might take, since it
decides that by itself.
"""

import re
from typing import Final
from urllib.parse import quote

from longshore.http.envelope import Answer
from longshore.http.headers import Header

ANY_BYTES: Final = b"application/octet-stream"

_HEADERS: Final[tuple[Header, ...]] = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; sandbox"),
)
# The full-width forms count where keyboards type them.
_FORMULA: Final = re.compile(
    r'((?:^\ufeff?|[,;|\t\r\n])[ ]*+"?[ ]*+)'
    r"(?=[=+\-@\uff1d\uff0b\uff0d\uff20])"
    r"(?![+\-]?[0-9]++(?:[.,][0-9]++)*+(?:[eE][+\-]?[0-9]++)?+[ ]*+"
    r'"?[ ]*+(?:$|[,;|\t\r\n][\s"]*+(?![*/^&<>%])))'
)
_UNSAFE_IN_NAME: Final = re.compile(r"[^A-Za-z0-9._-]")


def attachment(content: bytes, filename: str, content_type: bytes = ANY_BYTES) -> Answer:
    """Return an answer that saves ``content`` under a name, whatever its type."""
    plain = _UNSAFE_IN_NAME.sub("_", filename)
    exact = quote(filename, safe="")
    disposition = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{exact}"
    headers = (*_HEADERS, (b"content-disposition", disposition.encode()))
    return Answer(content, content_type, headers=headers)


def without_formulas(csv: str) -> str:
    """Return a CSV text whose cells a spreadsheet program takes for what they say."""
    return _FORMULA.sub(r"\1'", csv)
