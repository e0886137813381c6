"""A candidate version of a map, run over documents it converted before, against the newest one.

Nothing is stored but the entry of the audit log, since differences show what stands in the
documents. A document that the newest version cannot convert differs as a whole. Source: contract.md
section 15 (``POST /api/maps/{id}/replay``).
"""

from dataclasses import dataclass
from typing import Final

from longshore.domain.maps.audit_entries import replay_entry
from longshore.domain.maps.model import Candidate
from longshore.domain.maps.service import MapService
from longshore.domain.ports import Compute, RequestContext, Scope
from longshore.domain.vault.model import DocumentNotFoundError, OpenedDocument, VaultDocumentId
from longshore.domain.vault.service import VaultService
from longshore.engine.trials import Replayed, count_rules, replay

MAX_DOCUMENTS: Final = 500
DEFAULT_DOCUMENTS: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayResult:
    """The difference that the candidate makes for one stored document."""

    source_doc_id: VaultDocumentId
    transaction_id: int | None
    replayed: Replayed


class ReplayService:
    """Replays for every account, each through the scope of its caller."""

    def __init__(self, maps: MapService, vault: VaultService, compute: Compute) -> None:
        self._maps = maps
        self._vault = vault
        self._compute = compute

    async def replay(
        self, context: RequestContext, map_id: int, candidate: Candidate, last: int
    ) -> tuple[ReplayResult, ...]:
        """Return what a candidate changes about the ``last`` documents, the newest first.

        The audit log names those that were read before, in one entry; without any it has none.

        Raises:
            LongshoreError: not_found, or what the candidate's rules are refused for.
        """
        scope = context.scope
        newest, definition = await self._maps.candidate(scope, map_id, candidate)
        before, after = newest.definition.run(), definition.run()
        await self._compute.run(count_rules, after)
        results = []
        for source_id in await self._vault.list_sources(scope, map_id, context.environment, last):
            opened = await self._opened(scope, source_id)
            if opened is not None:
                replayed = await self._compute.submit_to_executor(
                    replay, before, after, opened.content
                )
                results.append(
                    ReplayResult(
                        source_doc_id=source_id,
                        transaction_id=opened.document.transaction_id,
                        replayed=replayed,
                    )
                )
        if results:
            read = [each.source_doc_id for each in results]
            await self._vault.note(context, replay_entry(context, map_id, read))
        return tuple(results)

    async def _opened(self, scope: Scope, source_id: VaultDocumentId) -> OpenedDocument | None:
        """Return a stored document; None if its retention ended meanwhile."""
        try:
            return await self._vault.get(scope, source_id)
        except DocumentNotFoundError:
            return None
