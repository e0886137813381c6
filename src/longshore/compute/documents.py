"""The work on documents by names that a worker process can import, and nothing it does not need."""

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Final, TypedDict, Unpack

from longshore.compute.budget import MAX_CHARS, Budget
from longshore.engine import (
    CodeLists,
    ConvertedResult,
    RuleList,
    RuleText,
    Stamp,
    convert,
    parse,
    sample,
    schema,
    schemas,
    validate,
)
from longshore.engine.inspect import inspect
from longshore.formats.document import json_text
from longshore.mapping.addressing import PartnerEnvelope
from longshore.x12.dictionary.own_definitions import OwnDefinitions

# All definitions that come with Longshore are fewer; the largest takes 600 kB and 30 ms to write.
_MAX_SCHEMAS: Final = 64

# Compiled rules take up to 35 times their text: 64 lists of 16 KiB are 37 MB.
_MAX_RULE_LISTS: Final = 64
_KEPT_RULES_CHARS: Final = 16_384

CONVERSION_CPU_SECONDS: Final = 2.0


class ReadOptions(TypedDict, total=False):
    """The separators, definitions and codes that a caller may state for an X12 document."""

    elem_sep: str | None
    seg_term: str | None
    release: str
    guide: str
    codes: str
    code_lists: CodeLists | None


class ParseOptions(ReadOptions, total=False):
    """The options of a caller of parse, by the engine's names."""

    format: str
    include: Collection[str]
    csv_header: bool
    definitions: OwnDefinitions


class InspectOptions(ReadOptions, total=False):
    """The options of a caller of inspect, by the engine's names."""

    format: str
    csv_header: bool
    definitions: OwnDefinitions


def parse_result(document: str | bytes, **chosen: Unpack[ParseOptions]) -> bytes:
    """Return the result members of a parsed document."""
    return parse(document, **chosen).result_json()


def inspect_result(document: str, **chosen: Unpack[InspectOptions]) -> bytes:
    """Return what there is to see of a document as result members."""
    return inspect(document, **chosen)


class ValidateOptions(ReadOptions, total=False):
    """The options of a validation, by the names of the engine."""

    unknown_sets: str
    ack_type: str
    definitions: OwnDefinitions


def validate_result(document: str | bytes, **chosen: Unpack[ValidateOptions]) -> bytes:
    """Return the result members of a validated document."""
    return validate(document, **chosen).result_json()


class ConvertOptions(TypedDict, total=False):
    """The options of a caller of convert, by the engine's names."""

    csv_header: bool
    direction: str
    envelope: Mapping[str, object]
    partner: PartnerEnvelope
    tx_set: str
    usage_indicator: str
    stamp: Stamp
    is_explained: bool
    is_split: bool
    is_forced: bool


def convert_result(
    document: str,
    rules: RuleText,
    *,
    cpu_seconds: float = CONVERSION_CPU_SECONDS,
    chars: int = MAX_CHARS,
    **chosen: Unpack[ConvertOptions],
) -> ConvertedResult:
    """Return the result of a conversion.

    Raises:
        LongshoreError: as ``engine.convert``; limit_exceeded: it takes more than ``cpu_seconds``
            of computing time, or rules make more than ``chars``.
    """
    budget = Budget(cpu_seconds, chars)
    is_kept = rules.chars <= _KEPT_RULES_CHARS
    compiled = _kept_rules(rules) if is_kept else rules.compiled()
    return convert(document, compiled, checkpoint=budget.spend, **chosen).result()


@lru_cache(maxsize=_MAX_RULE_LISTS)
def _kept_rules(rules: RuleText) -> RuleList:
    return rules.compiled()


def schemas_result() -> bytes:
    """Return the list of sets as result members."""
    return json_text({"schemas": schemas()})


@lru_cache(maxsize=_MAX_SCHEMAS)
def schema_result(tx_set: str, release: str, guide: str) -> bytes:
    """Return the description of a set as result members.

    Raises:
        LongshoreError: not_found.
    """
    return json_text({"schema": schema(tx_set, release, guide)})


class SampleOptions(TypedDict, total=False):
    """The options of a sample, by the names of the engine."""

    release: str
    guide: str
    kind: str
    seed: int
    fault: str
    sender: str
    receiver: str


def sample_result(tx_set: str, **chosen: Unpack[SampleOptions]) -> bytes:
    """Return a sample document with what is expected of it as result members.

    Raises:
        LongshoreError: as ``engine.sample``.
    """
    return json_text({"sample": sample(tx_set, **chosen).members()})
