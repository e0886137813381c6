"""Checks of a submitted document before it is taken, and the meaning of each fault.

Production refuses; the sandbox accepts what touches nothing live, and says what production would
have refused. A contradiction within the request is refused in both. All faults are reported.

Source: contract.md section 6, x12.md section 4 (test and live).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final, NamedTuple

from longshore.domain.partners.connection_members import SCRIPT
from longshore.domain.partners.connections import simulates
from longshore.domain.partners.envelopes import LIVE, TEST, environment_of
from longshore.domain.partners.members import RefusedValueError
from longshore.domain.partners.model import Direction, Identity, Pair, Partner, having, pair_of
from longshore.domain.partners.status import is_kept_from_live, takes_documents
from longshore.kit.environment import Environment
from longshore.x12.envelope import Envelope

SIMULATE: Final = "simulate"
"""The member of ``metadata`` that says what a partner which simulates answers."""

_PARTNER: Final = "partner_id"
_ACKNOWLEDGEMENTS: Final = frozenset({"997", "999"})


@unique
class OnInvalid(StrEnum):
    """The treatment of a document that validation finds errors in."""

    REJECT = "reject"
    STORE = "store"
    SEND = "send"


@unique
class SubmitCode(StrEnum):
    """A fault of a submitted document, as a refusal or as a warning."""

    TX_SET_MISMATCH = "tx_set_mismatch"
    SET_NOT_AGREED = "set_not_agreed"
    PARTNER_IDENTITY_MISMATCH = "partner_identity_mismatch"
    USAGE_MISMATCH = "usage_mismatch"
    USAGE_RESTAMPED = "usage_restamped"
    PARTNER_INACTIVE = "partner_inactive"
    DUPLICATE_INTERCHANGE = "duplicate_interchange"
    DUPLICATE_GROUP = "duplicate_group"
    ID_CASE = "id_case"
    INVALID_PARAMETER = "invalid_parameter"


class SubmissionDiagnostic(NamedTuple):
    """Something about a request: code, text without document content, parameter."""

    code: SubmitCode
    message: str
    param: str = "content"
    is_separation: bool = False
    """It keeps test and live apart, which the audit log tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmittedContent:
    """The submitted content."""

    set_ids: tuple[str, ...]
    """ST01 of each set, in order."""
    interchange_count: int = 0
    """0: bare sets without an envelope."""
    pair: Pair | None = None
    """Sender and receiver of the only interchange; None for bare sets."""
    usage: str = ""
    """ISA15 of the only interchange without spaces; ``""`` for bare sets."""
    is_number_used: bool = False
    """Its ISA13 was sent before between the two."""
    is_proper: bool = True
    """It is nothing but ISA to IEA, its ISA of fixed width."""
    is_group_number_used: bool = False
    """A GS06 of it was sent before between the two."""
    is_number_zero: bool = False
    """Its ISA13 is 000000000."""
    has_unread_documents: bool = False
    """Text outside the interchange may be a document of its own."""


def content_of(
    envelope: Envelope, *, is_proper: bool = True, has_unread_documents: bool = False
) -> SubmittedContent:
    """Return what a document that was walked through holds, as far as it is checked."""
    headers = [each.header for each in envelope.interchanges]
    return SubmittedContent(
        set_ids=tuple(each.set_id for each in envelope.sets),
        interchange_count=len(headers),
        pair=pair_of(headers[0]) if headers else None,
        usage=headers[0][15].strip() if headers else "",
        is_proper=is_proper,
        has_unread_documents=has_unread_documents,
        is_number_zero=bool(headers) and not headers[0][13].strip("0 "),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRequest:
    """The members of a request that the checks depend on."""

    key_environment: Environment
    direction: Direction
    tx_set: str
    restamp: bool | None = None
    """None: the request does not say."""
    on_invalid: OnInvalid | None = None
    """None: the request does not say."""
    simulate: str = ""
    """That of ``metadata``, ``""`` if it is not said."""

    @property
    def own_usage(self) -> str:
        """The ISA15 of an envelope that we write."""
        return LIVE if self.key_environment is Environment.PRODUCTION else TEST


class SubmissionChecks(NamedTuple):
    """Result of the checks of a submitted document."""

    environment: Environment
    """Of all its rows."""
    usage: str
    """The ISA15 it is sent with."""
    is_rewritten: bool
    """That one character is changed to it."""
    is_restamped: bool
    """It gets a new envelope with our numbers. Where there are refusals, nothing else counts."""
    on_invalid: OnInvalid
    warnings: tuple[SubmissionDiagnostic, ...]
    refusals: tuple[SubmissionDiagnostic, ...]


def check_submission(
    request: CheckedRequest, content: SubmittedContent, partner: Partner, own: Identity
) -> SubmissionChecks:
    """Return what becomes of a submitted document. ``own`` is whom the partner knows us as.

    The caller has made sure that the partner is there and visible.
    """
    is_outbound = request.direction is Direction.OUTBOUND
    is_restamped = bool(request.restamp) and is_outbound and content.pair is not None
    environment = _environment(request, content)
    is_test = environment is Environment.SANDBOX
    warnings: list[SubmissionDiagnostic] = []
    refusals = [*_contradictions(request, content), *_lacks(request, content, partner, own)]
    refusals.extend(inactivity(partner, environment))
    refusals.extend(_script_faults(request, partner, environment))
    forgiven = warnings if is_test else refusals
    if is_restamped and content.has_unread_documents:
        refusals.append(_UNREAD)
    if not is_restamped:
        for diagnostic in _identity_diagnostics(request, content, partner, own):
            (warnings if diagnostic.code is SubmitCode.ID_CASE else forgiven).append(diagnostic)
    forgiven.extend(_disagreement(request, partner))
    usage, diagnostics = _usage(request, content, environment)
    (refusals if request.restamp is False else warnings).extend(diagnostics)
    if is_outbound and not is_restamped:
        forgiven.extend(_kept_faults(content))
        warnings.extend([_GROUP_USED] * content.is_group_number_used)
    return SubmissionChecks(
        environment=environment,
        usage=usage,
        is_rewritten=usage != content.usage and content.pair is not None and not is_restamped,
        is_restamped=is_restamped,
        on_invalid=request.on_invalid or (OnInvalid.SEND if is_test else OnInvalid.REJECT),
        warnings=tuple(warnings),
        refusals=tuple(refusals),
    )


def _environment(request: CheckedRequest, content: SubmittedContent) -> Environment:
    """Return where a document belongs: ISA15 T is a test with any key, a new envelope or not."""
    # Bare sets have no ISA15: the key alone decides about them.
    usage = content.usage if content.pair is not None else LIVE
    return environment_of(usage, request.key_environment)


def _kept_faults(content: SubmittedContent) -> Iterator[SubmissionDiagnostic]:
    """Yield why an interchange should not be sent in the envelope that it has."""
    if content.is_number_used:
        yield _USED
    if content.is_number_zero:
        yield _ZERO
    if not content.is_proper:
        yield _IMPROPER_FORM


_USED: Final = SubmissionDiagnostic(
    SubmitCode.DUPLICATE_INTERCHANGE,
    "The control number of this interchange (ISA13) was used before. With restamp: true it gets a"
    " new envelope with numbers of its own.",
)


_UNREAD: Final = SubmissionDiagnostic(
    SubmitCode.INVALID_PARAMETER,
    "A part of the content stands outside the interchange and would not be sent. Submit nothing but"
    " ISA to IEA.",
)


_GROUP_USED: Final = SubmissionDiagnostic(
    SubmitCode.DUPLICATE_GROUP,
    "A control number of a group in this interchange (GS06) was used before. The partner may take"
    " the group for a repeat.",
)


_ZERO: Final = SubmissionDiagnostic(
    SubmitCode.INVALID_PARAMETER,
    "The control number of this interchange (ISA13) is 000000000; it must be 000000001 to"
    " 999999999. With restamp: true it gets a new envelope with numbers of its own.",
)


_IMPROPER_FORM: Final = SubmissionDiagnostic(
    SubmitCode.INVALID_PARAMETER,
    "The interchange is not sent as it stands: it must be nothing but ISA to IEA, with an ISA of"
    " fixed width. With restamp: true it gets a new envelope.",
)


def inactivity(partner: Partner, environment: Environment) -> Sequence[SubmissionDiagnostic]:
    """Return that a partner takes no documents of an environment, if it does not."""
    if takes_documents(partner.status, environment):
        return ()
    message = f"The partner is {partner.status} and takes no such documents."
    is_separation = is_kept_from_live(partner.status, environment)
    return (SubmissionDiagnostic(SubmitCode.PARTNER_INACTIVE, message, _PARTNER, is_separation),)


def _contradictions(
    request: CheckedRequest, content: SubmittedContent
) -> list[SubmissionDiagnostic]:
    found = []
    if content.interchange_count > 1:
        message = (
            f"The content has {content.interchange_count} interchanges; submit each by itself."
        )
        found.append(SubmissionDiagnostic(SubmitCode.INVALID_PARAMETER, message))
    if not content.set_ids:
        message = "The content has no transaction set (ST to SE)."
        found.append(SubmissionDiagnostic(SubmitCode.TX_SET_MISMATCH, message))
    elif set(content.set_ids) != {request.tx_set}:
        message = "The content has transaction sets of another code (ST01) than tx_set says."
        found.append(SubmissionDiagnostic(SubmitCode.TX_SET_MISMATCH, message, "tx_set"))
    return found


def _disagreement(request: CheckedRequest, partner: Partner) -> Sequence[SubmissionDiagnostic]:
    """Return that a set was not agreed with the partner; acknowledgements need no agreement."""
    agreed = partner.terms.tx_sets
    is_inbound = request.direction is Direction.INBOUND
    if not agreed or request.tx_set in {*agreed, *_ACKNOWLEDGEMENTS} or is_inbound:
        return ()
    message = (
        f"Set {request.tx_set} was not agreed with the partner, whose tx_sets are"
        f" {', '.join(agreed)}. Add it there, or submit another set."
    )
    return (SubmissionDiagnostic(SubmitCode.SET_NOT_AGREED, message, "tx_set"),)


def _lacks(
    request: CheckedRequest, content: SubmittedContent, partner: Partner, own: Identity
) -> Sequence[SubmissionDiagnostic]:
    """Return what an envelope of ours would need and nobody has said."""
    is_inbound = request.direction is Direction.INBOUND
    if content.pair is not None and (is_inbound or not request.restamp):
        return ()
    whose = {"The partner has": partner.terms.identity, "Your account has": own}
    return [
        SubmissionDiagnostic(
            SubmitCode.INVALID_PARAMETER, f"{who} no ISA id for an envelope.", _PARTNER
        )
        for who, identity in whose.items()
        if not identity.isa_id
    ]


def _script_faults(
    request: CheckedRequest, partner: Partner, environment: Environment
) -> Sequence[SubmissionDiagnostic]:
    """Return what is wrong with what a partner that simulates is asked to answer."""
    is_simulated = simulates(partner.terms.connections.of(environment), environment)
    if not request.simulate or not is_simulated or request.direction is Direction.INBOUND:
        return ()
    param = f"metadata.{SIMULATE}"
    try:
        SCRIPT.read(request.simulate, param)
    except RefusedValueError:
        message = f'Parameter "{param}" must be {SCRIPT.allowed}.'
        return (SubmissionDiagnostic(SubmitCode.INVALID_PARAMETER, message, param),)
    return ()


def _identity_diagnostics(
    request: CheckedRequest, content: SubmittedContent, partner: Partner, own: Identity
) -> Sequence[SubmissionDiagnostic]:
    if content.pair is None:
        return ()
    is_outbound = request.direction is Direction.OUTBOUND
    ours, theirs = content.pair if is_outbound else content.pair.swapped()
    found = [
        (role, having(address, [identity]))
        for role, address, identity in (
            ("receiver" if is_outbound else "sender", theirs, partner.terms.identity),
            ("sender" if is_outbound else "receiver", ours, own),
        )
    ]
    diagnostics = []
    for role, match in found:
        if not match.indexes:
            whose = "yours" if (role == "sender") is is_outbound else "the partner's"
            message = f"The {role} in the ISA is not {whose}."
            diagnostics.append(SubmissionDiagnostic(SubmitCode.PARTNER_IDENTITY_MISMATCH, message))
        elif not match.is_exact:
            message = f"The {role} in the ISA is written in another case than in the settings."
            diagnostics.append(SubmissionDiagnostic(SubmitCode.ID_CASE, message))
    return diagnostics


def _usage(
    request: CheckedRequest, content: SubmittedContent, environment: Environment
) -> tuple[str, list[SubmissionDiagnostic]]:
    """Return the ISA15 to send, and what is to be said about it."""
    if content.pair is None:
        return request.own_usage, []
    if environment is Environment.PRODUCTION or content.usage != LIVE:
        return content.usage, []
    if request.restamp is False or request.direction is Direction.INBOUND:
        message = "ISA15 is P, but the key is a sandbox key; it is a test document."
        return content.usage, [
            SubmissionDiagnostic(SubmitCode.USAGE_MISMATCH, message, is_separation=True)
        ]
    message = "ISA15 was P and is T now, since the key is a sandbox key."
    return TEST, [SubmissionDiagnostic(SubmitCode.USAGE_RESTAMPED, message, is_separation=True)]
