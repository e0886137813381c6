"""What every conversion asked for over HTTP shares: by a key, or in the pages before a save."""

from typing import Final, Protocol

import msgspec

from longshore.engine import Stamp
from longshore.http.api_v1.convert_shapes import EnvelopeOptions
from longshore.http.api_v1.parse import CsvOptions
from longshore.http.endpoint import ignored_notices
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment

_USAGE_INDICATORS: Final = {Environment.SANDBOX: "T", Environment.PRODUCTION: "P"}
_WARNINGS: Final = b',"warnings":['


class ConversionBody(Protocol):
    """A request body that says how to convert; None is what it leaves open."""

    @property
    def csv(self) -> CsvOptions | None:
        """How CSV is read."""

    @property
    def direction(self) -> str | None:
        """``inbound`` or ``outbound``."""

    @property
    def envelope(self) -> EnvelopeOptions | None:
        """The envelope of an X12 output."""

    @property
    def split(self) -> bool | None:
        """Whether each set has its output."""


def conversion_options(
    body: ConversionBody,
    environment: Environment,
    clock: Clock,
    *,
    tx_set: str | None,
    is_explained: bool,
) -> dict[str, object]:
    """Return what was chosen, by the names of the engine, whose defaults stand for the rest."""
    now = clock.now()
    options: dict[str, object] = {
        "csv_header": None if body.csv is None else body.csv.header,
        "direction": body.direction,
        "envelope": None if body.envelope is None else msgspec.to_builtins(body.envelope),
        "tx_set": tx_set,
        "usage_indicator": _USAGE_INDICATORS[environment],
        "stamp": Stamp(date=now.strftime("%Y%m%d"), time=now.strftime("%H%M")),
        "is_explained": is_explained,
        "is_split": body.split,
    }
    return {name: value for name, value in options.items() if value is not None}


def with_ignored(members: bytes, ignored: tuple[str, ...]) -> bytes:
    """Return the result members with unknown query parameters among their warnings."""
    if not ignored:
        return members
    added = msgspec.json.encode(ignored_notices(ignored))[1:-1]
    # Before it stand texts alone, and no unescaped quote stands inside one.
    before, found, after = members.partition(_WARNINGS)
    separator = b"" if after.startswith(b"]") else b","
    return b"".join((before, found, added, separator, after))
