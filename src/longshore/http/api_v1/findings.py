"""The wire shapes of what is said about documents (contract.md sections 3 and 10)."""

from typing import Annotated, Literal

import msgspec

from longshore.http.api_v1.code_choice import UsedCodes


class FindingItem(msgspec.Struct, kw_only=True):
    """One thing noteworthy about a document. Positions that do not apply are null."""

    code: str
    severity: Annotated[
        Literal["error", "warning", "info"],
        msgspec.Meta(description="Only an error makes a document invalid."),
    ]
    layer: Annotated[
        str, msgspec.Meta(description="standard, or the name of the partner's overlay.")
    ]
    message: Annotated[str, msgspec.Meta(description="Never holds document content.")]
    tx_index: Annotated[
        int | None, msgspec.Meta(description="1-based transaction set; null outside sets.")
    ]
    segment_id: str | None
    segment_position: Annotated[
        int | None,
        msgspec.Meta(
            description="1-based segment within the set, ST = 1; outside sets within the document."
        ),
    ]
    loop_id: str | None
    element_position: Annotated[int | None, msgspec.Meta(description="1-based.")]
    component_position: Annotated[int | None, msgspec.Meta(description="1-based.")]
    repeat: Annotated[int | None, msgspec.Meta(description="1-based occurrence.")]
    element_ref: Annotated[
        str | None, msgspec.Meta(description="Number of the data element in the dictionary.")
    ]
    path: Annotated[str | None, msgspec.Meta(description="Key of the field, such as BEG.03.")]
    offset: Annotated[
        int | None, msgspec.Meta(description="0-based character of the decoded document.")
    ]
    line: Annotated[int | None, msgspec.Meta(description="1-based line of the document.")]
    allowed: list[str] | None
    ack_code: Annotated[
        dict[str, str] | None,
        msgspec.Meta(description="Acknowledgement codes it leads to, by level."),
    ]
    folded: Annotated[
        int | msgspec.UnsetType,
        msgspec.Meta(
            description="Of a wrong separator: the findings that follow from it and are not listed."
        ),
    ] = msgspec.UNSET


OutcomeName = Annotated[
    Literal["valid", "invalid", "not_checked"],
    msgspec.Meta(
        description="not_checked: nothing wrong was found, but there is no definition, or none of "
        "the implementation guide that is named, or text that may be a document was not read."
    ),
]
IsValid = Annotated[
    bool | None,
    msgspec.Meta(description="Whether the outcome is valid; null if it is not_checked."),
]
DefinitionName = Literal["none", "nearest", "standard", "exact"]
OwnDefinition = Annotated[
    bool,
    msgspec.Meta(
        description="It was checked against a definition that the account imported, in place of "
        "that of the dictionary."
    ),
]
NamedGuide = Annotated[
    str | None,
    msgspec.Meta(
        description="Implementation guide that the document or the request names and that was not "
        "used: it is not known, or describes other sets. Null also if its name is not 1 to 12 "
        "letters and digits."
    ),
]


class CodesCheckedItem(msgspec.Struct, kw_only=True):
    """The elements with a code list that were checked against it, by element number."""

    enforced: Annotated[
        list[str],
        msgspec.Meta(
            description="A code outside the list is an error wherever the set uses the element."
        ),
    ]
    not_enforced: Annotated[
        list[str],
        msgspec.Meta(description="Any code is accepted, in one place of the set at least."),
    ]
    own_codes: Annotated[
        list[str],
        msgspec.Meta(description="The list was changed by codes that the operator imported."),
    ]


class ValidatedSetItem(msgspec.Struct, kw_only=True):
    """Result of the validation of one transaction set."""

    index: Annotated[int, msgspec.Meta(description="1-based.")]
    tx_set: str
    control_number: Annotated[str, msgspec.Meta(description="Text: leading zeros matter.")]
    version: str
    outcome: OutcomeName
    valid: IsValid
    definition: DefinitionName
    own_definition: OwnDefinition
    guide: Annotated[
        str | None, msgspec.Meta(description="Implementation guide it was checked against, if any.")
    ]
    named_guide: NamedGuide
    snip_level: Annotated[
        int,
        msgspec.Meta(
            description="What was checked: 0 the envelope alone, 1 syntax, 2 guide, 3 balancing."
        ),
    ]
    codes_checked: CodesCheckedItem


class ValidationItem(msgspec.Struct, kw_only=True):
    """Result of the validation of an X12 document, with the acknowledgement for it."""

    valid: IsValid
    outcome: OutcomeName
    tx_set: Annotated[str, msgspec.Meta(description='Code of the first set; "" if there is none.')]
    version: Annotated[str, msgspec.Meta(description="Version of the document, such as 004010.")]
    guide: Annotated[
        str | None,
        msgspec.Meta(
            description=("Implementation guide the first set is validated against, if any.")
        ),
    ]
    named_guide: NamedGuide
    definition: Annotated[
        DefinitionName,
        msgspec.Meta(
            description="What the first set was checked against. exact: its own release and guide; "
            "nearest: the nearest release that the dictionary has; standard: the standard of its "
            "set alone, since the guide that is named does not describe it; none: nothing, only "
            "its envelope was checked."
        ),
    ]
    own_definition: OwnDefinition
    snip_level: Annotated[
        int,
        msgspec.Meta(
            description="The level that every set was checked to: 0 the envelope alone, 1 syntax, "
            "2 guide, 3 balancing."
        ),
    ]
    codes_checked: Annotated[
        CodesCheckedItem, msgspec.Meta(description="Code lists of the first set.")
    ]
    codes: UsedCodes
    sets: Annotated[
        list[ValidatedSetItem], msgspec.Meta(description="In the order of the document.")
    ]
    findings: Annotated[
        list[FindingItem], msgspec.Meta(description="In the order of their places; at most 1,000.")
    ]
    set_count: Annotated[int, msgspec.Meta(description="All sets, listed or not.")]
    sets_truncated: Annotated[bool, msgspec.Meta(description="Whether some are not listed.")]
    finding_count: Annotated[int, msgspec.Meta(description="All of them, listed or not.")]
    truncated: Annotated[bool, msgspec.Meta(description="Whether some are not listed.")]
    ack_withheld: Annotated[
        list[int],
        msgspec.Meta(
            description="Indexes, from 1, of the sets that were not checked. Because of them "
            "there is no "
            "acknowledgement: it would have accepted them. At most 1,000."
        ),
    ]
    ack_truncated: Annotated[
        bool,
        msgspec.Meta(
            description="There are more errors than ack can name; a 277CA leaves out an 837 whose "
            "faulty claims are not all known."
        ),
    ]
    ack_type: Annotated[
        Literal["997", "999", "TA1", "277CA", "824", ""],
        msgspec.Meta(
            description="The functional acknowledgement in ack, or the 277CA or 824 that was "
            'asked for; TA1 if that is all; "" if none.'
        ),
    ]
    ack: Annotated[
        str,
        msgspec.Meta(
            description="The acknowledgement to send: one interchange for each one received, with "
            'preview control numbers; "" if nothing is to be acknowledged, or it is withheld.'
        ),
    ]


class TransactionItem(msgspec.Struct, kw_only=True):
    """One transaction set of the document, in document order."""

    index: Annotated[int, msgspec.Meta(description="1-based.")]
    tx_set: str
    tx_set_name: str
    control_number: Annotated[str, msgspec.Meta(description="Text: leading zeros matter.")]
    segment_count: Annotated[int, msgspec.Meta(description="Segments from ST to SE, both counted.")]
    version: str
