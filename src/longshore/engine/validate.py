"""Validate an X12 document and acknowledge it, in one pass over it.

Source: contract.md section 3 (POST /api/v1/validate), x12.md section 2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from json import dumps
from typing import Final

from longshore.engine.acknowledgement import (
    LATIN_1,
    TA1,
    Acknowledgement,
    application_answer,
    functional_answer,
    profile_of,
)
from longshore.engine.decoding import DecodedDocument, read
from longshore.engine.validated_json import each_finding_json, fitting, sets_json, validation_head
from longshore.formats.document import json_text
from longshore.formats.flatmap import OUTPUT_ALLOWANCE_BYTES, OUTPUT_PER_INPUT
from longshore.formats.refusals import encoded
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.x12.acks.answer_plans import PLANNERS
from longshore.x12.acks.contexts import add_contexts, have_contexts
from longshore.x12.acks.profile import AckType
from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.own_codes import CodeLists
from longshore.x12.dictionary.own_definitions import OwnDefinitions
from longshore.x12.findings import NO_LENIENCY, Finding
from longshore.x12.layout import scout
from longshore.x12.leniency import read_leniency
from longshore.x12.validate.outcome import CheckedSet, ValidationOutcome
from longshore.x12.validate.validation import Options, Validation
from longshore.x12.validate.validation import validate as validate_text
from longshore.x12.walk import TextSource, Walk

CODES_STANDARD: Final = "standard"
CODES_PARTNER: Final = "partner"
CODES_OFF: Final = "off"
CODE_CHECKS: Final = (CODES_STANDARD, CODES_OFF)
"""The values of ``codes``: whether strict lists refuse what they do not have."""
MAX_WITHHELD: Final = 1_000  # sets named in an answer
_PIECE_CHARS: Final = 262_144
_RELEASE = re.compile("[0-9]{6}")

OnRead = Callable[[int, int], object]
"""Called with the characters read so far and their total; reading may start again from 0."""


class Validated:
    """A validated document: its findings, outcome and acknowledgement."""

    def __init__(
        self,
        reading: DecodedDocument,
        options: Options,
        validation: Validation,
        acknowledgement: Acknowledgement,
    ) -> None:
        self.text = reading.text
        """The decoded document, whose characters the offsets of findings count."""
        self.validation = validation
        self.acknowledgement = acknowledgement
        self._overrides = reading.overrides
        self._options = options

    @property
    def outcome(self) -> ValidationOutcome:
        """``valid``, ``invalid`` or ``not_checked``."""
        return self.validation.outcome

    @property
    def is_valid(self) -> bool:
        """True if all of it was checked and no finding has severity error."""
        return self.validation.is_valid

    @property
    def sets(self) -> tuple[CheckedSet, ...]:
        """The transaction sets, each with what it was checked against and its outcome."""
        return tuple(self.validation.sets())

    @property
    def codes(self) -> str:
        """The codes that were compared with: ``standard``, ``partner`` (your own too), ``off``."""
        if not self._options.has_strict_lists:
            return CODES_OFF
        return CODES_STANDARD if self._options.code_lists is None else CODES_PARTNER

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings by position; at most 1,000."""
        return self.validation.findings

    @property
    def ack(self) -> str:
        """The text of the acknowledgement, ``""`` if there is none."""
        return self.acknowledgement.text

    @cached_property
    def delimiters(self) -> tuple[Delimiters, ...]:
        """The separators of the interchanges, each set of them once, in order of appearance."""
        found = [each.delimiters for each in self.validation.envelope.interchanges]
        fragment = None if found else scout((self.text,), self._overrides).fragment
        return tuple(dict.fromkeys(found if fragment is None else [fragment]))

    def result_json(self, most_bytes: int | None = None) -> bytes:
        """Return the HTTP answer without ``ok`` and ``environment``, as one JSON object.

        Findings that do not fit into ``most_bytes`` (by default 40 times the document and 256 KiB)
        are left out, which ``truncated`` reports; sets that do not fit into half of it are left
        out, which ``sets_truncated`` reports.
        """
        validation, ack = self.validation, json_text(self.ack)
        room = growth_limit(self.text) if most_bytes is None else most_bytes
        head = b'%s,"codes":"%s"' % (validation_head(validation), self.codes.encode())
        room -= len(ack) + len(head)
        sets = list(fitting(sets_json(validation.sets()), room // 2))
        room -= sum(map(len, sets))
        shown = list(fitting(each_finding_json(self.findings), room))
        is_truncated = validation.finding_count > len(shown)
        set_count = validation.envelope.set_count
        tail = (
            f'"set_count":{set_count},"sets_truncated":{dumps(set_count > len(sets))},'
            f'"finding_count":{validation.finding_count},"truncated":{dumps(is_truncated)},'
            f'"ack_withheld":{_indexes(self.acknowledgement.withheld)},'
            f'"ack_truncated":{dumps(self.acknowledgement.is_truncated)},'
            f'"ack_type":"{self.acknowledgement.ack_type}","ack":'
        )
        members = (
            *(head, b',"sets":[', b",".join(sets)),
            *(b'],"findings":[', b",".join(shown), b"],", tail.encode()),
        )
        return b"".join((*members, ack, b"}"))


def _indexes(sets: tuple[int, ...]) -> str:
    return f"[{','.join(map(str, sets[:MAX_WITHHELD]))}]"


def growth_limit(text: str) -> int:
    """Return the maximum number of bytes in the answer to a document."""
    return OUTPUT_PER_INPUT * len(text) + OUTPUT_ALLOWANCE_BYTES


def validate(  # noqa: PLR0913 - the request members of contract.md, and the way to say how far it is
    document: str | bytes,
    *,
    elem_sep: str | None = None,
    seg_term: str | None = None,
    release: str = "",
    guide: str = "",
    ack_type: str = "auto",
    unknown_sets: str = "hold",
    leniency: Mapping[str, str] | None = None,
    codes: str = "standard",
    code_lists: CodeLists | None = None,
    definitions: OwnDefinitions | None = None,
    on_read: OnRead | None = None,
) -> Validated:
    """Validate an X12 document by the dictionary, and make its acknowledgement.

    Args:
        document: Text; or bytes, decoded as ``parse`` does.
        elem_sep: Element separator; detected when None or ``""``.
        seg_term: Segment terminator, likewise.
        release: Six digits; the release to validate against, instead of the document's own.
        guide: The implementation guide to validate against, instead of the one ST03 or GS08 names.
        ack_type: ``auto``, ``997``, ``999``; ``TA1`` makes only a TA1, even if ISA14 does not ask
            for it; ``277CA`` answers an 837 claim by claim, ``824`` each set with its faults, both
            instead of a functional acknowledgement.
        unknown_sets: The answer to sets without errors that were not checked: ``hold`` makes no
            acknowledgement (``withheld`` names the sets), ``reject`` rejects them with code 1,
            ``accept`` accepts them.
        leniency: Severities that differ from the defaults, by finding code: ``{"segment_missing":
            "warning"}``. Only errors are acknowledged.
        codes: ``standard`` compares codes with the strict lists of the dictionary, ``off`` with no
            list; the codes that a guide names for a position are required with both.
        code_lists: Your own codes, which change the lists of the standard (``read_code_lists``);
            not with ``codes="off"``.
        definitions: Imported definitions, which take the place of those of Longshore for their set,
            release and guide.
        on_read: Called now and then with the characters read and the total.

    Raises:
        LongshoreError: invalid_parameter, document_empty, document_unparseable, document_not_x12,
            segment_too_long.
        TypeError: ``document`` is neither text nor bytes.
    """
    reading = read(document, elem_sep, seg_term)
    options = with_definitions(read_options(release, guide, leniency), definitions)
    options = with_codes(options, codes, code_lists)
    return validate_decoded(
        reading, options, ack_type=ack_type, unknown_sets=unknown_sets, on_read=on_read
    )


def validate_decoded(
    reading: DecodedDocument,
    options: Options,
    *,
    ack_type: str = "auto",
    unknown_sets: str = "hold",
    on_read: OnRead | None = None,
) -> Validated:
    """Validate a document that has been decoded; otherwise as ``validate``."""
    profile = profile_of(ack_type, unknown_sets)
    text, charset, overrides = reading
    if not text.isascii():
        encoded(text, surrogate_code="lone_surrogate")
    validation = validate_text(
        _source(text, on_read), overrides, options, is_single_octet=charset == LATIN_1
    )
    sets, results = validation.envelope.sets, validation.results

    def walk() -> Walk:
        return Walk(lambda: (text,), overrides, is_single_octet=charset == LATIN_1)

    if ack_type in PLANNERS:
        acknowledgement = application_answer(validation, (ack_type, profile), charset, walk)
        return Validated(reading, options, validation, acknowledgement)
    if profile.ack_type is not AckType.NONE and have_contexts(sets, results):
        add_contexts(walk(), results)
    acknowledgement = functional_answer(validation, profile, charset, is_ta1_asked=ack_type == TA1)
    return Validated(reading, options, validation, acknowledgement)


def read_options(release: str, guide: str, leniency: Mapping[str, str] | None = None) -> Options:
    """Return the options of a validation; ``""`` leaves the choice to the document.

    Raises:
        LongshoreError: invalid_parameter; the release does not have six digits, or the leniency has
            an unknown code or severity.
    """
    if release and not _RELEASE.fullmatch(release):
        message = "A release has six digits, such as 004010."
        code = ErrorCode.INVALID_PARAMETER
        detail = ErrorDetail(code=code, param="release", message=message)
        raise LongshoreError(code, message, details=(detail,))
    severities = NO_LENIENCY if leniency is None else read_leniency(leniency)
    return Options(release=release, guide=guide, leniency=severities)


def with_definitions(options: Options, definitions: OwnDefinitions | None) -> Options:
    """Return options that validate by imported definitions where there are any."""
    return options if definitions is None else replace(options, dictionary=definitions.dictionary())


def with_codes(options: Options, codes: str, code_lists: CodeLists | None) -> Options:
    """Return the options with the codes that documents are compared with, as ``validate``.

    Raises:
        LongshoreError: invalid_parameter; ``codes`` is neither ``standard`` nor ``off``, or it is
            ``off`` and there are own codes, which would then be ignored.
    """
    if codes == CODES_STANDARD and code_lists is None:
        return options  # as most requests have it, and nothing is copied for them
    if codes in CODE_CHECKS and (code_lists is None or codes != CODES_OFF):
        return replace(options, has_strict_lists=codes != CODES_OFF, code_lists=code_lists)
    message = f"codes is one of {', '.join(CODE_CHECKS)}."
    if codes == CODES_OFF:
        message = "Own codes have no effect while codes is off: leave out one of both."
    detail = ErrorDetail(code=ErrorCode.INVALID_PARAMETER, param="codes", message=message)
    raise LongshoreError(ErrorCode.INVALID_PARAMETER, message, details=(detail,))


def acknowledge(  # noqa: PLR0913 - as validate
    document: str | bytes,
    *,
    elem_sep: str | None = None,
    seg_term: str | None = None,
    release: str = "",
    guide: str = "",
    ack_type: str = "auto",
    unknown_sets: str = "hold",
    leniency: Mapping[str, str] | None = None,
    codes: str = "standard",
    code_lists: CodeLists | None = None,
    definitions: OwnDefinitions | None = None,
    on_read: OnRead | None = None,
) -> Acknowledgement:
    """Return the acknowledgement of an X12 document; the arguments are those of ``validate``.

    Raises:
        LongshoreError: as ``validate``.
    """
    validated = validate(
        document,
        elem_sep=elem_sep,
        seg_term=seg_term,
        release=release,
        guide=guide,
        ack_type=ack_type,
        unknown_sets=unknown_sets,
        leniency=leniency,
        codes=codes,
        code_lists=code_lists,
        definitions=definitions,
        on_read=on_read,
    )
    return validated.acknowledgement


def _source(text: str, on_read: OnRead | None) -> TextSource:
    if on_read is None:
        return lambda: (text,)

    def pieces() -> Iterator[str]:
        on_read(0, len(text))
        for start in range(0, len(text), _PIECE_CHARS):
            yield text[start : start + _PIECE_CHARS]
            on_read(min(start + _PIECE_CHARS, len(text)), len(text))

    return pieces
