"""/api/samples: documents to try the service with, for its pages."""

from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.samples.service import samples
from longshore.domain.users.model import SessionUser
from longshore.http.envelope import Answer, json_answer
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.session_caller import EDITOR, VIEWER
from longshore.kit.errors import ErrorCode
from longshore.x12.samples.documents import SAMPLE_FAULTS

Ok = Annotated[Literal[True], msgspec.Meta(description="Always true.")]


class SampleItem(msgspec.Struct, kw_only=True):
    """A document that comes with Longshore; companies, people and numbers in it are invented."""

    name: Annotated[str, msgspec.Meta(description="Which one it is, such as 850_purchase_order.")]
    title: Annotated[str, msgspec.Meta(description="For people, such as 850 Purchase order.")]
    format: Literal["x12", "json", "csv", "xml"]
    tx_set: Annotated[str, msgspec.Meta(description="Such as 850; empty if it is not X12.")]
    document: str


class SamplesAnswer(msgspec.Struct, kw_only=True):
    """All samples, the order and what follows from it first."""

    ok: Ok = True
    count: int
    samples: list[SampleItem]
    faults: Annotated[
        tuple[str, ...],
        msgspec.Meta(description="The faults that /api/samples/{tx_set} can put into a document."),
    ]


class AddedSamplesAnswer(msgspec.Struct, kw_only=True):
    """Result of adding the samples."""

    ok: Ok = True
    stored: Annotated[int, msgspec.Meta(description="Samples that were stored now.")]
    present: Annotated[int, msgspec.Meta(description="Samples that the vault had.")]


async def list_samples(_: SessionUser, __: Call[None]) -> Answer:
    items = [
        SampleItem(
            name=sample.facts.name,
            title=sample.facts.title,
            format=sample.facts.format,
            tx_set=sample.facts.tx_set,
            document=sample.document,
        )
        for sample in samples()
    ]
    return json_answer(SamplesAnswer(count=len(items), samples=items, faults=SAMPLE_FAULTS))


async def add_samples(user: SessionUser, call: Call[None]) -> Answer:
    added = await call.services.samples.add(user.scope)
    return json_answer(AddedSamplesAnswer(stored=added.stored, present=added.present))


OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="GET",
        path="/api/samples",
        operation_id="listSamples",
        tag="Samples",
        summary="List the sample documents",
        description="Ready documents of common sets and of every format, with their texts.",
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        response=Response(
            description="The samples.",
            shape=SamplesAnswer,
            example={
                "ok": True,
                "count": 1,
                "samples": [
                    {
                        "name": "csv_order",
                        "title": "CSV order",
                        "format": "csv",
                        "tx_set": "",
                        "document": "order,line,sku\nPO-1,1,LAMP\n",
                    }
                ],
                "faults": ["element_missing", "segment_missing"],
            },
        ),
        handler=list_samples,
    ),
    Operation(
        method="POST",
        path="/api/samples",
        operation_id="addSamples",
        tag="Samples",
        summary="Put the sample documents into the vault",
        description=(
            "Stores the samples in the vault of the chosen environment, under names that begin "
            "with sample-. One that is there with the same name and content is not stored again. "
            "For editors and owners."
        ),
        caller=EDITOR,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        response=Response(
            description="The vault has all samples.",
            shape=AddedSamplesAnswer,
            example={"ok": True, "stored": 12, "present": 0},
        ),
        errors=frozenset({ErrorCode.STORAGE_QUOTA_EXCEEDED}),
        handler=add_samples,
    ),
)
