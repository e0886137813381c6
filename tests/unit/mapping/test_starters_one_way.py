"""The starter maps that have no way back: rows of a remittance, a shipment as a tree, claims."""

from csv import DictReader
from io import StringIO
from json import loads

from longshore.engine import convert
from longshore.mapping.starters import compiled
from tests.unit.mapping.starter_documents import ROOT

ENVELOPE = (
    "ISA*00*          *00*          *ZZ*US             *ZZ*YOU            *260302*0915*^*00501"
    "*000000001*0*T*:~GS*XX*US*YOU*20260302*0915*1*X*005010~ST*{}*0001~{}SE*1*0001~GE*1*1~"
    "IEA*1*000000001~"
)
PAYMENT = (
    "BPR*I*100*C*ACH************20260412~TRN*1*CHK-7*1999999984~N1*PR*Plan~N1*PE*Clinic*XX*77~"
)
CLAIMS = (
    "LX*1~CLP*A*1*50*40*10*12*P1~CAS*CO*45*8.6*1*97*2~NM1*QC*1*DOE*JANE****MI*M1~DTM*232*20260301~"
    "SVC*HC:1:25:59*30*20**1~DTM*472*20260302~CAS*PR*1*5*1*2*3*1~CAS*CO*45*2~LQ*HE*N1~LQ*HE*N2~"
    "SVC*HC:2*20*20~DTM*150*20260302~DTM*151*20260303~CLP*B*4*9*0**12*P2~LX*2~CLP*C*1*5*5**12*P3~"
    "SVC*HC:3*5*5~AMT*B6*6~PLB*77*20261231*WO*1~"
)


def rows_of(text: str) -> list[dict[str, str]]:
    output = convert(text, compiled("835-to-csv")).output
    return list(DictReader(StringIO(output, newline="")))


def column(rows: list[dict[str, str]], name: str) -> list[str]:
    return [row[name] for row in rows]


def test_a_remittance_has_a_row_for_each_line_or_claim_without() -> None:
    rows = rows_of(ENVELOPE.format("835", PAYMENT + CLAIMS))
    assert column(rows, "claim_id") == ["A", "A", "B", "C"]
    assert column(rows, "line_procedure") == ["1", "2", "", "3"]
    assert column(rows, "payment_date") == ["2026-04-12"] * 4
    assert column(rows, "payer_name") == ["Plan"] * 4
    assert column(rows, "claim_start_date") == ["2026-03-01", "2026-03-01", "", ""]
    assert column(rows, "line_date") == ["2026-03-02", "2026-03-02", "", ""]
    assert column(rows, "line_end_date") == ["", "2026-03-03", "", ""]
    assert column(rows, "line_allowed_amount") == ["", "", "", "6"]


def test_a_remittance_joins_what_a_line_has_several_of() -> None:
    first, second, *_ = rows_of(ENVELOPE.format("835", PAYMENT + CLAIMS))
    assert first["line_modifiers"] == "25 59"
    assert first["line_remark_codes"] == "N1 N2"
    assert first["line_patient_adjustments"] == "1 5 2 3"
    assert first["line_contractual_adjustments"] == "45 2"
    assert first["claim_contractual_adjustments"] == "45 8.6 97 2"
    assert second["line_patient_adjustments"] == ""
    assert second["claim_contractual_adjustments"] == "45 8.6 97 2"


def test_a_payment_without_claims_has_one_row() -> None:
    rows = rows_of(ENVELOPE.format("835", PAYMENT))
    assert [(row["payment_amount"], row["claim_id"]) for row in rows] == [("100", "")]


def test_a_shipment_becomes_a_tree() -> None:
    text = (ROOT / "tests/cases/22_856_hl.edi").read_text(encoding="ascii")
    shipment = loads(convert(text, compiled("856-to-nested-json")).output)
    numbers = [
        [item["item"]["product_ids"][0]["id"] for pack in order["packs"] for item in pack["items"]]
        for order in shipment["orders"]
    ]
    assert numbers == [["012345678905", "012345678912"], ["012345678929"]]
    assert shipment["shipment"]["number"] == "SHIP77"
    assert shipment["orders"][1]["purchase_order"]["number"] == "PO-4712"
    assert shipment["orders"][1]["packs"][0]["marks"][0]["number"] == "000123450000000032"


LEVELS = ("S", "O 1", "T 2", "P 3", "I 4", "I 2", "P 6", "P 1", "O 8", "I 9")


def test_a_tree_takes_levels_as_they_stand() -> None:
    segments = "BSN*00*1*20260302*0915~"
    for number, level in enumerate(LEVELS, 1):
        code, _, parent = level.partition(" ")
        segments += f"HL*{number}*{parent}*{code}~REF*ZZ*{number}~"
    text = ENVELOPE.format("856", segments)
    out = loads(convert(text, compiled("856-to-nested-json")).output)
    order, pack = out["orders"][0], out["packs"][0]
    here = [{"qualifier": "ZZ", "value": "5"}]
    assert order["pallets"][0]["packs"][0]["items"][0]["references"] == here
    assert order["items"][0]["packs"][0]["references"][0]["value"] == "7"
    assert pack["orders"][0]["items"][0]["references"][0]["value"] == "10"


def test_a_claim_stands_in_its_level_with_its_lines() -> None:
    text = (ROOT / "samples/837p_claim/input.edi").read_text(encoding="ascii")
    batch = loads(convert(text, compiled("837p-to-json")).output)
    provider, subscriber = batch["levels"][:2]
    claim = subscriber["claims"][0]
    assert (subscriber["parent"], provider["billing_provider"]["role"]) == (provider["id"], "85")
    claims = [each for level in batch["levels"] for each in level.get("claims", [])]
    assert sum(len(each["service_lines"]) for each in claims) == text.count("\nLX*") == 3
    assert claim["service_lines"][0]["service"]["procedure"]["qualifier"] == "HC"
    assert claim["diagnosis"]["codes"][0]["qualifier"] == "ABK"
