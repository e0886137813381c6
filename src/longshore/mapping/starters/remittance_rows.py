"""The starter map from 835 to CSV: a row for each service line, or for a claim without lines.

docs/reference/starter-maps.md lists what is left out of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from longshore.mapping.starters.rule_lists import FieldRule

_CLAIM: Final = "CLP[*]"
_LINE: Final = "CLP[*]:SVC[*]"
_GROUPS: Final = {
    "CO": ("contractual", "contractual obligations"),
    "PR": ("patient", "what the patient has to pay"),
    "PI": ("payer", "reductions by the payer"),
    "OA": ("other", "other adjustments"),
}
# Column, source, in words. Dates become those of ISO 8601.
_PAYMENT: Final = (
    ("payment_date", "BPR.16", "date of the payment"),
    ("payment_method", "BPR.04", "how it was paid"),
    ("payment_amount", "BPR.02", "amount of the whole payment"),
    ("trace_number", "TRN.02", "check or transfer number"),
    ("payer_name", ":N1[01=PR].02", "who pays"),
    ("payer_id", "TRN.03", "company id of the payer"),
    ("payee_name", ":N1[01=PE].02", "who is paid"),
    ("payee_id", ":N1[01=PE].04", "id of who is paid"),
)
_CLAIMS: Final = (
    ("claim_id", ".01", "the provider's number of the claim"),
    ("claim_status", ".02", "status of the claim"),
    ("claim_charge", ".03", "charge of the claim"),
    ("claim_payment", ".04", "paid for the claim"),
    ("patient_responsibility", ".05", "what the patient has to pay for the claim"),
    ("filing_code", ".06", "kind of plan"),
    ("payer_control_number", ".07", "the payer's number of the claim"),
    ("patient_last_name", ":NM1[01=QC].03", "last name of the patient"),
    ("patient_first_name", ":NM1[01=QC].04", "first name of the patient"),
    ("patient_id", ":NM1[01=QC].09", "id of the patient"),
    ("rendering_provider_id", ":NM1[01=82].09", "id of who rendered the service"),
    ("claim_start_date", ":DTM[01=232].02", "first day of the statement"),
    ("claim_end_date", ":DTM[01=233].02", "last day of the statement"),
    ("claim_received_date", ":DTM[01=050].02", "day the claim was received"),
)
_LINES: Final = (
    ("line_code_type", ".01.01", "kind of the procedure code"),
    ("line_procedure", ".01.02", "procedure"),
    ("line_charge", ".02", "charge of the line"),
    ("line_payment", ".03", "paid for the line"),
    ("line_revenue_code", ".04", "revenue code"),
    ("line_quantity", ".05", "units paid"),
    ("line_date", ":DTM[01=472|150].02", "day of the service, or its first"),
    ("line_end_date", ":DTM[01=151].02", "last day of the service"),
    ("line_control_number", ":REF[01=6R].02", "the provider's number of the line"),
    ("line_allowed_amount", ":AMT[01=B6].02", "allowed amount of the line"),
)


def remittance_rows() -> Iterator[FieldRule]:
    """Yield the rules, in the order of the columns."""
    yield from _columns("", _PAYMENT)
    yield from _columns(_CLAIM, _CLAIMS)
    yield from _adjustments("claim", _CLAIM)
    yield from _columns(_LINE, _LINES)
    modifiers = [f"{_LINE}.01.{position:02d}" for position in range(3, 7)]
    yield _joined("line_modifiers", modifiers, "modifiers of the procedure (SVC01-3 to 6)")
    yield from _adjustments("line", _LINE)
    codes = [f"{_LINE}:LQ[{number}].02" for number in range(1, 6)]
    yield _joined("line_remark_codes", codes, "the first five remark codes (LQ02)")


def _columns(around: str, columns: tuple[tuple[str, str, str], ...]) -> Iterator[FieldRule]:
    for column, src, words in columns:
        rule = {"src": f"{around}{src}", "tgt": column, "note": words}
        yield {**rule, "transform": "date_iso"} if column.endswith("_date") else rule


def _adjustments(prefix: str, around: str) -> Iterator[FieldRule]:
    """Yield a column for each group of adjustments: reasons and amounts in turn."""
    for group, (name, words) in _GROUPS.items():
        positions = (at for reason in range(2, 18, 3) for at in (reason, reason + 1))
        sources = [f"{around}:CAS[01={group}].{at:02d}" for at in positions]
        note = f"{words}: reason and amount in turn (CAS, {group})"
        yield _joined(f"{prefix}_{name}_adjustments", sources, note)


def _joined(column: str, sources: list[str], note: str) -> FieldRule:
    return {"src": sources, "join": " ", "tgt": column, "note": note}
