"""Amounts and counts of a set, made to agree."""

from longshore.x12.samples.amounts import balance


def balanced(tx_set: str, text: str) -> str:
    rows = [segment.split("*") for segment in text.split("~")]
    balance(tx_set, rows)
    return "~".join("*".join(row) for row in rows)


def test_lines_are_counted_in_sets_that_state_their_number() -> None:
    assert balanced("850", "PO1*1~PO1*2~CTT*9") == "PO1*1~PO1*2~CTT*2"
    assert balanced("867", "PTD*1~CTT*9") == "PTD*1~CTT*9"


def test_quantities_are_added_as_the_standard_does_unless_one_is_no_number() -> None:
    assert balanced("850", "PO1*1*2.5~PO1*2*3~PO1~CTT*9*1") == "PO1*1*2.5~PO1*2*3~PO1~CTT*3*28"
    assert balanced("850", "PO1*1*x~CTT*9*1") == "PO1*1*x~CTT*1*1"
    assert balanced("850", "PO1*1*2~CTT*9*") == "PO1*1*2~CTT*1*"
    assert balanced("846", "LIN**UP*1~CTT*9*7") == "LIN**UP*1~CTT*1*7"


def test_a_remittance_pays_its_items_and_adjustments() -> None:
    items = "RMR*IV*1**20~ADX*-2*01~RMR*IV*2"
    assert balanced("820", f"BPR*C*1~{items}") == f"BPR*C*18~{items}"
    assert balanced("820", "BPR*C*1~RMR*IV*1**x") == "BPR*C*1~RMR*IV*1**x"
    assert balanced("820", "BPR*C*1") == "BPR*C*1"


def test_a_payment_is_what_its_claims_pay() -> None:
    claim = "CLP*A*1*10*0~CAS*CO*45*4"  # without services
    services = "CLP*B*1*0*0~SVC*HC:1*20~CAS*CO*45*5*1*96*2~SVC*HC:2*1*0~CAS*CO*45*3~PLB*1*1*WO*5"
    paid = "CLP*A*1*10*6~CAS*CO*45*4"
    both = "CLP*B*1*23*13~SVC*HC:1*20*13~CAS*CO*45*5*1*96*2~SVC*HC:2*3*0~CAS*CO*45*3~PLB*1*1*WO*5"
    assert balanced("835", f"BPR*I*0~{claim}~{services}") == f"BPR*I*14~{paid}~{both}"


def test_a_claim_is_the_sum_of_its_lines_and_a_payer_pays_the_rest() -> None:
    lines = "LX*1~SV1*HC:1*7~SVD*X*0~CAS*CO*45*9~SVD*Y*0~LX*2~SV2*1**5"
    paid = "LX*1~SV1*HC:1*9~SVD*X*0~CAS*CO*45*9~SVD*Y*9~LX*2~SV2*1**5"
    assert balanced("837", f"CLM*1*0~{lines}~CLM*2*8") == f"CLM*1*14~{paid}~CLM*2*8"


def test_an_invoice_is_the_sum_of_lines_charges_and_taxes() -> None:
    lines = "IT1*1*3*EA*1.155~IT1*2*2*EA*1*CT~SAC*A**0**150~TXI*ST*0.25"
    stated = "IT1*1*3*EA*1.155~IT1*2*2*EA*1*PE~SAC*C**0**150~TXI*ST*0.25"
    assert balanced("810", f"{lines}~TDS*1") == f"{stated}~TDS*721"
