"""Submits documents to partners.

A document is read, validated and written in the partner's envelope outside the unit. One unit
(``repository``) stores it with everything that belongs to it. A refused submission stores nothing,
except for a document with errors that is to be recorded.

Source: contract.md section 6.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from longshore.domain.idempotency.claims import find_answer, request_key
from longshore.domain.idempotency.store import NewKey
from longshore.domain.interchanges.store import plain
from longshore.domain.interchanges.writer import PreparedArrival, ReceivedBytes, prepare_arrival
from longshore.domain.maps.running import ConvertedDocument, MapConversion
from longshore.domain.outbound.checks import SIMULATE, CheckedRequest
from longshore.domain.outbound.conversions import agreed_version, draft_converted
from longshore.domain.outbound.drafts import Draft, DraftRequest, draft
from longshore.domain.outbound.errors import (
    DocumentInvalidError,
    MapOutputNotX12Error,
    PartnerChangedError,
    PartnerNotShownError,
)
from longshore.domain.outbound.refusals import note_refusal
from longshore.domain.outbound.repository import (
    PreparedSubmission,
    StalePartnerError,
    SubmissionWriter,
)
from longshore.domain.outbound.submission import SubmitOrder, Submitted, check_order
from longshore.domain.outbound.templates import (
    LONG_BYTES,
    MAX_INLINE_VALIDATION_CHARS,
    TradingParties,
    find_parties,
    local_time,
    sealed,
)
from longshore.domain.partners.model import Direction, Partner
from longshore.domain.partners.status import is_visible
from longshore.domain.ports import Ports, RequestContext
from longshore.domain.transactions.model import Source, TransactionId
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.domain.vault.model import NewDocument, SealedDocument
from longshore.domain.vault.service import seal
from longshore.engine.converted import X12, filename_of
from longshore.kit.errors import LongshoreError
from longshore.kit.faults import fault_point

_MAX_TRIES: Final = 3


class SubmitService:
    """Submissions of all accounts."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    async def submit(self, context: RequestContext, order: SubmitOrder) -> Submitted:
        """Store a document and queue it; return the answer.

        Raises:
            InvalidOrderError: Members of the order are at fault.
            PartnerNotFoundError: There is no such partner, or the caller does not see it.
            NoOwnIdentityError: The account has no identity to send under.
            SubmitRefusedError: Document, partner and order do not go together.
            DocumentInvalidError: The document has errors; it was recorded, as asked for.
            IdempotencyMismatchError: The key was used with another order.
            NumbersExhaustedError: The partner's range has no free control number.
            PartnerChangedError: The partner changes all the time.
            TransactionNotFoundError: There is no such ``parent_id``.
            LongshoreError: The document cannot be read, converted or written.
        """
        check_order(order)
        ports, named = self._ports, None if order.dry_run else order.idempotency_key
        key = request_key(ports.index, context, named, order.request_body())
        stored = await find_answer(ports.units, ports.sealer, key, context.scope, ports.clock.now())
        if stored is not None:
            return Submitted(content=stored.content, is_replayed=True)
        for _ in range(_MAX_TRIES):
            try:
                return await self._attempt(context, order, key)
            except StalePartnerError:
                continue
            except LongshoreError as error:
                if not order.dry_run:  # it would have changed nothing, and leaves nothing behind
                    await note_refusal(ports, context, error, f"partner {order.partner_id}")
                raise
        raise PartnerChangedError

    # ---- an attempt ------------------------------------------------------------------------------

    async def _attempt(
        self, context: RequestContext, order: SubmitOrder, key: NewKey | None
    ) -> Submitted:
        """Prepare and store a submission.

        Raises:
            StalePartnerError: The partner was changed meanwhile; nothing was stored.
            DocumentInvalidError: As ``submit``, which names the other refusals too.
        """
        ports = self._ports
        parties = await self._visible_parties(context, order)
        converted = await self._converted(context, order, parties.partner)
        prepared = await self._prepare(context, order, parties, converted)
        prepared = replace(prepared, key=key)

        async def work(unit: WriteUnit) -> Submitted:
            return await SubmissionWriter(unit, ports, prepared).run()

        answer = await ports.units.write(context.scope, work)
        fault_point("submission.submit.after_commit")
        transaction_id = answer.transaction_id
        if prepared.is_refused_as_invalid and not answer.is_replayed and transaction_id is not None:
            validation_summary = prepared.draft.validation_summary
            raise DocumentInvalidError(
                validation_summary.errors,
                validation_summary.error_count,
                TransactionId(transaction_id),
            )
        return answer

    async def _visible_parties(self, context: RequestContext, order: SubmitOrder) -> TradingParties:
        async def find(unit: ReadUnit) -> TradingParties:
            return await find_parties(unit, order.partner_id)

        parties = await self._ports.units.read(context.scope, find)
        # People see all their partners; a key of the sandbox sees those in testing.
        is_key = order.source is Source.API
        if is_key and not is_visible(parties.partner.status, context.environment):
            raise PartnerNotShownError(parties.partner.id)
        return parties

    async def _converted(
        self, context: RequestContext, order: SubmitOrder, partner: Partner
    ) -> ConvertedDocument | None:
        if order.document is None or order.map_id is None:
            return None
        conversion = MapConversion(
            document=order.document,
            map_id=order.map_id,
            map_version=order.map_version,
            tx_set=order.tx_set,
            version=agreed_version(partner.terms.version, order.tx_set),
        )
        converted = await self._ports.maps.convert(context, conversion)
        if converted.format != X12:
            raise MapOutputNotX12Error(converted.format)
        return converted

    async def _prepare(
        self,
        context: RequestContext,
        order: SubmitOrder,
        parties: TradingParties,
        converted: ConvertedDocument | None,
    ) -> PreparedSubmission:
        """Return a submission that is read, validated and encrypted."""
        ports, now, (partner, own) = self._ports, self._ports.clock.now(), parties
        request = CheckedRequest(
            key_environment=context.environment,
            direction=order.direction,
            tx_set=order.tx_set,
            # What a map makes has preview numbers.
            restamp=order.restamp if converted is None else True,
            on_invalid=order.on_invalid,
            simulate=order.metadata.get(SIMULATE, ""),
        )
        asked = DraftRequest(
            request=request,
            partner=partner,
            own=own,
            local_now=local_time(now, partner.terms.settings.timezone),
            code_lists=partner.terms.settings.codes.lists_of(ports.code_lists),
            definitions=await ports.definitions.current(context.scope),
        )
        drafted, lineage = await self._drafted(order.content or "", converted, asked)
        content = drafted.text.encode()
        prepared = PreparedSubmission(
            context=context,
            order=order,
            request=request,
            parties=parties,
            draft=drafted,
            now=now,
            parts=await sealed(ports.threads, ports.sealer, content),
            file_size=len(content),
            converted=converted,
            source=await self._source(order, converted),
            lineage=lineage,
        )
        if order.direction is Direction.OUTBOUND:
            return prepared
        return replace(prepared, arrival=await self._arrival(prepared, content))

    async def _drafted(
        self, content: str, converted: ConvertedDocument | None, asked: DraftRequest
    ) -> tuple[Draft, str]:
        """Return the draft of the content, or of what a map made in its place with its lineage."""
        compute = self._ports.compute
        if converted is not None:
            return await compute.submit_to_executor(draft_converted, converted, asked)
        is_short = len(content) <= MAX_INLINE_VALIDATION_CHARS and asked.definitions is None
        run = compute.run if is_short else compute.submit_to_executor
        return await run(draft, content, asked), ""

    async def _arrival(self, prepared: PreparedSubmission, content: bytes) -> PreparedArrival:
        ports = self._ports
        arrival = ReceivedBytes(
            account_id=prepared.context.account_id,
            environment=prepared.draft.checks.environment,
            partner_id=prepared.partner.id,
            source=prepared.order.source,
            content=content,
            facts={
                "business_key": prepared.order.business_key,
                "metadata": dict(prepared.order.metadata),
                "parent_id": prepared.order.parent_id,
                "note": prepared.order.origin,
            },
        )
        if len(content) <= LONG_BYTES:
            return prepare_arrival(ports.sealer, ports.index, arrival)
        return await ports.threads.submit_to_executor(
            prepare_arrival, ports.sealer, ports.index, arrival
        )

    async def _source(
        self, order: SubmitOrder, converted: ConvertedDocument | None
    ) -> SealedDocument | None:
        """Return what a map read, as the vault takes it."""
        if converted is None or order.document is None:
            return None
        source = NewDocument(
            filename=filename_of(converted.source_set, order.document, converted.source_format),
            fmt=converted.source_format,
            direction=order.direction,
            transaction_set=plain(converted.source_set),
            content=order.document,
        )
        if len(order.document) <= LONG_BYTES:
            return seal(self._ports.sealer, source)
        return await self._ports.threads.submit_to_executor(seal, self._ports.sealer, source)
