"""Descriptions of what a member of a request shape must be, read from its type.

A type may carry ``msgspec.Meta(extra={"code": …, "text": …})``: the code of its refusal where
service.md or contract.md names a more exact one, and words where the pattern would be read badly.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec import inspect

from longshore.kit.errors import ErrorCode

ShapeT = TypeVar("ShapeT", bound=msgspec.Struct)


class OneOf(NamedTuple):
    """Members of which a request shape needs at least one, as a class variable ``needs``."""

    names: tuple[str, ...]
    """The members; the first is the one reported as missing."""
    message: str
    """The error where all of them are missing."""


_INDEX: Final = re.compile(r"(?:\[[^\]]*\])+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """The expected value of one JSON member."""

    type: Any  # a type annotation: the typing module gives those no common type
    is_required: bool
    text: str
    """Completes the sentence "it must be …"."""
    code: ErrorCode = ErrorCode.INVALID_PARAMETER
    allowed: tuple[str, ...] = ()
    members: Mapping[str, "Expectation"] = field(default_factory=dict)
    """The members of a nested object."""
    is_text: bool = False
    """True if it is a string of any length, such as a document."""
    item: "Expectation | None" = None
    """The expectation of each item of an array, or each member of an object with free names."""

    def at(self, path: str) -> "Expectation":
        """Return what is expected at ``path`` inside this member, such as ``[1]``."""
        return self.item if self.item is not None and _INDEX.match(path) else self


@cache
def expectations(shape: type[ShapeT]) -> Mapping[str, Expectation]:
    """Return what each member of ``shape`` must be, by its name on the wire.

    Worked out once for each shape: applications and operations share them.
    """
    info = inspect.type_info(shape)
    assert isinstance(info, inspect.StructType)
    types = {item.encode_name: item.type for item in msgspec.structs.fields(shape)}
    return {
        member.encode_name: _expect(member.type, types[member.encode_name], member.required)
        for member in info.fields
    }


def _expect(info: inspect.Type, annotation: object, is_required: bool) -> Expectation:  # noqa: FBT001 - a fact handed through
    extra: Mapping[str, object] = {}
    bare = info
    while isinstance(bare, inspect.Metadata | inspect.UnionType):
        if isinstance(bare, inspect.Metadata):
            extra = {**extra, **(bare.extra or {})}
            bare = bare.type
        else:
            bare = next(item for item in bare.types if not isinstance(item, inspect.NoneType))
    members: Mapping[str, Expectation] = {}
    item = None
    allowed: tuple[str, ...] = ()
    if isinstance(bare, inspect.StructType):
        members = expectations(bare.cls)
    elif isinstance(bare, inspect.ListType):
        inner = bare.item_type
        of_struct = inner.cls if isinstance(inner, inspect.StructType) else object
        item = _expect(inner, of_struct, is_required=True)
    elif isinstance(bare, inspect.DictType) and isinstance(bare.value_type, inspect.StrType):
        item = _expect(bare.value_type, str, is_required=True)
    elif isinstance(bare, inspect.LiteralType):
        allowed = tuple(str(value) for value in bare.values)
    return Expectation(
        type=annotation,
        is_required=is_required,
        text=str(extra.get("text") or _in_words(bare, item)),
        code=ErrorCode(str(extra.get("code", ErrorCode.INVALID_PARAMETER))),
        allowed=allowed,
        members=members,
        is_text=bare == inspect.StrType(),
        item=item,
    )


def _in_words(info: inspect.Type, item: Expectation | None) -> str:
    match info:
        case inspect.LiteralType(values=values):
            return "one of: " + ", ".join(str(value) for value in values)
        case inspect.ListType() if item is not None:
            return f"an array, each item {item.text}"
        case inspect.DictType() if item is not None:
            return f"an object, each member {item.text}"
        case inspect.StrType(max_length=int() as longest):
            return f"a string of at most {longest:,} characters"
        case inspect.IntType():
            return "a whole number"
        case _:
            return _WORDS.get(type(info), "of another type")


_WORDS: Final[Mapping[type, str]] = {
    inspect.StrType: "a string",
    inspect.BoolType: "true or false",
    inspect.StructType: "an object",
}
