"""Names in keys of JSON, XML and CSV documents (fields-and-mapping.md 2.2 to 2.5).

Invariant: the characters that build a key (``.`` ``[`` ``]`` ``/`` ``@`` ``{`` and the wildcards of
source paths) are unescaped only where this package writes them, so two positions of a document
never share a key.
"""

import re

_KEY_CHARACTERS = "\\.[]/*>@{"  # the backslash first: it must not escape our own escapes
_URI_CHARACTERS = "\\{}"
_ANY_KEY_CHARACTER = re.compile(r"[\\.\[\]/*>@{]")


def escape_name(name: str) -> str:
    r"""Return ``name`` with a backslash before each of ``\ . [ ] / * > @ {``: ``a\.b``."""
    if _ANY_KEY_CHARACTER.search(name) is None:
        return name
    return _escaped(name, _KEY_CHARACTERS)


def in_namespace(uri: str, local_name: str) -> str:
    """Return the expanded name ``{uri}local`` with its local part escaped.

    The URI is verbatim, so that ``{http://example.com/a}lang`` stays readable; only backslashes and
    braces, which no valid URI has, are escaped: the first ``}`` without a backslash ends it. A name
    in no namespace is written without braces.
    """
    local_name = escape_name(local_name)
    return f"{{{_escaped(uri, _URI_CHARACTERS)}}}{local_name}" if uri else local_name


def numbered(name: str, occurrence: int) -> str:
    """Return ``name`` for the first occurrence, ``name[n]`` for the n-th (from 1)."""
    return name if occurrence == 1 else f"{name}[{occurrence}]"


def _escaped(name: str, characters: str) -> str:
    # One pass per character in C stays linear and quick even for a name of a million dots.
    for character in characters:
        name = name.replace(character, "\\" + character)
    return name
