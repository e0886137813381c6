"""Store a submission in one write unit: all of it, or nothing.

The order is fixed. The idempotency key is claimed, the partner is checked again, uses of the
caller's own control numbers are looked up, control numbers are drawn, the rows are stored, and the
answer is stored. Events and audit entries come last.

Fault points: ``submission.submit.before_claim``, ``.before_draw``, ``.before_commit``, those of
``outbound.interchange``, and in the service ``submission.submit.after_commit``.

Source: contract.md section 6, reliability.md section 10.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from typing import Final

from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.control_numbers.numbers import CounterKey, NumberKind
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.idempotency.claims import IdempotencyClaim
from longshore.domain.idempotency.store import NewKey
from longshore.domain.interchanges.encryption import SealedParts
from longshore.domain.interchanges.writer import PreparedArrival, store_arrival
from longshore.domain.maps.running import ConvertedDocument
from longshore.domain.outbound.checks import (
    CheckedRequest,
    OnInvalid,
    SubmissionChecks,
    check_submission,
)
from longshore.domain.outbound.control_numbers import assign_control_numbers
from longshore.domain.outbound.drafts import Draft
from longshore.domain.outbound.errors import SubmitRefusedError, unsent_text
from longshore.domain.outbound.interchange import (
    DOCUMENT_INVALID,
    OutboundInterchange,
    StoredOutbound,
    WrittenInterchange,
    ack_due_at,
    expected_ack_form,
    is_held,
    store_outgoing,
)
from longshore.domain.outbound.outlines import InterchangeOutline, without_numbers
from longshore.domain.outbound.refusals import separations
from longshore.domain.outbound.submission import (
    DRY_RUN,
    RECEIVED,
    AnswerFacts,
    SubmitOrder,
    Submitted,
    submitted,
)
from longshore.domain.outbound.supersession import find_parent
from longshore.domain.outbound.templates import TradingParties, are_unchanged, fill_template
from longshore.domain.partners.model import Partner
from longshore.domain.ports import AccountId, Ports, RequestContext, Scope
from longshore.domain.transactions.model import (
    LastError,
    Transaction,
    TransactionStatus,
    ValidationStatus,
)
from longshore.domain.transactions.resend_chain import correction_digest, original_of
from longshore.domain.units import WriteUnit
from longshore.domain.usage.quota import check_quota
from longshore.domain.vault.model import NewDocument, SealedDocument
from longshore.domain.vault.service import DocumentWriter, seal
from longshore.engine.converted import X12, filename_of
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point

_NUMBER = re.compile("[0-9]{1,9}")


class StalePartnerError(RuntimeError):
    """The partner was changed after the document was prepared for it; it is prepared again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedSubmission:
    """A submission that is read, checked and encrypted, and not stored yet."""

    context: RequestContext
    order: SubmitOrder
    request: CheckedRequest
    parties: TradingParties
    draft: Draft
    now: datetime
    parts: SealedParts
    """The text of the draft, encrypted."""
    file_size: int
    """The length of that text in bytes."""
    key: NewKey | None = None
    arrival: PreparedArrival | None = None
    """The receipt of an inbound submission."""
    converted: ConvertedDocument | None = None
    """The X12 that a map made of the document."""
    source: SealedDocument | None = field(default=None, repr=False)
    """The document that the map read, encrypted."""
    lineage: str = field(default="", repr=False)
    """The source of each value that the map wrote, as JSON."""

    @property
    def partner(self) -> Partner:
        """The partner, without secrets."""
        return self.parties.partner

    @property
    def is_refused_as_invalid(self) -> bool:
        """The document has errors, so that it is recorded and the request is refused."""
        is_rejected = self.draft.checks.on_invalid is OnInvalid.REJECT
        return self.arrival is None and self.draft.validation_summary.has_errors and is_rejected

    @property
    def is_sent(self) -> bool:
        """The document is sent: it has no errors, or the caller wants it sent with them."""
        has_errors = self.draft.validation_summary.has_errors
        return not has_errors or self.draft.checks.on_invalid is OnInvalid.SEND


_SENT: Final = (TransactionStatus.QUEUED, "Transaction accepted.")
_HELD: Final = (
    TransactionStatus.HELD,
    "Transaction accepted; it is held, since the partner has no connection for it.",
)
_UNSENT: Final = (TransactionStatus.INVALID, "The document has errors; it was stored and not sent.")


class SubmissionWriter:
    """Stores one submission in one unit."""

    def __init__(self, unit: WriteUnit, ports: Ports, prepared: PreparedSubmission) -> None:
        self._unit = unit
        self._ports = ports
        self._given = prepared
        self._events: list[NewEvent] = []
        self._audit: list[NewEntry] = []
        self._parent: Transaction | None = None

    async def run(self) -> Submitted:
        """Store it and return the answer.

        Raises:
            SubmitRefusedError: Or another LongshoreError: it is refused; nothing is stored.
            StalePartnerError: The partner was changed meanwhile; nothing is stored.
        """
        given = self._given
        fault_point("submission.submit.before_claim")
        # A document that is refused as invalid is no success whose answer could be kept.
        key = None if given.is_refused_as_invalid else given.key
        claim = IdempotencyClaim(self._unit.idempotency, self._ports.sealer, key)
        repeated = await claim.claim(given.now)
        if repeated is not None:
            return Submitted(content=repeated.content, is_replayed=True)
        await self._check_parties_and_parent()
        checks = await self._check_number_use()
        if checks.refusals:
            raise SubmitRefusedError(checks.refusals)
        if given.order.dry_run:
            return submitted(self._dry_run(), given.draft, checks.warnings)
        size = len(given.order.content or given.order.document or "")
        ports, owner = self._ports, self._owner()
        usage = (await self._unit.usage.find(owner[0])).with_quota(ports.quota)
        await check_quota(self._unit, usage, ports.sealer, owner, size, given.now)
        if given.arrival is not None:
            answer = await self._receive(given.arrival)
        else:
            answer = await self._send()
        of = f"receipt {answer.receipt_id}"
        if answer.interchange_id is not None:
            of = f"interchange {answer.interchange_id}"
        self._audit += separations(given.context, checks.warnings, of)
        result = submitted(answer, given.draft, checks.warnings)
        await claim.keep(result.content, result.transaction_id)
        await self._record()
        fault_point("submission.submit.before_commit")
        return result

    # ---- what was read before --------------------------------------------------------------------

    async def _check_parties_and_parent(self) -> None:
        """Make sure that partner and identity are unchanged, and find the parent.

        Raises:
            StalePartnerError: Partner or identity are not.
            LongshoreError: As ``find_parent``.
        """
        given = self._given
        if not await are_unchanged(self._unit, given.parties):
            raise StalePartnerError
        count = len(given.draft.content.set_ids)
        self._parent = await find_parent(self._unit, self._ports.index, given.order, count)

    async def _check_number_use(self) -> SubmissionChecks:
        """Return the checks, made again if the ISA13 or a GS06 of the caller was used before.

        The counter of the ISA13 of what is sent is held until the unit ends.
        """
        given, checks = self._given, self._given.draft.checks
        outline, number = given.draft.outline, self._own_number()
        if outline is None or number is None:
            return checks
        key = CounterKey(NumberKind.ISA, *outline.pair.sender, *outline.pair.receiver)
        owner, numbers = self._owner(), self._unit.control_numbers
        if given.is_sent and not given.order.dry_run:
            await numbers.hold(owner, key, given.now)
        is_used = await numbers.used(owner, key, number) is not None
        # Who sends a whole interchange again need not be reported its groups as well.
        is_group_used = not is_used and await self._is_group_number_used(outline)
        if not is_used and not is_group_used:
            return checks
        content = replace(
            given.draft.content, is_number_used=is_used, is_group_number_used=is_group_used
        )
        return check_submission(given.request, content, *given.parties)

    async def _is_group_number_used(self, outline: InterchangeOutline) -> bool:
        """Tell whether a GS06 that the caller gave was sent before between the same two."""
        numbers, owner = self._unit.control_numbers, self._owner()
        headers = {group.header for group in outline.groups if group.header is not None}
        for header in headers:
            text, names = header.gs_control_number, (header.sender_code, header.receiver_code)
            key = CounterKey(NumberKind.GS, "", names[0], "", names[1])
            if _NUMBER.fullmatch(text) and await numbers.used(owner, key, int(text)) is not None:
                return True
        return False

    def _own_number(self) -> int | None:
        """Return the ISA13 under which the document is sent as it is."""
        draft = self._given.draft
        if draft.outline is None or self._given.arrival is not None or draft.checks.is_restamped:
            return None
        number = draft.outline.control_number
        return int(number) if _NUMBER.fullmatch(number) else None

    # ---- what becomes of it ----------------------------------------------------------------------

    def _dry_run(self) -> AnswerFacts:
        given, draft = self._given, self._given.draft
        sent = draft.outline
        if draft.template is not None:
            sent = fill_template(draft.template, draft.template.preview).outline
        if given.arrival is not None:
            sent = None
        is_ack_expected = sent is not None and given.is_sent and self._is_acknowledged(sent)
        environment = draft.checks.environment
        is_late = is_held(given.partner, environment)
        due_at = ack_due_at(given.partner.terms, given.now, is_held=is_late)
        return AnswerFacts(
            status=DRY_RUN,
            message="This was a dry run: nothing was stored or sent.",
            environment=environment,
            is_ack_expected=is_ack_expected,
            ack_due_at=due_at if is_ack_expected else None,
            sent=sent,
        )

    def _is_acknowledged(self, sent: InterchangeOutline) -> bool:
        ack_type = self._given.partner.terms.ack_type
        return any(expected_ack_form(group, sent, ack_type) for group in sent.groups)

    async def _receive(self, arrival: PreparedArrival) -> AnswerFacts:
        if self._parent is not None:
            root = await original_of(self._unit, self._parent.id)  # by which others find this
            digest = correction_digest(self._ports.index, root)
            arrival = replace(arrival, new=replace(arrival.new, key_digest=digest))
            self._note_correction()
        receipt_id = await store_arrival(self._unit, self._ports.sealer, arrival, self._given.now)
        return AnswerFacts(
            status=RECEIVED,
            message="Document received; it is processed as if the partner had sent it.",
            environment=arrival.new.environment,
            receipt_id=receipt_id,
        )

    async def _send(self) -> AnswerFacts:
        """Store the document as it is sent, or as it would have been."""
        given = self._given
        written = await self._write()
        doc_id = await self._store_documents(written.text)
        stored = await store_outgoing(
            self._unit, self._ports, self._outgoing(written, doc_id), given.now
        )
        self._events[:0] = stored.events
        self._note_correction()
        return self._answer(stored, written.outline)

    def _outgoing(self, written: WrittenInterchange, doc_id: int | None) -> OutboundInterchange:
        given, order = self._given, self._given.order
        validation_summary = given.draft.validation_summary
        validation, refusal = validation_summary.statuses, None
        if not given.is_sent:
            message = unsent_text(validation_summary.errors, validation_summary.error_count)
            refusal = LastError(code=DOCUMENT_INVALID, message=message, at=given.now)
            # Nothing of an interchange is sent that has an error anywhere.
            validation = dict.fromkeys(validation, ValidationStatus.INVALID)
        return OutboundInterchange(
            account_id=given.context.account_id,
            environment=given.draft.checks.environment,
            partner=given.partner,
            written=written,
            source=order.source,
            refusal=refusal,
            validation=validation,
            business_key=order.business_key,
            metadata=order.metadata,
            parent_id=None if self._parent is None else self._parent.id,
            origin=order.origin,
            doc_id=doc_id,
            actor=given.context.actor,
        )

    def _answer(self, stored: StoredOutbound, outline: InterchangeOutline) -> AnswerFacts:
        given = self._given
        status, message = _SENT
        if not given.is_sent:
            status, message = _UNSENT
        elif stored.is_held:
            status, message = _HELD
        return AnswerFacts(
            status=status,
            message=message,
            environment=given.draft.checks.environment,
            transaction_ids=stored.transaction_ids,
            interchange_id=stored.interchange_id,
            is_ack_expected=bool(stored.ack_ids),
            ack_due_at=stored.ack_due_at,
            sent=outline if given.is_sent else None,
        )

    # ---- the text --------------------------------------------------------------------------------

    async def _write(self) -> WrittenInterchange:
        """Return the interchange with its control numbers, drawn now if they are ours."""
        given, draft = self._given, self._given.draft
        if draft.template is not None and given.is_sent:
            fault_point("submission.submit.before_draw")
            sealer = self._ports.sealer
            written, events = await assign_control_numbers(
                self._unit, sealer, self._owner(), given.parties, draft.template, given.now
            )
            self._events += events
            return written
        outline = draft.outline if draft.template is None else draft.template.outline
        assert outline is not None  # bare sets have a template
        return WrittenInterchange(
            text=draft.text,
            outline=outline if given.is_sent else without_numbers(outline),
            parts=given.parts,
            file_size=given.file_size,
            body_digest=draft.body_digest or sha256(draft.text.encode()).digest(),
            is_allotted=False,
        )

    async def _store_documents(self, text: str) -> int | None:
        """Store what a map read and made in the vault; return the id of what it made."""
        given, converted = self._given, self._given.converted
        if converted is None:
            return None
        account_id, environment = self._owner()
        scope = Scope(account_id=account_id, environment=environment)
        writer = DocumentWriter(self._unit, self._ports.sealer, scope, given.now)
        made = NewDocument(
            filename=filename_of(given.order.tx_set, text, X12),
            fmt=X12,
            direction=given.order.direction,
            transaction_set=given.order.tx_set,
            content=text,
            map_id=converted.map_id,
            map_version=converted.map_version,
            explain=given.lineage,
        )
        stored = await writer.store(given.source, [seal(self._ports.sealer, made)])
        (doc_id,) = stored.output_ids
        self._events.append(NewEvent(type=EventType.DOCUMENT_STORED, data={"doc_id": int(doc_id)}))
        return doc_id

    # ---- events ----------------------------------------------------------------------------------

    def _note_correction(self) -> None:
        """Note in the audit log that a document was sent in place of another."""
        order, context = self._given.order, self._given.context
        if order.parent_id is not None:
            of = f"transaction {order.parent_id}"
            self._audit.append(entry_of(context, "transaction.correct", of, order.reason))

    async def _record(self) -> None:
        owner, ports, now = self._owner(), self._ports, self._given.now
        await EventWriter(self._unit, ports.sealer, owner).record(self._events, now)
        await AuditWriter(self._unit, ports.sealer, owner[0]).record(self._audit, now)

    def _owner(self) -> tuple[AccountId, Environment]:
        return self._given.context.account_id, self._given.draft.checks.environment
