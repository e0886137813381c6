"""Several words as one parameter of a query: neither engine takes a list the other takes.

A query keeps the rows whose word, between two separators, can be taken out of the text:

    replace(:words, ' ' || column || ' ', '') <> :words

No word holds the separator: they are those of enumerations, codes of sets and ids. Where a column
may, since others wrote it, the query says so.
"""

from collections.abc import Iterable
from typing import Final

SEPARATOR: Final = " "


def as_words(words: Iterable[object]) -> str | None:
    """Return the words as one text, None if there is none: then any fits."""
    texts = sorted(map(str, words))
    if not texts:
        return None
    return f"{SEPARATOR}{SEPARATOR.join(texts)}{SEPARATOR}"
