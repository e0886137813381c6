"""A document that a map made, as it is submitted: one interchange of all its sets.

A map writes one interchange for each transaction set. They are put together in the envelope of the
partner, whose numbers are still a preview, so that what is validated is what is sent.

Source: contract.md section 6.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from longshore.domain.maps.running import ConvertedDocument, ConvertedPart
from longshore.domain.outbound.control_numbers import preview_numbers
from longshore.domain.outbound.drafts import (
    MAX_SETS,
    REPLACED,
    Draft,
    DraftRequest,
    draft,
    too_many_sets,
)
from longshore.domain.outbound.envelope import (
    EnvelopeParties,
    joined_groups,
    plan_envelope,
    write_envelope,
)
from longshore.domain.partners.envelopes import LIVE, TEST
from longshore.formats.keys import numbered
from longshore.mapping.explain import ExplainedConversion, ExplainedTarget
from longshore.mapping.writes import MappingWarning
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.release import is_guide_id, release_of
from longshore.x12.walk import Walk

_ENVELOPE: Final = frozenset({"ISA", "GS", "GE", "IEA"})
_FRAME: Final = frozenset({"ST", "SE"})
_SEPARATORS_CHANGED: Final = "separators_changed"


def draft_converted(converted: ConvertedDocument, asked: DraftRequest) -> tuple[Draft, str]:
    """Return what is sent for the interchanges that a map made, one for each set; its lineage.

    Raises:
        LongshoreError: As ``draft``.
        too_many_sets: A LongshoreError limit_exceeded: there are more than are taken at once.
    """
    notices = tuple(_notices(converted))
    if len(converted.parts) > MAX_SETS:
        raise too_many_sets("document")
    text = "".join(each.text for each in converted.parts)
    if len(converted.parts) > 1:
        text, is_replaced = _joined(text, asked)
        notices += (REPLACED,) * is_replaced
    made = draft(text, asked)
    return replace(made, notices=(*notices, *made.notices)), _lineage(converted.parts)


def _joined(text: str, asked: DraftRequest) -> tuple[str, bool]:
    """Return the sets of several interchanges in one, and whether separators were replaced."""
    terms = asked.partner.terms
    walk = Walk(lambda: (text,))
    groups = joined_groups(plan_envelope(walk, terms.version))
    preview = preview_numbers(groups, terms.settings, asked.local_now)
    are_live = all(each.header[15] == LIVE for each in walk.envelope.interchanges)
    usage = asked.request.own_usage if are_live else TEST  # a map may write ISA15 itself
    wrapped = write_envelope(
        groups, preview, EnvelopeParties(own=asked.own, terms=terms, usage=usage)
    )
    return wrapped.text, wrapped.is_replaced


def agreed_version(version: str, tx_set: str) -> str:
    """Return the GS08 of a converted set: the partner's version, without a guide of another set."""
    release = release_of(version, "")
    if is_guide_id(version) and shipped().definition(tx_set, release, version) is None:
        return release
    return version


def _lineage(parts: Sequence[ConvertedPart]) -> str:
    """Return where the values come from, by their places in the interchange that is sent."""
    first, *others = parts
    if not others:
        return first.explain
    lineage: ExplainedConversion = json.loads(first.explain)
    for index, part in enumerate(others, 2):
        found: ExplainedConversion = json.loads(part.explain)
        lineage["outputs"] += _outputs_of_set(found["outputs"], index)
        lineage["unused"] += found["unused"]
    return json.dumps(lineage, ensure_ascii=False, separators=(",", ":"))


def _outputs_of_set(outputs: Sequence[ExplainedTarget], index: int) -> Iterator[ExplainedTarget]:
    """Yield the places of a further set; the envelope is that of the first."""
    scope = numbered("ST", index)
    for output in outputs:
        tag, mark, rest = output["tgt"].partition(".")
        if tag in _ENVELOPE:
            continue
        moved = output.copy()
        is_frame = tag in _FRAME
        moved["tgt"] = (
            f"{numbered(tag, index)}{mark}{rest}" if is_frame else f"{scope}/{tag}.{rest}"
        )
        yield moved


def _notices(converted: ConvertedDocument) -> Iterator[MappingWarning]:
    """Yield what a conversion warns of, but for the separators of its preview."""
    for each in converted.warnings:
        if each.code != _SEPARATORS_CHANGED:
            yield each
