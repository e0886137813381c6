"""What rows have in common that hold sealed content."""

from typing import Final

from longshore.storage.sealing import WRAPPED_BYTES

# As long as the wrapped key that takes its place: SQLite then changes the row where it lies,
# however long its content is.
NO_KEY: Final = bytes(WRAPPED_BYTES)
"""Stands where a wrapped key will, from the insertion of a row until it has its id."""
