"""What the services of exchanging documents work with, over a real database."""

from longshore.compute.documents import convert_result
from longshore.compute.inline import InlineCompute
from longshore.domain.definitions.cache import DefinitionCache
from longshore.domain.maps.runner import SavedMapRunner
from longshore.domain.ports import Ports
from longshore.kit.clock import Clock
from tests.support.clock import CountedIds
from tests.support.database import Database
from tests.support.maps import a_map_service
from tests.support.partners import LOOPBACK_ALLOWED
from tests.support.vault import a_sealer, an_index


def a_map_runner(database: Database, clock: Clock) -> SavedMapRunner:
    return SavedMapRunner(a_map_service(database, clock), clock, InlineCompute(), convert_result)


def some_ports(database: Database, clock: Clock, **changes: object) -> Ports:
    """Return the usual ports, but for what is given."""
    usual: dict[str, object] = {
        "units": database.units,
        "clock": clock,
        "ids": CountedIds("trading"),
        "sealer": a_sealer(),
        "index": an_index(),
        "compute": InlineCompute(),
        "threads": InlineCompute(),
        "maps": a_map_runner(database, clock),
        "cursor_key": bytes(range(32)),
        "destinations": LOOPBACK_ALLOWED,
        "definitions": DefinitionCache(
            database.units, a_sealer(), clock, database.revocations, InlineCompute()
        ),
    }
    return Ports(**usual | changes)  # type: ignore[arg-type]  # each as its field
