"""Received acknowledgements before they are applied, with their errors mapped back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from longshore.domain.acks.back_mapping import (
    MOST_ERRORS,
    errors_of,
    noted_positions,
    our_sets,
    rules_by_target,
)
from longshore.domain.acks.matching import AckOrigin
from longshore.domain.acks.model import AckError, AckForm
from longshore.domain.acks.rows import Errors
from longshore.domain.ports import AccountId
from longshore.domain.transactions.model import InterchangeId
from longshore.formats.charset import decode
from longshore.formats.x12doc import LATIN_1
from longshore.kit.environment import Environment
from longshore.x12.acks.read import GroupAck, ReceivedTa1, SetAck
from longshore.x12.dictionary.library import shipped
from longshore.x12.walk import Walk


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedAck:
    """An acknowledgement as it was read: a 997 or 999, or a TA1.

    ``digest``: its ``reconcile.content_digest``: of the segments from ST to SE, or of the TA1.
    """

    ack: GroupAck | ReceivedTa1
    origin: AckOrigin
    digest: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedAck:
    """An acknowledgement, and what took long to find out about it.

    ``received.digest`` is keyed by now. ``expected``: the interchange that it answered when that
    was looked up, None for none. ``errors``: brought back to our document, by transaction.
    """

    received: ReceivedAck
    expected: InterchangeId | None = None
    errors: Errors = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedAcks:
    """The acknowledgements of one interchange, in its order. ``owner``: whose it is, and where."""

    owner: tuple[AccountId, Environment]
    acks: tuple[PreparedAck, ...]


MOST_OF_ONE: Final = 20  # a partner corrects himself once or twice


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedSetAck:
    """What an acknowledgement says of a set of ours.

    ``tx_index``: which set of the document it is, from 1.
    """

    tx_index: int
    form: AckForm
    ack: SetAck


def bounded(received: Iterable[ReceivedAck]) -> Iterator[ReceivedAck]:
    """Yield acknowledgements in order; of those about one group or interchange, the first 20.

    Each can change every set of its group. So one document that repeats a small acknowledgement
    of a large group would cost the product of both.
    """
    counts: Counter[tuple[object, ...]] = Counter()
    for each in received:
        about = _about(each)
        counts[about] += 1
        if counts[about] <= MOST_OF_ONE:
            yield each


def _about(received: ReceivedAck) -> tuple[object, ...]:
    """Return what an acknowledgement is about; leading zeros of its number do not count."""
    ack, pair = received.ack, received.origin.pair
    number = ack.control_number.lstrip("0")
    if isinstance(ack, GroupAck):
        return pair, ack.functional_id, number
    return pair, number, ack.date, ack.time


def note_count(ack: SetAck) -> int:
    """Return how many errors of a set are kept, at most."""
    return min(sum(1 + len(each.elements) for each in ack.segments), MOST_ERRORS)


def errors_in(
    content: bytes, complaints: Sequence[ReceivedSetAck], lineage: str | None
) -> list[tuple[AckError, ...]]:
    """Return the errors of each complaint, as they stand in our document.

    ``content``: the document as we sent it. ``lineage``: the stored ``explain`` of the conversion
    that made it, None where no map did.
    """
    text, charset = decode(content)
    positions: dict[int, frozenset[int]] = {}
    for each in complaints:
        known = positions.get(each.tx_index, frozenset())
        positions[each.tx_index] = known | noted_positions(each.ack)
    rules = {} if lineage is None else rules_by_target(lineage)
    walk = Walk(lambda: (text,), is_single_octet=charset == LATIN_1)
    ours = our_sets(walk, positions, shipped(), rules)
    return [errors_of(each.ack, each.form, ours[each.tx_index]) for each in complaints]
