"""A vault for tests, and documents to put into it."""

from dataclasses import replace

from longshore.compute.inline import InlineCompute
from longshore.domain.ports import AccountId, RequestContext, Scope
from longshore.domain.vault.model import NewDocument
from longshore.domain.vault.service import VaultService
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.storage.blind_index import HmacBlindIndex
from longshore.storage.master_key import MasterKey
from longshore.storage.sealing import AesSealer
from tests.support.clock import CountedIds
from tests.support.database import Database

MASTER_KEY = bytes(range(32))

PURCHASE_ORDER = "ISA*00*…~ST*850*0001~BEG*00*SA*PO-1~SE*3*0001~"


def a_sealer(master_key: bytes = MASTER_KEY) -> AesSealer:
    return AesSealer(MasterKey(secret=master_key), CountedIds(master_key.hex()))


def an_index(master_key: bytes = MASTER_KEY) -> HmacBlindIndex:
    return HmacBlindIndex(MasterKey(secret=master_key))


def a_vault(database: Database, clock: Clock) -> VaultService:
    return VaultService(database.units, clock, a_sealer(), InlineCompute())


AN_850 = NewDocument(
    filename="850-1a2b3c4d.edi",
    fmt="x12",
    direction="inbound",
    transaction_set="850",
    content=PURCHASE_ORDER,
)


def a_document(content: str = PURCHASE_ORDER, **members: object) -> NewDocument:
    """Return an inbound 850, but for what is given."""
    return replace(AN_850, content=content, **members)  # type: ignore[arg-type]  # each as its field


def context(account: int, environment: Environment) -> RequestContext:
    """Return a user of an account, in a request."""
    return RequestContext(
        account_id=AccountId(account),
        environment=environment,
        actor=f"user {account}",
        ip="192.0.2.7",
        request_id="req_1",
    )


def scope(account: int, environment: Environment) -> Scope:
    return Scope(account_id=AccountId(account), environment=environment)
