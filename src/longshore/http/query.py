"""The parameters of a path and its query, read against the names that an operation knows.

A filter that is misspelt or empty would return everything, so both are refused. Source: contract.md
section 1.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from urllib.parse import parse_qsl

import msgspec

from longshore.http.body_faults import MAX_NAME_CHARS
from longshore.http.decode import MAX_FAULTS, BodyDecoder, RefusedBodyError
from longshore.kit.errors import ErrorCode, ErrorDetail
from longshore.telemetry.redact import redact


class ParameterReader:
    """Reads the parameters of one operation, or of its raw form."""

    def __init__(
        self,
        shape: type[msgspec.Struct] | None,
        known: tuple[str, ...],
        *,
        advice: str = "this path takes none.",
    ) -> None:
        """Read what ``shape`` declares; ``known`` are the names that may stand in the query.

        Args:
            shape: Declares the parameters of path and query; None if there are none.
            known: The names that may stand in the query.
            advice: Ends the refusal of any parameter where none is known.
        """
        self._known = known
        self._advice = advice
        self._decoder: BodyDecoder[msgspec.Struct] | None = (
            None if shape is None else BodyDecoder(shape)
        )

    def read(self, query: bytes, in_path: Mapping[str, str]) -> msgspec.Struct | None:
        """Return the parameters; None if the operation knows none.

        Raises:
            RefusedBodyError: With a detail for each fault, in the order of the query.
        """
        pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True) if query else []
        faults = self._faults(pairs)
        given = {name: value for name, value in pairs if value and name in self._known}
        parameters = None
        if self._decoder is not None:
            try:
                parameters = self._decoder.decode(msgspec.json.encode({**given, **in_path}))
            except RefusedBodyError as refusal:
                for detail in refusal.details:
                    faults.setdefault(str(detail.param), detail)
        if faults:
            raise RefusedBodyError(_in_order(faults, [name for name, _ in pairs]))
        return parameters

    def _faults(self, pairs: Iterable[tuple[str, str]]) -> dict[str, ErrorDetail]:
        """Return by name what is wrong with a query, whatever the values mean."""
        faults: dict[str, ErrorDetail] = {}
        seen: set[str] = set()
        for name, value in pairs:
            if len(faults) >= MAX_FAULTS:
                break
            if name not in self._known:
                faults.setdefault(name, _unknown(name, self._known, self._advice))
            elif name in seen:
                faults[name] = _invalid(name, "is given more than once")
            elif not value:
                faults[name] = _invalid(name, "is empty; give it a value or leave it out")
            seen.add(name)
        return faults


def _in_order(faults: Mapping[str, ErrorDetail], names: list[str]) -> list[ErrorDetail]:
    """Return faults in the order of the query; those of what it does not name come last."""
    position = {name: at for at, name in reversed(list(enumerate(names)))}
    return [
        faults[name] for name in sorted(faults, key=lambda name: position.get(name, len(names)))
    ]


def _unknown(name: str, known: tuple[str, ...], advice: str) -> ErrorDetail:
    shown = redact(name)[:MAX_NAME_CHARS]  # a name may hold a secret that was meant for a header
    nearest = get_close_matches(name[:MAX_NAME_CHARS], known, n=1, cutoff=0)
    hint = f'did you mean "{nearest[0]}"?' if nearest else advice
    text = f'Query parameter "{shown}" is not known here; {hint}'
    return ErrorDetail(code=ErrorCode.UNKNOWN_PARAMETER, param=shown, message=text)


def _invalid(name: str, fault: str) -> ErrorDetail:
    text = f'Query parameter "{name}" {fault}.'
    return ErrorDetail(code=ErrorCode.INVALID_PARAMETER, param=name, message=text)
