"""The pair of a request or response, as keys and pages read it (contract.md section 5)."""

import asyncio
from pathlib import Path

import pytest

from longshore.domain.pairing.writer import PairingWriter, TracedSet
from longshore.domain.partners.model import Address, Direction, Pair, PartnerId
from longshore.domain.transactions.encryption import TransactionWriter
from longshore.domain.units import WriteUnit
from longshore.http.app import create_app
from longshore.kit.environment import Environment
from longshore.x12.traces import PairingRole, SetTraces, Trace, TraceKind
from tests.support.client import calling
from tests.support.clock import START
from tests.support.http_service import RecordedEngine, World, bearer, open_world
from tests.support.trading import RECEIVING, SENDING, a_record, set_facts, write
from tests.support.users import session_headers
from tests.support.vault import a_sealer, an_index, scope

OWN = scope(1, Environment.SANDBOX)
PAIR = Pair(Address("ZZ", "US"), Address("01", "THEM"))


def traces(role: PairingRole, *values: str) -> SetTraces:
    found = [Trace(TraceKind.TRACE, each, "TRN02", at) for at, each in enumerate(values, 8)]
    return SetTraces(role=role, request_set="270", traces=tuple(found), total=len(found))


async def fill(world: World) -> None:
    """Store a 270 as transaction 1 and the 271 to it as transaction 2."""
    asked = (PairingRole.REQUEST, "270", Direction.OUTBOUND, PAIR, ("S-1",))
    answered = (PairingRole.RESPONSE, "271", Direction.INBOUND, PAIR.swapped(), ("S-1", "S-2"))

    async def store(unit: WriteUnit) -> None:
        assert OWN.account_id is not None
        writer = TransactionWriter(unit, a_sealer(), an_index(), OWN.account_id)
        pairs = PairingWriter(unit, an_index(), (OWN.account_id, Environment.SANDBOX), START)
        for role, set_id, direction, pair, values in (asked, answered):
            states = RECEIVING if direction is Direction.INBOUND else SENDING
            record = a_record(set_facts(tx_set=set_id), direction=direction, states=states)
            one = TracedSet(
                transaction_id=await writer.insert(record, START),
                set_id=set_id,
                direction=direction,
                pair=pair,
                partner_id=PartnerId(1),
                traces=traces(role, *values),
            )
            await pairs.store(one)

    await write(world.database, OWN, store)


@pytest.mark.parametrize("path", ["/api/v1/transactions", "/api/transactions"])
def test_a_transaction_shows_its_pair_and_the_findings(tmp_path: Path, path: str) -> None:
    with open_world(tmp_path) as world, calling(create_app(world.services(RecordedEngine()))) as at:
        asyncio.run(fill(world))
        is_key = path.startswith("/api/v1/")
        headers = bearer(world.keys.sandbox) if is_key else session_headers(world.sessions.viewer)
        request, response = (at.get(f"{path}/{each}", headers=headers).json() for each in (1, 2))
    assert request["pairing"] == {
        "role": "request",
        "number_count": 1,
        "paired_count": 1,
        "due_at": None,
        "transactions": [{"transaction_id": 2, "number_count": 1, "ambiguous": False}],
        "findings": [],
        "finding_count": 0,
    }
    assert response["pairing"]["transactions"] == [
        {"transaction_id": 1, "number_count": 1, "ambiguous": False}
    ]
    assert response["pairing"]["findings"] == [
        {
            "code": "response_without_request",
            "message": "No request that was sent has this number.",
            "element": "TRN02",
            "segment_position": 9,
        }
    ]
