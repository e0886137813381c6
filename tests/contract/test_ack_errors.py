"""What a partner complains about, brought back to the stored document of ours and to its map."""

import json

import pytest

from longshore.compute.inline import InlineCompute
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks import reconciler as receiver
from longshore.domain.acks.model import AckError, AckForm
from longshore.domain.acks.received import MAX_OF_ONE
from longshore.domain.acks.reconciler import AckReconciler
from longshore.domain.ports import SealBrokenError
from longshore.domain.vault.service import VaultService
from tests.support.answers import (
    INDEX,
    ORDERS,
    SEALER,
    Sending,
    a_997,
    a_reconciler,
    acks,
    apply,
    receive,
    sent,
)
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.ports import some_ports
from tests.support.trading import TEST, a_partner
from tests.support.vault import a_document, a_sealer

GROUP = "AK1*PO*123"
BAD_CODE = ("AK2*850*0001", "AK3*PO1*3**8", "AK4*6*235*7*XX", "AK5*R*5")
BAD_QUANTITY = ("AK2*850*0002", "AK3*PO1*3**8", "AK4*2*330*6*7", "AK5*R*5")
BOTH = a_997(GROUP, *BAD_CODE, *BAD_QUANTITY, "AK9*R*2*2*0")
ONE = a_997(GROUP, *BAD_CODE, "AK9*P*2*2*1")


@pytest.fixture(autouse=True)
async def partner(accounts: AccountService, database: Database) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)
    await a_partner(database)


async def errors(database: Database) -> list[list[AckError]]:
    return [[*each.row.facts.errors] for each in await acks(database)]


async def test_each_complaint_is_found_in_the_set_it_is_about(database: Database) -> None:
    await sent(database)
    await receive(database, BOTH)
    ((code,), (quantity,)) = await errors(database)
    assert (code.our_path, code.our_value, code.bad_value) == ("PO1.06", "XX", "XX")
    assert code.our_offset == ORDERS.index("XX*4711")
    assert code.hint.startswith("Allowed here: ")
    assert (quantity.our_path, quantity.our_value) == ("ST[2]/PO1.02", "7")
    assert quantity.our_offset == ORDERS.index("7*EA*3")
    assert (code.our_rule, quantity.our_rule) == ("", "")


async def test_a_complaint_names_the_rule_of_the_map_that_wrote_the_value(
    database: Database, clock: StoppedClock
) -> None:
    outputs = [{"tgt": "PO1.02", "rule": 3}, {"tgt": "PO1.06", "rule": 12}]
    vault = VaultService(database.units, clock, SEALER, InlineCompute())
    made = a_document(ORDERS, explain=json.dumps({"outputs": outputs}))
    (doc_id,) = (await vault.store(TEST, None, [made])).output_ids
    await sent(database, Sending(doc_id=doc_id))
    await receive(database, ONE)
    (error,) = (await errors(database))[0]
    assert error.our_rule == "field_map[12]"


async def test_what_no_map_made_has_no_rule(database: Database, clock: StoppedClock) -> None:
    vault = VaultService(database.units, clock, SEALER, InlineCompute())
    (doc_id,) = (await vault.store(TEST, None, [a_document(ORDERS)])).output_ids
    await sent(database, Sending(doc_id=doc_id))
    await receive(database, ONE)
    (error,) = (await errors(database))[0]
    assert (error.our_path, error.our_rule) == ("PO1.06", "")


async def test_a_long_document_is_read_too(database: Database) -> None:
    body = "".join(f"PO1*{n}*10*EA*9.25**UP*4711~" for n in range(2, 12_000))
    long = ORDERS.replace("CTT*1~SE*5*0001", f"{body}CTT*11999~SE*12003*0001")
    await sent(database, Sending(content=long))
    await receive(database, BOTH)
    ((code,), (quantity,)) = await errors(database)
    assert (code.our_offset, quantity.our_offset) == (
        long.index("XX*4711"),
        long.index("7*EA*3"),
    )


async def test_another_answer_replaces_the_errors_of_the_one_before(database: Database) -> None:
    await sent(database)
    await receive(database, ONE)
    await receive(database, a_997(GROUP, *BAD_QUANTITY, "AK9*P*2*2*1"))
    first, second = await errors(database)
    assert first == []
    assert [each.our_value for each in second] == ["7"]


async def test_many_errors_are_found_beside_the_event_loop(database: Database) -> None:
    await sent(database)
    notes = ("AK3*PO1*3**8", *["AK4*2*330*6*7"] * 60)
    await receive(database, a_997(GROUP, "AK2*850*0001", *notes, "AK5*R*5", "AK9*P*2*2*1"))
    assert [len(each) for each in await errors(database)] == [60, 0]


async def test_of_too_many_errors_those_of_the_first_sets_are_kept(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiver, "MAX_ERRORS_OF_ALL", 3)
    await sent(database)
    await receive(database, BOTH)
    assert [len(each) for each in await errors(database)] == [1, 0]


async def test_where_another_group_is_answered_than_was_read_nothing_is_guessed(
    database: Database,
) -> None:
    await sent(database)
    await sent(database)
    prepared = await a_reconciler(database).prepare(TEST, [ONE])
    await receive(database, a_997(GROUP, "AK9*A*2*2*2"))
    await apply(database, prepared)
    found = [error for each in await errors(database) for error in each]
    assert [(each.code, each.our_path, each.our_offset) for each in found] == [("7", "", None)]


async def test_a_document_that_was_changed_is_not_taken_for_ours(database: Database) -> None:
    await sent(database)
    foreign = AckReconciler(
        some_ports(database, StoppedClock(), sealer=a_sealer(b"x" * 32), index=INDEX)
    )
    with pytest.raises(SealBrokenError):
        await foreign.prepare(TEST, [ONE])


async def test_of_many_answers_to_one_group_the_first_20_count(database: Database) -> None:
    await sent(database)
    answers = [a_997(GROUP, f"AK9*R*2*2*0*{number}") for number in range(MAX_OF_ONE + 1)]
    prepared = await a_reconciler(database).prepare(TEST, answers)
    assert len(prepared.acks) == MAX_OF_ONE
    events = await apply(database, prepared)
    assert sum(each.type.value == "ack.received" for each in events) == MAX_OF_ONE
    assert (await acks(database))[0].row.facts.group_error_codes == (str(MAX_OF_ONE - 1),)


async def test_a_999_is_told_as_one(database: Database) -> None:
    await sent(database)
    notes = ("AK2*850*0001", "IK3*PO1*3**8", "IK4*6*235*I6*XX", "IK5*R*I5")
    await receive(database, a_997(GROUP, *notes, "AK9*P*2*2*1", set_id="999"))
    rows = [each.row.facts for each in await acks(database)]
    assert [each.ack_type for each in rows] == [AckForm.F999] * 2
    assert [(each.source, each.our_path) for each in rows[0].errors] == [("IK4", "PO1.06")]
