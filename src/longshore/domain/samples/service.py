"""Puts the samples into a vault."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from longshore.domain.pages import PageAsked
from longshore.domain.ports import Scope
from longshore.domain.samples.catalogue import FILE_PREFIX, Sample, samples
from longshore.domain.vault.model import NewDocument, VaultDocument, VaultQuery
from longshore.domain.vault.service import VaultService

_PAGE: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedSamples:
    """How many samples were stored, and how many the vault had."""

    stored: int
    present: int


class SampleService:
    """The samples, for the vaults of all accounts."""

    def __init__(self, vault: VaultService) -> None:
        self._vault = vault

    async def add(self, scope: Scope) -> AddedSamples:
        """Store the samples that the vault of an environment lacks, all of them or none.

        One is there if a document has its name and its very content. Of two calls at the same
        moment each may store them.

        Raises:
            LongshoreError: ``storage_unavailable``: nothing was stored.
        """
        held = await self._named_alike(scope)
        lacking = [sample for sample in samples() if not await self._is_in(scope, held, sample)]
        if lacking:
            await self._vault.store(scope, None, [_new_document(sample) for sample in lacking])
        return AddedSamples(stored=len(lacking), present=len(samples()) - len(lacking))

    async def _named_alike(self, scope: Scope) -> Sequence[VaultDocument]:
        """Return what is called as samples are; nothing else is, so a page holds all there is."""
        assert scope.environment is not None
        query = VaultQuery(environment=scope.environment, q=FILE_PREFIX)
        return (await self._vault.list(scope, query, PageAsked(limit=_PAGE))).documents

    async def _is_in(self, scope: Scope, held: Sequence[VaultDocument], sample: Sample) -> bool:
        for document in held:
            if document.filename == sample.facts.filename:
                opened = await self._vault.get(scope, document.id)
                if opened.content == sample.document:
                    return True
        return False


def _new_document(sample: Sample) -> NewDocument:
    return NewDocument(
        filename=sample.facts.filename,
        fmt=sample.facts.format,
        direction="inbound",
        transaction_set=sample.facts.tx_set,
        content=sample.document,
    )
