"""The body of a partner: what it may say, and every fault at once."""

from typing import Any

import pytest

from longshore.domain.partners.connections import HttpConnection, NoConnection
from longshore.domain.partners.errors import InvalidPartnerError
from longshore.domain.partners.model import Direction, Identity, PartnerStatus, Route
from longshore.domain.partners.parser import partner_members, read_partner
from longshore.domain.partners.settings import PartnerSettings
from longshore.x12.acks.profile import AckType

BODY: dict[str, object] = {
    "name": "Northwind Retail",
    "partner_status": "testing",
    "isa_qualifier": "01",
    "isa_id": "123456789",
    "gs_id": "NWRETAIL",
    "own_identity_id": 1,
    "tx_sets": ["850", "997"],
    "version": "005010X222A1",
    "ack_type": "999",
    "ack_hours": 24,
    "industry": "retail",
    "contact_email": "edi@northwind.example",
    "connections": {"test": {"type": "http", "url": "https://edi.example.com/in"}},
    "settings": {"gs06_pad": True},
    "routes": [{"tx_set": "850", "map_id": 7, "save_to_vault": True}],
}


def faults(**members: object) -> dict[str | None, tuple[str, str]]:
    with pytest.raises(InvalidPartnerError) as refused:
        read_partner({"name": "N", **members}, is_new=True)
    return {each.param: (each.code, each.message) for each in refused.value.details}


def params(**members: object) -> list[str | None]:
    return list(faults(**members))


def test_a_whole_body_is_read() -> None:
    new = read_partner(BODY, is_new=True)
    terms = new.terms
    assert new.status is PartnerStatus.TESTING
    assert terms.identity == Identity(qualifier="01", isa_id="123456789", gs_id="NWRETAIL")
    assert terms.identity.edi_identity == "01/123456789"
    assert (terms.tx_sets, terms.version) == (("850", "997"), "005010X222A1")
    assert (terms.ack_type, terms.ack_hours) == (AckType.A999, 24)
    assert terms.connections.test == HttpConnection(url="https://edi.example.com/in")
    assert terms.connections.live == NoConnection()
    assert terms.settings == PartnerSettings(gs06_pad=True)
    assert terms.routes == (Route(tx_set="850", map_id=7, save_to_vault=True),)


def test_only_the_name_is_needed_and_the_rest_has_defaults() -> None:
    new = read_partner({"name": "N", "industry": None}, is_new=True)
    terms = new.terms
    assert new.status is None
    assert terms.identity == Identity(qualifier="ZZ", isa_id="", gs_id="")
    assert (terms.identity.edi_identity, terms.identity.group_id) == ("", "")
    assert (terms.tx_sets, terms.version, terms.ack_type) == ((), "004010", AckType.AUTO)
    assert (terms.ack_hours, terms.industry, terms.routes) == (48, "", ())
    assert terms.settings == PartnerSettings()


def test_what_is_written_is_read_as_the_same() -> None:
    new = read_partner(BODY, is_new=True)
    members = partner_members(new.terms, PartnerStatus.TESTING)
    assert read_partner(members, is_new=False) == new
    assert members["partner_status"] == "testing"
    assert [*members] == [*BODY]


def test_members_that_the_service_alone_can_say_are_passed_over() -> None:
    answer = {**BODY, "id": 7, "edi_identity": "01/1", "created_at": "2026-01-02T09:00:00"}
    assert read_partner(answer, is_new=True) == read_partner(BODY, is_new=True)


def test_a_body_that_is_no_object_is_refused() -> None:
    with pytest.raises(InvalidPartnerError) as refused:
        read_partner([], is_new=True)
    assert refused.value.message == "The body must be an object."
    assert refused.value.details[0].param == "body"


def test_all_faults_are_told_at_once() -> None:
    given: dict[str, object] = {
        "nam": "N",
        "isa_qualifier": "ZZZ",
        "isa_id": "SIXTEEN_CHARS_ID",
        "tx_sets": ["850", 855],
        "ack_hours": 721,
        "settings": {"gs06_pad": 1},
        "routes": [{"tx_set": "850", "direction": "sideways"}],
    }
    with pytest.raises(InvalidPartnerError) as refused:
        read_partner(given, is_new=True)
    assert [each.param for each in refused.value.details] == [
        *("nam", "name", "isa_qualifier", "isa_id", "tx_sets[1]", "ack_hours"),
        *("settings.gs06_pad", "routes[0].direction"),
    ]
    assert refused.value.code == "unknown_parameter"
    assert refused.value.message.startswith('Unknown parameter "nam". Did you mean "name"?')


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", ""),
        ("name", "   "),
        ("name", "a\nb"),
        ("name", "x" * 101),
        ("name", 5),
        ("isa_qualifier", "Z"),
        ("isa_qualifier", "Ä1"),
        ("isa_id", " LEADING"),
        ("isa_id", "TRAILING "),
        ("isa_id", "Ünicode"),
        ("isa_id", "X" * 16),
        ("gs_id", "X" * 16),
        ("own_identity_id", 0),
        ("own_identity_id", 2**63),
        ("tx_sets", "850"),
        ("tx_sets", ["850"] * 201),
        ("version", "4010"),
        ("version", "٠٠٤٠١٠"),
        ("ack_type", "998"),
        ("ack_type", 997),
        ("ack_hours", 0),
        ("ack_hours", 48.0),
        ("ack_hours", True),
        ("contact_email", "nobody"),
        ("contact_email", "a@" + "b" * 300),
        ("partner_status", "asleep"),
        ("routes", {}),
        ("connections", []),
    ],
)
def test_a_member_that_is_not_of_its_kind_is_refused(name: str, value: object) -> None:
    assert params(**{name: value}) == [name]


def test_a_new_partner_is_testing_or_pending() -> None:
    assert read_partner({"name": "N", "partner_status": "pending"}, is_new=True).status == "pending"
    assert faults(partner_status="active") == {
        "partner_status": (
            "invalid_parameter",
            'Parameter "partner_status" of a new partner must be one of: testing, pending.',
        )
    }
    assert read_partner({"name": "N", "partner_status": "active"}, is_new=False).status == "active"


def test_an_id_holds_no_separator_of_the_settings() -> None:
    assert params(isa_id="A*B", gs_id="C>D") == ["isa_id", "gs_id"]
    settings = {"separators": {"elem_sep": "|"}}
    assert params(isa_id="A|B", settings=settings) == ["isa_id"]
    new = read_partner({"name": "N", "isa_id": "A*B", "settings": settings}, is_new=True)
    assert new.terms.identity.isa_id == "A*B"


def test_a_set_has_one_route_for_each_direction() -> None:
    both = [{"tx_set": "850"}, {"tx_set": "850", "direction": "outbound"}]
    routes = read_partner({"name": "N", "routes": both}, is_new=True).terms.routes
    assert [each.direction for each in routes] == [Direction.INBOUND, Direction.OUTBOUND]
    assert faults(routes=[*both, {"tx_set": "850"}]) == {
        "routes[2]": ("invalid_parameter", "routes[2] is a second route for inbound 850.")
    }


def test_an_unknown_name_is_repeated_only_where_it_is_harmless() -> None:
    assert params(**{"\x1b[31m": 1}) == ["…"]
    assert params(**{"x" * 41: 1}) == ["…"]


def test_at_most_100_faults_are_told() -> None:
    many: Any = {f"unknown{number}": 1 for number in range(200)}
    assert len(params(**many)) == 100
