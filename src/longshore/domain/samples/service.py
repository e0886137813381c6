"""The sample documents of the package, and a service that stores them in a vault."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final, Literal

from longshore.domain.pages import PageParameters
from longshore.domain.ports import Scope
from longshore.domain.vault.model import NewDocument, VaultDocument, VaultQuery
from longshore.domain.vault.service import VaultService

FILE_PREFIX: Final = "sample-"
"""The beginning of the names that samples have in the vault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleFacts:
    """The facts about a sample, without its text.

    ``name`` is its folder below ``samples/``. ``title`` is for people.
    """

    name: str
    title: str
    format: Literal["x12", "json", "csv", "xml"] = "x12"
    tx_set: str = ""
    """``""`` if it is not X12."""

    @property
    def filename(self) -> str:
        """Return the name of the sample in the vault."""
        return f"{FILE_PREFIX}{self._file}"

    @property
    def _file(self) -> str:
        return f"{self.name}.{_ENDINGS.get(self.format, self.format)}"

    def document(self) -> str:
        """Return the text of the sample."""
        folder = resources.files(__package__) / "documents"
        return (folder / self._file).read_bytes().decode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A sample with its text."""

    facts: SampleFacts
    document: str


_ENDINGS: Final = MappingProxyType({"x12": "edi"})

ORDER: Final = SampleFacts(name="850_purchase_order", title="850 Purchase order", tx_set="850")
FACTS: Final = (
    ORDER,
    SampleFacts(name="855_order_acknowledgment", title="855 Order acknowledgement", tx_set="855"),
    SampleFacts(name="856_ship_notice", title="856 Ship notice", tx_set="856"),
    SampleFacts(name="810_invoice", title="810 Invoice", tx_set="810"),
    SampleFacts(name="204_load_tender", title="204 Load tender", tx_set="204"),
    SampleFacts(name="214_shipment_status", title="214 Shipment status", tx_set="214"),
    SampleFacts(name="835_remittance", title="835 Remittance advice", tx_set="835"),
    SampleFacts(name="837p_claim", title="837P Professional claims", tx_set="837"),
    SampleFacts(
        name="997_functional_acknowledgment", title="997 Functional acknowledgement", tx_set="997"
    ),
    SampleFacts(name="json_order", title="JSON order", format="json"),
    SampleFacts(name="csv_order", title="CSV order", format="csv"),
    SampleFacts(name="xml_order", title="XML order", format="xml"),
)


@cache
def samples() -> tuple[Sample, ...]:
    """Return all samples, the order and what follows from it first."""
    return tuple(Sample(facts=facts, document=facts.document()) for facts in FACTS)


_PAGE: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedSamples:
    """The number of samples that were stored, and of those that the vault had."""

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
        return (await self._vault.list(scope, query, PageParameters(limit=_PAGE))).documents

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
