"""Shapes of imported definitions."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.definitions.model import DefinitionImport, StoredDefinition
from longshore.engine.definitions import MAX_FILE_CHARS, DefinitionFile
from longshore.http.api_v1.transaction_shapes import Ok
from longshore.http.envelope import EnvironmentName, Time, utc_text

FormatName = Literal["biztalk", "json", "mulesoft", "pyx12", "sef", "staedi"]
_SetId = Annotated[str, msgspec.Meta(pattern="^(?:[0-9]{3})?$", extra={"text": "three digits"})]
_Release = Annotated[str, msgspec.Meta(pattern="^(?:[0-9]{6})?$", extra={"text": "six digits"})]
_Name = Annotated[
    str,
    msgspec.Meta(
        pattern="^[A-Z0-9]{0,12}$",
        extra={"text": "at most 12 capital letters and digits"},
    ),
]
_FileName = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[^\x00-\x1f\x7f/\\]{1,200}$",
        extra={"text": "1 to 200 characters without slashes and control characters"},
    ),
]


class DefinitionItem(msgspec.Struct, kw_only=True):
    """A definition that the account imported."""

    id: int
    tx_set: Annotated[str, msgspec.Meta(examples=["850"])]
    release: Annotated[str, msgspec.Meta(examples=["004010"])]
    guide: Annotated[
        str | None, msgspec.Meta(description="Implementation guide; null: the set itself.")
    ]
    name: Annotated[str, msgspec.Meta(description="Title of the set or guide.")]
    format: Annotated[FormatName, msgspec.Meta(description="Format of the imported file.")]
    file: Annotated[str, msgspec.Meta(description="Name of the imported file.")]
    size: Annotated[int, msgspec.Meta(description="Characters in the form of the dictionary.")]
    created_at: Time


class DefinitionsAnswer(msgspec.Struct, kw_only=True):
    """The definitions in the environment, by set, release and guide."""

    ok: Ok = True
    environment: EnvironmentName
    count: int
    definitions: list[DefinitionItem]


class DefinitionText(msgspec.Struct, kw_only=True):
    """A file in the form of the dictionary."""

    name: str
    text: str


class DefinitionAnswer(msgspec.Struct, kw_only=True):
    """A definition with its texts."""

    ok: Ok = True
    definition: DefinitionItem
    texts: Annotated[
        list[DefinitionText],
        msgspec.Meta(
            description="The set or guide, and the segments, composites, elements and codes that "
            "differ from those of Longshore."
        ),
    ]


class DefinitionWarning(msgspec.Struct, kw_only=True):
    """A part of a file that is not taken over, or what no longer fits it."""

    file: str
    line: Annotated[int, msgspec.Meta(description="1-based; 0: the file as a whole.")]
    message: str


class DefinitionImportAnswer(msgspec.Struct, kw_only=True):
    """The definitions that a file became."""

    ok: Ok = True
    environment: EnvironmentName
    definitions: list[DefinitionItem]
    replaced: Annotated[
        list[int],
        msgspec.Meta(description="Ids of those that took the place of an earlier import."),
    ]
    warnings: Annotated[
        list[DefinitionWarning], msgspec.Meta(description="What is not taken over; at most 200.")
    ]
    warning_count: Annotated[int, msgspec.Meta(description="All warnings, listed or not.")]


class DefinitionImportRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A file that describes sets or a guide, and what it does not say itself."""

    content: Annotated[
        str,
        msgspec.Meta(description=f"The text of the file, at most {MAX_FILE_CHARS:,} characters."),
    ]
    file: Annotated[
        _FileName,
        msgspec.Meta(description="Its name, which lists show."),
    ] = "definition"
    format: Annotated[
        FormatName | None, msgspec.Meta(description="Absent: as the file begins.")
    ] = None
    tx_set: Annotated[_SetId, msgspec.Meta(description="Set, if the file does not name it.")] = ""
    release: Annotated[
        _Release, msgspec.Meta(description="Release, if the file does not name it.")
    ] = ""
    guide: Annotated[
        _Name, msgspec.Meta(description="Implementation guide, if the file does not name it.")
    ] = ""
    group: Annotated[
        _Name, msgspec.Meta(description="GS01 of a set that Longshore does not know.")
    ] = ""

    def names(self) -> DefinitionFile:
        """Return everything but the text."""
        return DefinitionFile(
            file=self.file,
            form=self.format or "",
            tx_set=self.tx_set,
            release=self.release,
            guide=self.guide,
            group=self.group,
        )


class DefinitionParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The definition that is meant."""

    id: Annotated[str, msgspec.Meta(description="Id of the definition.")]


EXAMPLE_ITEM: Final[Mapping[str, object]] = {
    "id": 1,
    "tx_set": "850",
    "release": "004010",
    "guide": None,
    "name": "Purchase order of ACME",
    "format": "json",
    "file": "acme-850.json",
    "size": 3254,
    "created_at": "2026-01-15T14:05:09",
}


def definition_item(of: StoredDefinition) -> DefinitionItem:
    """Return a definition as it is sent."""
    facts = of.facts
    return DefinitionItem(
        id=of.id,
        tx_set=facts.key.tx_set,
        release=facts.key.release,
        guide=facts.key.guide or None,
        name=facts.title,
        format=msgspec.convert(facts.form, FormatName),
        file=facts.file_name,
        size=facts.size,
        created_at=utc_text(of.created_at),
    )


def import_answer(done: DefinitionImport, environment: EnvironmentName) -> DefinitionImportAnswer:
    """Return what became of a file as it is sent."""
    return DefinitionImportAnswer(
        environment=environment,
        definitions=[definition_item(each) for each in done.definitions],
        replaced=sorted(done.replaced),
        warnings=[
            DefinitionWarning(file=each.file, line=each.line, message=each.reason)
            for each in done.warnings
        ],
        warning_count=done.warning_count,
    )
