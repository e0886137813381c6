"""Parts of every conversion over HTTP: by a key, or in the pages before a save."""

from typing import Any, Final, Protocol

import msgspec

from longshore.domain.outbound.templates import local_time
from longshore.domain.partners.model import PartnerStatus
from longshore.engine import Stamp
from longshore.http.api_v1.convert_shapes import EnvelopeOptions
from longshore.http.api_v1.parse import CsvOptions
from longshore.http.exchange import AccountCaller
from longshore.http.operation import Call
from longshore.http.request_context import request_context_of
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
        """Return whether each set has its output."""

    @property
    def partner_id(self) -> int | None:
        """The partner whose profile says the envelope of an X12 output."""

    @property
    def force(self) -> bool | None:
        """Return whether sets are converted that the map is not for."""


async def conversion_options(
    caller: AccountCaller,
    call: Call[Any],
    seen: frozenset[PartnerStatus],
    *,
    tx_set: str | None,
    is_explained: bool,
) -> dict[str, object]:
    """Return what was chosen, by the names of the engine, whose defaults stand for the rest.

    Args:
        caller: For whom the document is converted.
        call: The request, with a ``ConversionBody``.
        seen: The statuses of the partners that the caller may name.
        tx_set: The set of the map.
        is_explained: Whether the answer explains each value.

    Raises:
        PartnerNotFoundError: ``partner_id`` is of none that the caller may name.
        NoOwnIdentityError: The account has no identity.
    """
    body: ConversionBody = call.body
    now, partner = call.services.clock.now(), None
    if body.partner_id is not None:
        partners = call.services.trading.partners
        profile = await partners.profile(request_context_of(caller, call), body.partner_id, seen)
        partner, now = profile.envelope, local_time(now, profile.zone)
    options: dict[str, object] = {
        "csv_header": None if body.csv is None else body.csv.header,
        "direction": body.direction,
        "envelope": None if body.envelope is None else msgspec.to_builtins(body.envelope),
        "partner": partner,
        "tx_set": tx_set,
        "usage_indicator": _USAGE_INDICATORS[caller.environment],
        "stamp": Stamp.at(now),
        "is_explained": is_explained,
        "is_split": body.split,
        "is_forced": body.force,
    }
    return {name: value for name, value in options.items() if value is not None}
