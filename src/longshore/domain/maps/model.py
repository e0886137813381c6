"""A saved map: its definition, which each save keeps whole as a new version, and its head.

Source: service.md section 2 (map summary), contract.md sections 9 and 15,
fields-and-mapping.md section 9.
"""

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final, NewType, TypedDict

from longshore.engine import RuleText
from longshore.engine.trials import MapTest, MapTrial, RuleChanges, TestReport

MapId = NewType("MapId", int)

FORMATS: Final = ("x12", "json", "csv", "xml")
DIRECTIONS: Final = ("inbound", "outbound")


LookupRow = TypedDict("LookupRow", {"from": str, "to": str})


class MapLookup(TypedDict):
    """A table that rules name by ``table_id``."""

    name: str
    rows: list[LookupRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleDocument:
    """The document a map is drawn over."""

    document: str
    format: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MapDefinition:
    """The contents of one version of a map; all stored encrypted, as they may hold documents."""

    name: str
    description: str
    source_fmt: str
    target_fmt: str
    tx_set: str
    direction: str
    field_map: str
    """The JSON text of the rules, as convert takes them."""
    lookups: str
    """The JSON text of ``[{"name": "units", "rows": [{"from": "EA", "to": "each"}]}]``. Both stay
    the text they came as, so that no number in them is rounded.
    """
    sample: SampleDocument | None
    target_sample: str
    tests: tuple[MapTest, ...]

    def run(self) -> MapTrial:
        """Return what the engine needs to apply the rules."""
        rules = RuleText(
            field_map=self.field_map,
            lookups=self.lookups,
            source_format=self.source_fmt,
            target_format=self.target_fmt,
        )
        return MapTrial(rules=rules, tx_set=self.tx_set)

    def lookup_tables(self) -> list[MapLookup]:
        """Return the lookup tables in their order."""
        tables: list[MapLookup] = json.loads(self.lookups)
        return tables

    def to_json(self) -> bytes:
        """Return the definition as it is sealed and stored."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":")).encode()

    @classmethod
    def from_json(cls, stored: bytes) -> "MapDefinition":
        """Return what ``to_json`` made the bytes of."""
        members = json.loads(stored)
        sample = members.pop("sample")
        tests = members.pop("tests")
        return cls(
            **members,
            sample=None if sample is None else SampleDocument(**sample),
            tests=tuple(MapTest(**test) for test in tests),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MapHead:
    """The entry of a map in a list; it describes the newest version. Times are aware UTC."""

    id: MapId
    name: str
    source_fmt: str
    target_fmt: str
    tx_set: str
    direction: str
    version: int
    rule_count: int
    is_locked: bool
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedMap:
    """A map as lists show it."""

    head: MapHead
    last_run_at: datetime | None
    """When the newest of the stored documents was made that the map made, as far as the scope shows
    them; a conversion that stores nothing leaves no trace.
    """
    issue_count: int | None = None
    """Tests of the newest version that fail; None if this process has not run them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapQuery:
    """Filters of maps."""

    q: str = ""
    """An id, or part of the name, whatever its case."""
    limit: int | None = None
    """None: all that follow ``offset``."""
    offset: int = 0

    def fits(self, head: MapHead) -> bool:
        """Return whether a map is looked for."""
        return self.q.casefold() in head.name.casefold() or self.q == str(head.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class MapPage:
    """Maps of one page, the last saved first, and how many there are on all pages."""

    maps: tuple[ListedMap, ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Authorship:
    """The author of a version, an e-mail address or ``cli``, and the comment."""

    saved_by: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedMap:
    """A map with one of its versions; ``version`` tells which."""

    head: MapHead
    version: int
    definition: MapDefinition


@dataclass(frozen=True, slots=True, kw_only=True)
class MapVersion:
    """The entry of a version in the history."""

    version: int
    rule_count: int
    changes: RuleChanges
    """Against the version before."""
    note: str
    """Why it was saved."""
    saved_by: str
    """An e-mail address, or ``cli``."""
    saved_at: datetime


MAX_KNOWN: Final = 10_000  # versions, about 2 MB


class KnownFailures:
    """The outcomes of tests. One per process, on its event loop."""

    def __init__(self) -> None:
        self._counts: dict[tuple[int, int], int] = {}  # by map and version

    def of(self, head: MapHead) -> int | None:
        """Return how many tests of the newest version fail; None if that is not known."""
        return self._counts.get((head.id, head.version))

    def note(self, head: MapHead, report: TestReport) -> None:
        """Remember how the tests of the newest version went."""
        version = (head.id, head.version)
        self._counts.pop(version, None)
        if len(self._counts) >= MAX_KNOWN:
            del self._counts[next(iter(self._counts))]
        self._counts[version] = report.failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A map after a save, and how its tests fared."""

    map: SavedMap
    tests: TestReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A candidate to try before a save: rules, lookups (JSON texts), or an old version of both."""

    field_map: str | None = None
    lookups: str | None = None
    version: int | None = None
