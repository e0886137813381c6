"""The JSON names of segments and loops: by position, by the dictionary's label, else by segment.

Users build on these names; none of them changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from longshore.mapping.starters.names import segment_names

# Labels of the dictionary that are no good name here, so that the segment's own is taken.
_SET_ASIDE: Final = frozenset(("header", "city", "acknowledgments"))

_BY_PLACE: Final[Mapping[tuple[str, ...], str]] = MappingProxyType({
    ("835", "LX"): "claim_groups",
    ("837", "BHT"): "batch",
    ("837", "HL"): "levels",
})

# Labels are often of one; these can be there more than once.
_PLURALS: Final[Mapping[str, str]] = MappingProxyType({
    "additional_id": "additional_ids",
    "address": "addresses",
    "adjustment": "adjustments",
    "ambulance_certification": "ambulance_certifications",
    "answer": "answers",
    "assumed_relinquished_care_date": "assumed_relinquished_care_dates",
    "attachment": "attachments",
    "billing_provider_secondary_id": "billing_provider_secondary_ids",
    "claim": "claims",
    "claim_contact": "claim_contacts",
    "claim_note": "claim_notes",
    "contact": "contacts",
    "drug": "drugs",
    "fob": "fobs",
    "form": "forms",
    "line_adjudication": "line_adjudications",
    "other_claim_id": "other_claim_ids",
    "other_payer_referring_provider": "other_payer_referring_providers",
    "policy_id": "policy_ids",
    "prior_authorization": "prior_authorizations",
    "provider_adjustment": "provider_adjustments",
    "referral_number": "referral_numbers",
    "referring_provider": "referring_providers",
    "remark_code": "remark_codes",
    "rendering_provider_id": "rendering_provider_ids",
    "secondary_id": "secondary_ids",
    "service_date": "service_dates",
    "service_id": "service_ids",
    "service_line": "service_lines",
    "shipment_summary": "shipment_summaries",
    "statement_date": "statement_dates",
    "supplemental_amount": "supplemental_amounts",
    "supplemental_quantity": "supplemental_quantities",
    "technical_contact": "technical_contacts",
    "test_date": "test_dates",
    "test_result": "test_results",
    "tooth_status": "tooth_statuses",
    "vision_condition": "vision_conditions",
    "license_or_upin": "licenses_or_upins",
    "other_subscriber_info": "other_subscriber_infos",
})


def label_of(path: tuple[str, ...], labels: Sequence[str], *, is_many: bool, is_rest: bool) -> str:
    """Return the name of the field at ``path``, which begins with the set.

    Args:
        path: The set and the segment ids of the loops around it, then its own.
        labels: Its labels in the dictionary; the first one counts.
        is_many: It is an array.
        is_rest: It takes the segments that match no other field of this segment id.
    """
    names = segment_names(path[-1])
    if is_rest:
        return f"other_{names.many}"
    if path in _BY_PLACE:
        return _BY_PLACE[path]
    label = next((each for each in labels if each and each not in _SET_ASIDE), "")
    if label:
        return _PLURALS.get(label, label) if is_many else label
    return names.many if is_many else names.one
