"""Parameters of lists and paths that are text: ids, pages, and spans of time.

Source: contract.md section 5.

The shapes of parameters check how a text is written, so that all faults of a request are reported;
what is left to check here is whether it makes sense.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, NamedTuple, Union, get_args

import msgspec

from longshore.domain.pages import ALL
from longshore.domain.users.model import SessionUser
from longshore.http.envelope import Notice
from longshore.http.exchange import AccountCaller
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

DEFAULT_LIMIT: Final = 50
MAX_LIMIT: Final = 200
MAX_COUNTED: Final = 10_000
"""The highest count in lists of the pages; those for API keys count to the end."""
LARGEST_ID: Final = 2**63 - 1

END: Final = r"(?!\n)$"  # in Python $ alone lets a line feed follow
_ID_CHARS: Final = 19
_ONE_DAY: Final = timedelta(days=1)
_ONE_SECOND: Final = timedelta(seconds=1)
_ONE_MICROSECOND: Final = timedelta(microseconds=1)
_DATE_CHARS: Final = 10
_SECOND_CHARS: Final = 19

Limit = Annotated[
    str,
    msgspec.Meta(
        pattern=f"^[1-9][0-9]*{END}", max_length=18, extra={"text": "a whole number from 1 on"}
    ),
]
Offset = Annotated[
    str,
    msgspec.Meta(
        pattern=f"^[0-9]+{END}", max_length=18, extra={"text": "a whole number from 0 on"}
    ),
]
Id = Annotated[
    str,
    msgspec.Meta(
        pattern=f"^[1-9][0-9]*{END}", max_length=_ID_CHARS, extra={"text": "a positive id"}
    ),
]
Moment = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}"
        r"(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?Z?)?" + END,
        max_length=27,
        extra={"text": "a date such as 2026-01-15, or a UTC time such as 2026-01-15T14:05:09"},
    ),
]
Search = Annotated[
    str,
    msgspec.Meta(
        pattern="^[^\\x00-\\x1f]+" + END,
        max_length=200,
        extra={"text": "a string of 1 to 200 characters, without control characters"},
    ),
]


TotalIsExact = Annotated[
    bool,
    msgspec.Meta(
        description=f"false: more fit than total says; a page counts up to {MAX_COUNTED:,}. "
        "Always true with an API key."
    ),
]


class ImpossibleValuesError(LongshoreError):
    """Parameters that are written well and mean nothing, all of them."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        code = ErrorCode.INVALID_PARAMETER
        details = tuple(
            ErrorDetail(code=code, param=name, message=f'Parameter "{name}" {text}.')
            for name, text in texts.items()
        )
        super().__init__(code, details[0].message, details=details)


class ListPage(NamedTuple):
    """The page of a list that is asked for."""

    limit: int
    """The highest number of entries."""
    offset: int
    """The number of entries before it."""
    warnings: list[Notice]
    """The warnings of its answer about the limit that was asked for."""


def nullable(parameters: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """Return the members of query parameters as a JSON body has them: null counts as absent."""
    members = []
    for member in msgspec.structs.fields(parameters):
        either, meta = get_args(member.type)
        given = [each for each in get_args(either) if each is not msgspec.UnsetType]
        members.append((member.name, Annotated[Union[*given, None], meta], None))
    return msgspec.defstruct(parameters.__name__, members, forbid_unknown_fields=True)


def page_of(limit: str | msgspec.UnsetType, offset: str | msgspec.UnsetType) -> ListPage:
    """Return the page; a limit above the largest becomes the largest, with a warning."""
    asked = int(limit or DEFAULT_LIMIT)
    warnings = [] if asked <= MAX_LIMIT else [_limit_clamped(asked)]
    return ListPage(min(asked, MAX_LIMIT), int(offset or 0), warnings)


def _limit_clamped(asked: int) -> Notice:
    text = f"A page has at most {MAX_LIMIT} entries, so limit={asked} was taken as {MAX_LIMIT}."
    return Notice(code="limit_clamped", message=text, param="limit")


def counted_for(caller: AccountCaller) -> int:
    """Return how far what fits a list is counted for a caller. Source: decision 0016."""
    return MAX_COUNTED if isinstance(caller, SessionUser) else ALL


def id_in_path(text: str) -> int | None:
    """Return the id, None if the text cannot be one."""
    if len(text) > _ID_CHARS or not text.isascii() or not text.isdecimal():  # house: digits - ASCII
        return None
    number = int(text)
    return number if 1 <= number <= LARGEST_ID and text[0] != "0" else None


def id_of(text: str | msgspec.UnsetType, name: str, faults: dict[str, str]) -> int | None:
    """Return an id of the query; what is too large for one is noted in ``faults``."""
    if not text:
        return None
    if int(text) > LARGEST_ID:
        faults[name] = f"must be an id of at most {LARGEST_ID}"
    return int(text)


def moment_from(
    text: str | msgspec.UnsetType, name: str, faults: dict[str, str]
) -> datetime | None:
    """Return where a span of time begins, inclusive; an impossible date is noted in ``faults``."""
    return _moment(text, name, faults) if text else None


def moment_after(
    text: str | msgspec.UnsetType, name: str, faults: dict[str, str]
) -> datetime | None:
    """Return what a span ends before that holds all of the day, second or instant it names."""
    moment = _moment(text, name, faults) if text else None
    if moment is None or not text:
        return None
    if len(text) == _DATE_CHARS:
        step = _ONE_DAY
    elif "." in text:
        step = _ONE_MICROSECOND
    else:
        step = _ONE_SECOND if len(text.rstrip("Z")) == _SECOND_CHARS else timedelta(minutes=1)
    try:
        return moment + step
    except OverflowError:  # the last day there is
        return None


def _moment(text: str, name: str, faults: dict[str, str]) -> datetime | None:
    try:
        return datetime.fromisoformat(text.rstrip("Z")).replace(tzinfo=UTC)
    except ValueError:
        faults[name] = "names a day or a time that does not exist"
        return None
