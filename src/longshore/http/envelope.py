"""The wire shapes every answer shares, and the answer itself before it is sent."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from longshore.http.headers import Header
from longshore.kit.environment import Environment

JSON: Final = b"application/json"

_ENDINGS: Final = {each: b',"environment":"%s"}' % each.value.encode() for each in Environment}

EnvironmentName = Annotated[
    Literal["sandbox", "production"],
    msgspec.Meta(description="Chosen by the API key alone: svc_test_ or svc_live_."),
]


Time = Annotated[
    str,
    msgspec.Meta(
        description="UTC, written without a zone: 2026-01-15T14:05:09.",
        extra_json_schema={"format": "date-time"},
    ),
]


class Notice(msgspec.Struct, omit_defaults=True, kw_only=True):
    """Something about the request that is worth knowing and did not stop it."""

    code: str
    message: str
    param: str | None = None


class ErrorItem(msgspec.Struct, omit_defaults=True, kw_only=True):
    """One fault: what, where, and what would be allowed. Absent members do not apply."""

    code: Annotated[str, msgspec.Meta(description="May be more exact than the answer's code.")]
    message: str
    param: Annotated[
        str | None, msgspec.Meta(description="The parameter, such as include[1] or csv.header.")
    ] = None
    allowed: Annotated[list[str] | None, msgspec.Meta(description="The values to use.")] = None
    limit: Annotated[str | None, msgspec.Meta(description="Name of the limit exceeded.")] = None
    max: Annotated[int | None, msgspec.Meta(description="Value of that limit.")] = None
    used: Annotated[int | None, msgspec.Meta(description="Used of that limit.")] = None
    limit_bytes: Annotated[int | None, msgspec.Meta(description="Size limit in bytes.")] = None
    offset: Annotated[
        int | None, msgspec.Meta(description="0-based character of the decoded document.")
    ] = None
    line: Annotated[int | None, msgspec.Meta(description="1-based line of the document.")] = None
    current_version: Annotated[
        int | None, msgspec.Meta(description="Of edit_conflict: the version that is the newest.")
    ] = None
    position: Annotated[
        int | None, msgspec.Meta(description="1-based character of the formula.")
    ] = None
    found: Annotated[
        str | None,
        msgspec.Meta(description="Of document_not_x12: edifact, tradacoms, hl7, json, xml or csv."),
    ] = None


class ErrorAnswer(msgspec.Struct, omit_defaults=True, kw_only=True):
    """The envelope of every error; the status is never 200."""

    ok: Annotated[Literal[False], msgspec.Meta(description="Always false.")]
    error: Annotated[
        str,
        msgspec.Meta(description="Readable text: what is wrong and what to do.", max_length=2000),
    ]
    code: Annotated[
        str,
        msgspec.Meta(
            description="For programs: never renamed. With several faults that of the first, in "
            "the order of the request."
        ),
    ]
    details: Annotated[
        list[ErrorItem],
        msgspec.Meta(description="All errors found; absent if there is only the one in error."),
    ] = []
    request_id: Annotated[
        str, msgspec.Meta(description="As in X-Request-Id; the log has more under it.")
    ]
    transaction_id: Annotated[
        int | None,
        msgspec.Meta(description="Of document_invalid: the record of the submitted document."),
    ] = None


class ProblemAnswer(ErrorAnswer, omit_defaults=True, kw_only=True):
    """The same facts as RFC 9457, for ``Accept: application/problem+json``."""

    type: Annotated[str, msgspec.Meta(description="Address of the documentation of this code.")]
    title: str
    status: int
    detail: Annotated[str, msgspec.Meta(description="Same as error.")]


class Answer(NamedTuple):
    """A complete answer, without the request id."""

    body: bytes
    content_type: bytes = JSON
    status: int = 200
    headers: tuple[Header, ...] = ((b"cache-control", b"no-store"),)
    rest: tuple[bytes | memoryview, ...] = ()
    """The bytes after ``body``, so that a large result need not be copied."""
    on_written: Callable[[], Awaitable[None]] | None = None
    """Called when the whole answer was written to the connection; not if the client has gone."""


def utc_text(moment: datetime) -> str:
    """Return a time as contract.md section 1 writes it, ``2026-01-15T14:05:09``."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S")


def json_answer(shape: msgspec.Struct) -> Answer:
    """Return a wire shape as a 200 answer."""
    return Answer(msgspec.json.encode(shape))


def result_answer(result: bytes, environment: Environment) -> Answer:
    """Return ready result members in the envelope of an API answer.

    ``result`` is a JSON object with at least one member; it is spliced in, never decoded.
    """
    return Answer(b'{"ok":true,', rest=(memoryview(result)[1:-1], _ENDINGS[environment]))


class DoneAnswer(msgspec.Struct, kw_only=True):
    """It is done, and there is nothing more to say."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True


def done() -> Answer:
    """Return the answer to what was done."""
    return json_answer(DoneAnswer())
