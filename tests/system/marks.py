"""Marked secrets, and the search for them in everything a server says (reliability.md S13)."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

CONTENT = "JaneQPatient4711"
"""Stands in every element of every document, and in rules, names and notes."""

EMAIL = "marked.owner.4712@example.com"
PASSWORD = "marked password 4713"
WRONG_PASSWORD = "marked guess 4714"


def spellings(mark: str | bytes) -> set[bytes]:
    """Return how a mark may be written: as it is, escaped, in base64 or hexadecimal; small."""
    text = mark.encode() if isinstance(mark, str) else mark
    written = {text, text.hex().encode(), quote(text).encode()}
    written.add(json.dumps(text.decode("latin-1"))[1:-1].encode())
    for shift in range(3):  # where in a group of three octets it begins
        encoded = base64.b64encode(b"\0" * shift + text)
        inner = encoded[4 if shift else 0 : len(encoded) // 4 * 4 - 4]
        written |= {inner, inner.replace(b"+", b"-").replace(b"/", b"_")}
    return {each.lower() for each in written}


@dataclass
class Said:
    """One answer, or a stream."""

    where: str
    text: bytes


@dataclass
class Marks:
    """What must not be said, by its name."""

    secrets: dict[str, str | bytes] = field(default_factory=dict)

    def found_in(self, said: Said, without: tuple[str, ...] = ()) -> dict[str, bytes]:
        """Return the marks that stand in it, as ``name in where``, each with its surroundings."""
        text = said.text.lower()
        found = {}
        for name, mark in self.secrets.items():
            places = [text.find(each) for each in spellings(mark) if name not in without]
            if (place := max(places, default=-1)) >= 0:
                found[f"{name} in {said.where}"] = said.text[max(0, place - 120) : place + 40]
        return found


def marked(value: object) -> object:
    """Return a JSON value of the same shape in which every text is the mark, but for names.

    The name of a transform that nobody knows is repeated, as are names of members.
    """
    if isinstance(value, Mapping):
        return {
            name: member if name == "transform" else marked(member)
            for name, member in value.items()
        }
    if isinstance(value, list):
        return [marked(item) for item in value]
    return CONTENT if isinstance(value, str) else value
