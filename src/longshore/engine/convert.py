"""Convert a document of any format into one of any format, by mapping rules.

Only the fields that rules name are looked up; the flat field map is made for ``explain`` alone,
which lists the fields that no rule used.

Source: service.md section 4 (POST /api/v1/convert), contract.md section 4, fields-and-mapping.md
sections 5 to 8.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from longshore.engine.conversion_parts import (
    INBOUND,
    NO_ADDRESSING,
    OUTBOUND,
    ConversionOptions,
    ConversionPart,
    SourceKeys,
    field_parts,
    read_x12,
    x12_parts,
)
from longshore.engine.converted import X12, Converted, Output, filename_of
from longshore.engine.decoding import DecodedDocument, read
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.mapping import coverage
from longshore.mapping.addressing import Addressing, PartnerEnvelope
from longshore.mapping.document_x12 import X12Document
from longshore.mapping.envelope_members import read_envelope
from longshore.mapping.envelopes import Stamp
from longshore.mapping.explain import explanation
from longshore.mapping.output import OutputSize
from longshore.mapping.pipeline import Checkpoint
from longshore.mapping.rule import Lookups
from longshore.mapping.rules import RuleList, compile_rules
from longshore.mapping.run import RuleMatches, no_budget, run, run_straight
from longshore.mapping.sources_fields import FieldSource
from longshore.mapping.targets import build
from longshore.mapping.targets_json import Skeleton, build_straight
from longshore.mapping.targets_x12 import X12Options
from longshore.mapping.writes import MappingWarning
from longshore.x12.refusals import NotX12Error

FORMATS: Final = ("x12", "json", "csv", "xml")
DIRECTIONS: Final = (INBOUND, OUTBOUND)

_CHARS_BETWEEN: Final = 200_000  # that rules may look at until the next checkpoint
_ITEM_CHARS: Final = 200  # of an item of ``outputs`` besides its output
_NO_LOOKUPS: Final[Lookups] = MappingProxyType({})


def convert(  # noqa: PLR0913 - the request members of service.md and contract.md
    document: str | bytes,
    field_map: Sequence[object] | RuleList,
    *,
    source_format: str = X12,
    target_format: str = "json",
    lookups: Lookups = _NO_LOOKUPS,
    csv_header: bool = True,
    direction: str = INBOUND,
    envelope: Mapping[str, object] | None = None,
    partner: PartnerEnvelope | None = None,
    tx_set: str = "",
    usage_indicator: str = "T",
    stamp: Stamp | None = None,
    is_explained: bool = False,
    is_split: bool = False,
    is_forced: bool = False,
    checkpoint: Checkpoint = no_budget,
) -> Converted:
    """Convert ``document`` by rules.

    Args:
        document: Text; or bytes, decoded as ``parse`` does.
        field_map: The rules as decoded from JSON, numbers with a fraction as ``Decimal``; or the
            result of ``compile_rules``, which saves its time when rules are used again.
        source_format: ``x12``, ``json``, ``csv`` or ``xml``. Not needed for compiled rules.
        target_format: Likewise.
        lookups: The tables that ``table_id`` of a rule may name.
        csv_header: The first record of a CSV document names its columns.
        direction: ``outbound`` swaps the sender and the receiver of an X12 source, for an X12
            target.
        envelope: The envelope of an X12 target, as ``mapping.envelope_members`` describes it.
        partner: The envelope in the partner's profile, for members that ``envelope`` leaves out.
        tx_set: The set that the rules are for: each set of an X12 source that they convert must be
            one of these. Also the set of an X12 target, if nothing else names it.
        usage_indicator: ISA15 of an X12 target, if nothing else names it.
        stamp: Time and control numbers; required for an X12 target, and for formulas with
            ``today()`` or ``now()``.
        is_explained: Also report the origin of each value, and the fields that were left unused.
        is_split: Make an output of each transaction set; without it rules read the first set, and a
            warning names the sets that they do not read.
        is_forced: Convert sets that the rules are not for, with a warning.
        checkpoint: Called now and then with the characters made since the last call; an exception
            it raises ends the conversion.

    Raises:
        LongshoreError: unsupported_format, invalid_parameter, unknown_parameter; about the rules
            invalid_mapping_rule, invalid_formula, unsupported_transform; about the document
            document_empty, document_unparseable, document_not_x12, segment_too_long; about both
            map_tx_set_mismatch, conversion_failed, delimiter_in_data, limit_exceeded. Rules are
            checked before the document.
        TypeError: A stamp is required and missing, or ``document`` is neither text nor bytes.
    """
    rules = _rules(field_map, source_format, target_format, lookups)
    if not rules.all_rules:
        message = "There are no rules: field_map is empty. Give at least one rule."
        code = ErrorCode.INVALID_MAPPING_RULE
        detail = ErrorDetail(code=code, param="field_map", message=message)
        raise LongshoreError(code, message, details=(detail,))
    _check_word("direction", direction, DIRECTIONS, ErrorCode.INVALID_PARAMETER)
    layer = NO_ADDRESSING if envelope is None else read_envelope(envelope)
    x12 = None
    if rules.target_format == X12:
        if stamp is None:
            raise TypeError("an X12 target needs a stamp")
        own = Addressing(usage_indicator=usage_indicator, tx_set=tx_set)
        x12 = X12Options(layers=(layer, own), stamp=stamp)
        if partner is not None:
            x12 = replace(
                x12,
                layers=(layer, partner.addressing, own),
                is_fixed=partner.has_fixed_separators,
                replacement=partner.replacement,
            )
    reading = read(document, None, None)
    asked = ConversionOptions(
        csv_header=csv_header,
        direction=direction,
        x12=x12,
        tx_set=tx_set,
        is_explained=is_explained,
        is_split=is_split,
        is_forced=is_forced,
        moment=stamp.moment if stamp is not None and rules.needs_moment else None,
        checkpoint=checkpoint,
        rules_between=max(_CHARS_BETWEEN // (len(document) + 1), 1),
    )
    try:
        return _converted(reading, rules, asked)
    except NotX12Error as refusal:
        raise refusal.advising("use source_format {}") from None


def _rules(
    field_map: Sequence[object] | RuleList, source_format: str, target_format: str, lookups: Lookups
) -> RuleList:
    if isinstance(field_map, RuleList):
        return field_map
    _check_word("source_format", source_format, FORMATS, ErrorCode.UNSUPPORTED_FORMAT)
    _check_word("target_format", target_format, FORMATS, ErrorCode.UNSUPPORTED_FORMAT)
    return compile_rules(
        field_map, source_format=source_format, target_format=target_format, lookups=lookups
    )


def _check_word(param: str, given: str, allowed: tuple[str, ...], code: ErrorCode) -> None:
    if given not in allowed:
        message = f"Unknown {param}. Use one of: {', '.join(allowed)}."
        detail = ErrorDetail(code=code, param=param, message=message, allowed=allowed)
        raise LongshoreError(code, message, details=(detail,))


def _converted(reading: DecodedDocument, rules: RuleList, asked: ConversionOptions) -> Converted:
    warnings: dict[MappingWarning, None] = {}
    if rules.source_format == X12:
        document = read_x12(reading, rules, asked)
        warnings.update(dict.fromkeys(_about_sets(document, rules, asked)))
        parts = x12_parts(document, rules, asked)
    else:
        parts = field_parts(reading, rules, asked)
    outputs: list[Output] = []
    size = OutputSize()
    skeleton = None if asked.is_explained else rules.skeleton
    keys = SourceKeys(reading, rules.source_format, asked)
    for part in parts:
        output = None
        if skeleton is not None:
            output = _straight_output(part, rules, skeleton, asked, warnings)
        outputs.append(output or _output(part, rules, asked, warnings, keys))
        if asked.is_split:
            size.add(len(outputs[-1].text) + len(outputs[-1].explain) + _ITEM_CHARS)
        if isinstance(part.source, FieldSource):
            about_rows = coverage.rows_not_converted(rules.rules, part.source, asked.checkpoint)
            warnings.update(dict.fromkeys(about_rows))
    empty = [each.place for each in outputs if each.is_empty]
    if empty:
        places = empty if rules.source_format == X12 else ()
        warnings[coverage.nothing_converted(places, len(empty), len(outputs))] = None
    return Converted(rules.target_format, outputs, tuple(warnings), is_split=asked.is_split)


def _about_sets(
    document: X12Document, rules: RuleList, asked: ConversionOptions
) -> Iterator[MappingWarning]:
    """Yield the warnings about the sets of a document, before any rule is run.

    Raises:
        MapTxSetMismatchError: The rules are for another set.
    """
    yield from coverage.about_document(document)
    last = max(document.set_count, 1) if asked.is_split else 1
    read = coverage.sets_read(rules.sets, range(1, last + 1))
    layers = () if asked.x12 is None else asked.x12.layers
    makes_it = any(layer.tx_set == asked.tx_set for layer in layers[:-1])
    if asked.tx_set and not makes_it and not coverage.makes_set(rules.rules, asked.tx_set):
        mismatched = coverage.mismatched_sets(document, read, asked.tx_set)
        if mismatched:
            yield coverage.set_mismatch_warning(mismatched, asked.tx_set, is_forced=asked.is_forced)
    unread = coverage.sets_not_converted(document, read, is_split=asked.is_split)
    if unread is not None:
        yield unread


def _straight_output(
    part: ConversionPart,
    rules: RuleList,
    skeleton: Skeleton,
    asked: ConversionOptions,
    warnings: dict[MappingWarning, None],
) -> Output | None:
    """Return what ``_output`` returns, sooner; None where that has something to refuse."""
    written, noted, found = run_straight(
        rules, part.source, asked.checkpoint, asked.rules_between, asked.moment
    )
    text = build_straight(written, skeleton)
    if text is None:
        return None
    warnings.update(dict.fromkeys(noted))
    about_set = part.tx_set or asked.tx_set
    return Output(
        index=part.tx_index,
        tx_set=part.tx_set,
        control_number=part.control_number,
        about_set=about_set,
        filename=filename_of(about_set, text, rules.target_format),
        text=text,
        rules_without_value=len(found.without_value),
        is_empty=_is_empty(found, rules, has_written=bool(written)),
    )


def _output(
    part: ConversionPart,
    rules: RuleList,
    asked: ConversionOptions,
    warnings: dict[MappingWarning, None],
    keys: SourceKeys,
) -> Output:
    """Return the document that rules make; what is noteworthy is added to ``warnings``."""
    outcome = run(
        rules,
        part.source,
        is_explained=asked.is_explained,
        checkpoint=asked.checkpoint,
        rules_between=asked.rules_between,
        moment=asked.moment,
    )
    options = asked.x12
    if options is not None:
        *before, own = options.layers
        options = replace(options, layers=(*before, part.sender, own))
    built = build(rules.target_format, outcome.writes, options, is_traced=asked.is_explained)
    asked.checkpoint(len(built.text))
    warnings.update(dict.fromkeys((*outcome.warnings, *built.warnings)))
    explain = ""
    if asked.is_explained:
        missing = set(outcome.found.without_value)
        without_value = [rule for rule in rules.all_rules if rule.index in missing]
        unused = keys.unused(part.tx_index, outcome.reads)
        explain = explanation(built.written, unused, without_value)
    about_set = built.tx_set or part.tx_set or asked.tx_set
    has_written = any(each.entries for each in outcome.writes)
    return Output(
        index=part.tx_index,
        tx_set=part.tx_set,
        control_number=part.control_number,
        about_set=about_set,
        filename=filename_of(about_set, built.text, rules.target_format),
        text=built.text,
        explain=explain,
        rules_without_value=len(outcome.found.without_value),
        is_empty=_is_empty(outcome.found, rules, has_written=has_written),
    )


def _is_empty(found: RuleMatches, rules: RuleList, *, has_written: bool) -> bool:
    """Return whether an output has no value of the source, though its rules have sources."""
    if found.has_value:
        return False
    return not has_written or any(rule.sources for rule in rules.all_rules)
