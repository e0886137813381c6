"""The definitions of accounts as validation uses them, kept in memory.

What an account has is asked again after some seconds, or as soon as a process changes a definition
(``Revocations``); its texts are read only if they are others than before.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from longshore.domain.definitions.store import ROW_KIND, SealedDefinition
from longshore.domain.encryption import Owner, decrypt_row, row_associated_data
from longshore.domain.ports import Compute, Revocations, Scope, Sealer
from longshore.domain.units import ReadUnit, Units
from longshore.kit.clock import Clock
from longshore.x12.dictionary.own_definitions import OwnDefinition, OwnDefinitions

LIFETIME: Final = timedelta(seconds=5)
MAX_OWNERS: Final = 10_000
MAX_CHARS: Final = 64 << 20
"""Texts of all accounts that are kept in memory."""


@dataclass(frozen=True, slots=True)
class _Known:
    """The definitions of an owner at a time."""

    digests: tuple[str, ...]
    definitions: OwnDefinitions | None
    chars: int
    count: int
    read_at: datetime


class DefinitionCache:
    """The definitions of all accounts. One per process, on its event loop."""

    def __init__(
        self, units: Units, sealer: Sealer, clock: Clock, revocations: Revocations, threads: Compute
    ) -> None:
        self._units = units
        self._sealer = sealer
        self._clock = clock
        self._revocations = revocations
        self._threads = threads
        self._known: dict[Owner, _Known] = {}

    async def current(self, scope: Scope) -> OwnDefinitions | None:
        """Return the definitions of an account in an environment; None if it has none.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """
        assert scope.account_id is not None  # the caller is somebody of an account
        assert scope.environment is not None
        owner = scope.account_id, scope.environment
        known, now = self._known.get(owner), self._clock.now()
        count = self._revocations.count()
        # The age would be negative after the clock was set back.
        if (
            known is not None
            and known.count == count
            and timedelta(0) <= now - known.read_at < LIFETIME
        ):
            return known.definitions
        known = await self._read(scope, owner, known, (count, now))
        self._keep(owner, known)
        return known.definitions

    def announce(self) -> None:
        """Let all processes ask again; called after the commit of a change."""
        self._revocations.announce()

    async def _read(
        self, scope: Scope, owner: Owner, before: _Known | None, moment: tuple[int, datetime]
    ) -> _Known:
        async def read(unit: ReadUnit) -> tuple[tuple[str, ...], Sequence[SealedDefinition]]:
            stored = await unit.definitions.list(owner[1])
            digests = tuple(each.facts.digest for each in stored)
            if not digests or (before is not None and before.digests == digests):
                return digests, ()
            return digests, await unit.definitions.list_sealed(owner[1])

        digests, sealed = await self._units.read(scope, read)
        if not digests:
            return _Known((), None, 0, *moment)
        if not sealed:
            assert before is not None  # it has the same texts
            return _Known(digests, before.definitions, before.chars, *moment)
        definitions = await self._threads.submit_to_executor(_opened, self._sealer, owner, sealed)
        chars = sum(each.stored.facts.size for each in sealed)
        return _Known(digests, definitions, chars, *moment)

    def _keep(self, owner: Owner, known: _Known) -> None:
        self._known.pop(owner, None)
        self._known[owner] = known
        total = sum(each.chars for each in self._known.values()) if known.chars else 0
        while len(self._known) > MAX_OWNERS or total > MAX_CHARS:
            total -= self._known.pop(next(iter(self._known))).chars


def _opened(sealer: Sealer, owner: Owner, sealed: Sequence[SealedDefinition]) -> OwnDefinitions:
    return OwnDefinitions(
        OwnDefinition.of(each.stored.facts.key, open_texts(sealer, owner, each)) for each in sealed
    )


def open_texts(sealer: Sealer, owner: Owner, sealed: SealedDefinition) -> dict[str, str]:
    """Return the texts of a definition, in the form of the dictionary, by file name."""
    associated_data = row_associated_data(ROW_KIND, *owner, sealed.stored.id)
    content = decrypt_row(sealer, associated_data, sealed.stored.wrapped_key, sealed.content)
    texts: dict[str, str] = json.loads(content)
    return texts
