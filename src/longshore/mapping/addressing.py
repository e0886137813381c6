"""The addressing of an interchange: sender, receiver and version, from several layers.

Source: fields-and-mapping.md section 7, X12, point 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

from longshore.x12.control import element_at
from longshore.x12.delimiters import Delimiters


@dataclass(frozen=True, slots=True, kw_only=True)
class Addressing:
    """The envelope members of a request, of a partner's profile, or of an X12 source.

    ``""`` and None mean that a member is not given. Ids have no padding.
    """

    sender_qualifier: str = ""
    sender_id: str = ""
    receiver_qualifier: str = ""
    receiver_id: str = ""
    gs_sender_id: str = ""
    gs_receiver_id: str = ""
    version: str = ""
    """GS08."""
    usage_indicator: str = ""
    """ISA15."""
    tx_set: str = ""
    separators: Delimiters | None = None
    """The separators wanted; ``release`` is ignored."""

    def swapped(self) -> Addressing:
        """Return it with sender and receiver swapped."""
        return replace(
            self,
            sender_qualifier=self.receiver_qualifier,
            sender_id=self.receiver_id,
            receiver_qualifier=self.sender_qualifier,
            receiver_id=self.sender_id,
            gs_sender_id=self.gs_receiver_id,
            gs_receiver_id=self.gs_sender_id,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerEnvelope:
    """The envelope settings of a partner that apply to an X12 target."""

    addressing: Addressing
    has_fixed_separators: bool = False
    """No other separators may be chosen if values hold one of these."""
    replacement: str = ""
    """The character that replaces a separator in a value; ``""`` if such a value is refused."""


DEFAULTS: Final = Addressing(
    sender_qualifier="ZZ",
    sender_id="SENDER",
    receiver_qualifier="ZZ",
    receiver_id="RECEIVER",
    version="004010",
    usage_indicator="T",
)


def source_addressing(isa: list[str], gs: list[str], tx_set: str) -> Addressing:
    """Return the addressing in the headers of an X12 source.

    Args:
        isa: The id and the elements of the ISA, padded or not; empty without an ISA.
        gs: The id and the elements of the GS; empty without a GS.
        tx_set: The transaction set id.
    """
    texts = [element_at(isa, position).strip(" ") for position in range(17)]
    return Addressing(
        sender_qualifier=texts[5],
        sender_id=texts[6],
        receiver_qualifier=texts[7],
        receiver_id=texts[8],
        gs_sender_id=element_at(gs, 2),
        gs_receiver_id=element_at(gs, 3),
        version=element_at(gs, 8),
        usage_indicator=texts[15],
        tx_set=tx_set,
    )


def merge_addressings(layers: Sequence[Addressing]) -> Addressing:
    """Return each member from the first of ``layers`` that gives it, then from the defaults.

    A layer that gives an interchange id and no group id gives the same for both.
    """
    all_layers = [_with_group_ids(layer) for layer in (*layers, DEFAULTS)]
    addressing = {
        each.name: next(filter(None, (getattr(layer, each.name) for layer in all_layers)), None)
        for each in fields(Addressing)
    }
    return Addressing(**{name: value for name, value in addressing.items() if value})


def _with_group_ids(layer: Addressing) -> Addressing:
    return replace(
        layer,
        gs_sender_id=layer.gs_sender_id or layer.sender_id,
        gs_receiver_id=layer.gs_receiver_id or layer.receiver_id,
    )
