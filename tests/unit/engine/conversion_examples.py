"""The examples 78 to 104 of fields-and-mapping.md, for every interface that converts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

CASES: Final = Path(__file__).parents[2] / "cases"
ORDER: Final = "01_850_basic.edi"
SHIPMENT: Final = "22_856_hl.edi"
CLAIM: Final = "21_837_composite_repetition.edi"

Rule = dict[str, object]


def case(name: str = ORDER) -> str:
    return (CASES / name).read_text(encoding="utf-8")


def rule(src: object, tgt: str, **others: object) -> Rule:
    return {"src": src, "tgt": tgt, "transform": "none", **others}


@dataclass(frozen=True, kw_only=True)
class Example:
    """Rules, what they are run on, and the output; or code, exact code and place of a refusal."""

    row: str
    rules: list[Rule]
    output: str = ""
    refusal: tuple[str, str, str] | None = None
    document: str = field(default_factory=case)
    options: Mapping[str, object] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def _date(row: str, text: str, output: str, *warnings: str) -> Example:
    return Example(
        row=f"{row} {text}",
        document=f"ST*850*0001~BEG*00*SA*1**{text}~SE*3*0001~",
        rules=[rule("BEG.05", "d", transform="date_iso")],
        output=f'{{"d":"{output}"}}',
        warnings=warnings,
    )


def _x12(*segments: str) -> str:
    """Return an interchange of the stopped clock's day, as no envelope is said."""
    count = len(segments) + 2
    return (
        "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *260115*1405*U*00401"
        f"*000000001*0*T*:~GS*PO*SENDER*RECEIVER*20260115*1405*1*X*004010~ST*850*0001~"
        f"{''.join(f'{each}~' for each in segments)}SE*{count}*0001~GE*1*1~IEA*1*000000001~"
    )


TWO_PARTIES: Final = [rule("N1.02", "x"), rule("N1[01=ST].02", "x")]
LINES_OF_JSON: Final = '{"lines":[{"sku":"A"},{"sku":"B"}]}'
TO_X12: Final[Mapping[str, object]] = {
    "source_format": "json", "target_format": "x12", "envelope": {"tx_set": "850"},
}  # fmt: skip

EXAMPLES: Final = [
    Example(row="78", rules=[rule("BEG.03", "po")], output='{"po":"PO-4711"}'),
    Example(
        row="79",
        rules=[rule("BEG.05", "d", transform="date_iso")],
        output='{"d":"2024-01-15"}',
    ),
    Example(
        row="80",
        rules=[
            rule("PO1[*].02", "lines[*].qty"),
            rule("PO1[*]>PID.05", "lines[*].desc"),
        ],
        output='{"lines":[{"qty":"10","desc":"Blue widget"},{"qty":"4"},'
        '{"qty":"1","desc":"Red widget"}]}',
    ),
    Example(
        row="81",
        rules=[rule("N1[01=ST]>N4.01", "ship.city", transform="uppercase")],
        output='{"ship":{"city":"PEORIA"}}',
    ),
    Example(
        row="82 absent",
        rules=[rule("N1[01=ST]>N3.01", "ship.street")],
        output="{}",
        warnings=("nothing_converted",),
    ),
    Example(
        row="82 default",
        rules=[rule("N1[01=ST]>N3.01", "ship.street", default="")],
        output='{"ship":{"street":""}}',
    ),
    Example(
        row="82 required",
        rules=[rule("N1[01=ST]>N3.01", "ship.street", required=True)],
        refusal=("conversion_failed", "required_missing", "field_map[0]"),
    ),
    Example(row="83", rules=TWO_PARTIES, output='{"x":"Acme Store 12"}'),
    Example(
        row="84",
        rules=[*TWO_PARTIES, rule("N1[01=ZZ].02", "x")],
        output='{"x":"Acme Store 12"}',
    ),
    Example(
        row="85",
        rules=[rule("BEG.03", "a"), rule("BEG.02", "a.b")],
        refusal=("invalid_mapping_rule", "invalid_mapping_rule", "field_map[1].tgt"),
    ),
    Example(
        row="86",
        rules=[rule("PO1[*].02", "qty")],
        refusal=("invalid_mapping_rule", "invalid_mapping_rule", "field_map[0].tgt"),
    ),
    Example(
        row="86 append",
        rules=[rule("PO1[*].02", "qty", on_duplicate="append")],
        output='{"qty":["10","4","1"]}',
    ),
    Example(
        row="87",
        rules=[rule(["PO1[*].06", "PO1[*].07"], "lines[*].id", join=":")],
        output='{"lines":[{"id":"UP:012345678905"},{"id":"UP:012345678912"},'
        '{"id":"UP:012345678929"}]}',
    ),
    Example(
        row="88",
        rules=[rule("BEG.03", "po", transform="titlecase")],
        refusal=("unsupported_transform", "unsupported_transform", "field_map[0].transform"),
    ),
    _date("89", "240115", "2024-01-15"),
    _date("89", "690101", "1969-01-01"),
    _date("89", "20230229", "20230229", "date_iso"),
    _date("89", "202401", "202401", "date_iso"),
    _date("89", "20240115-20240120", "2024-01-15/2024-01-20"),
    _date("89", "202401150930", "2024-01-15T09:30:00"),
    _date("90", "2024-01-15T10:00:00Z", "2024-01-15T10:00:00Z"),
    Example(
        row="96",
        document=LINES_OF_JSON,
        rules=[rule("lines[*].sku", "PO1[*].07"), {"const": "EA", "tgt": "PO1[*].03"}],
        options=TO_X12,
        output=_x12("PO1***EA****A", "PO1***EA****B"),
    ),
    Example(
        row="97",
        document='{"n":"A*B~C"}',
        rules=[rule("n", "BEG.03")],
        options=TO_X12,
        output=_x12("BEG***A*B~C")
        .translate(str.maketrans("*~", "|\x1c"))
        .replace("A|B\x1cC", "A*B~C"),
        warnings=("separators_changed",),
    ),
    Example(
        row="98",
        document='{"n":"LONGERTHANFIFTEENCHARS"}',
        rules=[rule("n", "ISA.06")],
        options=TO_X12,
        refusal=("conversion_failed", "value_too_long", "field_map[0]"),
    ),
    Example(
        row="99",
        rules=[
            rule("BEG.03", "po"),
            rule("N1[01=ST].02", "ship, to"),
            rule("PO1[*].07", "sku"),
            rule("PO1[*].02", "qty"),
        ],
        options={"target_format": "csv"},
        output='po,"ship, to",sku,qty\r\n'
        "PO-4711,Acme Store 12,012345678905,10\r\n"
        "PO-4711,Acme Store 12,012345678912,4\r\n"
        "PO-4711,Acme Store 12,012345678929,1\r\n",
    ),
    Example(
        row="100",
        document=case(SHIPMENT),
        rules=[
            rule(
                "HL[03=O][*]>HL[03=P][*]>HL[03=I][*]>LIN.03",
                "orders[*].packs[*].items[*].upc",
            )
        ],
        output='{"orders":[{"packs":[{"items":[{"upc":"012345678905"}]},'
        '{"items":[{"upc":"012345678912"}]}]},{"packs":[{"items":[{"upc":"012345678929"}]}]}]}',
    ),
    Example(
        row="101",
        rules=[
            rule("PO1[-1].07", "last"),
            rule("N1[01=ST|BT][*].04", "n[*]"),
            rule("PO1[04=.5].01", "half"),
        ],
        output='{"last":"012345678929","n":["0001","0012"],"half":"3"}',
    ),
    Example(
        row="102",
        rules=[rule("N1[01=ST]>PID.05", "d")],
        output="{}",
        warnings=("nothing_converted",),
    ),
    Example(
        row="103",
        document=case(CLAIM),
        rules=[rule("HI.01[*].02", "dx[*]"), rule("LX[*]>DTP[01=472].03", "l[*].d")],
        output='{"dx":["J069","R05"],"l":[{"d":"20240110-20240112"},{"d":"20240112"}]}',
    ),
]
