"""Maps for tests."""

from longshore.compute.inline import InlineCompute
from longshore.domain.maps.model import MapDefinition, SampleDocument
from longshore.domain.maps.service import MapService
from longshore.engine.trials import MapTest
from longshore.kit.clock import Clock
from tests.support.database import Database
from tests.support.vault import a_sealer

ORDER_RULES = '[{"src":"BEG.03","tgt":"number"},{"src":"PO1[*].02","tgt":"lines[*].quantity"}]'
ORDER = "ST*850*0001~BEG*00*SA*PO-1**20260115~PO1*1*10*EA~PO1*2*4*EA~CTT*2~SE*6*0001~"
ORDER_JSON = '{"number":"PO-1","lines":[{"quantity":"10"},{"quantity":"4"}]}'
UNITS = '[{"name":"units","rows":[{"from":"EA","to":"each"}]}]'


def a_map(
    field_map: str = ORDER_RULES,
    *,
    name: str = "Orders",
    lookups: str = "[]",
    tests: tuple[MapTest, ...] = (),
    sample: SampleDocument | None = None,
) -> MapDefinition:
    return MapDefinition(
        name=name,
        description="what the shop reads",
        source_fmt="x12",
        target_fmt="json",
        tx_set="850",
        direction="inbound",
        field_map=field_map,
        lookups=lookups,
        sample=sample,
        target_sample="",
        tests=tests,
    )


def a_map_service(database: Database, clock: Clock) -> MapService:
    return MapService(database.units, a_sealer(), clock, InlineCompute())
