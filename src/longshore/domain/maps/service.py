"""Saved maps: create, read, save, restore, lock, delete, test and replay them.

A save compiles the rules and encrypts them before the write unit, and is refused if somebody else
has saved since. Its tests run afterwards. Source: contract.md sections 9, 11 and 15.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NoReturn

from longshore.domain.encryption import decrypt_row, row_associated_data
from longshore.domain.maps.audit_entries import MapAction, record_change
from longshore.domain.maps.definitions import can_check_rules, definition_faults
from longshore.domain.maps.errors import (
    EditConflictError,
    InvalidMapError,
    MapLockedError,
    MapNotFoundError,
)
from longshore.domain.maps.model import (
    Authorship,
    Candidate,
    KnownFailures,
    ListedMap,
    MapDefinition,
    MapHead,
    MapId,
    MapPage,
    MapQuery,
    MapVersion,
    Saved,
    SavedMap,
)
from longshore.domain.maps.store import HeadFacts, SealedVersion
from longshore.domain.ports import (
    NO_QUOTA,
    AccountId,
    AssociatedData,
    Compute,
    DataKey,
    RequestContext,
    Scope,
    Sealer,
    StorageQuota,
)
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.domain.usage.quota import refuse_beyond_quota
from longshore.engine.trials import RuleChanges, TestReport, count_rules, rule_changes, run_tests
from longshore.kit.clock import Clock
from longshore.kit.errors import LongshoreError

_KIND: Final = "map_version"
_LARGEST_ID: Final = 2**63 - 1  # what both databases hold
_ALL: Final = MapQuery()


@dataclass(frozen=True, slots=True)
class _Edit:
    """A change that becomes the next version of a map."""

    map_id: int
    expected_version: int
    definition: MapDefinition
    action: MapAction


@dataclass(frozen=True, slots=True)
class _Sealed:
    """A definition on its way into a unit."""

    facts: HeadFacts
    changes: RuleChanges
    key: DataKey
    body: bytes


class MapService:
    """Saved maps of all accounts, each through the scope of its caller."""

    def __init__(
        self,
        units: Units,
        sealer: Sealer,
        clock: Clock,
        compute: Compute,
        quota: StorageQuota = NO_QUOTA,
    ) -> None:
        self._units = units
        self._sealer = sealer
        self._clock = clock
        self._compute = compute
        self._quota = quota
        self._failures = KnownFailures()

    async def list(self, scope: Scope, query: MapQuery = _ALL) -> MapPage:
        """Return a page of the account's maps, the last saved first."""

        async def read(unit: ReadUnit) -> Sequence[ListedMap]:
            return await unit.maps.list()

        # Here, because the databases disagree about case; accounts have hundreds of maps.
        fitting = [each for each in await self._units.read(scope, read) if query.fits(each.head)]
        end = None if query.limit is None else query.offset + query.limit
        shown = (
            replace(each, issue_count=self._failures.of(each.head))
            for each in fitting[query.offset : end]
        )
        return MapPage(maps=tuple(shown), total=len(fitting))

    async def get(self, scope: Scope, map_id: int, version: int | None = None) -> SavedMap:
        """Return a map with its newest version, or with the one asked for.

        Raises:
            MapNotFoundError: There is no such map or version.
        """
        if not all(
            1 <= number <= _LARGEST_ID for number in (map_id, 1 if version is None else version)
        ):
            raise MapNotFoundError

        async def find(unit: ReadUnit) -> tuple[MapHead, SealedVersion]:
            head = await _head(unit, map_id)
            sealed = await unit.maps.find_version(head.id, version or head.version)
            if sealed is None:
                raise MapNotFoundError
            return head, sealed

        head, sealed = await self._units.read(scope, find)
        associated_data = _associated_data(_owner(scope), sealed.id, sealed.version)
        body = decrypt_row(self._sealer, associated_data, sealed.wrapped_key, sealed.body)
        definition = MapDefinition.from_json(body)
        return SavedMap(head=head, version=sealed.version, definition=definition)

    async def versions(self, scope: Scope, map_id: int) -> tuple[MapVersion, ...]:
        """Return the history of a map, the newest version first.

        Raises:
            MapNotFoundError: There is no such map.
        """

        async def versions(unit: ReadUnit) -> tuple[MapVersion, ...]:
            head = await _head(unit, map_id)
            return tuple(await unit.maps.list_versions(head.id))

        return await self._units.read(scope, versions)

    async def create(
        self, context: RequestContext, definition: MapDefinition, by: Authorship
    ) -> Saved:
        """Store a new map at version 1.

        Raises:
            LongshoreError: invalid_parameter, invalid_mapping_rule, unsupported_transform or
                limit_exceeded; storage_quota_exceeded if the account has used its quota; nothing
                is stored.
        """
        sealed = await self._sealed(definition, "[]")
        account_id, now = context.account_id, self._clock.now()

        async def insert(unit: WriteUnit) -> MapHead:
            head = await unit.maps.insert(account_id, sealed.facts, now)
            await self._insert_version(unit, account_id, head, sealed, by)
            await record_change(unit, context, MapAction.CREATE, head.id, now)
            return head

        return await self._saved(await self._units.write(context.scope, insert), definition)

    async def save(
        self,
        context: RequestContext,
        map_id: int,
        expected_version: int,
        definition: MapDefinition,
        by: Authorship,
    ) -> Saved:
        """Store the next version of a map, edited from ``expected_version``.

        Raises:
            MapNotFoundError: There is no such map.
            MapLockedError: It is locked.
            EditConflictError: Another version was saved since.
            LongshoreError: As for ``create``.
        """
        return await self._advance(
            context, _Edit(map_id, expected_version, definition, MapAction.SAVE), by
        )

    async def restore(
        self, context: RequestContext, map_id: int, version: int, by: Authorship
    ) -> Saved:
        """Save an old version again as the newest, whatever that is.

        Raises:
            LongshoreError: As for ``save``; not_found for an unknown version.
        """
        old = await self.get(context.scope, map_id, version)
        edit = _Edit(map_id, old.head.version, old.definition, MapAction.RESTORE)
        return await self._advance(context, edit, by)

    async def set_locked(
        self, context: RequestContext, map_id: int, *, is_locked: bool
    ) -> SavedMap:
        """Lock or unlock a map and return it; the same again changes nothing.

        Raises:
            MapNotFoundError: There is no such map.
        """
        now, action = self._clock.now(), MapAction.LOCK if is_locked else MapAction.UNLOCK

        async def change(unit: WriteUnit) -> None:
            if await unit.maps.set_locked(MapId(map_id), is_locked=is_locked):
                await record_change(unit, context, action, map_id, now)

        await self._units.write(context.scope, change)
        return await self.get(context.scope, map_id)

    async def delete(
        self, context: RequestContext, map_id: int, expected_version: int | None
    ) -> None:
        """Remove a map and its versions; documents it made stay.

        Raises:
            MapNotFoundError: There is no such map.
            MapLockedError: It is locked.
            EditConflictError: Another version was saved since ``expected_version``.
        """
        now = self._clock.now()

        async def delete(unit: WriteUnit) -> None:
            head = await _head(unit, map_id)
            expected = head.version if expected_version is None else expected_version
            if head.version != expected or not await unit.maps.delete(head.id):
                await _refuse_change(unit, map_id, expected)
            await record_change(unit, context, MapAction.DELETE, map_id, now)

        await self._units.write(context.scope, delete)

    async def run_tests(self, scope: Scope, map_id: int, candidate: Candidate) -> TestReport:
        """Run the saved tests of a map by its newest rules, or by those of a candidate.

        Raises:
            LongshoreError: not_found, or what the candidate's rules are refused for.
        """
        newest, definition = await self.candidate(scope, map_id, candidate)
        rules = definition.run()
        await self._compute.run(count_rules, rules)
        report = await self._compute.submit_to_executor(run_tests, rules, definition.tests)
        if definition == newest.definition:
            self._failures.note(newest.head, report)
        return report

    async def candidate(
        self, scope: Scope, map_id: int, candidate: Candidate
    ) -> tuple[SavedMap, MapDefinition]:
        """Return the newest version of a map, and what the candidate makes of it.

        Raises:
            MapNotFoundError: There is no such map or version.
        """
        newest = await self.get(scope, map_id)
        base = newest.definition
        if candidate.version is not None:
            base = (await self.get(scope, map_id, candidate.version)).definition
        tried = replace(
            base,
            field_map=candidate.field_map or base.field_map,
            lookups=candidate.lookups or base.lookups,
            tests=newest.definition.tests,
        )
        return newest, tried

    async def _advance(self, context: RequestContext, edit: _Edit, by: Authorship) -> Saved:
        """Store the next version of a map.

        Raises:
            LongshoreError: As for ``save``.
        """
        newest = await self.get(context.scope, edit.map_id)
        sealed = await self._sealed(edit.definition, newest.definition.field_map)
        account_id, now = context.account_id, self._clock.now()

        async def advance(unit: WriteUnit) -> MapHead:
            expected = edit.expected_version
            head = await unit.maps.advance(MapId(edit.map_id), expected, sealed.facts, now)
            if head is None:
                await _refuse_change(unit, edit.map_id, expected)
            assert head is not None
            await self._insert_version(unit, account_id, head, sealed, by)
            await record_change(unit, context, edit.action, head.id, now)
            return head

        return await self._saved(await self._units.write(context.scope, advance), edit.definition)

    async def _sealed(self, definition: MapDefinition, rules_before: str) -> _Sealed:
        """Check a definition, compare its rules with those before, and seal it.

        Raises:
            LongshoreError: As for ``create``.
        """
        rule_count = await self._rule_count(definition)
        changes = await self._compute.run(rule_changes, rules_before, definition.field_map)
        key = self._sealer.new_key()
        facts = HeadFacts(
            name=definition.name,
            source_fmt=definition.source_fmt,
            target_fmt=definition.target_fmt,
            tx_set=definition.tx_set,
            direction=definition.direction,
            rule_count=rule_count,
        )
        return _Sealed(facts, changes, key, self._sealer.seal(key, definition.to_json()))

    async def _rule_count(self, definition: MapDefinition) -> int:
        """Return how many rules a definition has that is sound.

        Raises:
            InvalidMapError: Members of it are at fault, and maybe rules too: all are listed.
            LongshoreError: As for ``create``: only rules are at fault.
        """
        faults = definition_faults(definition)
        if not can_check_rules(definition, faults):
            raise InvalidMapError(faults)
        try:
            count = await self._compute.run(count_rules, definition.run())
        except LongshoreError as refusal:
            if faults:
                raise InvalidMapError((*faults, *refusal.details)) from refusal
            raise
        if faults:
            raise InvalidMapError(faults)
        return count

    async def _insert_version(
        self,
        unit: WriteUnit,
        account_id: AccountId,
        head: MapHead,
        sealed: _Sealed,
        by: Authorship,
    ) -> None:
        """Store the version that the head has now.

        Raises:
            StorageQuotaError: The account has used its quota.
        """
        usage = (await unit.usage.find(account_id)).with_quota(self._quota)
        refuse_beyond_quota(usage, len(sealed.body))
        version = MapVersion(
            version=head.version,
            rule_count=head.rule_count,
            changes=sealed.changes,
            note=by.note,
            saved_by=by.saved_by,
            saved_at=head.updated_at,
        )

        def key_for(row_id: int) -> bytes:
            return self._sealer.wrap(sealed.key, _associated_data(account_id, row_id, head.version))

        await unit.maps.insert_version(account_id, head.id, version, sealed.body, key_for)

    async def _saved(self, head: MapHead, definition: MapDefinition) -> Saved:
        report = TestReport(results=())
        if definition.tests:
            report = await self._compute.submit_to_executor(
                run_tests, definition.run(), definition.tests
            )
        self._failures.note(head, report)
        saved = SavedMap(head=head, version=head.version, definition=definition)
        return Saved(map=saved, tests=report)


async def _head(unit: ReadUnit, map_id: int) -> MapHead:
    head = await unit.maps.find(MapId(map_id))
    if head is None:
        raise MapNotFoundError
    return head


async def _refuse_change(unit: ReadUnit, map_id: int, expected_version: int) -> NoReturn:
    """Say why a map could not be changed.

    Raises:
        MapNotFoundError: There is none.
        MapLockedError: It is locked.
        EditConflictError: It is at another version.
    """
    head = await _head(unit, map_id)
    if head.is_locked and head.version == expected_version:
        raise MapLockedError
    raise EditConflictError(head.version)


def _owner(scope: Scope) -> AccountId:
    assert scope.account_id is not None  # maps belong to accounts; the system scope has none
    return scope.account_id


def _associated_data(account_id: AccountId, row_id: int, version: int) -> AssociatedData:
    return row_associated_data(_KIND, account_id, None, row_id, version)
