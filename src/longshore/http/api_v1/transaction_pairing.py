"""The pair of a request or response as the wire has it (contract.md section 5)."""

from typing import Annotated, Final

import msgspec

from longshore.domain.pairing.findings import MAX_FINDINGS
from longshore.domain.pairing.model import Pairing, PairingFindingCode
from longshore.domain.pairing.store import MAX_PAIRED
from longshore.http.api_v1.transaction_records import RECORD_EXAMPLE
from longshore.http.api_v1.transaction_shapes import TransactionAnswer
from longshore.http.envelope import Time, utc_text
from longshore.x12.traces import PairingRole


class PairedItem(msgspec.Struct, kw_only=True):
    """A transaction of the other side."""

    transaction_id: int
    number_count: Annotated[int, msgspec.Meta(description="The numbers that both have.")]
    ambiguous: Annotated[
        bool,
        msgspec.Meta(
            description="Several requests with a number were not answered; the newest was taken."
        ),
    ]


class PairingFindingItem(msgspec.Struct, kw_only=True):
    """A finding of the comparison of requests and responses."""

    code: PairingFindingCode
    message: str
    element: Annotated[
        str, msgspec.Meta(description="TRN02 or BHT03; empty if it is about the set as a whole.")
    ]
    segment_position: Annotated[
        int | None, msgspec.Meta(description="ST = 1. Null if it is about the set as a whole.")
    ]


class PairingItem(msgspec.Struct, kw_only=True):
    """The transactions that a request or response is paired with, by its trace numbers."""

    role: PairingRole
    number_count: Annotated[
        int, msgspec.Meta(description="Its TRN02s; of a set without any the BHT03 counts.")
    ]
    paired_count: Annotated[
        int, msgspec.Meta(description="Those that the other side has, or that are answered.")
    ]
    due_at: Annotated[
        Time | None,
        msgspec.Meta(
            description="When the awaited answers are due if the request is sent at once. Null: "
            "none is awaited."
        ),
    ]
    transactions: Annotated[
        list[PairedItem],
        msgspec.Meta(
            description=f"The responses to a request, at most {MAX_PAIRED:,}, oldest first; the "
            "requests of a response."
        ),
    ]
    findings: Annotated[
        list[PairingFindingItem], msgspec.Meta(description=f"The first {MAX_FINDINGS}.")
    ]
    finding_count: Annotated[int, msgspec.Meta(description="The number of all findings.")]


class ShownTransactionAnswer(TransactionAnswer, kw_only=True):
    """One transaction with what it is paired with."""

    pairing: Annotated[
        PairingItem | None,
        msgspec.Meta(
            description="Of a 270, 271, 276, 277 or 278 whose trace numbers were compared; "
            "otherwise null."
        ),
    ]


def pairing_of(pairing: Pairing | None) -> PairingItem | None:
    """Return a pair in its wire shape."""
    if pairing is None:
        return None
    return PairingItem(
        role=pairing.role,
        number_count=pairing.number_count,
        paired_count=pairing.paired_count,
        due_at=None if pairing.due_at is None else utc_text(pairing.due_at),
        transactions=[
            PairedItem(
                transaction_id=each.transaction_id,
                number_count=each.number_count,
                ambiguous=each.is_ambiguous,
            )
            for each in pairing.transactions
        ],
        findings=[
            PairingFindingItem(
                code=each.code,
                message=each.message,
                element=each.element,
                segment_position=each.segment_position,
            )
            for each in pairing.findings
        ],
        finding_count=pairing.finding_count,
    )


SHOWN_EXAMPLE: Final = {
    "ok": True,
    "environment": "sandbox",
    "transaction": RECORD_EXAMPLE,
    "pairing": None,
}
