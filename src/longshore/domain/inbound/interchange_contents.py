"""The digests, references and answers that a second walk through an interchange collects.

Source: x12.md sections 2.6 and 2.10.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from longshore.domain.acks.matching import content_digest
from longshore.domain.acks.received import ReceivedAnswer
from longshore.domain.inbound.routing import ACKNOWLEDGEMENTS
from longshore.domain.interchanges.digests import DigestCollector
from longshore.domain.transactions.references import ReferenceCollector
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.x12.acks.advice import ADVICE
from longshore.x12.acks.assessment import ReceivedInterchange
from longshore.x12.acks.claim_answer import GUIDE as CLAIM_ANSWER_GUIDE
from longshore.x12.acks.claim_answer import SET_ID as CLAIM_ANSWER_SET
from longshore.x12.acks.read import read_group_ack, read_ta1
from longshore.x12.acks.read_answers import AdviceAck, ClaimAck, read_advice, read_claim_acks
from longshore.x12.control import SegmentSpan, SetSummary, element_at
from longshore.x12.findings import Finding, Severity
from longshore.x12.traces import TraceCollector

_ACK_SETS: Final = frozenset({"997", "999"})
MAX_ANSWERS: Final = 1_000  # 837s and groups that the 277CAs and 824s of an interchange are about


def check_most(what: str, count: int, most: int) -> None:
    """Make sure that there are not too many of something.

    Raises:
        LongshoreError: limit_exceeded.
    """
    if count > most:
        message = f"The document has {count} {what}; at most {most} are taken in one document."
        raise LongshoreError(ErrorCode.LIMIT_EXCEEDED, message)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedAck:
    """An acknowledgement that stands in an interchange."""

    ack: ReceivedAnswer
    digest: bytes
    """Not keyed."""
    tx_index: int | None = None
    """The set that a 277CA or 824 is; it counts only if the set is accepted."""
    gs_sender: str = ""
    """GS02 of its own group, ``""`` for a TA1."""
    gs_receiver: str = ""
    """GS03 of its own group, ``""`` for a TA1."""

    @property
    def warnings(self) -> Sequence[Finding]:
        """The warnings about it; a 277CA or 824 has those of its validation alone."""
        return () if isinstance(self.ack, ClaimAck | AdviceAck) else self.ack.warnings


class InterchangeContents:
    """The results that a second walk through an interchange collects."""

    def __init__(
        self, received: ReceivedInterchange, leniency: Mapping[str, Severity], codec: str
    ) -> None:
        self.digests = DigestCollector(codec)
        self._codec = codec
        self.references = ReferenceCollector()
        self.traces = TraceCollector()
        self._leniency = leniency
        self._delimiters = received.summary.delimiters
        self._ta1s: list[ParsedAck] = []
        # By index of the set: GS02 and GS03 of its group, and its segments.
        self._ack_sets: dict[int, tuple[list[str], list[list[str]]]] = {
            index: (group.header, [])
            for group in received.groups
            if group.functional_id == ACKNOWLEDGEMENTS
            for index in group.sets
            if received.sets[index].set_id in _ACK_SETS and received.sets[index].has_trailer
        }
        # The same of 277CAs and 824s.
        self._answer_sets: dict[int, tuple[list[str], list[list[str]]]] = {
            index: (group.header, [])
            for group in received.groups
            for index in group.sets
            if _is_application_answer(received.sets[index])
        }

    def add(self, spans: list[SegmentSpan]) -> None:
        """Take a course of the walk."""
        self.digests.add(spans)
        self.references.add(spans)
        self.traces.add(spans)
        for span in spans:
            rows = span.batch.rows
            if span.tx_index in self._ack_sets:
                self._ack_sets[span.tx_index][1].extend(rows[span.first : span.last])
            elif span.tx_index in self._answer_sets:
                self._answer_sets[span.tx_index][1].extend(rows[span.first : span.last])
            elif rows[span.first][0] == "TA1" and not span.tx_index:
                row = rows[span.first]
                ta1 = read_ta1(row, span.ordinal, self._leniency)
                self._ta1s.append(ParsedAck(ack=ta1, digest=content_digest([row], self._codec)))

    def acks(self) -> tuple[ParsedAck, ...]:
        """Return the acknowledgements that stand in the interchange: TA1 first."""
        functional = (
            ParsedAck(
                ack=read_group_ack(rows, self._delimiters, index, self._leniency),
                digest=content_digest(rows, self._codec),
                gs_sender=element_at(header, 2),
                gs_receiver=element_at(header, 3),
            )
            for index, (header, rows) in self._ack_sets.items()
        )
        answers = [*self._application_answers()]
        check_most("answered groups and 837s", len(answers), MAX_ANSWERS)
        return (*self._ta1s, *functional, *answers)

    def _application_answers(self) -> Iterator[ParsedAck]:
        """Yield what each 277CA and 824 answers: one for each 837, or group, that it names.

        Raises:
            LongshoreError: As ``_check_most``.
        """
        for index, (header, rows) in self._answer_sets.items():
            parts: Iterable[tuple[ClaimAck | AdviceAck, list[list[str]]]]
            if element_at(rows[0], 1) == ADVICE:
                parts = ((each, each.rows) for each in read_advice(rows))
            else:
                parts = ((each, rows) for each in read_claim_acks(rows, self._delimiters))
            for ack, said in parts:
                yield ParsedAck(
                    ack=ack,
                    digest=content_digest(said, self._codec),
                    gs_sender=element_at(header, 2),
                    gs_receiver=element_at(header, 3),
                    tx_index=index,
                )


def _is_application_answer(summary: SetSummary) -> bool:
    """Return whether a set is an 824, or a 277 of the guide of the 277CA."""
    if summary.set_id == CLAIM_ANSWER_SET and summary.version.startswith(CLAIM_ANSWER_GUIDE):
        return summary.has_trailer
    return summary.set_id == ADVICE and summary.has_trailer
