"""From body bytes to a Struct, or to everything that is wrong with them at once.

msgspec decodes and checks in one pass, and stops at the first fault. So only a body it refuses is
read again, member by member (``_MemberChecker``), to report all faults in request order.

What msgspec lets pass is a repeated member name, of which it keeps the last. JSON readers differ
there, so it is refused. The check is cheap: without a backslash the quotes tell all strings apart.
With one, a declared name between plain quotes still cannot occur inside a JSON string. If each name
occurs at most once, and no escape could spell one, none is repeated.

Large bodies that are more than one text are first examined in another process (``large_body``).
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final, Generic, TypeVar

import msgspec

from longshore.domain.ports import Compute
from longshore.http.body_faults import (
    MAX_NAME_CHARS,
    fault,
    malformed,
    repeated_name,
    unknown_member,
)
from longshore.http.expectation import Expectation, OneOf, expectations
from longshore.http.large_body import examine_body, is_small_or_plain
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError, more_in_details

BodyT = TypeVar("BodyT", bound=msgspec.Struct)

MAX_FAULTS: Final = 50  # a body of a million unknown members is not worth a million sentences

_PLACE: Final = re.compile(r" - at `\$(?P<path>.*)`$", re.DOTALL)
_GOT: Final = re.compile(r"got `(?P<type>[a-z]+)`")
_WORDS: Final = {
    "str": "a string",
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
    "array": "an array",
    "object": "an object",
    "null": "null",
}


class RefusedBodyError(LongshoreError):
    """Names every fault of a body or of a query; the code is that of the first."""

    def __init__(self, faults: list[ErrorDetail]) -> None:
        text = faults[0].message + more_in_details(len(faults))
        super().__init__(ErrorCode(faults[0].code), text, details=tuple(faults))


class BodyDecoder(Generic[BodyT]):
    """Decodes bodies of one shape."""

    def __init__(self, shape: type[BodyT]) -> None:
        self._decoder = msgspec.json.Decoder(shape)
        self._expected = expectations(shape)
        self._needs: OneOf | None = getattr(shape, "needs", None)
        self._members = tuple(self._expected)
        self._fields = {field.encode_name: field.name for field in msgspec.structs.fields(shape)}
        self._texts = frozenset(
            name for name, expectation in self._expected.items() if expectation.is_text
        )
        names = _all_names(self._expected)
        alternatives = "|".join(sorted(map(re.escape, names)))
        self._declared_name = re.compile(f'"({alternatives})"'.encode())
        self._names = frozenset(name.encode() for name in names)
        self._most_name_bytes = max(map(len, self._names))

    def decode(self, body: bytes) -> BodyT:
        """Return the body as its shape.

        Raises:
            RefusedBodyError: With a detail for each fault.
        """
        try:
            decoded = self._decoder.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise RefusedBodyError(_faults(body, self._expected, self._needs)) from None
        if self._may_repeat_a_name(body) and (repeated := repeated_name(body.decode())):
            raise RefusedBodyError([repeated])
        return decoded

    async def decode_any_size(self, body: bytes, executor: Compute) -> BodyT:
        """Do the same; a large body is first examined in ``executor``, and has one fault at most.

        Raises:
            RefusedBodyError: With a detail for each fault.
        """
        if is_small_or_plain(body):
            return self.decode(body)
        layout = await executor.submit_to_executor(examine_body, body, self._members, self._texts)
        if layout.fault is not None:
            raise RefusedBodyError([layout.fault])
        try:
            decoded = self._decoder.decode(layout.rest)
        except msgspec.DecodeError:
            members = msgspec.json.decode(layout.rest, type=dict[str, msgspec.Raw])
            raise RefusedBodyError(
                _faults_of_members(members, self._expected, self._needs, max_faults=1)
            ) from None
        for name, text in layout.texts.items():
            msgspec.structs.force_setattr(decoded, self._fields[name], text)
        return decoded

    def _may_repeat_a_name(self, body: bytes) -> bool:
        if b"\\" in body:
            names = self._declared_name.findall(body)
            return len(set(names)) != len(names) or b"\\u00" in body
        most = self._most_name_bytes
        texts = [text for text in body.split(b'"')[1::2] if len(text) <= most]
        names = [text for text in texts if text in self._names]
        return len(set(names)) != len(names)


def _all_names(expected: Mapping[str, Expectation]) -> set[str]:
    inner = (_all_names(member.members) for member in expected.values() if member.members)
    return set(expected).union(*inner)


def _faults(
    body: bytes, expected: Mapping[str, Expectation], needs: OneOf | None
) -> list[ErrorDetail]:
    """Return the faults of a body that was refused; never none."""
    try:
        text = body.decode()
        msgspec.json.decode(body, type=msgspec.Raw)
        members = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
        repeated = repeated_name(text)
    except (ValueError, RecursionError) as error:
        return [malformed(body, error)]
    if repeated:
        return [repeated]
    return _faults_of_members(members, expected, needs, MAX_FAULTS)


def _faults_of_members(
    members: dict[str, msgspec.Raw],
    expected: Mapping[str, Expectation],
    needs: OneOf | None,
    max_faults: int,
) -> list[ErrorDetail]:
    """Return the faults of the members of a body, at most ``max_faults``."""
    checker = _MemberChecker(max_faults)
    checker.check(members, expected, prefix="")
    if needs is not None and not set(needs.names) & set(members):
        checker.faults.append(fault(ErrorCode.MISSING_PARAMETER, needs.names[0], needs.message))
    return checker.faults[:max_faults]


class _MemberChecker:
    """Collects the faults of members, each decoded alone, in request order."""

    def __init__(self, max_faults: int) -> None:
        self._max_faults = max_faults
        self.faults: list[ErrorDetail] = []

    def check(
        self, members: dict[str, msgspec.Raw], expected: Mapping[str, Expectation], *, prefix: str
    ) -> None:
        """Check every member of one object, then name those that are missing."""
        for name, raw in members.items():
            if len(self.faults) >= self._max_faults:
                return
            if name in expected:
                self._check_member(prefix + name, raw, expected[name])
            else:
                self.faults.append(unknown_member(prefix, name, expected.keys()))
        for name, expectation in expected.items():
            if expectation.is_required and name not in members:
                self._add(
                    ErrorCode.MISSING_PARAMETER,
                    prefix + name,
                    f'Parameter "{prefix}{name}" is missing; it must be {expectation.text}.',
                )

    def _check_member(self, param: str, raw: msgspec.Raw, expected: Expectation) -> None:
        try:
            msgspec.json.decode(raw, type=expected.type)
        except msgspec.ValidationError as error:
            if expected.members and bytes(raw).startswith(b"{"):
                inner = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
                self.check(inner, expected.members, prefix=f"{param}.")
                return
            if self._check_items(param, raw, expected.item):
                return
            place = _PLACE.search(str(error))
            path = place["path"] if place else ""
            got = _GOT.search(str(error))
            inner_expected = expected.at(path)
            instead = f", not {_WORDS[got['type']]}" if got and got["type"] in _WORDS else ""
            self._add(
                inner_expected.code,
                param + path,
                f'Parameter "{param}{path}" must be {inner_expected.text}{instead}.',
                inner_expected.allowed,
            )

    def _check_items(self, param: str, raw: msgspec.Raw, item: Expectation | None) -> bool:
        """Check every object of an array, or member of a free object; return whether any failed."""
        if item is None:
            return False
        inner: Iterable[tuple[str, msgspec.Raw]] = ()
        if bytes(raw).startswith(b"{"):
            members = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
            inner = ((f".{name[:MAX_NAME_CHARS]}", each) for name, each in members.items())
        elif item.members and bytes(raw).startswith(b"["):
            items = msgspec.json.decode(raw, type=list[msgspec.Raw])
            inner = ((f"[{at}]", each) for at, each in enumerate(items))
        before = len(self.faults)
        for place, each in inner:
            if len(self.faults) >= self._max_faults:
                break
            self._check_member(param + place, each, item)
        return len(self.faults) > before

    def _add(
        self, code: ErrorCode, param: str, message: str, allowed: tuple[str, ...] | None = None
    ) -> None:
        self.faults.append(
            ErrorDetail(code=code, message=message, param=param, allowed=allowed or None)
        )
