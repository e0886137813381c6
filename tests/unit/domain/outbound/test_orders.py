"""What is asked for when a document is submitted, and which orders make no sense."""

from collections.abc import Mapping

import pytest

from longshore.domain.outbound.checks import OnInvalid
from longshore.domain.outbound.errors import InvalidOrderError
from longshore.domain.outbound.submission import SubmitOrder, check_order
from longshore.domain.partners.model import Direction
from longshore.domain.transactions.model import Source

CONTENT = "ST*850*0001~SE*2*0001~"


def an_order(**members: object) -> SubmitOrder:
    given: dict[str, object] = {
        "partner_id": 7,
        "tx_set": "850",
        "direction": Direction.OUTBOUND,
        "content": CONTENT,
    }
    return SubmitOrder(**{**given, **members})  # type: ignore[arg-type]  # each as its field


def faults(**members: object) -> list[tuple[str, str | None]]:
    with pytest.raises(InvalidOrderError) as refused:
        check_order(an_order(**members))
    return [(each.code, each.param) for each in refused.value.details]


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"content": ""},
        {"content": None, "document": "{}", "map_id": 3},
        {"content": None, "document": "{}", "map_id": 3, "map_version": 2},
        {"business_key": "k" * 256, "reason": "r" * 500, "idempotency_key": "K" * 255},
        {"metadata": {"n" * 64: "line\nline" + "v" * 991}},
        {"metadata": {str(number): "" for number in range(50)}},
    ],
)
def test_what_makes_sense_is_let_through(members: Mapping[str, object]) -> None:
    check_order(an_order(**members))


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"content": None}, [("missing_parameter", "content")]),
        ({"document": "{}", "map_id": 3}, [("invalid_parameter", "document")]),
        ({"content": None, "document": "{}"}, [("missing_parameter", "map_id")]),
        ({"map_id": 3}, [("invalid_parameter", "map_id")]),
        ({"map_version": 2}, [("invalid_parameter", "map_version")]),
        (
            {"content": None, "document": "{}", "map_id": 3, "direction": Direction.INBOUND},
            [("invalid_parameter", "document")],
        ),
        ({"tx_set": "85"}, [("invalid_parameter", "tx_set")]),
        ({"tx_set": "٨٥٠"}, [("invalid_parameter", "tx_set")]),
        ({"business_key": "k" * 257}, [("invalid_parameter", "business_key")]),
        ({"business_key": "a\nb"}, [("invalid_parameter", "business_key")]),
        ({"business_key": "\ud800"}, [("invalid_parameter", "business_key")]),
        ({"reason": "r" * 501}, [("invalid_parameter", "reason")]),
        ({"idempotency_key": ""}, [("invalid_parameter", "Idempotency-Key")]),
        ({"idempotency_key": "K" * 256}, [("invalid_parameter", "Idempotency-Key")]),
        ({"metadata": {"": "x"}}, [("invalid_parameter", "metadata")]),
        ({"metadata": {"n" * 65: "x"}}, [("invalid_parameter", "metadata")]),
        ({"metadata": {"n": "v" * 1_001}}, [("invalid_parameter", "metadata")]),
        ({"metadata": {"n": "\x00"}}, [("invalid_parameter", "metadata")]),
        (
            {"metadata": {str(number): "" for number in range(51)}},
            [("invalid_parameter", "metadata")],
        ),
    ],
)
def test_what_makes_none_is_refused_by_its_parameter(
    members: Mapping[str, object], expected: list[tuple[str, str]]
) -> None:
    assert faults(**members) == expected


def test_all_faults_are_told_at_once_in_order_and_counted() -> None:
    with pytest.raises(InvalidOrderError) as refused:
        check_order(an_order(content=None, tx_set="850 ", reason="\x00"))
    assert [each.param for each in refused.value.details] == ["content", "tx_set", "reason"]
    assert refused.value.message == (
        'Parameter "content" is missing: the X12 document to submit; or give "document" with'
        ' "map_id", to have it converted. There are 2 more: see details.'
    )


@pytest.mark.parametrize(
    "members",
    [
        {"partner_id": 8},
        {"tx_set": "810"},
        {"direction": Direction.INBOUND},
        {"content": CONTENT + " "},
        {"document": "{}"},
        {"map_id": 3},
        {"map_version": 3},
        {"on_invalid": OnInvalid.SEND},
        {"restamp": False},
        {"business_key": "B"},
        {"metadata": {"a": "b"}},
        {"parent_id": 1},
        {"reason": "r"},
    ],
)
def test_any_other_member_makes_another_request(members: Mapping[str, object]) -> None:
    assert an_order(**members).request_body() != an_order().request_body()


def test_the_order_of_metadata_and_the_way_in_make_none() -> None:
    one = an_order(metadata={"a": "1", "b": "2"}, source=Source.API, idempotency_key="K")
    other = an_order(metadata={"b": "2", "a": "1"}, source=Source.CLI)
    assert one.request_body() == other.request_body()
