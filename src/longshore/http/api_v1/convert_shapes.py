"""The wire shapes of POST /api/v1/convert (service.md section 4, contract.md section 4)."""

from typing import Annotated, Any, Final, Literal

import msgspec

from longshore.http.api_v1.parse import CsvOptions, Format, Text
from longshore.http.envelope import EnvironmentName, Notice
from longshore.http.openapi_schemas import REFERENCE
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

RULE_NAME: Final = "MappingRule"
_TEXT: Final = {"type": "string"}
_LITERAL: Final = {"anyOf": [{"type": ["string", "number", "boolean"]}, {"type": "null"}]}
# A JSON schema, which has no narrower type. What is wrong with a rule the engine says, not this.
RULE_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "title": RULE_NAME,
    "description": "A rule; a member whose name begins with x_ has no effect.",
    "properties": {
        "src": {
            "anyOf": [_TEXT, {"type": "array", "items": _TEXT}],
            "description": "Path of the value in the document, such as BEG.03 or PO1[*].02; a list "
            "of paths is joined. Absent: const is the value.",
        },
        "formula": {
            **_TEXT,
            "description": "What computes the value, in place of src, such as "
            "sum({PO1[*].02} * {PO1[*].04}).",
        },
        "const": {**_LITERAL, "description": "The value, in place of src."},
        "tgt": {**_TEXT, "description": "Place in the output, such as lines[*].qty."},
        "group": {
            **_TEXT,
            "description": "Formula for a list such as orders[*]: rows with equal values become "
            "one element. Such a rule has no src, formula or const.",
        },
        "sort": {**_TEXT, "description": "Formula by which the rows of a list are ordered."},
        "where": {**_TEXT, "description": "Formula that chooses the rows of a list."},
        "transform": {
            **_TEXT,
            "description": "none, uppercase, lowercase, trim or date_iso; none if absent.",
        },
        "note": {**_TEXT, "description": "No effect."},
        "join": {**_TEXT, "description": "What stands between the values of a list of paths."},
        "default": {**_LITERAL, "description": "The value where the document has none."},
        "required": {"type": "boolean", "description": "Whether a missing value is an error."},
        "on_missing": {**_TEXT, "description": "omit, null, empty or error; omit if absent."},
        "when": {**_TEXT, "description": "Condition under which the rule applies."},
        "lookup": {
            "type": "object",
            "properties": {
                "table": {"type": "object", "additionalProperties": _LITERAL},
                "table_id": {**_TEXT, "description": "Name of a table in the map's lookups."},
                "default": _LITERAL,
                "on_miss": {**_TEXT, "description": "keep, omit or error; keep if absent."},
            },
            "description": "What is written for which value: table or table_id is required.",
        },
        "then": {
            "type": "array",
            "items": {"type": "object", "properties": {"op": _TEXT}, "required": ["op"]},
            "description": "Operations on the value, in order, such as {op: substring}.",
        },
        "type": {
            **_TEXT,
            "description": "string, number, integer, boolean or raw; string if absent.",
        },
        "on_duplicate": {
            **_TEXT,
            "description": "last, first, append, error or join: with what stands between.",
        },
    },
    "required": ["tgt"],
}

Rule = Annotated[
    msgspec.Raw, msgspec.Meta(extra_json_schema={"$ref": REFERENCE.format(name=RULE_NAME)})
]
"""A rule as it was sent: the engine reads it, and names all that is wrong with it."""

FieldMap = Annotated[
    list[Rule],
    msgspec.Meta(
        description="The rules, in order; instead of those of the map, if there is one.",
        extra={"text": "an array of rules"},
    ),
]


class SeparatorOptions(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Separators to begin with. One that occurs in the data is replaced, with a warning."""

    elem_sep: Text | None = None
    seg_term: Text | None = None
    comp_sep: Text | None = None
    rep_sep: Text | None = None


class EnvelopeOptions(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The envelope of an X12 output. What is missing comes from an X12 source, then by default."""

    sender_qualifier: Annotated[Text | None, msgspec.Meta(description="ISA05.")] = None
    sender_id: Annotated[Text | None, msgspec.Meta(description="ISA06, without padding.")] = None
    receiver_qualifier: Annotated[Text | None, msgspec.Meta(description="ISA07.")] = None
    receiver_id: Annotated[Text | None, msgspec.Meta(description="ISA08.")] = None
    gs_sender_id: Annotated[Text | None, msgspec.Meta(description="GS02.")] = None
    gs_receiver_id: Annotated[Text | None, msgspec.Meta(description="GS03.")] = None
    version: Annotated[Text | None, msgspec.Meta(description="GS08, such as 004010.")] = None
    usage_indicator: Annotated[Text | None, msgspec.Meta(description="ISA15: P, T or I.")] = None
    tx_set: Annotated[Text | None, msgspec.Meta(description="ST01, such as 850.")] = None
    separators: Annotated[
        SeparatorOptions | Text | None,
        msgspec.Meta(
            description="Each by its name, or a text such as * ~ : ^ in that order.",
            extra={"text": "an object, or a text such as * ~ : ^"},
        ),
    ] = None


class ConvertRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A document and what is to be made of it. An optional member that is null counts as absent."""

    document: Annotated[str, msgspec.Meta(description="The raw source document.")]
    map_id: Annotated[
        int | None,
        msgspec.Meta(description="Saved map; required unless field_map is given."),
    ] = None
    field_map: FieldMap | None = None
    source_format: Annotated[
        Format | None, msgspec.Meta(description="Instead of the map's; x12 without a map.")
    ] = None
    target_format: Annotated[
        Format | None, msgspec.Meta(description="Instead of the map's; json without a map.")
    ] = None
    direction: Annotated[
        Literal["inbound", "outbound"] | None,
        msgspec.Meta(
            description="inbound if absent. Noted on stored documents; outbound swaps the sender "
            "and the receiver of an X12 source for an X12 target."
        ),
    ] = None
    save_to_vault: Annotated[
        bool | None,
        msgspec.Meta(description="Store the source and the output; the answer has doc_id then."),
    ] = None
    explain: Annotated[
        bool | None, msgspec.Meta(description="Tell where every value of the output comes from.")
    ] = None
    map_version: Annotated[
        int | None, msgspec.Meta(description="Of map_id; the newest if absent.")
    ] = None
    split: Annotated[
        bool | None,
        msgspec.Meta(
            description="Make one output of each transaction set of an X12 source. Without it "
            "rules see the first, and warning sets_not_converted names those that were left out."
        ),
    ] = None
    force: Annotated[
        bool | None,
        msgspec.Meta(
            description="Also convert sets that the map does not name, with a warning instead of "
            "the error "
            "map_tx_set_mismatch."
        ),
    ] = None
    envelope: Annotated[
        EnvelopeOptions | None, msgspec.Meta(description="No effect on other targets than X12.")
    ] = None
    partner_id: Annotated[
        int | None,
        msgspec.Meta(
            description="Partner to whom an X12 output is addressed: identities, version, "
            "separators and time zone of its profile, where envelope does not say others. "
            "Control numbers stay those of a preview."
        ),
    ] = None
    csv: Annotated[
        CsvOptions | None, msgspec.Meta(description="No effect on other sources than CSV.")
    ] = None


class SetPlaceItem(msgspec.Struct, kw_only=True):
    """A transaction set of the source."""

    index: Annotated[int, msgspec.Meta(description="Its number in the document, from 1.")]
    tx_set: Annotated[str, msgspec.Meta(description="ST01.")]
    control_number: Annotated[str, msgspec.Meta(description="ST02.")]


class ConversionNotice(Notice, omit_defaults=True, kw_only=True):
    """Something noteworthy that stopped nothing."""

    tgt: Annotated[str | None, msgspec.Meta(description="The target of the rule it is about.")] = (
        None
    )
    src: Annotated[str | None, msgspec.Meta(description="A source path of that rule.")] = None
    count: Annotated[
        int | None, msgspec.Meta(description="How many sets, rows or outputs it is about.")
    ] = None
    sets: Annotated[
        list[SetPlaceItem] | None,
        msgspec.Meta(description="The sets it is about, the first 100 of them."),
    ] = None
    row: Annotated[
        list[int] | None,
        msgspec.Meta(
            description="The first row it is about, from 1; a number for each list, outermost "
            "first."
        ),
    ] = None


class SourceRead(msgspec.Struct, kw_only=True):
    """A value that was read."""

    src: Annotated[str, msgspec.Meta(description="Its canonical key.")]
    span: Annotated[
        Annotated[list[int], msgspec.Meta(min_length=2, max_length=2)] | None,
        msgspec.Meta(
            description="Characters [start, end) of the document, 0-based; null if not one range."
        ),
    ]
    value: str


class ExplainedOutput(msgspec.Struct, kw_only=True):
    """A place of the output and where its value comes from."""

    tgt: str
    rule: Annotated[int | None, msgspec.Meta(description="0-based; null of what is generated.")]
    origin: Literal["source", "const", "default", "generated"]
    sources: list[SourceRead]
    before: Annotated[
        str | None, msgspec.Meta(description="As it was read and joined; null if generated.")
    ]
    after: Annotated[str, msgspec.Meta(description="As it was written.")]


class RuleWithoutValue(msgspec.Struct, kw_only=True):
    """A rule that found nothing to write in the source."""

    rule: Annotated[int, msgspec.Meta(description="0-based.")]
    src: list[str]
    tgt: str


class Explanation(msgspec.Struct, kw_only=True):
    """The way of every value, and what nothing was made of."""

    outputs: Annotated[list[ExplainedOutput], msgspec.Meta(description="In output order.")]
    unused: Annotated[
        list[str], msgspec.Meta(description="Keys of the source that no rule read; no envelope.")
    ]
    rules_without_value: Annotated[
        list[RuleWithoutValue],
        msgspec.Meta(description="Rules that found nothing to write in the source."),
    ]


class SplitOutput(msgspec.Struct, kw_only=True):
    """The output of one transaction set."""

    index: Annotated[int, msgspec.Meta(description="1-based transaction set of the source.")]
    tx_set: Annotated[str, msgspec.Meta(description='Of the source; "" if it is not X12.')]
    control_number: Annotated[str, msgspec.Meta(description="ST02 of the source.")]
    filename: str
    output: str
    rules_without_value: Annotated[
        int,
        msgspec.Meta(description="How many rules found nothing to write; explain names them."),
    ]
    explain: Explanation | msgspec.UnsetType = msgspec.UNSET
    doc_id: int | msgspec.UnsetType = msgspec.UNSET


class ConvertAnswer(msgspec.Struct, kw_only=True):
    """The converted document, and what is worth knowing about it."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")]
    output: Annotated[str, msgspec.Meta(description="The document; of JSON its text.")]
    format: Annotated[
        Literal["x12", "json", "csv", "xml"], msgspec.Meta(description="Format of output.")
    ]
    filename: Annotated[str, msgspec.Meta(description="Made of the set and the content.")]
    preview: Annotated[
        bool | msgspec.UnsetType,
        msgspec.Meta(description="True of X12: its control numbers are not allotted yet."),
    ] = msgspec.UNSET
    warnings: list[ConversionNotice]
    rules_without_value: Annotated[
        int,
        msgspec.Meta(description="How many rules found nothing to write; explain names them."),
    ]
    explain: Annotated[
        Explanation | msgspec.UnsetType, msgspec.Meta(description="With explain: of output.")
    ] = msgspec.UNSET
    outputs: Annotated[
        list[SplitOutput] | msgspec.UnsetType,
        msgspec.Meta(description="With split: one for each set; output is that of the first."),
    ] = msgspec.UNSET
    doc_id: Annotated[
        int | msgspec.UnsetType,
        msgspec.Meta(description="With save_to_vault: the vault record of output."),
    ] = msgspec.UNSET
    map_version: Annotated[
        int | msgspec.UnsetType, msgspec.Meta(description="With map_id: the version that was used.")
    ] = msgspec.UNSET
    environment: EnvironmentName


def rules_text(rules: list[msgspec.Raw]) -> str:
    """Return rules as one JSON text, each as it was sent.

    Raises:
        LongshoreError: invalid_json: it is no UTF-8.
    """
    try:
        return f"[{b','.join(map(bytes, rules)).decode()}]"
    except UnicodeDecodeError as error:
        code, message = ErrorCode.INVALID_JSON, "The rules are not UTF-8."
        detail = ErrorDetail(code=code, param="field_map", message=message)
        raise LongshoreError(code, message, details=(detail,)) from error
