"""Documents that are built: what is given, and the envelope around it."""

from decimal import Decimal
from typing import Any

import pytest

import longshore as ls

STAMP = ls.Stamp(date="20260302", time="1015", interchange_number="42", group_number="7")


def test_a_built_order_is_exact_and_valid() -> None:
    order = ls.new("850", "004010", sender="ZZ:ACME", receiver="01:HARBOR", stamp=STAMP)
    order.add("BEG", "00", "SA", "PO-1", "", "20260302")
    order.add("PO1", "1", 5, "EA", Decimal("12.50")).add("CTT", 1, "")
    assert order.text() == (
        "ISA*00*          *00*          *ZZ*ACME           *01*HARBOR         *260302*1015*U*00401"
        "*000000042*0*T*:~GS*PO*ACME*HARBOR*20260302*1015*7*X*004010~ST*850*0001~"
        "BEG*00*SA*PO-1**20260302~PO1*1*5*EA*12.50~CTT*1~SE*5*0001~GE*1*7~IEA*1*000000042~"
    )
    document = order.document()
    assert (document.outcome, document.findings, document.content()) == (
        *("valid", (), order.content()),
    )
    assert repr(order) == "<builder of 1 transaction sets 850>"


def test_guides_repetitions_components_and_free_separators() -> None:
    claim = ls.new("837", guide="005010X222A1", usage_indicator="P", stamp=STAMP)
    claim.add("SV1", ("HC", "A:B"), Decimal(90)).add("HI", ["X", ("Y", 2)])
    (built,) = claim.document()
    assert (built.version, built.header[3], built.guide) == ("005010X222A1",) * 3
    assert claim.document().interchanges[0].usage_indicator == "P"
    service, third = list(built.segments())[1:3]
    assert (service["SV101-2"], service.delimiters.component) == ("A:B", ">")
    assert third.repetitions(1) == [["X"], ["Y", "2"]]


def test_sets_are_numbered_from_the_first() -> None:
    stamp = ls.Stamp(date="20260302", time="1015", set_number="0099")
    order = ls.new("850", stamp=stamp).add("BEG", "00").begin_set().add("BEG", "01")
    assert [(each.control_number, each["BEG"][1]) for each in order.document()] == [
        *(("0099", "00"), ("0100", "01")),
    ]
    named = ls.new("850", stamp=ls.Stamp(date="20260302", time="1015", set_number="A001"))
    with pytest.raises(ls.LongshoreError) as refused:
        named.begin_set()
    assert (refused.value.code, refused.value.details[0].param) == (
        *("invalid_parameter", "set_number"),
    )


def test_without_a_stamp_a_document_has_the_present_and_preview_numbers() -> None:
    (sent,) = ls.new("850").add("BEG").document().interchanges
    assert (sent.control_number, len(sent.date), len(sent.time)) == ("000000001", 6, 4)


@pytest.mark.parametrize("value", [1.5, True, None, b"x"])
def test_a_value_of_another_type_is_refused(value: object) -> None:
    with pytest.raises(TypeError) as refused:
        ls.new("850").add("PO1", value)  # type: ignore[arg-type]  # the point
    name = type(value).__name__
    assert str(refused.value) == f"A value is str, int or Decimal, not {name}."


@pytest.mark.parametrize(
    ("arguments", "code", "param"),
    [
        ({"tx_set": "999X"}, "not_found", None),
        ({"tx_set": "850", "guide": "005010X222A1"}, "not_found", None),
        ({"tx_set": "850", "sender": "ACME"}, "invalid_parameter", "sender"),
        ({"tx_set": "850", "receiver": "ZZ:"}, "invalid_parameter", "receiver"),
        (
            {"tx_set": "850", "usage_indicator": "X"},
            "invalid_parameter",
            "envelope.usage_indicator",
        ),
    ],
)
def test_what_cannot_begin_is_refused(
    arguments: dict[str, Any], code: str, param: str | None
) -> None:
    with pytest.raises(ls.LongshoreError) as refused:
        ls.new(**arguments)
    assert refused.value.code == code
    assert [each.param for each in refused.value.details] == ([param] if param else [])
