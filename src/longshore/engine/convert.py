"""Convert a document of any format into one of any format, by mapping rules.

Only what the rules name is looked up: the flat field map is made for ``explain`` alone, which
tells what the rules left unused.

Source: service.md section 4 (POST /api/v1/convert), contract.md section 4, fields-and-mapping.md
sections 5 to 8.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from json import loads
from types import MappingProxyType
from typing import Final, NamedTuple

from longshore.engine.converted import X12, Converted, Output, filename_of
from longshore.engine.reading import Reading, read
from longshore.formats import csvdoc, jsondoc, x12doc, xmldoc
from longshore.formats.refusals import LimitExceededError, encoded
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.mapping.addressing import Addressing, source_addressing
from longshore.mapping.document_x12 import X12Document
from longshore.mapping.envelope_members import read_envelope
from longshore.mapping.envelopes import Stamp
from longshore.mapping.explain import explanation
from longshore.mapping.lineage import keys_of_sets, unused_fields, unused_x12
from longshore.mapping.output import OutputSize
from longshore.mapping.rule import Lookups
from longshore.mapping.rules import RuleList, compile_rules
from longshore.mapping.run import Checkpoint, run, run_straight, unhurried
from longshore.mapping.source import Source
from longshore.mapping.sources_fields import FieldSource
from longshore.mapping.sources_x12 import X12Source
from longshore.mapping.targets import build
from longshore.mapping.targets_json import Skeleton, build_straight
from longshore.mapping.targets_x12 import X12Options
from longshore.mapping.tree_xml import xml_root
from longshore.mapping.trees import CsvRoot, json_root
from longshore.mapping.writes import MappingWarning
from longshore.x12.control import element_at
from longshore.x12.dictionary.library import shipped

FORMATS: Final = ("x12", "json", "csv", "xml")
# All of its keys are held at once to tell which were left unused: about 80 bytes a character.
MOST_EXPLAINED_CHARS: Final = 2_097_152
INBOUND: Final = "inbound"
OUTBOUND: Final = "outbound"
DIRECTIONS: Final = (INBOUND, OUTBOUND)

_CHARS_BETWEEN: Final = 200_000  # that rules may look at until the next checkpoint
_ITEM_CHARS: Final = 200  # of an item of ``outputs`` besides its output
_NOTHING_SAID: Final = Addressing()
_NO_LOOKUPS: Final[Lookups] = MappingProxyType({})


class _Asked(NamedTuple):
    """What a conversion shall be, besides document and rules.

    ``x12``: of an X12 target, without what the source says of the envelope.
    """

    csv_header: bool
    direction: str
    x12: X12Options | None
    tx_set: str
    is_explained: bool
    is_split: bool
    checkpoint: Checkpoint
    rules_between: int


class _Part(NamedTuple):
    """What one output is made of.

    ``tx_index``: of its set, from 1. ``sender``: what an X12 source says of its envelope.
    """

    tx_index: int
    tx_set: str
    control_number: str
    source: Source
    sender: Addressing


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
    tx_set: str = "",
    usage_indicator: str = "T",
    stamp: Stamp | None = None,
    is_explained: bool = False,
    is_split: bool = False,
    checkpoint: Checkpoint = unhurried,
) -> Converted:
    """Convert ``document`` by rules.

    Args:
        document: Text; or bytes, decoded as ``parse`` does.
        field_map: The rules as decoded from JSON, numbers with a fraction as ``Decimal``; or what
            ``compile_rules`` made of them, which saves its time when they are used again.
        source_format: ``x12``, ``json``, ``csv`` or ``xml``.
        target_format: Likewise. Of rules that are compiled, both are already known.
        lookups: The tables that ``table_id`` of a rule may name.
        csv_header: Whether the first record of a CSV document names its columns.
        direction: ``outbound`` swaps the sender and the receiver of an X12 source, for an X12
            target.
        envelope: Of an X12 target, as ``mapping.envelope_members`` describes it.
        tx_set: The set of an X12 target that nothing else names.
        usage_indicator: ISA15 of an X12 target that nothing else names.
        stamp: Time and control numbers; an X12 target needs it.
        is_explained: Tell where each value comes from, and what was left unused.
        is_split: Make an output of each transaction set; without it rules see the first.
        checkpoint: Called now and then with the characters made since; what it raises ends the
            conversion.

    Raises:
        LongshoreError: unsupported_format, invalid_parameter, unknown_parameter; of the rules
            invalid_mapping_rule, unsupported_transform; of the document document_empty,
            document_unparseable, segment_too_long; of both conversion_failed, delimiter_in_data,
            limit_exceeded. Rules are judged before the document is looked at.
        TypeError: There is no stamp for an X12 target.
    """
    rules = _rules(field_map, source_format, target_format, lookups)
    _check_word("direction", direction, DIRECTIONS, ErrorCode.INVALID_PARAMETER)
    layer = _NOTHING_SAID if envelope is None else read_envelope(envelope)
    x12 = None
    if rules.target_format == X12:
        if stamp is None:
            raise TypeError("an X12 target needs a stamp")
        own = Addressing(usage_indicator=usage_indicator, tx_set=tx_set)
        x12 = X12Options(layers=(layer, own), stamp=stamp)
    asked = _Asked(
        csv_header=csv_header,
        direction=direction,
        x12=x12,
        tx_set=tx_set,
        is_explained=is_explained,
        is_split=is_split,
        checkpoint=checkpoint,
        rules_between=max(_CHARS_BETWEEN // (len(document) + 1), 1),
    )
    return _converted(read(document, None, None), rules, asked)


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


def _converted(reading: Reading, rules: RuleList, asked: _Asked) -> Converted:
    outputs: list[Output] = []
    warnings: dict[MappingWarning, None] = {}
    size = OutputSize()
    skeleton = None if asked.is_explained else rules.skeleton
    keys = _Keys(reading, rules.source_format, asked)
    for part in _parts(reading, rules, asked):
        output = None
        if skeleton is not None:
            output = _straight_output(part, rules, skeleton, asked, warnings)
        outputs.append(output or _output(part, rules, asked, warnings, keys))
        if asked.is_split:
            size.add(len(outputs[-1].text) + len(outputs[-1].explain) + _ITEM_CHARS)
    return Converted(rules.target_format, outputs, tuple(warnings), is_split=asked.is_split)


def _straight_output(
    part: _Part,
    rules: RuleList,
    skeleton: Skeleton,
    asked: _Asked,
    warnings: dict[MappingWarning, None],
) -> Output | None:
    """Return what ``_output`` returns, sooner; None where that has something to refuse."""
    written, noted = run_straight(rules, part.source, asked.checkpoint, asked.rules_between)
    text = build_straight(written, skeleton)
    if text is None:
        return None
    warnings.update(dict.fromkeys(noted))
    return _named(part, part.tx_set or asked.tx_set, text, rules.target_format)


def _output(
    part: _Part,
    rules: RuleList,
    asked: _Asked,
    warnings: dict[MappingWarning, None],
    keys: _Keys,
) -> Output:
    """Return the document that rules make; what is noteworthy is added to ``warnings``."""
    outcome = run(
        rules,
        part.source,
        is_explained=asked.is_explained,
        checkpoint=asked.checkpoint,
        rules_between=asked.rules_between,
    )
    options = asked.x12
    if options is not None:
        layer, own = options.layers
        options = replace(options, layers=(layer, part.sender, own))
    built = build(rules.target_format, outcome.writes, options, is_traced=asked.is_explained)
    asked.checkpoint(len(built.text))
    warnings.update(dict.fromkeys((*outcome.warnings, *built.warnings)))
    explain = ""
    if asked.is_explained:
        explain = explanation(built.written, keys.unused(part.tx_index, outcome.reads))
    about_set = built.tx_set or part.tx_set or asked.tx_set
    return _named(part, about_set, built.text, rules.target_format, explain)


def _named(part: _Part, about_set: str, text: str, target_format: str, explain: str = "") -> Output:
    return Output(
        index=part.tx_index,
        tx_set=part.tx_set,
        control_number=part.control_number,
        about_set=about_set,
        filename=filename_of(about_set, text, target_format),
        text=text,
        explain=explain,
    )


# ---- sources -----------------------------------------------------------------------------------


def _parts(reading: Reading, rules: RuleList, asked: _Asked) -> Iterator[_Part]:
    """Yield what each output is made of: one, or for ``is_split`` one for each set."""
    if rules.source_format == X12:
        yield from _x12_parts(reading, rules, asked)
        return
    text = reading.text
    if rules.source_format == "json":
        source = FieldSource(json_root(text), has_literals=True)
    elif rules.source_format == "xml":
        source = FieldSource(xml_root(text))
    else:
        source = FieldSource(CsvRoot(text, header=asked.csv_header))
    yield _Part(tx_index=1, tx_set="", control_number="", source=source, sender=_NOTHING_SAID)


def _x12_parts(reading: Reading, rules: RuleList, asked: _Asked) -> Iterator[_Part]:
    """Yield the parts of an X12 document.

    Raises:
        LimitExceededError: It is to be explained and longer than that is done for.
    """
    text, charset, _ = reading
    if not text.isascii():
        encoded(text, surrogate_code="lone_surrogate")
    if asked.is_explained and len(text) > MOST_EXPLAINED_CHARS:
        fault = "an X12 document this long is converted, but not explained"
        raise LimitExceededError("explained_chars", MOST_EXPLAINED_CHARS, fault)
    document = X12Document(
        text,
        is_single_octet=charset == x12doc.LATIN_1,
        is_traced=asked.is_explained,
        only=1 if rules.is_about_one_set and not asked.is_split else None,
    )
    last = max(document.set_count, 1) if asked.is_split else 1
    for index in range(1, last + 1):
        header = document.header(index, "ST")
        tx_set = element_at(header, 1)
        said = _NOTHING_SAID
        if rules.target_format == X12:
            isa, group = document.header(index, "ISA"), document.header(index, "GS")
            said = source_addressing(isa, group, tx_set)
        yield _Part(
            tx_index=index,
            tx_set=tx_set,
            control_number=element_at(header, 2),
            source=X12Source(document, shipped(), index),
            sender=said.swapped() if asked.direction == OUTBOUND else said,
        )


class _Keys:
    """The flat keys of a document, which is parsed for them when they are first asked for."""

    def __init__(self, reading: Reading, source_format: str, asked: _Asked) -> None:
        self._reading = reading
        self._source_format = source_format
        self._asked = asked

    def unused(self, index: int, reads: frozenset[str]) -> list[str]:
        """Return the keys of a part that are not among those read; of X12 none of the envelope."""
        keys = self._of_parts.get(index, ())
        return (unused_x12 if self._source_format == X12 else unused_fields)(keys, reads)

    @cached_property
    def _of_parts(self) -> Mapping[int, Sequence[str]]:
        """By the index of each part, its keys in order."""
        text, source_format = self._reading.text, self._source_format
        if source_format == X12:
            keys = list(loads(x12doc.parse(text, charset=self._reading.charset).fields_json))
            return keys_of_sets(keys) if self._asked.is_split else {1: keys}
        if source_format == "json":
            parsed = jsondoc.parse(text)
        elif source_format == "xml":
            parsed = xmldoc.parse(text)
        else:
            parsed = csvdoc.parse(text, header=self._asked.csv_header)
        return {1: list(loads(parsed.fields_json))}
