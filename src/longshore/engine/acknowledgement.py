"""Make the acknowledgement of a validated document, of the kind that was asked for.

Source: x12.md section 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.x12.acks.answer_plans import PLANNERS, read_contents
from longshore.x12.acks.application import preview_answer_numbers, write_application
from longshore.x12.acks.assessment import ReceivedInterchange, received_interchanges
from longshore.x12.acks.build import AckPlan, held_sets, plan_acks, preview_numbers, write_acks
from longshore.x12.acks.profile import DEFAULT_PROFILE, AckProfile, AckType, UnknownSets
from longshore.x12.validate.validation import Validation
from longshore.x12.walk import Walk

TA1: Final = "TA1"
_PROFILES: Final[Mapping[str, AckProfile]] = {
    "auto": DEFAULT_PROFILE,
    "997": AckProfile(ack_type=AckType.A997),
    "999": AckProfile(ack_type=AckType.A999),
    TA1: AckProfile(ack_type=AckType.NONE),
    **dict.fromkeys(PLANNERS, DEFAULT_PROFILE),
}
ACK_TYPES: Final = tuple(_PROFILES)
UNKNOWN_SETS: Final = tuple(each.value for each in UnknownSets)

LATIN_1: Final = "iso-8859-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledgement:
    """The acknowledgement to send back for a document."""

    text: str
    """One interchange for each one received, with preview control numbers; ``""`` if there is
    nothing to acknowledge."""
    ack_type: str
    """``997``, ``999``, ``TA1`` if there is nothing else, ``277CA`` or ``824`` if one was asked
    for, or ``""``."""
    is_truncated: bool
    """There are more errors than an acknowledgement can name; a 277CA leaves out an 837 whose
    faulty claims are not all known."""
    charset: str = "utf-8"
    """The charset that the document was decoded from, in which to send ``text``."""
    withheld: tuple[int, ...] = ()
    """The sets, from 1, that were not checked, because of which ``text`` is ``""``: it would say
    that they are accepted. The argument ``unknown_sets`` of ``acknowledge`` decides."""

    def content(self) -> bytes:
        """Return the octets to send."""
        return self.text.encode(LATIN_1 if self.charset == LATIN_1 else "utf-8")


def profile_of(ack_type: str, unknown_sets: str) -> AckProfile:
    """Return how a document is acknowledged.

    Raises:
        _not_allowed: A LongshoreError invalid_parameter.
    """
    if ack_type not in _PROFILES:
        raise _not_allowed("ack_type", "Unknown type of acknowledgement", ACK_TYPES)
    if unknown_sets not in UNKNOWN_SETS:
        raise _not_allowed("unknown_sets", "Unknown treatment of unchecked sets", UNKNOWN_SETS)
    profile = _PROFILES[ack_type]
    if unknown_sets == profile.unknown_sets:
        return profile
    return replace(profile, unknown_sets=UnknownSets(unknown_sets))


def _not_allowed(param: str, problem: str, allowed: tuple[str, ...]) -> LongshoreError:
    message = f"{problem}. Use one of: {', '.join(allowed)}."
    code = ErrorCode.INVALID_PARAMETER
    detail = ErrorDetail(code=code, param=param, message=message, allowed=allowed)
    return LongshoreError(code, message, details=(detail,))


def functional_answer(
    validation: Validation, profile: AckProfile, charset: str, *, is_ta1_asked: bool
) -> Acknowledgement:
    """Return the TA1s, 997s and 999s of a document, one interchange for each one received."""
    received_all = [*received_interchanges(validation.envelope, validation.results)]
    if withheld := _withheld(validation, received_all, profile):
        return _withholding(withheld, charset)
    plans = []
    for received in received_all:
        plan = plan_acks(_with_ta1_requested(received) if is_ta1_asked else received, profile)
        if plan is not None:
            plans.append(plan)
    written = [write_acks(plan, preview_numbers(plan)) for plan in plans]
    return Acknowledgement(
        text="".join(each.text for each in written),
        ack_type=_ack_type(plans),
        is_truncated=any(each.is_truncated for each in written),
        charset=charset,
    )


def _withheld(
    validation: Validation, received_all: list[ReceivedInterchange], profile: AckProfile
) -> tuple[int, ...]:
    """Return the sets that were not checked, because of which nothing is answered."""
    if not validation.has_unchecked_sets:
        return ()
    return tuple(each.index for one in received_all for each in held_sets(one, profile))


def _withholding(withheld: tuple[int, ...], charset: str) -> Acknowledgement:
    return Acknowledgement(
        text="", ack_type="", is_truncated=False, charset=charset, withheld=withheld
    )


def application_answer(
    validation: Validation,
    asked: tuple[str, AckProfile],
    charset: str,
    walk: Callable[[], Walk],
) -> Acknowledgement:
    """Return the 277CAs or 824s of a document, one interchange for each one received."""
    ack_type, profile = asked
    received_all = [*received_interchanges(validation.envelope, validation.results)]
    if withheld := _withheld(validation, received_all, profile):
        return _withholding(withheld, charset)
    contents = read_contents(walk())
    planned = [PLANNERS[ack_type](each, profile, contents) for each in received_all]
    written = [write_application(plan, preview_answer_numbers(plan)) for plan, _ in planned if plan]
    return Acknowledgement(
        text="".join(written),
        ack_type=ack_type if written else "",
        is_truncated=any(is_truncated for _, is_truncated in planned),
        charset=charset,
    )


def _ack_type(plans: list[AckPlan]) -> str:
    """Return the functional acknowledgement that comes first, else TA1 if there is one."""
    kinds = [kind for plan in plans for kind in plan.ack_types]
    return next((kind for kind in kinds if kind != TA1), TA1 if kinds else "")


def _with_ta1_requested(received: ReceivedInterchange) -> ReceivedInterchange:
    """Return an interchange as if its ISA14 asked for a TA1."""
    header = list(received.summary.header)
    header[14] = "1"
    return replace(received, summary=replace(received.summary, header=header))
