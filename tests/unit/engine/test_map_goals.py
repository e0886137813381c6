"""Maps that do real work in few rules: documents as an ERP has them, and the exact outputs."""

from json import dumps, loads

from longshore.engine.convert import convert
from longshore.mapping.envelopes import Stamp

STAMP = Stamp(date="20260304", time="0815")
Rules = list[dict[str, object]]


def f(tgt: str, formula: str, **others: object) -> dict[str, object]:
    return {"tgt": tgt, "formula": formula, **others}


def s(tgt: str, src: str, **others: object) -> dict[str, object]:
    return {"tgt": tgt, "src": src, **others}


def c(tgt: str, const: str) -> dict[str, object]:
    return {"tgt": tgt, "const": const}


def x12_of(document: str, rules: Rules, source_format: str) -> list[str]:
    """Return the segments between ST and SE."""
    made = convert(document, rules, source_format=source_format, target_format="x12", stamp=STAMP)
    assert made.warnings == ()
    segments = made.output.split("~")
    return segments[3 : segments.index(next(each for each in segments if each[:3] == "SE*"))]


INVOICE = {
    "number": "R-100",
    "date": "2026-03-02",
    "order": "PO-7",
    "seller": {"name": "Example Seller", "id": "0417"},
    "lines": [
        {"no": 1, "sku": "K-100", "qty": 48, "unit": "each", "price": 12.75},
        {"no": 2, "sku": "C-210", "qty": 120, "unit": "case", "price": 4.20},
    ],
    "freight": 25.5,
}
INVOICE_RULES: Rules = [
    c("ST.01", "810"),
    f("BIG.01", 'format(date(date), "CCYYMMDD")'),
    s("BIG.02", "number"),
    s("BIG.04", "order"),
    c("N1.01", "SE"),
    s("N1.02", "seller.name"),
    f("N1.03", 'if(is_null(seller.id), null, "92")'),
    s("N1.04", "seller.id"),
    s("IT1[*].01", "lines[*].no"),
    s("IT1[*].02", "lines[*].qty"),
    f("IT1[*].03", 'switch({lines[*].unit}, "each", "EA", "case", "CA")'),
    s("IT1[*].04", "lines[*].price"),
    c("IT1[*].06", "VN"),
    s("IT1[*].07", "lines[*].sku"),
    f("TDS.01", "to_implied(sum({lines[*].qty} * {lines[*].price}) + coalesce(freight, 0), 2)"),
    f("SAC.01", 'if(freight > 0, "C", null)'),
    f("SAC.02", 'if(freight > 0, "D240", null)'),
    f("SAC.05", "to_implied(freight, 2)"),
    f("CTT.01", 'count_written("IT1")'),
]
INVOICE_SEGMENTS = [
    "BIG*20260302*R-100**PO-7",
    "N1*SE*Example Seller*92*0417",
    "IT1*1*48*EA*12.75**VN*K-100",
    "IT1*2*120*CA*4.20**VN*C-210",
    "TDS*114150",
    "SAC*C*D240***2550",
    "CTT*2",
]


def test_an_invoice_from_the_json_of_an_erp() -> None:
    document = dumps(INVOICE).replace("4.2}", "4.20}")
    assert len(INVOICE_RULES) <= 25
    assert x12_of(document, INVOICE_RULES, "json") == INVOICE_SEGMENTS


def test_an_invoice_from_a_table_with_one_row_for_each_delivery() -> None:
    table = (
        "number;date;order;sku;qty;unit;price;freight\n"
        "R-100;20260302;PO-7;K-100;40;each;12.75;25.50\n"
        "R-100;20260302;PO-7;C-210;120;case;4.20;25.50\n"
        "R-100;20260302;PO-7;K-100;8;each;12.75;25.50\n"
    )
    rules: Rules = [
        {"tgt": "IT1[*]", "group": "{row[*]/sku}"},
        c("ST.01", "810"),
        s("BIG.01", "date"),
        s("BIG.02", "number"),
        s("BIG.04", "order"),
        c("IT1[*].01", "auto"),
        f("IT1[*].02", "sum({row[*]/qty})"),
        f("IT1[*].03", 'switch(unit, "each", "EA", "case", "CA")'),
        s("IT1[*].04", "price"),
        c("IT1[*].06", "VN"),
        s("IT1[*].07", "sku"),
        f("TDS.01", "to_implied(sum({row[*]/qty} * {row[*]/price}) + freight, 2)"),
        f("SAC.01", 'if(number(freight) > 0, "C", null)'),
        f("SAC.02", 'if(number(freight) > 0, "D240", null)'),
        f("SAC.05", "to_implied(freight, 2)"),
        f("CTT.01", 'count_written("IT1")'),
    ]
    segments = [each for each in INVOICE_SEGMENTS if not each.startswith("N1*")]
    assert x12_of(table, rules, "csv") == segments


def test_a_shipment_with_packs_from_nested_json() -> None:
    document = dumps({
        "id": "SH-9",
        "date": "2026-03-02",
        "orders": [
            {"po": "PO-7", "packs": [
                {"sscc": "001", "items": [{"sku": "A", "qty": 4}, {"sku": "B", "qty": 1}]},
                {"sscc": "002", "items": [{"sku": "A", "qty": 2}]},
            ]},
        ],
    })  # fmt: skip
    order, pack = "HL>HL[*]", "HL>HL[*]>HL[*]"
    item = f"{pack}>HL[*]"
    rules: Rules = [
        c("ST.01", "856"),
        c("BSN.01", "00"),
        s("BSN.02", "id"),
        f("BSN.03", 'format(date(date), "CCYYMMDD")'),
        c("HL.01", "auto"),
        c("HL.03", "S"),
        *(c(f"{level}.{at}", "auto") for level in (order, pack, item) for at in ("01", "02")),
        c(f"{order}.03", "O"),
        s(f"{order}>PRF.01", "orders[*].po"),
        c(f"{pack}.03", "P"),
        c(f"{pack}>MAN.01", "GM"),
        s(f"{pack}>MAN.02", "orders[*].packs[*].sscc"),
        c(f"{item}.03", "I"),
        s(f"{item}>LIN.03", "orders[*].packs[*].items[*].sku"),
        f(f"{item}>SN1.02", "{orders[*].packs[*].items[*].qty}"),
        f("CTT.01", 'count_written("HL")'),
    ]
    assert x12_of(document, rules, "json") == [
        "BSN*00*SH-9*20260302", "HL*1**S", "HL*2*1*O", "PRF*PO-7",
        "HL*3*2*P", "MAN*GM*001", "HL*4*3*I", "LIN***A", "SN1**4", "HL*5*3*I", "LIN***B", "SN1**1",
        "HL*6*2*P", "MAN*GM*002", "HL*7*6*I", "LIN***A", "SN1**2", "CTT*7",
    ]  # fmt: skip


def interchange(group: str, tx_set: str, *body: str) -> str:
    """Return a document with one set."""
    blanks, parties = f"00*{' ' * 10}*00*{' ' * 10}", f"ZZ*{'A':15}*ZZ*{'B':15}"
    isa = f"ISA*{blanks}*{parties}*260302*0930*U*00401*000000001*0*T*>"
    count = len(body) + 2
    rows = (isa, f"GS*{group}*A*B*20260302*0930*1*X*004010", f"ST*{tx_set}*0001", *body)
    return "~".join((*rows, f"SE*{count}*0001", "GE*1*1", "IEA*1*000000001")) + "~"


def test_an_order_with_the_totals_of_its_lines_and_of_all() -> None:
    lines = ("PO1*1*48*EA*12.75**VN*K-100", "PO1*2*120*CA*4.20**VN*C-210", "PO1*3*10*EA*36**VN*T")
    document = interchange(
        "PO", "850", "BEG*00*SA*PO-7**20260302", "N1*ST*W*92*1003", *lines, "CTT*3"
    )
    rules: Rules = [
        s("order.number", "BEG.03"),
        f("order.date", "date(BEG.05)"),
        f("order.due", "date(BEG.05) + 14"),
        f("ship_to", 'if({N1[01=ST].03} = "92", {N1[01=ST].04}, null)'),
        s("lines[*].line", "PO1[*].01", type="integer"),
        s("lines[*].sku", "PO1[*].07"),
        f("lines[*].total", "round({PO1[*].02} * {PO1[*].04}, 2)", type="number"),
        f("lines[*].is_large", "{PO1[*].02} * {PO1[*].04} >= 500", type="boolean"),
        f("total", "round(sum({PO1[*].02} * {PO1[*].04}), 2)", type="number"),
        f("largest", "max({PO1[*].02} * {PO1[*].04})", type="number"),
        f("units", 'join(distinct({PO1[*].03}), ",")'),
    ]
    assert len(rules) <= 15
    assert convert(document, rules).output == (
        '{"order":{"number":"PO-7","date":"2026-03-02","due":"2026-03-16"},"ship_to":"1003",'
        '"lines":[{"line":1,"sku":"K-100","total":612.00,"is_large":true},'
        '{"line":2,"sku":"C-210","total":504.00,"is_large":true},'
        '{"line":3,"sku":"T","total":360.00,"is_large":false}],'
        '"total":1476.00,"largest":612.00,"units":"EA,CA"}'
    )


def test_lines_of_a_remittance_with_their_adjustments_summed() -> None:
    document = interchange(
        "HP", "835", "BPR*I*150*C*ACH************20260305", "TRN*1*T-77*1999999999", "LX*1",
        "CLP*C-1*1*120*100*0*MC*X1", "CAS*CO*45*15", "CAS*PR*3*5",
        "CLP*C-2*1*50*50*0*MC*X2",
        "CLP*C-3*2*80*0*0*MC*X3", "CAS*CO*29*80",
    )  # fmt: skip
    rules: Rules = [
        s("check", "TRN.02"),
        f("paid_on", "date(BPR.16)"),
        s("claim", "CLP[*].01"),
        s("charged", "CLP[*].03", type="number"),
        s("paid", "CLP[*].04", type="number"),
        f("adjusted", "sum({CLP[*]>CAS[*].03})"),
        f("open", "{CLP[*].03} - {CLP[*].04} - sum({CLP[*]>CAS[*].03})"),
        f("reasons", 'join({CLP[*]>CAS[*].01} & {CLP[*]>CAS[*].02}, " ")', default="none"),
        f("line", "index()"),
    ]
    assert len(rules) <= 12
    assert convert(document, rules, target_format="csv").output.splitlines() == [
        "check,paid_on,claim,charged,paid,adjusted,open,reasons,line",
        "T-77,2026-03-05,C-1,120,100,20,0,CO45 PR3,1",
        "T-77,2026-03-05,C-2,50,50,0,0,none,2",
        "T-77,2026-03-05,C-3,80,0,80,0,CO29,3",
    ]


def test_members_with_their_coverages() -> None:
    document = interchange(
        "BE", "834", "BGN*00*E-1*20260302", "INS*Y*18*030", "REF*0F*M1", "NM1*IL*1*DOE*JANE",
        "HD*030**HLT*P1*EMP", "DTP*348*D8*20260401", "HD*030**DEN*P2*EMP", "DTP*348*D8*20260501",
        "INS*N*19*030", "REF*0F*M2", "NM1*IL*1*DOE*SAM", "HD*030**HLT*P1*EMP",
        "DTP*348*D8*20260401",
    )  # fmt: skip
    rules: Rules = [
        f("members[*].subscriber", '{INS[*].01} = "Y"', type="boolean"),
        s("members[*].id", "INS[*]>REF[01=0F].02"),
        f("members[*].name", '{INS[*]>NM1[01=IL].04} & " " & {INS[*]>NM1[01=IL].03}'),
        f("members[*].plans", "count({INS[*]>HD[*].04})", type="integer"),
        s("members[*].coverages[*].kind", "INS[*]>HD[*].03"),
        s("members[*].coverages[*].plan", "INS[*]>HD[*].04"),
        f("members[*].coverages[*].from", "date({INS[*]>HD[*]>DTP[01=348].03})"),
        f("count", 'count(where({INS[*].01}, {INS[*].01} = "Y"))', type="integer"),
    ]
    assert len(rules) <= 10
    health = {"kind": "HLT", "plan": "P1", "from": "2026-04-01"}
    dental = {"kind": "DEN", "plan": "P2", "from": "2026-05-01"}
    assert loads(convert(document, rules).output) == {
        "members": [
            {
                "subscriber": True, "id": "M1", "name": "JANE DOE", "plans": 2,
                "coverages": [health, dental],
            },
            {"subscriber": False, "id": "M2", "name": "SAM DOE", "plans": 1, "coverages": [health]},
        ],
        "count": 1,
    }  # fmt: skip
