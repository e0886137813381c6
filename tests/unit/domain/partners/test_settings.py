"""The settings of a partner: defaults, what is allowed, and what is told of the rest."""

import pickle

import pytest

from longshore.domain.inbound.channel import is_among
from longshore.domain.partners.members import RefusedValueError, ValueKind
from longshore.domain.partners.setting_kinds import SettingEntry, SettingGroup, about
from longshore.domain.partners.settings import (
    DEFAULT_SETTINGS,
    SETTINGS,
    PartnerSettings,
    read_settings,
    settings_json,
)
from longshore.kit.environment import Environment
from longshore.x12.acks.profile import (
    AckProfile,
    AckType,
    CountMismatch,
    RejectLevel,
    Ta1Rule,
    UnknownSets,
)
from longshore.x12.delimiters import Delimiters
from tools import gen_partner_settings

DEFAULTS: dict[str, object] = {
    "separators": {"elem_sep": "*", "seg_term": "~", "comp_sep": ">", "rep_sep": "^"},
    "fixed_separators": False,
    "replace_delimiters_with": None,
    "ta1": "on_request",
    "ack_accepted_sets": True,
    "reject_level": "strict",
    "count_mismatch": "reject",
    "charset": None,
    "codes": "standard",
    "unknown_sets": None,
    "claim_acks": False,
    "response_hours": 72,
    "application_advice": "never",
    "on_error": "split",
    "dup_window_days": 30,
    "duplicate_number": None,
    "reack_duplicates": False,
    "st02": "per_group",
    "gs06_pad": False,
    "control_min": 1,
    "control_max": 999999999,
    "timezone": "UTC",
    "delivery_deadline_hours": None,
    "on_head_failure": "park",
    "mdn_due_minutes": 30,
    "overlays": [],
    "leniency": {},
    "inbound_networks": [],
}
OTHERS: dict[str, object] = {
    "separators": {"elem_sep": "|", "seg_term": "\r\n", "comp_sep": ":", "rep_sep": "!"},
    "fixed_separators": True,
    "replace_delimiters_with": " ",
    "ta1": "on_error",
    "ack_accepted_sets": False,
    "reject_level": "lenient",
    "count_mismatch": "accept_with_errors",
    "charset": "extended",
    "codes": "off",
    "unknown_sets": "reject",
    "claim_acks": True,
    "response_hours": 0,
    "application_advice": "on_error",
    "on_error": "suspend_interchange",
    "dup_window_days": 3650,
    "duplicate_number": "accept_warn",
    "reack_duplicates": True,
    "st02": "continuous",
    "gs06_pad": True,
    "control_min": 5,
    "control_max": 5,
    "timezone": "America/Argentina/Buenos_Aires",
    "delivery_deadline_hours": 720,
    "on_head_failure": "wait",
    "mdn_due_minutes": 10080,
    "overlays": ["retail", "northwind-2"],
    "leniency": {"segment_out_of_order": "warning"},
    "inbound_networks": ["192.0.2.7/32", "2001:db8::/48"],
}


def faults(**members: object) -> dict[str | None, str]:
    with pytest.raises(RefusedValueError) as refused:
        read_settings(members)
    return {each.param: each.message for each in refused.value.details}


def test_the_table_is_the_contract() -> None:
    assert {each.name: each.default for each in SETTINGS} == DEFAULTS
    assert all(each.allowed and each.meaning.endswith(".") for each in SETTINGS)


def test_no_settings_are_the_defaults() -> None:
    assert read_settings({}) == DEFAULT_SETTINGS == PartnerSettings()
    assert settings_json(PartnerSettings()) == DEFAULTS


@pytest.mark.parametrize("name", [*OTHERS])
def test_each_setting_can_be_set_and_comes_back(name: str) -> None:
    given = {name: OTHERS[name]} | ({"control_max": 5} if name == "control_max" else {})
    assert settings_json(read_settings(given)) == {**DEFAULTS, **given}


def test_all_settings_together_are_read_again_from_what_is_written() -> None:
    settings = read_settings(OTHERS)
    assert settings_json(settings) == OTHERS
    assert read_settings(settings_json(settings)) == settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("separators", 5),
        ("separators", "* ~ > ^ |"),
        ("separators", "**>^"),
        ("separators", "A~>^"),
        ("separators", {"elem_sep": "**"}),
        ("separators", {"elem": "*"}),
        ("fixed_separators", 1),
        ("replace_delimiters_with", ""),
        ("replace_delimiters_with", "  "),
        ("replace_delimiters_with", "\n"),
        ("ta1", "never"),
        ("charset", "utf-8"),
        ("codes", "partners"),
        ("dup_window_days", 0),
        ("dup_window_days", "30"),
        ("control_max", 1_000_000_000),
        ("timezone", "../etc/passwd"),
        ("timezone", ""),
        ("delivery_deadline_hours", 0),
        ("overlays", "retail"),
        ("overlays", ["a"] * 11),
        ("leniency", []),
        ("inbound_networks", "192.0.2.7"),
        ("inbound_networks", ["192.0.2.7"] * 101),
    ],
)
def test_a_value_that_is_not_allowed_is_refused(name: str, value: object) -> None:
    assert [*faults(**{name: value})] == [f"settings.{name}"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("::ffff:192.0.2.0/120", "192.0.2.0/24"),
        ("::ffff:192.0.2.7", "192.0.2.7/32"),
        ("::ffff:0:0/96", "0.0.0.0/0"),
        ("::fffe:0:0/95", "::fffe:0:0/95"),
        ("::/0", "::/0"),
    ],
)
def test_a_network_of_wrapped_ipv4_is_kept_as_ipv4(given: str, kept: str) -> None:
    networks = read_settings({"inbound_networks": [given]}).inbound_networks
    assert networks == (kept,)
    assert is_among("::ffff:192.0.2.7", networks) is not kept.startswith("::")


@pytest.mark.parametrize("network", ["example.com", "192.0.2.7/24", "192.0.2.256", "", 7, None])
def test_a_network_that_is_none_is_named(network: object) -> None:
    assert [*faults(inbound_networks=["10.0.0.0/8", network])] == ["settings.inbound_networks[1]"]


def test_a_refusal_names_what_is_allowed() -> None:
    assert faults(ta1="never", dup_window_days=0, reack_duplicates="no") == {
        "settings.ta1": 'Parameter "settings.ta1" must be one of: on_request, on_error.',
        "settings.dup_window_days": 'Parameter "settings.dup_window_days" must be a whole number'
        " from 1 to 3650.",
        "settings.reack_duplicates": 'Parameter "settings.reack_duplicates" must be true or false.',
    }


def test_parts_of_a_setting_are_named_each() -> None:
    found = faults(
        overlays=["good", "not good"], leniency={"segment_out_of_order": "off", "x": "info"}
    )
    assert [*found] == [
        "settings.overlays[1]",
        "settings.leniency.segment_out_of_order",
        "settings.leniency.x",
    ]


def test_an_unknown_setting_is_refused_with_the_nearest() -> None:
    assert faults(separator="*") == {
        "settings.separator": 'Unknown parameter "settings.separator". Did you mean "separators"?'
    }
    assert faults(zzz=1) == {"settings.zzz": 'Unknown parameter "settings.zzz".'}


def test_the_smallest_control_number_is_not_above_the_largest() -> None:
    assert faults(control_min=10, control_max=9) == {
        "settings.control_min": 'Parameter "settings.control_min" must be at most control_max,'
        " which is 9."
    }


def test_separators_may_be_a_text_and_lack_some() -> None:
    assert read_settings({"separators": "| ' : !"}).separators == Delimiters("|", "'", ":", "!")
    assert read_settings({"separators": "|"}).separators == Delimiters("|", "~", ">", "^")
    some = {"separators": {"rep_sep": "!", "comp_sep": ""}}
    assert read_settings(some).separators == Delimiters("*", "~", ">", "!")


def test_acknowledgements_follow_the_settings() -> None:
    profile = read_settings(OTHERS).ack_profile(AckType.A999, Environment.PRODUCTION)
    assert profile == AckProfile(
        ack_type=AckType.A999,
        ta1=Ta1Rule.ON_ERROR,
        reject_level=RejectLevel.LENIENT,
        count_mismatch=CountMismatch.ACCEPT_WITH_ERRORS,
        has_accepted_sets=False,
        unknown_sets=UnknownSets.REJECT,
    )


@pytest.mark.parametrize(
    ("environment", "expected"),
    [(Environment.PRODUCTION, UnknownSets.HOLD), (Environment.SANDBOX, UnknownSets.ACCEPT)],
)
def test_without_a_setting_the_environment_decides_on_sets_not_checked(
    environment: Environment, expected: UnknownSets
) -> None:
    profile = read_settings({}).ack_profile(AckType.AUTO, environment)
    assert profile.unknown_sets is expected


def test_settings_can_be_handed_to_another_process() -> None:
    settings = read_settings(OTHERS)
    assert pickle.loads(pickle.dumps(settings)) == settings


def test_the_table_of_the_pages_is_made_of_the_fields() -> None:
    assert gen_partner_settings.main(["--check"]) == 0
    shown = [each["name"] for group in gen_partner_settings.groups() for each in group["settings"]]  # type: ignore[attr-defined]  # JSON
    assert shown == [each.name for each in SETTINGS]


def test_each_word_of_a_choice_needs_its_label() -> None:
    kind = ValueKind("a choice", lambda value, _: value, words=("one", "two"))
    entry = SettingEntry(group=next(iter(SettingGroup)), label="Which", words={"one": "The first"})
    with pytest.raises(TypeError, match="the words of 'Which' are"):
        about(kind, "Which one.", entry)
