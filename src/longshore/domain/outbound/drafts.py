"""Read, validate and write a submitted document before anything is stored.

All of it is pure and may run outside the event loop. Only what control numbers depend on waits for
the unit: the draft has the text that is sent, or a template of it.

Source: contract.md section 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Final, Literal

from longshore.domain.control_numbers.numbers import isa_number
from longshore.domain.interchanges.digests import DigestCollector
from longshore.domain.outbound.checks import (
    CheckedRequest,
    SubmissionChecks,
    SubmittedContent,
    check_submission,
    content_of,
)
from longshore.domain.outbound.control_numbers import preview_numbers
from longshore.domain.outbound.envelope import (
    EnvelopeParties,
    OutboundGroup,
    Wrapped,
    plan_envelope,
    with_usage,
    write_envelope,
)
from longshore.domain.outbound.outlines import (
    InterchangeOutline,
    NumberCollector,
    NumbersBySet,
    outlined,
)
from longshore.domain.outbound.templates import Template, mark_of, template_of, with_numbers
from longshore.domain.partners.model import Direction, Identity, Partner, known_pair
from longshore.domain.partners.setting_kinds import MAX_NUMBER, Charset
from longshore.domain.transactions.model import ValidationStatus
from longshore.engine.validate import with_definitions
from longshore.formats.refusals import encoded
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.mapping.writes import MappingWarning
from longshore.x12.control import element_at
from longshore.x12.dictionary.own_codes import CodeLists
from longshore.x12.dictionary.own_definitions import OwnDefinitions
from longshore.x12.dictionary.release import names_guide, release_of
from longshore.x12.envelope import Envelope
from longshore.x12.findings import Finding, FindingCode, Severity
from longshore.x12.refusals import advising
from longshore.x12.validate.outcome import ValidationOutcome
from longshore.x12.validate.validation import Options, Validation, validate
from longshore.x12.walk import Walk

MAX_SETS: Final = 1_000
"""In one submission: each has a record, which are stored in one unit."""
MAX_SHOWN: Final = 100  # findings of a kind in an answer


_OTHER_SEPARATORS: Final = MappingWarning(
    "separators_changed",
    "Values hold separators of the partner's settings, so others were chosen.",
)
_CHARSETS: Final[Mapping[Charset | None, Literal["basic", "extended"] | None]] = {
    None: None,
    Charset.BASIC: "basic",
    Charset.EXTENDED: "extended",
}
_FORM_FINDINGS: Final = frozenset((
    FindingCode.LEADING_GARBAGE,
    FindingCode.ISA_NOT_FIXED_WIDTH,
    FindingCode.TRAILING_DATA,
    FindingCode.WRAPPED_LINES,
    FindingCode.MISSING_FINAL_TERMINATOR,
))
"""Findings of what is read, but never written: such an interchange is not sent as it stands."""
_CONVERT_FIRST: Final = "send it as document, with the map_id of a map that converts it to X12"
_ORDER: Final = tuple(Severity)  # the gravest first
_STATUSES: Final[Mapping[Severity, ValidationStatus]] = {
    Severity.ERROR: ValidationStatus.INVALID,
    Severity.WARNING: ValidationStatus.VALID_WITH_WARNINGS,
    Severity.INFO: ValidationStatus.VALID,
}
REPLACED: Final = MappingWarning(
    "separator_replaced",
    "Separators in values were replaced, as the partner's settings say.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationSummary:
    """The summary of a validation."""

    outcome: ValidationOutcome
    """Of the document."""
    error_count: int
    warning_count: int
    errors: tuple[Finding, ...]
    """The first errors, at most 100."""
    warnings: tuple[Finding, ...]
    """The first warnings, at most 100."""
    statuses: Mapping[int, ValidationStatus]
    """Of each set, by its index from 1."""

    @property
    def has_errors(self) -> bool:
        """The document has an error, in a part that was checked or outside it."""
        return self.error_count > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftRequest:
    """The facts that a draft depends on, besides the document."""

    request: CheckedRequest
    partner: Partner
    own: Identity
    local_now: datetime
    """In the partner's time zone."""
    code_lists: CodeLists | None = None
    """The operator's own codes, if the partner's documents are compared with them."""
    definitions: OwnDefinitions | None = None
    """The definitions that the account imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A document on its way."""

    content: SubmittedContent
    checks: SubmissionChecks
    """As if its ISA13 was not used before."""
    validation_summary: ValidationSummary
    numbers: NumbersBySet
    outline: InterchangeOutline | None
    """As the document stands there, None of bare sets."""
    text: str
    """The text that is sent where the envelope stays, else as submitted."""
    body_digest: bytes
    """Of that text."""
    template: Template | None
    """The template that is sent where we number it."""
    notices: tuple[MappingWarning, ...] = ()


def draft(document: str, asked: DraftRequest) -> Draft:
    """Return what is to be sent and stored for a document.

    Where the checks refuse it, it is read and no more.

    Raises:
        LongshoreError: document_empty, document_unparseable, document_not_x12, segment_too_long,
            limit_exceeded: it cannot be read. delimiter_in_data, invalid_parameter: no envelope
            can be written.
    """
    is_outbound = asked.request.direction is Direction.OUTBOUND
    try:
        with advising(_CONVERT_FIRST if is_outbound else ""):
            return _draft(document, asked)
    except LongshoreError as refused:
        refused.details = tuple(map(_about_content, refused.details))
        raise


def _draft(document: str, asked: DraftRequest) -> Draft:
    encoded(document, surrogate_code="lone_surrogate")
    walk, numbers = Walk(lambda: (document,)), NumberCollector()
    digests = DigestCollector()
    for spans in walk.span_lists():
        numbers.add(spans)
        digests.add(spans)
    envelope, found = walk.envelope, numbers.found()
    if envelope.set_count > MAX_SETS:
        raise too_many_sets("content")
    validation_summary, codes = _validated(document, _options(envelope, asked))
    content = content_of(
        envelope,
        is_proper=_FORM_FINDINGS.isdisjoint(codes),
        has_unread_documents=bool(walk.unread_documents()),
    )
    checks = check_submission(asked.request, content, asked.partner, asked.own)
    is_whole = content.pair is not None
    read = Draft(
        content=content,
        checks=checks,
        validation_summary=validation_summary,
        numbers=found,
        outline=_addressed(outlined(envelope, found), asked) if is_whole else None,
        text=document,
        body_digest=digests.interchanges()[0] if is_whole else b"",
        template=None,
    )
    return read if checks.refusals else _with_text_to_send(read, asked)


def redraft(document: str, place: int, addressed: EnvelopeParties, local_now: datetime) -> Template:
    """Return the template of an interchange with one set of a document that was sent before.

    ``place`` is of the set among the records of the document, from 0.

    Raises:
        LongshoreError: delimiter_in_data, invalid_parameter: no envelope can be written any more.
    """
    walk, numbers = Walk(lambda: (document,)), NumberCollector()
    for spans in walk.span_lists():
        numbers.add(spans)
    before = outlined(walk.envelope, numbers.found()).sets[place]
    planned = plan_envelope(Walk(lambda: (document,)), addressed.terms.version)
    chosen = _only(planned, before.tx_index)
    preview = preview_numbers(chosen, addressed.terms.settings, local_now)
    template, _ = template_of(chosen, preview, addressed, mark_of(document))
    return with_numbers(template, {1: before.numbers})


def _only(groups: Sequence[OutboundGroup], tx_index: int) -> tuple[OutboundGroup, ...]:
    """Return the group of one set, without its other sets."""
    every = [(group, each) for group in groups for each in group.sets]
    group, planned = every[tx_index - 1]
    return (replace(group, sets=(planned,)),)


# ---- what is sent --------------------------------------------------------------------------------


def _with_text_to_send(read: Draft, asked: DraftRequest) -> Draft:
    """Return a draft with what is sent."""
    checks, text = read.checks, read.text
    if asked.request.direction is Direction.INBOUND:
        return read if read.outline is not None else replace(read, text=_as_from(read, asked))
    if read.outline is None or checks.is_restamped:
        terms = asked.partner.terms
        addressed = EnvelopeParties(own=asked.own, terms=terms, usage=checks.usage)
        groups = plan_envelope(Walk(lambda: (text,)), terms.version)
        preview = preview_numbers(groups, terms.settings, asked.local_now)
        template, wrapped = template_of(groups, preview, addressed, mark_of(text))
        template = with_numbers(template, read.numbers)
        return replace(read, template=template, notices=tuple(_notices(wrapped)))
    if not checks.is_rewritten:
        return read
    text = with_usage(text, Walk(lambda: (text,)), checks.usage)
    outline = replace(read.outline, usage=checks.usage)
    return replace(read, text=text, outline=outline, body_digest=_digest_of(text))


def _addressed(outline: InterchangeOutline, asked: DraftRequest) -> InterchangeOutline:
    """Return an interchange between identities as the settings spell them.

    So no number is used twice between the two, however the caller writes them.
    """
    pair = known_pair(outline.pair, asked.own, asked.partner.terms.identity)
    return replace(outline, pair=pair)


def _as_from(read: Draft, asked: DraftRequest) -> str:
    """Return bare sets in an envelope as the partner would have sent them to us.

    Its number depends on the time, so that no two are taken for the same.
    """
    terms, text = asked.partner.terms, read.text
    swapped = replace(terms, identity=asked.own)
    addressed = EnvelopeParties(own=terms.identity, terms=swapped, usage=read.checks.usage)
    groups = plan_envelope(Walk(lambda: (text,)), terms.version)
    seed = f"{asked.local_now.isoformat()} {text}".encode()
    number = int.from_bytes(sha256(seed).digest()) % MAX_NUMBER + 1
    numbers = preview_numbers(groups, terms.settings, asked.local_now)
    numbers = replace(numbers, interchange=isa_number(number))
    return write_envelope(groups, numbers, addressed).text


def _notices(wrapped: Wrapped) -> Iterator[MappingWarning]:
    if wrapped.is_changed:
        yield _OTHER_SEPARATORS
    if wrapped.is_replaced:
        yield REPLACED


def _digest_of(text: str) -> bytes:
    digests = DigestCollector()
    for spans in Walk(lambda: (text,)).span_lists():
        digests.add(spans)
    return digests.interchanges()[0]


# ---- what is said of it --------------------------------------------------------------------------


def _options(envelope: Envelope, asked: DraftRequest) -> Options:
    """Return what to validate by. Bare sets that name no guide are of the partner's version."""
    settings, version = asked.partner.terms.settings, asked.partner.terms.version
    chosen = Options(
        leniency=settings.leniency,
        charset=_CHARSETS[settings.charset],
        has_strict_lists=settings.codes.refuses_codes,
        code_lists=asked.code_lists,
    )
    said = with_definitions(chosen, asked.definitions)
    is_said = envelope.interchanges or any(element_at(each.header, 3) for each in envelope.sets)
    if is_said or not envelope.sets:
        return said
    guide = version if names_guide(version) else ""
    return replace(said, release=release_of(version, ""), guide=guide)


def _validated(document: str, options: Options) -> tuple[ValidationSummary, frozenset[str]]:
    """Return what validation says, and the codes of all its findings.

    That bare sets have no envelope is no fault of theirs here.
    """
    validation = validate(lambda: (document,), options=options)
    findings = [each for each in validation.findings if each.code != FindingCode.NO_ENVELOPE]
    errors = [each for each in findings if each.severity is Severity.ERROR]
    warnings = [each for each in findings if each.severity is Severity.WARNING]
    validation_summary = ValidationSummary(
        outcome=validation.outcome,
        error_count=validation.error_count,
        warning_count=len(warnings),
        errors=tuple(errors[:MAX_SHOWN]),
        warnings=tuple(warnings[:MAX_SHOWN]),
        statuses=_statuses(validation, findings),
    )
    return validation_summary, frozenset(each.code for each in findings)


def _statuses(
    validation: Validation, findings: Sequence[Finding]
) -> Mapping[int, ValidationStatus]:
    """Return what is said of each set; an error outside all sets is one of each."""
    severest: dict[int | None, Severity] = {}
    for finding in findings:
        index = finding.tx_index or None
        known = severest.get(index, Severity.INFO)
        severest[index] = min(known, finding.severity, key=_ORDER.index)
    common = severest.get(None, Severity.INFO)
    found = {}
    for each in validation.envelope.sets:
        result = validation.results[each.index]
        worst = min(severest.get(each.index, Severity.INFO), common, key=_ORDER.index)
        if each.codes or result.codes or result.has_errors:
            worst = Severity.ERROR  # of a long list the finding itself may be missing
        is_unchecked = worst is not Severity.ERROR and not result.is_checked
        found[each.index] = ValidationStatus.NOT_CHECKED if is_unchecked else _STATUSES[worst]
    return found


def _about_content(detail: ErrorDetail) -> ErrorDetail:
    """Return a detail in the words of the request, where the document is called ``content``."""
    return replace(detail, param="content") if detail.param == "document" else detail


def too_many_sets(param: str) -> LongshoreError:
    """Return the refusal of a document that has more sets than are taken at once."""
    code = ErrorCode.LIMIT_EXCEEDED
    text = (
        f"At most {MAX_SETS} transaction sets are taken at once; submit the others by themselves."
    )
    detail = ErrorDetail(code=code, param=param, message=text, limit="sets", max=MAX_SETS)
    return LongshoreError(code, text, details=(detail,))
