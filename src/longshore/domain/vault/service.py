"""Stores documents encrypted, returns them decrypted, and lists them.

Encrypting a long document takes long, so it happens before the write unit (``seal``). The unit
inserts each row together with its data key, wrapped for the id of the row (``store_documents``).
Content is returned only after the audit log has an entry for it. Fault points, at which a test can
end the process: ``vault.write.before_insert``, ``vault.<verb>.before_commit`` and
``vault.<verb>.after_commit`` with the verbs ``write`` and ``read``.
"""

import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from longshore.domain.accounts.model import Account
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.encryption import key_for_row, row_associated_data
from longshore.domain.pages import PageParameters, total_of
from longshore.domain.ports import (
    NO_QUOTA,
    SYSTEM,
    Compute,
    RequestContext,
    Scope,
    SealBrokenError,
    Sealer,
    StorageQuota,
)
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.domain.usage.quota import check_quota
from longshore.domain.vault.model import (
    ROW_KIND,
    DocumentNotFoundError,
    NewDocument,
    OpenedDocument,
    SealedDocument,
    SealedRecord,
    VaultDocumentId,
    VaultPage,
    VaultQuery,
)
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point

_LONG_BYTES: Final = 262_144  # below it sealing is done sooner than a thread is woken


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDocuments:
    """Ids of what one unit has stored; ``output_ids`` in the order of the outputs."""

    source_id: VaultDocumentId | None
    output_ids: tuple[VaultDocumentId, ...]


class VaultService:
    """The vault of every account. ``executor`` encrypts and decrypts long documents."""

    def __init__(
        self,
        units: Units,
        clock: Clock,
        sealer: Sealer,
        executor: Compute,
        quota: StorageQuota = NO_QUOTA,
    ) -> None:
        self._units = units
        self._clock = clock
        self._sealer = sealer
        self._quota = quota
        self._executor = executor

    async def store(
        self, scope: Scope, source: NewDocument | None, outputs: Sequence[NewDocument]
    ) -> StoredDocuments:
        """Store what a conversion read and what it made, all or nothing; return their ids.

        Raises:
            StorageQuotaError: The account has used its quota.
            LongshoreError: ``storage_unavailable``: nothing was stored.
        """
        sealed_source = None if source is None else await self._seal(source)
        sealed_outputs = [await self._seal(output) for output in outputs]
        now = self._clock.now()

        all_sealed = [*([] if sealed_source is None else [sealed_source]), *sealed_outputs]
        size = sum(len(each.content) for each in all_sealed)

        async def write(unit: WriteUnit) -> StoredDocuments:
            assert scope.account_id is not None
            assert scope.environment is not None
            owner = scope.account_id, scope.environment
            usage = (await unit.usage.find(scope.account_id)).with_quota(self._quota)
            await check_quota(unit, usage, self._sealer, owner, size, now)
            writer = DocumentWriter(unit, self._sealer, scope, now)
            return await writer.store(sealed_source, sealed_outputs)

        stored = await self._units.write(scope, write)
        fault_point("vault.write.after_commit")
        return stored

    async def get(self, scope: Scope, document_id: VaultDocumentId) -> OpenedDocument:
        """Return a document with its content, for use in the house; ``read`` gives it out.

        Raises:
            DocumentNotFoundError: The scope has none of this id.
            SealBrokenError: It is not what was stored.
        """

        async def find(unit: ReadUnit) -> SealedRecord | None:
            return await unit.vault.find(document_id)

        record = await self._units.read(scope, find)
        if record is None:
            raise DocumentNotFoundError
        if len(record.content) + len(record.facts) <= _LONG_BYTES:
            return open_document(self._sealer, record)
        return await self._executor.submit_to_executor(open_document, self._sealer, record)

    async def read(self, context: RequestContext, document_id: VaultDocumentId) -> OpenedDocument:
        """Return a document to somebody; the audit log says so before.

        That costs one write unit, which shares its commit with those that wait at the same time.

        Raises:
            DocumentNotFoundError: The scope has none of this id.
            SealBrokenError: It is not what was stored.
            LongshoreError: ``storage_unavailable``: it could not be noted, so it is not given out.
        """
        opened = await self.get(context.scope, document_id)
        await self.note(context, entry_of(context, "document.read", f"document {document_id}"))
        return opened

    async def note(self, context: RequestContext, entry: NewEntry) -> None:
        """Add to the audit log that content of documents is given out; returns when it is durable.

        Raises:
            LongshoreError: ``storage_unavailable``: nothing may be given out.
        """
        now = self._clock.now()

        async def write(unit: WriteUnit) -> None:
            await AuditWriter(unit, self._sealer, context.account_id).record((entry,), now)
            fault_point("vault.read.before_commit")

        await self._units.write(context.scope, write)
        fault_point("vault.read.after_commit")

    async def list(self, scope: Scope, query: VaultQuery, asked: PageParameters) -> VaultPage:
        """Return a page of the documents that fit, newest first."""

        async def page(unit: ReadUnit) -> VaultPage:
            documents = await unit.vault.list(query, asked.limit + 1, asked.offset)
            return VaultPage(
                documents=tuple(documents[: asked.limit]),
                total=total_of(await unit.vault.count(query, asked.count_to + 1), asked),
                has_more=len(documents) > asked.limit,
            )

        return await self._units.read(scope, page)

    async def list_sources(
        self, scope: Scope, map_id: int, environment: Environment, most: int
    ) -> tuple[VaultDocumentId, ...]:
        """Return what was converted with a map in one environment, newest conversion first."""

        async def sources(unit: ReadUnit) -> tuple[VaultDocumentId, ...]:
            return tuple(await unit.vault.list_sources(map_id, environment, most))

        return await self._units.read(scope, sources)

    async def _seal(self, new: NewDocument) -> SealedDocument:
        if len(new.content) + len(new.explain or "") <= _LONG_BYTES:
            return seal(self._sealer, new)
        return await self._executor.submit_to_executor(seal, self._sealer, new)


class DocumentWriter:
    """Stores sealed documents inside a write unit, which may belong to another use case."""

    def __init__(self, unit: WriteUnit, sealer: Sealer, scope: Scope, created_at: datetime) -> None:
        assert scope.account_id is not None
        assert scope.environment is not None
        self._vault = unit.vault
        self._sealer = sealer
        self._owner = (scope.account_id, scope.environment)
        self._created_at = created_at

    async def store(
        self, source: SealedDocument | None, outputs: Sequence[SealedDocument]
    ) -> StoredDocuments:
        """Store the outputs, each with the id of the source it was made from."""
        fault_point("vault.write.before_insert")
        source_id = None if source is None else await self._insert(source, None)
        output_ids = tuple([await self._insert(output, source_id) for output in outputs])
        fault_point("vault.write.before_commit")
        return StoredDocuments(source_id=source_id, output_ids=output_ids)

    async def _insert(
        self, new: SealedDocument, source_id: VaultDocumentId | None
    ) -> VaultDocumentId:
        key_for = key_for_row(self._sealer, new.key, ROW_KIND, self._owner)
        return await self._vault.insert(self._owner, new, source_id, key_for, self._created_at)


def seal(sealer: Sealer, new: NewDocument) -> SealedDocument:
    """Return a document as it is written: its facts and its content under a key of its own."""
    content = new.content.encode()
    facts = {"sha256": sha256(content).hexdigest(), "explain": new.explain}
    key = sealer.new_key()
    return SealedDocument(
        filename=new.filename,
        fmt=new.fmt,
        direction=new.direction,
        transaction_set=new.transaction_set,
        map_id=new.map_id,
        map_version=new.map_version,
        file_size=len(content),
        status=new.status,
        facts=sealer.seal(key, json.dumps(facts).encode()),
        content=sealer.seal(key, content),
        key=key,
    )


def open_document(sealer: Sealer, record: SealedRecord) -> OpenedDocument:
    """Return a stored document opened.

    Raises:
        SealBrokenError: It is not what was stored in this row.
    """
    document = record.document
    associated_data = row_associated_data(
        ROW_KIND, record.account_id, document.environment, document.id
    )
    key = sealer.unwrap(record.wrapped_key, associated_data)
    content = sealer.open(key, record.content)
    expected, explain = _facts(sealer.open(key, record.facts))
    digest = sha256(content).hexdigest()
    # Both are sealed under one key: this tells which is which.
    if not hmac.compare_digest(digest, expected):
        raise SealBrokenError("the content of a document is not the one its hash was taken of")
    return OpenedDocument(
        document=document,
        content=content.decode(),
        sha256=digest,
        explain=explain,
    )


def _facts(opened: bytes) -> tuple[str, str | None]:
    """Return the hash and the lineage.

    Raises:
        SealBrokenError: They are no facts.
    """
    try:
        facts = json.loads(opened)
        return str(facts["sha256"]), facts["explain"]
    except (ValueError, TypeError, KeyError) as error:
        raise SealBrokenError("the facts of a document are not facts") from error


PURGE_BATCH: Final = 500
"""Documents that one write unit removes: others wait for no longer than that takes."""


class Retention:
    """The retention of all accounts; a suspended one's documents age as well."""

    def __init__(self, units: Units, clock: Clock) -> None:
        self._units = units
        self._clock = clock

    async def purge(self) -> int:
        """Remove what has expired in every account, each in its own scope; return how much.

        In units of at most ``PURGE_BATCH`` documents. A kill between two of them leaves the rest
        to the next call.

        Raises:
            LongshoreError: ``storage_unavailable``; the next call goes on with the rest.
        """
        now, removed = self._clock.now(), 0
        for account in await self._units.read(SYSTEM, _accounts):
            if account.retention_days is not None:
                # Production sees the documents of both environments.
                scope = Scope(account_id=account.id, environment=Environment.PRODUCTION)
                removed += await self._purge(scope, now)
        return removed

    async def _purge(self, scope: Scope, now: datetime) -> int:
        async def remove(unit: WriteUnit) -> int:
            (account,) = await unit.accounts.list()
            if account.retention_days is None:
                return 0
            before = now - timedelta(days=account.retention_days)
            expired = await unit.vault.list_expired(before, PURGE_BATCH)
            return sum([await unit.vault.delete(each) for each in expired])

        removed = batch = await self._units.write(scope, remove)
        while batch == PURGE_BATCH:
            batch = await self._units.write(scope, remove)
            removed += batch
        return removed


async def _accounts(unit: ReadUnit) -> Sequence[Account]:
    return await unit.accounts.list()
