"""Write the view ``tree`` of an XML document while it is read.

A node is ``{"step": "Line[2]", "null": true, "attributes": {"unit": "EA"}, "nodes": [...], "text":
"..."}``; all members but ``step`` are left out when empty. The steps of a node and its ancestors,
joined by ``.``, are the key of its text; that of an attribute has ``.@`` and its name appended.
Children stay in their order, whatever their names.
"""

from collections.abc import Callable
from json.encoder import encode_basestring as quoted


class TreeWriter:
    """Joins nodes to one JSON value; ``charge`` is called with each piece and may refuse it."""

    def __init__(self, charge: Callable[[bytes], None]) -> None:
        self._charge = charge
        self._json = bytearray()
        self._has_children: list[bool] = []  # per open element

    def start(self, step: str, attributes: dict[str, str], *, is_nil: bool) -> None:
        """Open a node; names of ``attributes`` are written as in keys."""
        if self._has_children:
            self._write("," if self._has_children[-1] else ',"nodes":[')
            self._has_children[-1] = True
        self._has_children.append(False)
        self._write(f'{{"step":{quoted(step)}')
        if is_nil:
            self._write(',"null":true')
        if attributes:
            members = (f"{quoted(name)}:{quoted(value)}" for name, value in attributes.items())
            self._write(f',"attributes":{{{",".join(members)}}}')

    def end(self, text: str) -> None:
        """Close the open node, whose text is ``text``."""
        if self._has_children.pop():
            self._write("]")
        self._write(f',"text":{quoted(text)}}}' if text else "}")

    def json(self) -> bytes:
        """Return the root node, once that is closed, as UTF-8 JSON."""
        return bytes(self._json)

    def _write(self, piece: str) -> None:
        encoded = piece.encode()
        self._charge(encoded)
        self._json += encoded
