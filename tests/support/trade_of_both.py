"""A row in each table of trading for each of two accounts, and values that lead to the second's.

What the two hold differs in every text that is not a word of an enumeration.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from longshore.domain.acks.model import AckRowStatus, GroupId
from longshore.domain.as2.store import NewAs2Identity, NewReceiptRow
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.control_numbers.numbers import CounterKey, NumberKind, NumberRange
from longshore.domain.control_numbers.store import NumberRequest
from longshore.domain.definitions.model import DefinitionFacts
from longshore.domain.delivery.model import AttemptResult, Lease, NewOutboxEntry, OutboxId
from longshore.domain.delivery.outcome import AttemptOutcome
from longshore.domain.events.model import EventId, EventType, NewEvent, SealedEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.idempotency.store import NewKey, Purpose
from longshore.domain.interchanges.store import ReceiptId, SealedContent
from longshore.domain.pairing.model import NewTrace, NewTraces, TracePlace
from longshore.domain.partners.model import (
    Address,
    Direction,
    Identity,
    InboundToken,
    InboundTokenId,
    Pair,
    PartnerId,
    PartnerStatus,
)
from longshore.domain.partners.store import SealedSecrets
from longshore.domain.ports import AccountId
from longshore.domain.transactions.model import AckStatus, InterchangeId, TransactionId
from longshore.domain.transactions.store import TransactionRow
from longshore.domain.units import WriteUnit
from longshore.domain.webhooks.model import WebhookTerms
from longshore.domain.webhooks.store import NewWebhook, NewWebhookDelivery
from longshore.storage.queries import SqlValue
from longshore.storage.times import to_us
from longshore.x12.dictionary.own_definitions import DefinitionKey
from longshore.x12.traces import TraceKind
from tests.support.clock import START
from tests.support.database import Database
from tests.support.trading import (
    PO_GROUP,
    PRODUCTION,
    a_receipt,
    a_record,
    an_ack,
    an_interchange,
    any_key,
    partner_facts,
    set_facts,
)
from tests.support.vault import a_sealer, scope

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Trader:
    """An account whose rows all have the id ``number``, and texts with ``mark`` in them."""

    number: int
    mark: str

    @property
    def account_id(self) -> AccountId:
        return AccountId(self.number)

    @property
    def at(self) -> datetime:
        return START + timedelta(hours=self.number)

    @property
    def pair(self) -> Pair:
        return Pair(Address("ZZ", f"{self.mark} us"), Address("01", f"{self.mark} them"))

    @property
    def digest(self) -> bytes:
        return self.mark.encode() * 4

    @property
    def sealed(self) -> SealedContent:
        return SealedContent(facts=b"facts " + self.digest, content=b"content " + self.digest)


FOREIGN_NUMBERS = {2, 3, 4, to_us(Trader(2, "").at)}
"""Ids, counts, also of pairs, and times by which the second account's rows show without a text."""


async def trade(database: Database, trader: Trader) -> None:
    """Fill every table of trading for an account."""
    given = scope(trader.number, PRODUCTION)
    for work in (_partner, _documents, _transaction, _delivery, _ledgers):

        async def fill(unit: WriteUnit, work: object = work) -> None:
            await work(unit, trader)  # type: ignore[operator]  # one of those above

        await database.units.write(given, fill)


async def _partner(unit: WriteUnit, trader: Trader) -> None:
    account_id, mark, digest = trader.account_id, trader.mark, trader.digest
    identity = Identity(qualifier="ZZ", isa_id=f"{mark} us", gs_id=f"{mark} gs")
    await unit.identities.insert(account_id, identity, trader.at)
    facts = partner_facts(f"{mark} partner", identity=replace(identity, isa_id=f"{mark} them"))
    partner_id = await unit.partners.insert(account_id, facts, PartnerStatus.TESTING, trader.at)
    assert partner_id == trader.number
    secrets = SealedSecrets(version=1, wrapped_key=b"wrapped " + digest, secrets=b"s" + digest)
    await unit.partners.set_secrets(partner_id, secrets)
    token = InboundToken(
        id=InboundTokenId(0),
        account_id=account_id,
        partner_id=partner_id,
        environment=PRODUCTION,
        digest=digest,
        created_at=trader.at,
    )
    await unit.tokens.insert(token, b"token " + digest, any_key)
    as2 = NewAs2Identity(
        account_id=account_id,
        environment=PRODUCTION,
        name=f"{mark} as2",
        certificates=(f"{mark} certificate",),
        private_keys=b"keys " + digest,
    )
    await unit.as2_identities.insert(as2, any_key, trader.at)
    key = CounterKey(NumberKind.ISA, "ZZ", f"{mark} us", "01", f"{mark} them")
    request = NumberRequest(key=key, numbers=NumberRange(), count=1, skip_since=START)
    await unit.control_numbers.draw((account_id, PRODUCTION), request, trader.at)


async def _documents(unit: WriteUnit, trader: Trader) -> None:
    account_id, partner_id = trader.account_id, PartnerId(trader.number)
    receipt = a_receipt(
        environment=PRODUCTION,
        partner_id=partner_id,
        token_id=InboundTokenId(trader.number),
        digest=trader.digest,
        key_digest=b"key " + trader.digest,
    )
    await unit.receipts.insert(account_id, receipt, trader.sealed, any_key, trader.at)
    interchange = an_interchange(
        f"00000000{trader.number}",
        environment=PRODUCTION,
        pair=trader.pair,
        is_allotted=False,
        digest=trader.digest,
        partner_id=partner_id,
        receipt_id=ReceiptId(trader.number),
    )
    number = await unit.interchanges.insert(
        account_id, interchange, trader.sealed, any_key, trader.at
    )
    group = replace(
        PO_GROUP,
        gs_control_number=str(trader.number),
        sender_code=f"{trader.mark} gs",
        receiver_code=f"{trader.mark} gs03",
    )
    await unit.interchanges.insert_group(account_id, (number, interchange), group, trader.at)


async def _transaction(unit: WriteUnit, trader: Trader) -> None:
    account_id, number = trader.account_id, trader.number
    facts = set_facts(
        sender=Identity(qualifier="ZZ", isa_id=f"{trader.mark} us"),
        st_control_number=f"{trader.mark} st",
        tx_set=f"{trader.mark} set",
    )
    record = a_record(
        facts,
        environment=PRODUCTION,
        interchange_id=InterchangeId(number),
        partner_id=PartnerId(number),
    )
    row = TransactionRow(
        record=record, facts=b"facts " + trader.digest, group_id=number, digest=trader.digest
    )
    transaction_id = await unit.transactions.insert(account_id, row, any_key, trader.at)
    owner = (account_id, PRODUCTION)
    await unit.transactions.add_references(owner, transaction_id, [trader.digest])
    ack = an_ack(
        environment=PRODUCTION,
        status=AckRowStatus.PENDING,
        result=AckStatus.ACCEPTED,
        transaction_id=transaction_id,
        partner_id=PartnerId(number),
        interchange_id=InterchangeId(number),
        acked_interchange_id=InterchangeId(number),
        acked_group_id=GroupId(number),
        digest=trader.digest,
        received_at=trader.at,
    )
    await unit.acks.insert(account_id, ack, b"errors " + trader.digest, any_key, trader.at)
    traces = NewTraces(
        transaction_id=transaction_id,
        direction=Direction.OUTBOUND,
        traces=(
            NewTrace(
                place=TracePlace(kind=TraceKind.TRACE, element=f"{trader.mark} trace", position=1),
                digest=trader.digest,
                due_at=trader.at,
            ),
        ),
        total=1,
    )
    await unit.pairing.add_request(owner, traces, trader.at)
    await unit.pairing.add_response(owner, traces, trader.at)


async def _delivery(unit: WriteUnit, trader: Trader) -> None:
    entry = NewOutboxEntry(
        kind="document",
        environment=PRODUCTION,
        # The second account's is due first: after two microseconds.
        due_at=_EPOCH + timedelta(microseconds=2 if trader.number == 2 else 9),
        partner_id=PartnerId(trader.number),
        order_key=f"{trader.mark}/PO",
        interchange_id=InterchangeId(trader.number),
        transaction_id=TransactionId(trader.number),
    )
    number = await unit.outbox.insert(trader.account_id, entry, trader.at)
    stored = await unit.outbox.find(number)
    assert stored is not None
    await unit.outbox.begin_attempt(stored, f"<{trader.mark}>", trader.at)
    result = AttemptResult(
        finished_at=trader.at, outcome=AttemptOutcome.FAILED, error_code=f"{trader.mark} error"
    )
    await unit.outbox.end_attempt(Lease(id=number, attempt=0), result)
    awaited = NewReceiptRow(
        account_id=trader.account_id,
        environment=PRODUCTION,
        direction=Direction.INBOUND,
        partner_id=PartnerId(trader.number),
        outbox_id=number,
        message_id=trader.mark,
        attempt=0,
    )
    await unit.as2_receipts.insert(awaited, any_key, b"awaited " + trader.digest, trader.at)
    await _webhook(unit, trader, number)
    await _definition(unit, trader)


async def _definition(unit: WriteUnit, trader: Trader) -> None:
    facts = DefinitionFacts(
        key=DefinitionKey("850", "004010"),
        title=trader.mark,
        form="sef",
        file_name=trader.mark,
        digest=trader.mark,
        size=1,
    )
    owner = trader.account_id, PRODUCTION
    texts = b"texts " + trader.digest
    await unit.definitions.insert(owner, facts, b"title", texts, any_key, trader.at)


async def _webhook(unit: WriteUnit, trader: Trader, outbox_id: OutboxId) -> None:
    new = NewWebhook(
        account_id=trader.account_id,
        environment=PRODUCTION,
        terms=WebhookTerms(url=f"https://{trader.mark}.example", description=trader.mark),
        position=EventId(0),
        secrets=b"secrets " + trader.digest,
    )
    stored = await unit.webhooks.find(await unit.webhooks.insert(new, any_key, trader.at))
    assert stored is not None
    event = SealedEvent(
        id=EventId(trader.number),
        account_id=trader.account_id,
        environment=PRODUCTION,
        type=EventType.MAP_SAVED,
        data={},
        transaction_id=None,
        actor="",
        created_at=trader.at,
    )
    delivery = NewWebhookDelivery(
        endpoint=stored.endpoint, event=event, replay=0, outbox_id=outbox_id
    )
    await unit.webhooks.insert_delivery(delivery, trader.at)


async def _ledgers(unit: WriteUnit, trader: Trader) -> None:
    owner, mark = (trader.account_id, PRODUCTION), trader.mark
    key = NewKey(
        account_id=trader.account_id,
        environment=PRODUCTION,
        purpose=Purpose.SUBMIT,
        key_digest=trader.digest,
        request_digest=b"request " + trader.digest,
    )
    await unit.idempotency.claim(key, trader.at, START)
    event = NewEvent(type=EventType.TRANSACTION_QUEUED, actor=f"{mark} key")
    events = [event] * trader.number
    await EventWriter(unit, a_sealer(), owner).record(events, trader.at)
    entry = NewEntry(actor=f"{mark} user", action="read", object="document")
    await AuditWriter(unit, a_sealer(), trader.account_id).record([entry], trader.at)


_IDS = (
    *("identity_id", "token_id", "receipt_id", "entry_id", "group_id", "request_id", "ack_id"),
    *("attempt_id", "suspended_id", "as2_identity_id", "outbox_id", "as2_receipt_id"),
    *("endpoint_id", "delivery_id", "response_id", "response_trace_id", "definition_id"),
    *("event_id", "position"),
)
_TEXTS = (
    *("complaints", "object"),
    *("qualifier", "isa_id", "gs_id", "isa_qualifier", "tx_sets", "ack_type", "industry"),
    *("contact_email", "test_type", "live_type", "test_status", "live_status", "connections"),
    *(
        "settings",
        "routes",
        "x12_version",
        "status_before",
        "start",
        "starts",
        "start_before",
        "peer_id",
        "kind",
        "reason",
    ),
    *("purpose", "owner", "own_id", "own_qualifier", "peer_qualifier", "sender_id", "sender_code"),
    *("sender_qualifier", "receiver_qualifier", "receiver_id", "state", "outcome", "error_code"),
    *("tx_set", "functional_group", "isa_control_number", "acked_gs_control_number", "result"),
    *("acked_st_control_number", "group_code", "group_error_codes", "transaction_code"),
    *(
        "transaction_error_codes",
        "as2_name",
        "as2_to",
        "test_as2_to",
        "live_as2_to",
        "connection_type",
        "certificates",
        "message_id",
    ),
    *("url", "description", "events", "of_partners"),
)
_NUMBERS = (
    *("own_identity_id", "ack_hours", "sealed_version", "at", "first", "last", "since", "number"),
    "widest",
    *("opened_at", "probe_at", "start_probe_at", "unchanged_since"),
    *(
        "isa_number",
        "gs_number",
        "until",
        "due_at",
        "due_until",
        "attempt",
        "finished_at",
        "http_status",
    ),
    *("next_attempt_at", "doc_id", "output_doc_id", "duplicate_of", "before_at", "before_id"),
    *("behind", "behind_id", "after", "sent_at", "expected_by", "received_at", "overdue"),
    *("matched", "weak_match", "ambiguous", "conflict", "sets_included", "sets_received"),
    *("sets_accepted", "by_key", "q_id", "sign", "subject_id"),
    *("updated_at", "start_position"),
)
_BYTES = (
    *(
        "digests",
        "facts",
        "secrets",
        "private_keys",
        "answer",
        "key_digest",
        "key_test",
        "key_live",
        "q_test",
    ),
    *("q_live", "search_test", "search_live"),
)
# Filters: what has no WHERE any more does not ask them.
_FILTERS = (
    *("complaint", "is_due", "is_open", "owners"),
    *("statuses", "types", "kinds", "directions", "tx_sets", "partner_ids", "processing"),
    *("validation", "delivery", "ack", "control_number", "q", "q_prefix", "results", "ack_types"),
    *("parent_id", "search_id", "search_number", "search_parent", "search_prefix"),
)
TRADE_VALUES: dict[str, SqlValue] = {
    **dict.fromkeys(_FILTERS),
    **dict.fromkeys(_IDS, 2),
    **dict.fromkeys(_TEXTS, "another"),
    **dict.fromkeys(_NUMBERS, 7),
    **dict.fromkeys(_BYTES, b"another"),
    **dict.fromkeys(("deliveries", "others"), 7),
    "order_key": "foreign/PO",
    # What is set to these must exist.
    **dict.fromkeys(
        (
            *("partner_id", "transaction_id", "interchange_id", "own_identity_id"),
            *("acked_interchange_id", "acked_group_id"),
        ),
        1,
    ),
    "sort": "id",
    "transaction_ids": f"{2:019}",
}
"""What the queries of trading are given; what they change becomes something else by it."""

TRADE_INSERTS = {
    *(
        "insert_as2_identity",
        "insert_as2_receipt",
        "insert_identity",
        "insert_partner",
        "insert_token",
        "insert_receipt",
        "insert_interchange",
    ),
    *("insert_group", "insert_transaction", "insert_reference", "insert_ack", "insert_attempt"),
    *("insert_request_trace", "insert_response_trace"),
    *("insert_outbox_entry", "insert_event", "insert_audit_entry", "claim_key"),
    *("insert_webhook_endpoint", "insert_webhook_delivery", "insert_webhook_attempt"),
    "insert_definition",
    *("draw_control_numbers", "hold_control_counter", "draw_positions"),
}
TRADE_NUMBERS = {
    *("count_partners", "count_transactions", "count_interchanges", "count_acks"),
    *("count_unusual_transactions", "count_transactions_of_partner", "count_transactions_of_set"),
    *("count_found_transactions", "count_found_transactions_that_fit", "list_named_partners"),
    *("count_transactions_of_time", "count_stored_transactions", "count_interchanges_of_status"),
    *("count_interchanges_of_time", "count_acks_of_status", "count_group_acks_of_status"),
    *("count_rejected_acks", "list_unusual_states", "list_latencies"),
    *(
        "find_awaited",
        "list_overdue_sets",
        "list_quarantined_reasons",
    ),
    *(),
    "hold_untraded_partner",
    *("list_used_isa_numbers", "list_used_gs_numbers"),
    *("list_ends_of_used_isa_numbers", "list_ends_of_used_gs_numbers", "list_missing_isa_numbers"),
    *("find_isa_number_use", "find_gs_number_use", "list_duplicate_transactions", "find_next_due"),
    *("find_oldest_due", "list_open_of_order"),
    *("find_position", "list_forgettable_keys", "find_next_held"),
    *("list_related", "list_made_of", "find_receipt_of_correction", "find_any_correction"),
    *("list_webhook_endpoints_behind", "list_all_webhook_endpoints", "find_next_webhook_due"),
    *("list_ended_webhook_deliveries", "find_partner_of_event"),
    *("list_responses_to_request", "list_overdue_requests"),
    *("list_transaction_ids", "list_own_answers", "find_receipt_status", "list_complaints"),
}
