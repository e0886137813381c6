"""From body bytes to a Struct, or to everything that is wrong with them at once.

msgspec decodes and checks in one pass, and stops at the first fault. So only a body it refuses is
read again, member by member (``_Judge``), to report all faults in request order. What msgspec
lets pass is a repeated member name, of which it keeps the last: JSON readers differ there, so it
is refused. The check is cheap: without a backslash the quotes tell all strings apart. With one, a
declared name between plain quotes still cannot occur inside a JSON string. If each name occurs at
most once, and no escape could spell one, none is repeated.
"""

import json
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Final, Generic, TypeVar

import msgspec

from longshore.http.expectation import Expectation, OneOf, expectations
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError, more_in_details

BodyT = TypeVar("BodyT", bound=msgspec.Struct)

MAX_FAULTS: Final = 50  # a body of a million unknown members is not worth a million sentences
MAX_NAME_CHARS: Final = 60  # of an unknown name that is repeated in an error text

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
        if self._may_repeat_a_name(body) and (fault := _repeated_name(body.decode())):
            raise RefusedBodyError([fault])
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
    judge = _Judge()
    try:
        text = body.decode()
        msgspec.json.decode(body, type=msgspec.Raw)
        members = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
        repeated = _repeated_name(text)
    except (ValueError, RecursionError) as error:
        judge.faults.append(_malformed(body, error))
    else:
        if repeated:
            judge.faults.append(repeated)
        else:
            judge.judge(members, expected, prefix="")
            if needs is not None and not set(needs.names) & set(members):
                judge.faults.append(
                    _fault(ErrorCode.MISSING_PARAMETER, needs.names[0], needs.message)
                )
    return judge.faults


def _malformed(body: bytes, error: Exception) -> ErrorDetail:
    code = ErrorCode.INVALID_JSON
    match error:
        case UnicodeDecodeError(start=position):
            text = f"The body is not UTF-8: byte {position} cannot be read."
        case RecursionError():
            text = "The body is nested too deeply."
        case msgspec.ValidationError():
            code, text = ErrorCode.NOT_AN_OBJECT, "The body must be a JSON object."
        case _ if not body.strip():
            text = "The body is empty. Send a JSON object."
        case _:
            # msgspec names the byte and the kind of fault, and quotes nothing.
            text = f"The body is not valid JSON: {error}."
    return _fault(code, None, text)


def _repeated_name(text: str) -> ErrorDetail | None:
    """Return the fault of a text that has a member name twice in one object."""
    repeated: list[str] = []

    def note_repeated(pairs: list[tuple[str, object]]) -> None:
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                repeated.append(name)
            seen.add(name)

    # Numbers as text: int() refuses long ones with an error of its own.
    json.loads(text, object_pairs_hook=note_repeated, parse_int=str, parse_float=str)
    if not repeated:
        return None
    name = repeated[0][:MAX_NAME_CHARS]
    return _fault(ErrorCode.INVALID_JSON, name, f'The member "{name}" appears more than once.')


class _Judge:
    """Collects the faults of members, each decoded alone, in request order."""

    def __init__(self) -> None:
        self.faults: list[ErrorDetail] = []

    def judge(
        self, members: dict[str, msgspec.Raw], expected: Mapping[str, Expectation], *, prefix: str
    ) -> None:
        """Judge every member of one object, then name those that are missing."""
        for name, raw in members.items():
            if len(self.faults) >= MAX_FAULTS:
                return
            if name in expected:
                self._judge_member(prefix + name, raw, expected[name])
            else:
                self._unknown(prefix + name[:MAX_NAME_CHARS], name, list(expected))
        for name, expectation in expected.items():
            if expectation.is_required and name not in members:
                self._add(
                    ErrorCode.MISSING_PARAMETER,
                    prefix + name,
                    f'Parameter "{prefix}{name}" is missing; it must be {expectation.text}.',
                )

    def _judge_member(self, param: str, raw: msgspec.Raw, expected: Expectation) -> None:
        try:
            msgspec.json.decode(raw, type=expected.type)
        except msgspec.ValidationError as error:
            if expected.members and bytes(raw).startswith(b"{"):
                inner = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
                self.judge(inner, expected.members, prefix=f"{param}.")
                return
            if self._judge_items(param, raw, expected.item):
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

    def _judge_items(self, param: str, raw: msgspec.Raw, item: Expectation | None) -> bool:
        """Judge every object of an array, or member of a free object; return whether any failed."""
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
            if len(self.faults) >= MAX_FAULTS:
                break
            self._judge_member(param + place, each, item)
        return len(self.faults) > before

    def _unknown(self, param: str, name: str, known: list[str]) -> None:
        nearest = get_close_matches(name[:MAX_NAME_CHARS], known, n=1, cutoff=0)[0]
        self._add(
            ErrorCode.UNKNOWN_PARAMETER,
            param,
            f'Unknown parameter "{param}"; did you mean "{nearest}"?',
        )

    def _add(
        self, code: ErrorCode, param: str, message: str, allowed: tuple[str, ...] | None = None
    ) -> None:
        self.faults.append(
            ErrorDetail(code=code, message=message, param=param, allowed=allowed or None)
        )


def _fault(code: ErrorCode, param: str | None, message: str) -> ErrorDetail:
    return ErrorDetail(code=code, message=message, param=param)
