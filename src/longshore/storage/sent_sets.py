"""The earlier answers to an interchange we sent, as acknowledgements are compared with them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from longshore.domain.acks.matching import SentGroup, SentSetState, worse_of
from longshore.domain.acks.model import APPLICATION_FORMS, AckForm, GroupId
from longshore.domain.partners.model import Pair
from longshore.domain.transactions.model import AckStatus, InterchangeId, TransactionId
from longshore.storage.queries import Row
from longshore.storage.times import from_us

_DIGEST_BYTES: Final = 32
_REFUSAL: Final = (AckForm.TA1, AckStatus.REJECTED)


class Answers:
    """Rows of the query ``list_answers``.

    A row keeps the digests of all that was answered to its set, one behind the other.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._last_at = {
            row["transaction_id"]: row["received_at"] for row in rows
        }  # the oldest come first
        self._by_set: dict[int, list[Row]] = {}
        for row in rows:
            self._by_set.setdefault(row["transaction_id"], []).append(row)
        # A TA1 that accepts says nothing of the sets: they wait for the 997.
        refused = [
            row["received_at"] for row in rows if (row["ack_type"], row["result"]) == _REFUSAL
        ]
        self._refused_at = refused[-1] if refused else None

    def to_group(self, group_id: int) -> frozenset[bytes]:
        """Return the digests of what was answered to a group."""
        return _digests(row["digests"] for row in self._rows if row["acked_group_id"] == group_id)

    def to_interchange(self) -> frozenset[bytes]:
        """Return the digests of the TA1s."""
        return _digests(row["digests"] for row in self._rows if row["ack_type"] == AckForm.TA1)

    def last_at(self, transaction_id: int) -> datetime | None:
        """Return when a set, or its interchange by a TA1 that refuses it, was answered last."""
        known = (self._last_at.get(transaction_id), self._refused_at)
        return from_us(max((each for each in known if each is not None), default=None))

    def of_application(
        self, transaction_id: int, sent_at: datetime | None
    ) -> tuple[AckStatus | None, bool]:
        """Return the worst that 277CAs and 824s said of a set since it was sent last.

        The second value is whether there is another kind of answer to it.
        """
        worst: AckStatus | None = None
        has_functional = self._refused_at is not None
        for row in self._by_set.get(transaction_id, ()):
            if row["result"] is None:
                continue
            if row["ack_type"] not in APPLICATION_FORMS:
                has_functional = True
            elif not _is_later(sent_at, from_us(row["received_at"])):
                result = AckStatus(row["result"])
                worst = result if worst is None else worse_of(worst, result)
        return worst, has_functional

    @staticmethod
    def last(digests: bytes) -> bytes | None:
        """Return the newest of the digests in a row."""
        return digests[-_DIGEST_BYTES:] or None


def sent_sets(
    rows: Iterable[Row], sent_at: datetime | None, answers: Answers
) -> tuple[SentSetState, ...]:
    """Return the sets of ``list_sent_sets``, delivered for the last time at ``sent_at``."""
    found = []
    for row in rows:
        answered_at = answers.last_at(row["id"])
        is_resent = _is_later(sent_at, answered_at)
        application, has_functional = answers.of_application(row["id"], sent_at)
        found.append(
            SentSetState(
                transaction_id=TransactionId(row["id"]),
                set_id=row["tx_set"],
                control_number=row["st_control_number"],
                ack=AckStatus(row["ack_status"]),
                is_resent=is_resent,
                application=application,
                has_functional=has_functional or application is None,
            )
        )
    return tuple(found)


def sent_group(
    pair: Pair, row: Row, group_id: int, sets: Sequence[Row], answers: Answers
) -> SentGroup:
    """Return a group with these of its sets, and what was answered to it."""
    sent_at = from_us(row["sent_at"])
    return SentGroup(
        group_id=GroupId(group_id),
        interchange_id=InterchangeId(row["interchange_id"]),
        pair=pair,
        gs_sender=row["sender_code"],
        gs_receiver=row["receiver_code"],
        functional_id=row["functional_id"],
        control_number=row["gs_control_number"],
        sent_at=sent_at,
        sets=sent_sets(sets, sent_at, answers),
        answers=answers.to_group(group_id),
    )


def _is_later(one: datetime | None, other: datetime | None) -> bool:
    return one is not None and other is not None and one > other


def _digests(columns: Iterable[bytes]) -> frozenset[bytes]:
    return frozenset(
        column[start : start + _DIGEST_BYTES]
        for column in columns
        for start in range(0, len(column), _DIGEST_BYTES)
    )
