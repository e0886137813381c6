"""What a process does while it dies: each scene of exchanging documents, and its named points."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Final

from longshore.domain.delivery.model import ClaimRequest, OutboxEntry
from longshore.domain.inbound.channel import InboundChannel
from longshore.domain.inbound.intake import ANSWERED_WITHIN, Incoming, IncomingDocument
from longshore.domain.interchanges.errors import InterchangeStateError
from longshore.domain.interchanges.store import InterchangeStatus, ReceiptId
from longshore.domain.interchanges.writer import step_outbound
from longshore.domain.mailboxes.logins import PartnerMailbox
from longshore.domain.mailboxes.outbox import MailboxOutbox
from longshore.domain.outbound.submission import SubmitOrder
from longshore.domain.pairing.model import NewTrace, NewTraces, TracePlace
from longshore.domain.partners.connections import MailboxConnection, SimulatorConnection
from longshore.domain.partners.errors import (
    PartnerEditConflictError,
    PartnerNameTakenError,
    PartnerNotFoundError,
)
from longshore.domain.partners.identities import WantedIdentity
from longshore.domain.partners.model import Connections, Direction, InboundTokenId, PartnerStatus
from longshore.domain.partners.status import PartnerState
from longshore.domain.ports import SYSTEM, AccountId
from longshore.domain.transactions.errors import ActionRefusedError
from longshore.domain.transactions.model import DeliveryStatus, InterchangeId, TransactionId
from longshore.domain.units import WriteUnit
from longshore.domain.vault.model import VaultDocumentId
from longshore.domain.webhooks.model import WebhookTerms
from longshore.x12.traces import TraceKind
from tests.support.answers import ORDERS_SENT, sent
from tests.support.as2_crash_scenes import BY_AS2
from tests.support.clock import START
from tests.support.crashes import LEASE_OVER, Scene, Stage, an_account, passed, work
from tests.support.dispatch import Order, a_trading_partner, queued, terms
from tests.support.partners import FIRST, OWN, OWN_LIVE, changed_partner, new_partner
from tests.support.ports import some_ports
from tests.support.processing import Trade, a_sender, a_trade, case, case_text, live, own_identity
from tests.support.processing import terms as received_terms
from tests.support.ssh import CLIENT_KEY, key_text
from tests.support.submitting import THEM, US, a_set, an_action
from tests.support.tracking import Shipping, states
from tests.support.trading import LIVE, SANDBOX, TEST, a_partner, write
from tests.support.vault import a_document, a_vault

ONE = TransactionId(1)
FIRST_INTERCHANGE = InterchangeId(1)
STRANGER = ("ACMERETAIL     ", "NOBODY         ")


# ---- partners ------------------------------------------------------------------------------------


async def a_known_partner(stage: Stage) -> None:
    await an_account(stage)
    await stage.trading.partners.create(OWN, new_partner())


async def create(stage: Stage) -> None:
    await stage.trading.partners.create(OWN, new_partner())


async def change(stage: Stage) -> None:
    await stage.trading.partners.change(OWN, FIRST, 1, changed_partner("Southwind"))


async def delete(stage: Stage) -> None:
    await stage.trading.partners.delete(OWN, FIRST, None)


async def rotate(stage: Stage) -> None:
    await stage.trading.partners.rotate_token(OWN, FIRST, SANDBOX, 24)


async def equip(stage: Stage) -> None:
    await stage.trading.provisioner.provision_accounts()


async def identities(stage: Stage) -> None:
    await stage.trading.identities.replace(OWN, [WantedIdentity(None, US)])


PARTNERS: Final = {
    "a partner is made": Scene(
        prepare=an_account,
        act=create,
        points=passed("partners.create", "before_insert"),
        refusal=PartnerNameTakenError,
    ),
    "a partner is changed": Scene(
        prepare=a_known_partner,
        act=change,
        points=passed("partners.change", "before_insert"),
        refusal=PartnerEditConflictError,
    ),
    "a partner is removed": Scene(
        prepare=a_known_partner,
        act=delete,
        points=passed("partners.delete", "before_insert"),
        refusal=PartnerNotFoundError,
    ),
    "a token is replaced": Scene(
        prepare=a_known_partner,
        act=rotate,
        points=passed("partners.rotate", "before_insert"),
        is_found=True,
    ),
    "an account is equipped": Scene(
        prepare=an_account, act=equip, points=passed("partners.equip", "before_insert")
    ),
    "identities are named": Scene(
        prepare=an_account,
        act=identities,
        points=passed("partners.identities", "before_insert"),
        adds="audit_entries",
    ),
}


# ---- what comes in -------------------------------------------------------------------------------


async def a_market(stage: Stage) -> Trade:
    await an_account(stage)
    return await a_trade(stage.database, stage.clock)


async def something_came(stage: Stage) -> None:
    await (await a_market(stage)).arrive(case(1))


async def something_came_and_was_answered(stage: Stage) -> None:
    await something_came(stage)
    await stage.settle()


async def something_was_set_aside(stage: Stage) -> None:
    await (await a_market(stage)).receive(live(case_text(1, STRANGER)), LIVE)


async def a_replay_was_asked_for(stage: Stage) -> None:
    await something_came_and_was_answered(stage)
    await replay(stage)


async def an_answer_came(stage: Stage) -> None:
    await an_account(stage)
    await own_identity(stage.database, US)
    await a_sender(stage.database, received_terms(identity=THEM))
    await sent(stage.database, replace(ORDERS_SENT, is_held=True))
    trade = Trade(
        database=stage.database, clock=stage.clock, processor=stage.processor, partner_id=FIRST
    )
    await trade.arrive(AN_ANSWER)


AN_ANSWER: Final = (
    b"ISA*00*          *00*          *01*123456789      *ZZ*ACMECORP       *260115*1500*U*00401"
    b"*000000055*0*T*>~GS*FA*NWRETAIL*ACME*20260115*1500*55*X*004010~ST*997*0001~AK1*PO*123~"
    b"AK2*850*0001~AK5*A~AK2*850*0002~AK5*R*5~AK9*P*2*2*1~SE*8*0001~GE*1*55~IEA*1*000000055~"
)


async def receive(stage: Stage) -> None:
    """Take a document in as the HTTP service does, under a key."""
    known = await stage.trading.partners.get(OWN, FIRST)
    channel = await stage.trading.intake.channel(known.tokens[SANDBOX], "192.0.2.7")
    document = IncomingDocument(content=case(1))
    await stage.trading.intake.receive(
        channel, Incoming(documents=(document,), idempotency_key="K-1")
    )


async def something_is_answered_at_once(stage: Stage) -> None:
    """Process a document whose sender takes the acknowledgement in the answer to its request."""
    until = stage.clock.now() + ANSWERED_WITHIN
    await (await a_market(stage)).receive(case(1), answer_until=until.isoformat())


async def mark_returned(stage: Stage) -> None:
    channel = InboundChannel(
        account_id=AccountId(1),
        environment=SANDBOX,
        partner_id=FIRST,
        token_id=InboundTokenId(1),
    )
    await stage.trading.returned_acks.mark_sent(channel, [ReceiptId(1)])


async def refuse(stage: Stage) -> None:
    """Refuse what named another environment than its address has."""
    known = await stage.trading.partners.get(OWN, FIRST)
    channel = await stage.trading.intake.channel(known.tokens[SANDBOX], "192.0.2.7")
    await stage.trading.intake.note_contradiction(channel, "192.0.2.7", "req_1")


async def a_mailbox(stage: Stage) -> None:
    await an_account(stage)
    connection = {
        "type": "sftp",
        "host": "files.example.com",
        "user": "us",
        "password": "hush",
        "host_key": "SHA256:" + "x" * 43,
        "download_dir": "/out",
        "poll_seconds": 86_400,
    }
    await stage.trading.partners.create(OWN, new_partner(connections={"test": connection}))


async def poll(stage: Stage) -> None:
    await stage.mailboxes.run_once()
    await stage.worker.run_once()


async def a_document_in_a_mailbox(stage: Stage) -> None:
    await an_account(stage)
    connection = {"type": "mailbox", "public_keys": [f"{key_text(CLIENT_KEY)}"]}
    await stage.trading.partners.create(OWN, new_partner(connections={"test": connection}))
    await queued(stage.database, Order(partner_id=FIRST))
    await work(stage)


async def fetch(stage: Stage) -> None:
    """Fetch what waits in the mailbox, to its end."""
    outbox = MailboxOutbox(some_ports(stage.database, stage.clock))
    mailbox = PartnerMailbox(
        account_id=AccountId(1),
        partner_id=FIRST,
        environment=SANDBOX,
        connection=MailboxConnection(),
    )
    for file in await outbox.list_files(mailbox):
        await outbox.deliver(mailbox, file)


async def give_up(stage: Stage) -> None:
    now = stage.clock.now()
    request = ClaimRequest(owner="worker", now=now, lease_until=now + LEASE_OVER, most=1)

    async def claim(unit: WriteUnit) -> list[OutboxEntry]:
        return [*await unit.outbox.claim(request)]

    for entry in await stage.database.units.write(SYSTEM, claim):
        await stage.processor.give_up(entry, "internal_error")


async def release(stage: Stage) -> None:
    await stage.trading.quarantine.release(
        OWN_LIVE, FIRST_INTERCHANGE, "they moved", partner_id=FIRST
    )


async def replay(stage: Stage) -> None:
    quarantine = stage.trading.quarantine
    await quarantine.replay(OWN, FIRST_INTERCHANGE, "a new map", acknowledge=True)


async def read_interchange(stage: Stage) -> None:
    await stage.trading.interchanges.content(OWN_LIVE, FIRST_INTERCHANGE)


async def a_stored_document(stage: Stage) -> None:
    await an_account(stage)
    await a_vault(stage.database, stage.clock).store(OWN.scope, None, [a_document()])


async def read_document(stage: Stage) -> None:
    await a_vault(stage.database, stage.clock).read(OWN, VaultDocumentId(1))


_RECORDING: Final = ("before_insert", "before_acks", "before_finish")
RECEPTION: Final = {
    "a document is taken in": Scene(
        prepare=a_known_partner, act=receive, points=passed("intake.receive", "before_insert")
    ),
    "a file is fetched": Scene(
        prepare=a_mailbox, act=poll, points=passed("mailbox.store", stored=2)
    ),
    "a file of ours is fetched": Scene(
        prepare=a_document_in_a_mailbox, act=fetch, points=passed("mailbox.deliver")
    ),
    "a contradiction is refused": Scene(
        prepare=a_known_partner, act=refuse, points=passed("intake.refuse"), adds="audit_entries"
    ),
    "an acknowledgement is returned": Scene(
        prepare=something_is_answered_at_once,
        act=mark_returned,
        points=passed("dispatch.returned"),
    ),
    "a receipt is processed": Scene(
        prepare=something_came,
        act=work,
        points=passed("processing.record", *_RECORDING, stored=1),
    ),
    "an answer is processed": Scene(
        prepare=an_answer_came,
        act=work,
        points=passed("processing.record", *_RECORDING, stored=1),
    ),
    "an interchange is processed again": Scene(
        prepare=a_replay_was_asked_for,
        act=work,
        points=passed("processing.record", *_RECORDING, stored=1),
        later=timedelta(hours=1),
    ),
    "a receipt is given up": Scene(
        prepare=something_came, act=give_up, points=passed("processing.give_up", stored=1)
    ),
    "what was set aside is released": Scene(
        prepare=something_was_set_aside,
        act=release,
        points=passed("quarantine.decide", "before_insert"),
        refusal=InterchangeStateError,
    ),
    "a replay is asked for": Scene(
        prepare=something_came_and_was_answered,
        act=replay,
        points=passed("quarantine.decide", "before_insert"),
        refusal=InterchangeStateError,
    ),
    "a document is read": Scene(
        prepare=a_stored_document,
        act=read_document,
        points=passed("vault.read"),
        adds="audit_entries",
    ),
    "an interchange is read": Scene(
        prepare=something_was_set_aside,
        act=read_interchange,
        points=passed("interchanges.read"),
        adds="audit_entries",
    ),
}


# ---- what goes out -------------------------------------------------------------------------------


async def something_was_sent(stage: Stage, delivery: DeliveryStatus) -> None:
    await an_account(stage)
    shipping = Shipping(stage.database, await a_trading_partner(stage.database))
    await shipping.interchange(states(delivery))


async def something_failed(stage: Stage) -> None:
    await something_was_sent(stage, DeliveryStatus.FAILED)


async def something_waits(stage: Stage) -> None:
    await something_was_sent(stage, DeliveryStatus.PENDING)


async def something_is_unanswered(stage: Stage) -> None:
    await an_account(stage)
    await a_partner(stage.database)
    await sent(stage.database, ORDERS_SENT)


async def a_request_is_unanswered(stage: Stage) -> None:
    """Let a sent set be a request whose number waits for a response."""
    await something_is_unanswered(stage)
    place = TracePlace(kind=TraceKind.TRACE, element="TRN02", position=8)
    awaited = NewTrace(place=place, digest=b"\1" * 32, due_at=START + timedelta(hours=48))
    traces = NewTraces(transaction_id=ONE, direction=Direction.OUTBOUND, traces=(awaited,), total=1)

    async def await_response(unit: WriteUnit) -> None:
        owner = (AccountId(1), SANDBOX)
        await unit.pairing.add_request(owner, traces, START)
        await step_outbound(unit.interchanges, FIRST_INTERCHANGE, InterchangeStatus.SENT, START)

    await write(stage.database, TEST, await_response)


async def two_in_order(stage: Stage) -> None:
    await an_account(stage)
    partner_id = await a_trading_partner(stage.database)
    for content in (b"ISA*the first~", b"ISA*the second~"):
        await queued(stage.database, Order(partner_id=partner_id, content=content))


async def something_is_held(stage: Stage) -> None:
    """Let a document wait for a partner that takes documents again."""
    await an_account(stage)
    partner_id = await a_trading_partner(stage.database, status=PartnerStatus.INACTIVE)
    await queued(stage.database, Order(partner_id=partner_id))
    await stage.worker.run_once()

    async def activate(unit: WriteUnit) -> bool:
        start, to = PartnerState(PartnerStatus.INACTIVE), PartnerState(PartnerStatus.ACTIVE)
        return await unit.partners.set_state(partner_id, start, to, START)

    assert await write(stage.database, LIVE, activate)


async def a_submit_setup(stage: Stage) -> None:
    await an_account(stage)
    await own_identity(stage.database, US)
    simulated = Connections(test=SimulatorConnection(), live=SimulatorConnection())
    await a_trading_partner(stage.database, terms(simulated), PartnerStatus.TESTING)


async def a_live_partner(stage: Stage) -> None:
    await an_account(stage)
    await own_identity(stage.database, US)
    await a_trading_partner(stage.database)


async def something_is_submitted(stage: Stage) -> None:
    await a_submit_setup(stage)
    await submit(stage)


async def submit(
    stage: Stage, direction: Direction = Direction.OUTBOUND, content: str = ""
) -> None:
    order = SubmitOrder(
        partner_id=FIRST,
        tx_set="850",
        direction=direction,
        content=content or a_set(),
        idempotency_key="K-1",
    )
    await stage.trading.submissions.submit(OWN, order)


async def submit_inbound(stage: Stage) -> None:
    """Submit a document as if it had come, in an envelope that is not made anew each time."""
    await submit(stage, Direction.INBOUND, case(1).decode())


async def submit_to_nobody(stage: Stage) -> None:
    """Submit a test to a partner that is live, which a key of the sandbox does not see."""
    with suppress(PartnerNotFoundError):
        await submit(stage)


async def retry(stage: Stage) -> None:
    await stage.trading.transactions.retry(OWN, an_action(ONE, "it was down"))


async def cancel(stage: Stage) -> None:
    await stage.trading.transactions.cancel(OWN, an_action(ONE, "a mistake"))


async def read_transaction(stage: Stage) -> None:
    await stage.trading.transactions.content(OWN, ONE)


async def mark_overdue(stage: Stage) -> None:
    await stage.overdue.run_once()


async def mark_overdue_responses(stage: Stage) -> None:
    await stage.overdue_responses.run_once()


async def let_go(stage: Stage) -> None:
    await stage.releaser.run_once()


_SENT: Final = frozenset({
    "dispatch.send.after_answer",
    "dispatch.conclude.before_finish",
    "dispatch.conclude.before_events",
    "dispatch.conclude.before_commit",
})
DELIVERY: Final[Mapping[str, int]] = {
    **passed("dispatch.claim"),
    **passed("dispatch.begin", stored=1),
    "dispatch.send.after_answer": 2,
    **passed("dispatch.conclude", "before_finish", "before_events", stored=2),
}
EXCHANGE: Final = {
    "a document is submitted": Scene(
        prepare=a_submit_setup, act=submit, points=passed("submission.submit")
    ),
    "a document is submitted as if it came": Scene(
        prepare=a_submit_setup, act=submit_inbound, points=passed("submission.submit")
    ),
    "a submission is refused": Scene(
        prepare=a_live_partner,
        act=submit_to_nobody,
        points=passed("submission.refuse"),
        adds="audit_entries",
    ),
    "a document is delivered": Scene(
        prepare=two_in_order, act=work, points=DELIVERY, sends_twice=_SENT
    ),
    "the simulator answers": Scene(
        prepare=something_is_submitted,
        act=work,
        points=passed("dispatch.conclude", stored=2),
    ),
    "what was held is let go": Scene(
        prepare=something_is_held, act=let_go, points=passed("dispatch.release")
    ),
    "a transaction is sent again": Scene(
        prepare=something_failed,
        act=retry,
        points=passed("transactions.retry", "before_insert"),
    ),
    "a transaction is cancelled": Scene(
        prepare=something_waits,
        act=cancel,
        points=passed("transactions.cancel", "before_insert"),
        refusal=ActionRefusedError,
    ),
    "a transaction is read": Scene(
        prepare=something_waits,
        act=read_transaction,
        points=passed("transactions.read"),
        adds="audit_entries",
    ),
    "an answer is overdue": Scene(
        prepare=something_is_unanswered,
        act=mark_overdue,
        points=passed("acks.overdue", "before_mark"),
        later=timedelta(hours=49),
    ),
    "a response is overdue": Scene(
        prepare=a_request_is_unanswered,
        act=mark_overdue_responses,
        points=passed("pairing.overdue", "before_mark"),
        later=timedelta(hours=49),
    ),
}


# ---- webhooks ------------------------------------------------------------------------------------


async def something_happened(stage: Stage) -> None:
    await an_account(stage)
    await stage.trading.webhooks.create(OWN, WebhookTerms(url="https://erp.example.com/hooks"))
    await stage.trading.partners.create(OWN, new_partner(partner_status="pending"))
    await stage.trading.partners.change(OWN, FIRST, 1, changed_partner(partner_status="testing"))


async def something_is_queued(stage: Stage) -> None:
    await something_happened(stage)
    await stage.fan_out.run_once()


async def fan_out(stage: Stage) -> None:
    await stage.fan_out.run_once()


async def call(stage: Stage) -> None:
    await stage.webhooks.run_once()


WEBHOOKS: Final = {
    "events are queued for an endpoint": Scene(
        prepare=something_happened, act=fan_out, points=passed("webhooks.fan_out")
    ),
    "an endpoint is called": Scene(
        prepare=something_is_queued,
        act=call,
        points={
            **passed("webhooks.begin", stored=1),
            "webhooks.call.after_answer": 2,
            **passed("webhooks.record", stored=2),
        },
        sends_twice=frozenset({"webhooks.call.after_answer", "webhooks.record.before_commit"}),
    ),
}
SCENES: Final[Mapping[str, Scene]] = {
    **PARTNERS,
    **RECEPTION,
    **EXCHANGE,
    **BY_AS2,
    **WEBHOOKS,
}


# ---- what would be wrong -------------------------------------------------------------------------


async def create_and_name(stage: Stage) -> None:
    """Do in two units what is said to be one."""
    await create(stage)
    await identities(stage)


TORN: Final = Scene(
    prepare=an_account, act=create_and_name, points={"partners.identities.before_commit": 0}
)
DOUBLED: Final = replace(PARTNERS["a token is replaced"], is_found=False)
"""Whoever has no answer asks again, and nothing tells that it is there."""
