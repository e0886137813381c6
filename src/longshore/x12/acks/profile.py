"""The acknowledgement settings of a partner.

Source: x12.md sections 2.1, 2.4 and 2.5, contract.md section 15.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class AckType(StrEnum):
    """The functional acknowledgement to send; ``AUTO`` follows the version of the group."""

    AUTO = "auto"
    A997 = "997"
    A999 = "999"
    NONE = "none"


class Ta1Rule(StrEnum):
    """When to send a TA1: only if ISA14 asks for it, or also for a rejected interchange."""

    ON_REQUEST = "on_request"
    ON_ERROR = "on_error"


class RejectLevel(StrEnum):
    """The errors that reject a set: any error, or only a grave one."""

    STRICT = "strict"
    LENIENT = "lenient"


class UnknownSets(StrEnum):
    """The answer to a transaction set without errors that was not checked.

    Such a set has no definition, or names an unknown implementation guide.
    """

    REJECT = "reject"
    """Rejected: AK501 or IK501 R, code 1, transaction set not supported."""
    ACCEPT = "accept"
    """Accepted as if it had been checked."""
    HOLD = "hold"
    """Its functional group is not acknowledged."""


class CountMismatch(StrEnum):
    """The effect of a wrong SE01."""

    REJECT = "reject"
    ACCEPT_WITH_ERRORS = "accept_with_errors"


@dataclass(frozen=True, slots=True, kw_only=True)
class AckProfile:
    """The part of a partner's profile that acknowledgements depend on."""

    ack_type: AckType = AckType.AUTO
    ta1: Ta1Rule = Ta1Rule.ON_REQUEST
    reject_level: RejectLevel = RejectLevel.STRICT
    count_mismatch: CountMismatch = CountMismatch.REJECT
    has_accepted_sets: bool = True
    """Accepted sets are listed (``ack_accepted_sets``)."""
    unknown_sets: UnknownSets = UnknownSets.HOLD
    """The answer to sets that were not checked."""


DEFAULT_PROFILE = AckProfile()
