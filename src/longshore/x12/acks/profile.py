"""How a partner wants to be acknowledged.

Source: x12.md sections 2.1, 2.4 and 2.5, contract.md section 15.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class AckType(StrEnum):
    """Which functional acknowledgement is made; ``AUTO`` follows the version of the group."""

    AUTO = "auto"
    A997 = "997"
    A999 = "999"
    NONE = "none"


class Ta1Rule(StrEnum):
    """Whether a TA1 is sent only when ISA14 asks for it, or also for a rejected interchange."""

    ON_REQUEST = "on_request"
    ON_ERROR = "on_error"


class RejectLevel(StrEnum):
    """Whether any error rejects a set, or only a grave one."""

    STRICT = "strict"
    LENIENT = "lenient"


class UnknownSets(StrEnum):
    """What is answered to a transaction set in which no error was found, but that was not checked.

    It has no definition, or names an implementation guide that is not known.
    """

    REJECT = "reject"
    """Rejected: AK501 or IK501 R, code 1, transaction set not supported."""
    ACCEPT = "accept"
    """Accepted as if it had been checked."""
    HOLD = "hold"
    """Its functional group is not acknowledged."""


class CountMismatch(StrEnum):
    """What a wrong SE01 does."""

    REJECT = "reject"
    ACCEPT_WITH_ERRORS = "accept_with_errors"


@dataclass(frozen=True, slots=True, kw_only=True)
class AckProfile:
    """The part of a partner's profile that acknowledgements depend on.

    ``has_accepted_sets``: whether accepted sets are listed (``ack_accepted_sets``).
    """

    ack_type: AckType = AckType.AUTO
    ta1: Ta1Rule = Ta1Rule.ON_REQUEST
    reject_level: RejectLevel = RejectLevel.STRICT
    count_mismatch: CountMismatch = CountMismatch.REJECT
    has_accepted_sets: bool = True
    unknown_sets: UnknownSets = UnknownSets.HOLD
    """What is answered to sets that were not checked."""


DEFAULT_PROFILE = AckProfile()
