"""The definitions of accounts: imported, listed, shown and deleted.

A file is read in the compute pool, within its limits, before the write unit.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.definitions.cache import open_texts
from longshore.domain.definitions.errors import DefinitionNotFoundError, DefinitionStateError
from longshore.domain.definitions.model import (
    MAX_ACCOUNT_CHARS,
    MAX_DEFINITIONS,
    DefinitionFacts,
    DefinitionImport,
    OwnDefinitionId,
    StoredDefinition,
)
from longshore.domain.definitions.store import ROW_KIND, SealedDefinition
from longshore.domain.encryption import decrypt_row, key_for_row, row_associated_data
from longshore.domain.ports import DataKey, Ports, RequestContext, Scope
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.domain.usage.quota import refuse_beyond_quota
from longshore.engine.definitions import DefinitionFile, ImportedDefinition, import_definitions
from longshore.x12.dictionary.own_definitions import OwnDefinitions


class _Prepared(NamedTuple):
    """A definition on its way into a unit."""

    facts: DefinitionFacts
    key: DataKey
    title: bytes
    content: bytes


class DefinitionService:
    """The imported definitions of all accounts, each through the scope of its caller."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    async def current(self, scope: Scope) -> OwnDefinitions | None:
        """Return what validation uses in place of the definitions of Longshore; None if nothing.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """
        return await self._ports.definitions.current(scope)

    async def list(self, context: RequestContext) -> tuple[StoredDefinition, ...]:
        """Return the definitions in the caller's environment, by set, release and guide."""

        async def read(unit: ReadUnit) -> tuple[StoredDefinition, ...]:
            return tuple(await unit.definitions.list(context.environment))

        found = await self._ports.units.read(context.scope, read)
        return tuple(self._titled(context, each) for each in found)

    async def show(
        self, context: RequestContext, definition_id: OwnDefinitionId
    ) -> tuple[StoredDefinition, dict[str, str]]:
        """Return a definition and its texts in the form of the dictionary, by file name.

        Raises:
            DefinitionNotFoundError: There is no such definition.
        """

        async def read(unit: ReadUnit) -> SealedDefinition | None:
            sealed = await unit.definitions.list_sealed(context.environment)
            return next((each for each in sealed if each.stored.id == definition_id), None)

        found = await self._ports.units.read(context.scope, read)
        if found is None:
            raise DefinitionNotFoundError
        owner = context.account_id, context.environment
        stored = self._titled(context, found.stored)
        return stored, open_texts(self._ports.sealer, owner, found)

    async def import_file(
        self, context: RequestContext, text: str, names: DefinitionFile
    ) -> DefinitionImport:
        """Store the definitions of a file; each takes the place of an earlier one of its key.

        Raises:
            FileRefusedError: The file cannot be used; it says each fault with its line.
            DefinitionStateError: The account would have too many definitions, or too long ones.
            StorageQuotaError: The account has used its quota.
        """
        ports = self._ports
        imported = await ports.compute.submit_to_executor(import_definitions, text, names)
        prepared = tuple(
            self._prepared(each, imported.form, names) for each in imported.definitions
        )

        async def write(unit: WriteUnit) -> DefinitionImport:
            return await self._store(unit, context, prepared)

        done = await ports.units.write(context.scope, write)
        ports.definitions.announce()
        return DefinitionImport(
            definitions=tuple(self._titled(context, each) for each in done.definitions),
            replaced=done.replaced,
            warnings=imported.warnings,
            warning_count=imported.warning_count,
        )

    async def delete(self, context: RequestContext, definition_id: OwnDefinitionId) -> None:
        """Remove a definition: that of Longshore, if there is one, is used again.

        Raises:
            DefinitionNotFoundError: There is no such definition.
        """

        async def delete(unit: WriteUnit) -> None:
            stored = await unit.definitions.list(context.environment)
            found = next((each for each in stored if each.id == definition_id), None)
            if found is None:
                raise DefinitionNotFoundError
            await unit.definitions.delete(definition_id)
            await self._audit(unit, context, "definition.delete", (found,))

        await self._ports.units.write(context.scope, delete)
        self._ports.definitions.announce()

    def _prepared(self, of: ImportedDefinition, form: str, names: DefinitionFile) -> _Prepared:
        definition, sealer = of.definition, self._ports.sealer
        facts = DefinitionFacts(
            key=definition.key,
            title=of.title,
            form=form,
            file_name=names.file,
            digest=definition.name,
            size=sum(map(len, definition.texts.values())),
        )
        key = sealer.new_key()
        content = json.dumps(dict(definition.texts), ensure_ascii=False).encode()
        title = sealer.seal(key, of.title.encode())
        return _Prepared(facts, key, title, sealer.seal(key, content))

    def _titled(self, context: RequestContext, stored: StoredDefinition) -> StoredDefinition:
        """Return a definition with its title."""
        owner = context.account_id, context.environment
        title = decrypt_row(
            self._ports.sealer,
            row_associated_data(ROW_KIND, *owner, stored.id),
            stored.wrapped_key,
            stored.sealed_title,
        )
        return replace(stored, facts=replace(stored.facts, title=title.decode()))

    async def _store(
        self, unit: WriteUnit, context: RequestContext, prepared: tuple[_Prepared, ...]
    ) -> DefinitionImport:
        ports, environment = self._ports, context.environment
        now, owner = ports.clock.now(), (context.account_id, environment)
        await unit.definitions.hold(owner)  # two imports at once would store one key twice
        before = {each.facts.key: each for each in await unit.definitions.list(environment)}
        after = {key: each.facts for key, each in before.items()}
        after |= {each.facts.key: each.facts for each in prepared}
        _check_amount(after.values())
        ids, new_bytes = {}, 0
        for each in prepared:
            facts = each.facts
            if facts.key in before:
                await unit.definitions.delete(before[facts.key].id)
            else:  # what takes the place of another one is not more than was there
                new_bytes += len(each.content)
                usage = (await unit.usage.find(context.account_id)).with_quota(ports.quota)
                refuse_beyond_quota(usage, new_bytes)
            key_for = key_for_row(ports.sealer, each.key, ROW_KIND, owner)
            definition_id = await unit.definitions.insert(
                owner, facts, each.title, each.content, key_for, now
            )
            ids[definition_id] = facts.key in before
        stored = tuple(it for it in await unit.definitions.list(environment) if it.id in ids)
        await self._audit(unit, context, "definition.import", stored)
        replaced = frozenset(each for each, is_replaced in ids.items() if is_replaced)
        return DefinitionImport(definitions=stored, replaced=replaced, warnings=(), warning_count=0)

    async def _audit(
        self,
        unit: WriteUnit,
        context: RequestContext,
        action: str,
        definitions: tuple[StoredDefinition, ...],
    ) -> None:
        entries = tuple(
            entry_of(context, action, f"definition {each.id}", " ".join(each.facts.key).strip())
            for each in definitions
        )
        writer = AuditWriter(unit, self._ports.sealer, context.account_id)
        await writer.record(entries, self._ports.clock.now())


def _check_amount(facts: Collection[DefinitionFacts]) -> None:
    """Refuse more than an account may have.

    Raises:
        DefinitionStateError: There are too many definitions, or they are too long together.
    """
    if len(facts) > MAX_DEFINITIONS:
        raise DefinitionStateError(
            f"An account has at most {MAX_DEFINITIONS} definitions in an environment: delete some."
        )
    if sum(each.size for each in facts) > MAX_ACCOUNT_CHARS:
        raise DefinitionStateError(
            f"The definitions of an account have at most {MAX_ACCOUNT_CHARS} characters in an "
            "environment: delete some."
        )
