"""The content of a receipt (MDN), for those that need no cryptographic library."""

from __future__ import annotations

from dataclasses import dataclass, field

from longshore.as2.algorithms import Mic


@dataclass(frozen=True, slots=True, kw_only=True)
class As2Receipt:
    """The content of a receipt that was read."""

    original_message_id: str
    """With its angle brackets."""
    disposition: str
    """The part behind the mode: ``processed``, ``processed/error: decryption-failed``."""
    mic: Mic | None
    is_signed: bool
    """True if a pinned key has signed it."""
    text: str = field(default="", repr=False)
    """The text for people, cut."""

    @property
    def is_positive(self) -> bool:
        """True if the message was taken; a warning does not change that."""
        kind, _, modifier = self.disposition.partition("/")
        return kind == "processed" and (not modifier or modifier.startswith("warning"))
