"""Documents exchanged with the simulator of an account, for pages that show what became of them."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tests.e2e.support.api import Api
from tests.e2e.support.documents import ORDER

PATIENCE_SECONDS: Final = 30
"""What an exchange with the simulator never needs, even on a busy machine."""

SET: Final = ORDER[ORDER.index("ST*") : ORDER.index("GE*")]
"""The sample order from ST to SE."""


WRONG_END: Final = re.sub(r"(IEA\*1\*)[0-9]+", r"\g<1>999999999", ORDER)
"""The sample order in an interchange that is refused, since its control numbers differ."""


def order(number: str) -> str:
    """Return the sample order, from ST to SE, under another number: its business key."""
    return re.sub(r"(BEG\*[^*]*\*[^*]*\*)[^*]+", rf"\g<1>{number}", SET)


@dataclass(frozen=True, slots=True)
class Traded:
    """Ids of what an account exchanged."""

    partner: int
    accepted: int
    rejected: int
    unanswered: int
    invalid: int
    quarantined: int


def simulator(api: Api) -> int:
    """Return the id of the partner that every account has."""
    partners = api.get("/api/partners")["partners"]
    found: int = next(each["id"] for each in partners if each["connection_type"] == "simulator")
    return found


def submit(api: Api, number: str, simulate: str = "accept", **members: object) -> int:
    """Send the order ``number`` to the simulator, which answers as ``simulate`` says."""
    body = {
        "partner_id": simulator(api),
        "tx_set": "850",
        "direction": "outbound",
        "content": order(number),
        "metadata": {"simulate": simulate},
    }
    record: int = api.post("/api/transactions/submit", body | members)["transaction_id"]
    return record


def until(api: Api, path: str, is_reached: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Ask for ``path`` until its answer is as wanted; return that."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_reached(answer := api.get(path)):
        assert time.monotonic() < deadline, answer
        api.page.wait_for_timeout(50)
    return answer


def settle(api: Api, record: int, status: str) -> None:
    """Wait until a transaction has this status."""
    path = f"/api/transactions/{record}"
    until(api, path, lambda answer: answer["transaction"]["status"] == status)


def receive(api: Api, partner: int, document: str) -> None:
    """Hand in a document as the partner would."""
    address = api.get(f"/api/partners/{partner}")["partner"]["inbound_url_test"]
    path = re.sub(r"^https?://[^/]+", "", address)
    answer = api.page.context.request.post(path, data=document)
    assert answer.status == 200, answer.text()


def trade(api: Api) -> Traded:
    """Send four orders that end differently; receive an order, and something unreadable."""
    partner = simulator(api)
    accepted = submit(api, "PO-1001")
    rejected = submit(api, "PO-1002", "reject:5")
    unanswered = submit(api, "PO-1003", "never")
    broken = order("PO-1004").replace("PO1*1*", "PO1*1*many", 1)
    invalid = submit(api, "PO-1004", content=broken, on_invalid="store")
    receive(api, partner, ORDER)
    receive(api, partner, "Dear Sir, this is an order.")
    settle(api, accepted, "acknowledged")
    settle(api, rejected, "rejected")
    settle(api, unanswered, "delivered")
    kept = until(api, "/api/interchanges?status=quarantined", lambda answer: answer["count"] == 1)
    return Traded(
        partner=partner,
        accepted=accepted,
        rejected=rejected,
        unanswered=unanswered,
        invalid=invalid,
        quarantined=kept["interchanges"][0]["id"],
    )
