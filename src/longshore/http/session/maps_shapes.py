"""The wire shapes of saved maps (contract.md sections 9 and 15)."""

from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.maps.definitions import NOTE_MAX_CHARS
from longshore.http.api_v1.convert_shapes import ConversionNotice, FieldMap, Rule
from longshore.http.api_v1.parse import Format, Text
from longshore.http.envelope import Notice, Time
from longshore.http.listing import Id, Limit, Offset, Search

Ok = Annotated[Literal[True], msgspec.Meta(description="Always true.")]
MapId = Annotated[str, msgspec.Meta(description="Id of a map.")]
Direction = Literal["inbound", "outbound"]
FormatName = Literal["x12", "json", "csv", "xml"]
Note = Annotated[str, msgspec.Meta(max_length=NOTE_MAX_CHARS)]
NOTE_MEANING: Final = "Why it is saved; the history shows it."


class LookupRow(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A value and what stands for it."""

    from_: Annotated[str, msgspec.Meta(description="The value of the document.")] = msgspec.field(
        name="from"
    )
    to: Annotated[str, msgspec.Meta(description="What is written in its place.")]


class LookupTable(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A table that rules name by table_id."""

    name: Text
    rows: list[LookupRow]


class MapSample(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The document the map is drawn over."""

    document: str
    format: Format


class MapTestItem(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A document and what the map is expected to make of it."""

    name: Text
    document: str
    expected: str


class MapSummary(msgspec.Struct, kw_only=True):
    """A saved map as lists show it."""

    id: int
    name: str
    source_fmt: FormatName
    target_fmt: FormatName
    tx_set: Annotated[str, msgspec.Meta(description="Such as 850; empty if none.")]
    updated_at: Annotated[str, msgspec.Meta(description="For people, such as Jan 15, 2026.")]
    updated_at_iso: Time
    created_at: Time
    direction: Direction
    version: Annotated[int, msgspec.Meta(description="The newest version.")]
    rule_count: int
    locked: bool


class ListedMapItem(MapSummary, kw_only=True):
    """A saved map in the list of maps."""

    last_run_at: Annotated[
        Time | None,
        msgspec.Meta(
            description="When the newest stored document was made that the map made; in the "
            "sandbox of those of the sandbox. Null if there is none: a conversion that stores "
            "nothing leaves no trace."
        ),
    ]
    issue_count: Annotated[
        int | None,
        msgspec.Meta(
            description="Saved tests of the newest version that fail. They run at each save and "
            "with POST /api/maps/{map_id}/tests/run; null if this server has not run them since "
            "its start."
        ),
    ]


class MapDetail(MapSummary, kw_only=True):
    """A saved map with the rules of one version."""

    description: str
    field_map: Annotated[list[Rule], msgspec.Meta(description="The rules, as convert takes them.")]
    lookups: list[LookupTable]
    sample: MapSample | None
    target_sample: str
    tests: list[MapTestItem]


class MapMembers(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The members of a map that a request may set.

    An optional member that is null counts as absent.
    """

    source_fmt: Annotated[Format | None, msgspec.Meta(description="x12 if absent.")] = None
    target_fmt: Annotated[Format | None, msgspec.Meta(description="json if absent.")] = None
    tx_set: Annotated[Text | None, msgspec.Meta(description="Such as 850.")] = None
    direction: Annotated[Direction | None, msgspec.Meta(description="inbound if absent.")] = None
    description: Text | None = None
    lookups: list[LookupTable] | None = None
    sample: MapSample | None = None
    target_sample: Annotated[str | None, msgspec.Meta(description="An example of the output.")] = (
        None
    )
    tests: list[MapTestItem] | None = None
    note: Annotated[Note | None, msgspec.Meta(description=NOTE_MEANING)] = None


class MapBody(MapMembers, forbid_unknown_fields=True, kw_only=True):
    """A whole map."""

    name: Text
    field_map: FieldMap


class NewMapBody(MapMembers, forbid_unknown_fields=True, kw_only=True):
    """A new map: whole, or a copy of a starter map, whose members stand for absent ones."""

    name: Annotated[Text | None, msgspec.Meta(description="Required without a starter.")] = None
    field_map: FieldMap | None = None
    starter: Annotated[Text | None, msgspec.Meta(description="Key of a starter map.")] = None


class RestoreBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The version to save again as the newest."""

    version: int
    note: Annotated[Note | None, msgspec.Meta(description=NOTE_MEANING)] = None


class MapParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The map that the path names."""

    map_id: MapId


class MapVersionParameters(MapParameters, forbid_unknown_fields=True, kw_only=True):
    """The map and the version that the path names."""

    version: Annotated[
        Id | msgspec.UnsetType,
        msgspec.Meta(description="Show this version with its rules; the newest if absent."),
    ] = msgspec.UNSET


class DifferenceItem(msgspec.Struct, kw_only=True):
    """A place where an output is not the expected one; a side without a value is absent."""

    path: str
    expected: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    actual: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


ConversionWarnings = Annotated[
    list[ConversionNotice] | msgspec.UnsetType,
    msgspec.Meta(description="Of the conversion, such as sets left out; absent if none."),
]


class TestItem(msgspec.Struct, kw_only=True):
    """Result of one test."""

    name: str
    passed: bool
    diff: list[DifferenceItem]
    error: Annotated[
        str | msgspec.UnsetType, msgspec.Meta(description="Why there is no output.")
    ] = msgspec.UNSET
    warnings: ConversionWarnings = msgspec.UNSET


class TestSummary(msgspec.Struct, kw_only=True):
    """Results of the saved tests with the rules that were saved."""

    passed: int
    failed: int
    results: list[TestItem]


class MapsParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Filters and page of maps."""

    q: Annotated[
        Search | msgspec.UnsetType,
        msgspec.Meta(description="An id, or part of the name, whatever its case."),
    ] = msgspec.UNSET
    limit: Annotated[
        Limit | msgspec.UnsetType,
        msgspec.Meta(description="Maps on a page: all if absent, else at most 200."),
    ] = msgspec.UNSET
    offset: Annotated[
        Offset | msgspec.UnsetType, msgspec.Meta(description="Maps passed over before the page.")
    ] = msgspec.UNSET


class MapsAnswer(msgspec.Struct, kw_only=True):
    """A page of the account's maps, the last saved first."""

    ok: Ok = True
    count: Annotated[int, msgspec.Meta(description="Maps on this page.")]
    total: Annotated[int, msgspec.Meta(description="Maps that fit, on all pages.")]
    limit: Annotated[int | None, msgspec.Meta(description="Null if none was given.")]
    offset: int
    has_more: bool
    maps: list[ListedMapItem]
    warnings: list[Notice]


class StarterItem(msgspec.Struct, kw_only=True):
    """A map that comes with Longshore, to be copied."""

    key: Annotated[str, msgspec.Meta(description="What POST /api/maps takes as starter.")]
    name: str
    source_fmt: FormatName
    target_fmt: FormatName
    tx_set: str


class StarterDetail(StarterItem, kw_only=True):
    """A map that comes with Longshore, with its rules."""

    direction: Direction
    field_map: Annotated[list[Rule], msgspec.Meta(description="The rules, as convert takes them.")]
    lookups: list[LookupTable]


class StarterParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The starter map that the path names."""

    key: Annotated[str, msgspec.Meta(description="Key of a starter map, such as 850-to-json.")]


class StarterAnswer(msgspec.Struct, kw_only=True):
    """A map that comes with Longshore."""

    ok: Ok = True
    starter: StarterDetail


class StartersAnswer(msgspec.Struct, kw_only=True):
    """The maps that come with Longshore."""

    ok: Ok = True
    starters: list[StarterItem]


class MapAnswer(msgspec.Struct, kw_only=True):
    """A map with the rules of one version."""

    ok: Ok = True
    map: MapDetail


class SavedMapAnswer(MapAnswer, kw_only=True):
    """A map after a save; failing tests are reported and refuse nothing."""

    tests: TestSummary


class VersionItem(msgspec.Struct, kw_only=True):
    """A version in the history; the counts compare its rules with those of the version before."""

    version: int
    author: Annotated[str, msgspec.Meta(description="E-mail of a user, or cli.")]
    note: str
    created_at: Time
    rule_count: int
    added: int
    removed: int
    changed: int


class VersionsAnswer(msgspec.Struct, kw_only=True):
    """The history of a map, the newest version first."""

    ok: Ok = True
    count: int
    versions: list[VersionItem]


class RemovedAnswer(msgspec.Struct, kw_only=True):
    """The map was deleted."""

    ok: Ok = True
