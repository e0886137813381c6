"""GET /api/v1/samples/{tx_set}: a document made from the dictionary, valid or with one fault."""

from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.accounts.model import KeyScope
from longshore.http.api_caller import API_KEY
from longshore.http.api_v1.parse import Release, Text
from longshore.http.envelope import Answer, EnvironmentName, result_answer
from longshore.http.exchange import AccountCaller
from longshore.http.limits import LimitClass
from longshore.http.operation import Call, Operation, Response
from longshore.kit.errors import ErrorCode

Unset = msgspec.UnsetType
Kind = Literal["minimal", "plain", "full", "varied"]
Seed = Annotated[
    str, msgspec.Meta(pattern="^[0-9]{1,15}$", extra={"text": "a number of 1 to 15 digits"})
]


class ExpectedFindingItem(msgspec.Struct, kw_only=True):
    """A finding that validating the sample reports. A member is absent if it can have any value."""

    code: str
    severity: Literal["error", "warning", "info"]
    layer: Annotated[str, msgspec.Meta(description="standard, or the guide.")]
    segment_id: str
    segment_position: Annotated[
        int,
        msgspec.Meta(
            description="1-based segment within the set, ST = 1; outside sets within the document."
        ),
    ]
    loop_id: str | Unset = msgspec.UNSET
    element_position: Annotated[int | Unset, msgspec.Meta(description="1-based.")] = msgspec.UNSET
    component_position: Annotated[int | Unset, msgspec.Meta(description="1-based.")] = msgspec.UNSET
    element_ref: Annotated[
        str | Unset, msgspec.Meta(description="Number of the data element in the dictionary.")
    ] = msgspec.UNSET


class GeneratedSampleItem(msgspec.Struct, kw_only=True):
    """A document made from a definition; companies, people and numbers in it are invented."""

    tx_set: str
    release: str
    guide: str | None
    kind: Kind
    seed: int
    fault: Annotated[
        str | None, msgspec.Meta(description="Code of the finding it leads to; null: it is valid.")
    ]
    document: Annotated[str, msgspec.Meta(description="One interchange, a segment on each line.")]
    expected: Annotated[
        list[ExpectedFindingItem],
        msgspec.Meta(description="What validate finds in it, in that order."),
    ]


class SampleAnswer(msgspec.Struct, kw_only=True):
    """A sample document."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")]
    sample: GeneratedSampleItem
    environment: EnvironmentName


class SampleParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The set, and what its sample should be."""

    tx_set: Annotated[str, msgspec.Meta(description="Code of the set, such as 850.")]
    release: Annotated[
        Release | Unset,
        msgspec.Meta(description="Six digits; absent, that of the guide or the newest known."),
    ] = msgspec.UNSET
    guide: Annotated[
        Text | Unset, msgspec.Meta(description="Implementation guide, such as 005010X222A1.")
    ] = msgspec.UNSET
    kind: Annotated[
        Kind | Unset,
        msgspec.Meta(
            description="minimal: what is required; plain, the default: what is typical; full: "
            "every loop, segment and element; varied: anything that is allowed."
        ),
    ] = msgspec.UNSET
    seed: Annotated[
        Seed | Unset,
        msgspec.Meta(
            description="Another number gives another document, the same number the same one; 0 "
            "if absent."
        ),
    ] = msgspec.UNSET
    fault: Annotated[
        Text | Unset,
        msgspec.Meta(
            description="Code of a finding that the document should lead to, such as "
            "element_missing, or any: one that the seed chooses. Absent: the document is valid."
        ),
    ] = msgspec.UNSET
    sender: Annotated[
        Text | Unset, msgspec.Meta(description="Qualifier and id, such as ZZ:ACME.")
    ] = msgspec.UNSET
    receiver: Annotated[
        Text | Unset, msgspec.Meta(description="Qualifier and id, such as ZZ:ACME.")
    ] = msgspec.UNSET


async def make_sample(caller: AccountCaller, call: Call[None]) -> Answer:
    asked = call.parameters_as(SampleParameters)
    texts = ("release", "guide", "fault", "sender", "receiver")
    result = await call.services.compute.submit_to_executor(
        call.services.sample_result,
        asked.tx_set,
        kind=asked.kind or "plain",
        seed=int(asked.seed or "0"),
        **{name: getattr(asked, name) or "" for name in texts},
    )
    return result_answer(result, caller.environment)


SAMPLE: Final = Operation(
    method="GET",
    path="/api/v1/samples/{tx_set}",
    operation_id="makeSample",
    tag="Samples",
    summary="Make a sample document",
    description=(
        "Makes an X12 document of a set of the dictionary, in a release or under a guide: a valid "
        "one, or one with a fault and the findings that validate reports for it. The same "
        "parameters give the same document in one version of Longshore. Nothing is stored. Needs "
        "scope read."
    ),
    caller=API_KEY,
    scope=KeyScope.READ,
    limit_class=LimitClass.REQUESTS,
    parameters=SampleParameters,
    response=Response(description="The document.", shape=SampleAnswer),
    errors=frozenset({ErrorCode.NOT_FOUND}),
    handler=make_sample,
)
