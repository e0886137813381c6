"""Transactions for people and programs: read them, list them and act on them.

The bytes of a document are returned only after the audit log has an entry for it. Fault points:
``transactions.<verb>.before_insert``, ``….before_commit`` and ``….after_commit`` with the verbs
``retry``, ``cancel`` and ``read``. Source: contract.md sections 5 and 15.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from longshore.domain.acks.encryption import open_ack
from longshore.domain.acks.store import StoredAck
from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.delivery.model import DeliveryAttempt
from longshore.domain.events.model import SealedEvent
from longshore.domain.idempotency.claims import (
    IdempotencyClaim,
    StoredResponse,
    find_answer,
    request_key,
)
from longshore.domain.interchanges.encryption import open_interchange
from longshore.domain.interchanges.store import Interchange, SealedContent
from longshore.domain.outbound.refusals import note_refusal
from longshore.domain.pages import total_of
from longshore.domain.partners.model import PartnerStatus
from longshore.domain.ports import Ports, RequestContext
from longshore.domain.transactions.actions import (
    RequestedAction,
    found_transaction,
    perform,
    record_performed,
)
from longshore.domain.transactions.encryption import open_transaction
from longshore.domain.transactions.errors import (
    NothingStoredError,
)
from longshore.domain.transactions.lists import CursorContext, Sort, SortField, TransactionFilters
from longshore.domain.transactions.model import DeliveryStatus, Transaction, TransactionId
from longshore.domain.transactions.redrive import MAX_REDRIVEN, redrive
from longshore.domain.transactions.reissue import VISIBLE_TO_USERS, ActionOrder, reissued
from longshore.domain.transactions.search import behind, cursor_behind, query_of
from longshore.domain.transactions.states import Action
from longshore.domain.transactions.store import PageRequest, SealedTransaction
from longshore.domain.transactions.timeline import (
    Delivery,
    History,
    ListRequest,
    Redriven,
    TimelineEntry,
    TrackedTransaction,
    TransactionContent,
    TransactionPage,
    delivery_of,
    timeline_of,
)
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.domain.vault.model import DocumentNotFoundError, OpenedDocument, VaultDocumentId
from longshore.domain.vault.service import VaultService
from longshore.kit.errors import LongshoreError
from longshore.kit.faults import fault_point

_REDRIVEN: Final = frozenset({DeliveryStatus.FAILED, DeliveryStatus.PENDING})
_LONG_BYTES: Final = 262_144  # below it opening is done sooner than a thread is woken
_OLDEST_FIRST: Final = Sort(field=SortField.ID, is_descending=False)
_NO_CONTENT: Final = "The content of this transaction is not stored."
_NO_OUTPUT: Final = "No output of a map is stored for this transaction."
_History = tuple[Transaction, Sequence[SealedEvent], Sequence[DeliveryAttempt], Sequence[StoredAck]]


class TransactionService:
    """The transactions of all accounts, each through the scope of its caller."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._vault = VaultService(ports.units, ports.clock, ports.sealer, ports.threads)

    async def get(self, context: RequestContext, transaction_id: int) -> TrackedTransaction:
        """Return a transaction.

        Raises:
            TransactionNotFoundError: The scope has none of this id.
        """

        async def find(unit: ReadUnit) -> SealedTransaction:
            return await found_transaction(unit, transaction_id)

        return self._opened(await self._ports.units.read(context.scope, find))

    async def page(
        self, context: RequestContext, filters: TransactionFilters, request: ListRequest
    ) -> TransactionPage:
        """Return a page of what fits. Production sees both environments, the sandbox its own.

        Raises:
            InvalidQueryError: The cursor is none of this list, or comes with an offset.
        """
        key, sort = self._ports.cursor_key, request.sort
        cursor_context = CursorContext(key=key, scope=context.scope, filters=filters, sort=sort)
        one_more = PageRequest(
            limit=request.limit + 1,
            offset=request.offset,
            sort=sort,
            behind=behind(request, cursor_context),
        )
        query = query_of(self._ports.index, context.account_id, filters)

        async def read(unit: ReadUnit) -> tuple[Sequence[SealedTransaction], int]:
            return (
                await unit.transactions.list(query, one_more),
                await unit.transactions.count(query, request.count_to + 1),
            )

        rows, found = await self._ports.units.read(context.scope, read)
        shown = tuple(self._opened(each) for each in rows[: request.limit])
        is_last = len(rows) <= request.limit
        cursor = None if is_last else cursor_behind(shown[-1].transaction, cursor_context)
        return TransactionPage(
            transactions=shown, total=total_of(found, request), next_cursor=cursor
        )

    async def timeline(
        self, context: RequestContext, transaction_id: int
    ) -> tuple[TimelineEntry, ...]:
        """Return what happened to a transaction, oldest first.

        Raises:
            TransactionNotFoundError: The scope has none of this id.
        """

        async def read(unit: ReadUnit) -> _History:
            transaction = (await found_transaction(unit, transaction_id)).transaction
            return (
                transaction,
                await unit.events.list_of_transaction(transaction.id),
                await _attempts(unit, transaction),
                await unit.acks.list_of_transaction(transaction.id),
            )

        transaction, events, attempts, acks = await self._ports.units.read(context.scope, read)
        opened = [open_ack(self._ports.sealer, each) for each in acks]
        history = History(transaction=transaction, events=events, attempts=attempts, acks=opened)
        return timeline_of(self._ports.sealer, history)

    async def deliveries(
        self, context: RequestContext, transaction_id: int
    ) -> tuple[Delivery, ...]:
        """Return the attempts to deliver the interchange of a transaction, oldest first.

        Raises:
            TransactionNotFoundError: The scope has none of this id.
        """

        async def read(unit: ReadUnit) -> Sequence[DeliveryAttempt]:
            stored = await found_transaction(unit, transaction_id)
            return await _attempts(unit, stored.transaction)

        attempts = await self._ports.units.read(context.scope, read)
        return tuple(delivery_of(self._ports.sealer, each) for each in attempts)

    async def content(self, context: RequestContext, transaction_id: int) -> TransactionContent:
        """Return the whole interchange; of what never was in one, its document.

        Raises:
            TransactionNotFoundError: The scope has none of this id.
            NothingStoredError: Neither is stored.
        """

        async def find(
            unit: ReadUnit,
        ) -> tuple[Transaction, tuple[Interchange, SealedContent] | None]:
            transaction = (await found_transaction(unit, transaction_id)).transaction
            number = transaction.record.interchange_id
            return transaction, None if number is None else await unit.interchanges.find(number)

        transaction, found = await self._ports.units.read(context.scope, find)
        if found is None:
            document = await self._document(context, transaction.record.doc_id, _NO_CONTENT)
            content, filename = document.content.encode(), document.document.filename
        else:
            content, filename = await self._bytes(*found), f"interchange-{found[0].id}.edi"
        await self._note(context, "transaction.read", f"transaction {transaction_id}")
        return TransactionContent(content=content, filename=filename)

    async def output(self, context: RequestContext, transaction_id: int) -> OpenedDocument:
        """Return what the partner's map made of a transaction.

        Raises:
            TransactionNotFoundError: The scope has none of this id.
            NothingStoredError: No map ran, or the document was removed.
        """

        async def find(unit: ReadUnit) -> int | None:
            return (await found_transaction(unit, transaction_id)).output_doc_id

        doc_id = await self._ports.units.read(context.scope, find)
        document = await self._document(context, doc_id, _NO_OUTPUT)
        await self._note(context, "document.read", f"document {doc_id}")
        return document

    # ---- actions ---------------------------------------------------------------------------------

    async def retry(self, context: RequestContext, order: ActionOrder) -> StoredResponse:
        """Send the interchange of a transaction again: the same bytes, the same numbers.

        Raises:
            TransactionNotFoundError: The scope has none of this id.
            ActionRefusedError: Its state does not allow it.
            ReasonRequiredError: It was delivered, so that a reason is needed.
            PartnerNotFoundError: The caller does not see its partner.
            SubmitRefusedError: The partner takes no documents now.
            LongshoreError: IdempotencyMismatchError: the key was used with another request.
        """
        try:
            return await self._act_once(context, Action.RETRY, order)
        except LongshoreError as error:
            await note_refusal(self._ports, context, error, f"transaction {order.transaction_id}")
            raise

    async def reissue(self, context: RequestContext, order: ActionOrder) -> StoredResponse:
        """Send a set again under new numbers, in an interchange of its own; answer its record.

        Raises:
            LongshoreError: As of ``retry``; also NoOwnIdentityError, NumbersExhaustedError.
        """
        try:
            return await reissued(self._ports, context, order)
        except LongshoreError as error:
            await note_refusal(self._ports, context, error, f"transaction {order.transaction_id}")
            raise

    async def cancel(self, context: RequestContext, order: ActionOrder) -> StoredResponse:
        """Cancel the interchange of a transaction: none of its sets is sent any more.

        Raises:
            TransactionNotFoundError: The scope has none of this id.
            ActionRefusedError: Its state does not allow it.
            ReasonRequiredError: A reason is needed.
            IdempotencyMismatchError: The key was used with another request.
        """
        return await self._act_once(context, Action.CANCEL, order)

    async def redrive(
        self,
        context: RequestContext,
        ids: Sequence[int],
        seen: frozenset[PartnerStatus] = VISIBLE_TO_USERS,
    ) -> Redriven:
        """Send again what failed, and at once what waits for its next attempt; skip all others.

        Raises:
            InvalidQueryError: There are more than ``MAX_REDRIVEN`` ids.
        """

        async def retry(batch: Sequence[int]) -> AbstractSet[int]:
            return await self._retry(context, batch, seen)

        async def note(refusal: LongshoreError, number: int) -> None:
            await note_refusal(self._ports, context, refusal, f"transaction {number}")

        return await redrive(ids, retry, note)

    async def redrive_fitting(
        self,
        context: RequestContext,
        filters: TransactionFilters,
        seen: frozenset[PartnerStatus] = VISIBLE_TO_USERS,
    ) -> Redriven:
        """Do the same with those that match filters, at most ``MAX_REDRIVEN``, oldest first."""
        statuses = _REDRIVEN & (filters.delivery_status or _REDRIVEN)
        if not statuses:
            return Redriven(queued=0, skipped=())
        dead = replace(filters, delivery_status=statuses)
        request = ListRequest(limit=MAX_REDRIVEN, sort=_OLDEST_FIRST)
        page = await self.page(context, dead, request)
        ids = [each.transaction.id for each in page.transactions]
        return await self.redrive(context, ids, seen)

    async def _retry(
        self, context: RequestContext, ids: Sequence[int], seen: frozenset[PartnerStatus]
    ) -> AbstractSet[TransactionId]:
        """Send all of these again, or none; return all whose delivery changed."""
        sealer, now = self._ports.sealer, self._ports.clock.now()
        action = Action.RETRY
        wanted = RequestedAction(context=context, action=action, ids=ids, now=now, seen=seen)

        async def work(unit: WriteUnit) -> AbstractSet[TransactionId]:
            actions = await perform(unit, sealer, wanted)
            await record_performed(unit, sealer, wanted, actions)
            return actions.stepped

        stepped = await self._ports.units.write(context.scope, work)
        fault_point(f"transactions.{action}.after_commit")
        return stepped

    async def _act_once(
        self, context: RequestContext, action: Action, order: ActionOrder
    ) -> StoredResponse:
        """Do what is asked for with one, once under its key; answer its record."""
        units, sealer, now = self._ports.units, self._ports.sealer, self._ports.clock.now()
        body = order.request_body(action)
        key = request_key(self._ports.index, context, order.idempotency_key, body)
        stored = await find_answer(units, sealer, key, context.scope, now)
        if stored is not None:
            return stored
        wanted = RequestedAction(
            context=context,
            action=action,
            ids=[order.transaction_id],
            now=now,
            reason=order.reason,
            seen=order.seen,
        )

        async def work(unit: WriteUnit) -> StoredResponse:
            claimed = IdempotencyClaim(unit.idempotency, sealer, key)
            repeated = await claimed.claim(now)
            if repeated is not None:
                return repeated
            actions = await perform(unit, sealer, wanted)
            stored = await found_transaction(unit, order.transaction_id)
            answer = StoredResponse(order.answer(open_transaction(sealer, stored)))
            await claimed.keep(answer.content, order.transaction_id)
            await record_performed(unit, sealer, wanted, actions)
            return answer

        answer = await units.write(context.scope, work)
        fault_point(f"transactions.{action}.after_commit")
        return answer

    # ---- what these share ------------------------------------------------------------------------

    def _opened(self, stored: SealedTransaction) -> TrackedTransaction:
        transaction = open_transaction(self._ports.sealer, stored)
        return TrackedTransaction(transaction=transaction, output_doc_id=stored.output_doc_id)

    async def _bytes(self, interchange: Interchange, sealed: SealedContent) -> bytes:
        sealer = self._ports.sealer
        if len(sealed.content) <= _LONG_BYTES:
            return open_interchange(sealer, interchange, sealed).content
        opened = await self._ports.threads.submit_to_executor(
            open_interchange, sealer, interchange, sealed
        )
        return opened.content

    async def _document(
        self, context: RequestContext, doc_id: int | None, missing: str
    ) -> OpenedDocument:
        """Return a document of the vault.

        Raises:
            NothingStoredError: There is none; ``missing`` says so.
        """
        if doc_id is None:
            raise NothingStoredError(missing)
        try:
            return await self._vault.get(context.scope, VaultDocumentId(doc_id))
        except DocumentNotFoundError as error:
            raise NothingStoredError(missing) from error

    async def _note(self, context: RequestContext, action: str, what: str) -> None:
        """Add to the audit log that something is given out."""
        now, entry = self._ports.clock.now(), entry_of(context, action, what)

        async def write(unit: WriteUnit) -> None:
            await AuditWriter(unit, self._ports.sealer, context.account_id).record([entry], now)
            fault_point("transactions.read.before_commit")

        await self._ports.units.write(context.scope, write)
        fault_point("transactions.read.after_commit")


async def _attempts(unit: ReadUnit, transaction: Transaction) -> Sequence[DeliveryAttempt]:
    """Return the attempts to deliver an interchange, counted on after each time it was retried."""
    number = transaction.record.interchange_id
    found = [] if number is None else await unit.outbox.list_attempts(number)
    return [replace(each, attempt=count) for count, each in enumerate(found, 1)]
