"""The settings of a partner: one table of what may be set, its default, and what it means.

The table is the fields of ``PartnerSettings``: each carries its kind and its meaning, and
``SETTINGS`` lists them for documentation.

Source: contract.md section 15 (``settings``), x12.md sections 2 and 3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Final, NamedTuple

from longshore.domain.partners.members import (
    FLAG,
    Member,
    RefusedValueError,
    RequestFaults,
    ValueKind,
    choice,
    plain_json,
    read_members,
    whole,
)
from longshore.domain.partners.setting_kinds import (
    ACKS,
    CONTROL_NUMBER,
    LENIENCY,
    MARK_INSTEAD,
    MAX_NUMBER,
    NETWORKS,
    NUMBERS,
    OVERLAYS,
    PARTNER_DELIMITERS,
    RECEIVED,
    SENT,
    SEPARATORS_KIND,
    ZONE,
    AdviceRule,
    Charset,
    CodeCheck,
    DuplicateNumber,
    OnError,
    OnHeadFailure,
    SetNumbering,
    SettingEntry,
    about,
)
from longshore.kit.environment import Environment
from longshore.mapping.envelope_members import SEPARATOR_MEMBERS
from longshore.x12.acks.profile import (
    AckProfile,
    AckType,
    CountMismatch,
    RejectLevel,
    Ta1Rule,
    UnknownSets,
)
from longshore.x12.delimiters import Delimiters
from longshore.x12.findings import Severity

PARAM: Final = "settings"
_UNKNOWN_SETS: Final = {
    Environment.PRODUCTION: UnknownSets.HOLD,
    Environment.SANDBOX: UnknownSets.ACCEPT,
}
"""What ``unknown_sets`` is where it is not set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerSettings:
    """The agreement with a partner about documents; None leaves a thing to its rule."""

    separators: Delimiters = field(
        default=PARTNER_DELIMITERS,
        metadata=about(
            SEPARATORS_KIND,
            "Separators of what is sent to the partner.",
            SettingEntry(SENT, "Separators", "separators"),
        ),
    )
    fixed_separators: bool = field(
        default=False,
        metadata=about(
            FLAG,
            "Whether other separators may never be chosen, even if a value holds one of these.",
            SettingEntry(SENT, "Separators are fixed"),
        ),
    )
    replace_delimiters_with: str | None = field(
        default=None,
        metadata=about(
            MARK_INSTEAD,
            "What is written in place of a separator in a value where separators are fixed; without"
            " it such a value is refused.",
            SettingEntry(
                SENT,
                "In place of a separator in a value",
                "text",
                none="the value is refused",
                example="-",
                most_chars=1,
            ),
        ),
    )
    timezone: str = field(
        default="UTC",
        metadata=about(
            ZONE,
            "The time zone of dates and times in envelopes.",
            SettingEntry(SENT, "Time zone", "text", example="America/Chicago", most_chars=98),
        ),
    )
    delivery_deadline_hours: int | None = field(
        default=None,
        metadata=about(
            whole(1, 720),
            "How long delivery is tried at most; without it the schedule of attempts decides.",
            SettingEntry(SENT, "Hours until delivery is given up", none="by the schedule"),
        ),
    )
    on_head_failure: OnHeadFailure = field(
        default=OnHeadFailure.PARK,
        metadata=about(
            choice(OnHeadFailure),
            "What happens when the partner refuses a document that others of its kind wait behind:"
            " it is marked as failed and the others are sent, or the others wait until it is"
            " delivered, cancelled or given up.",
            SettingEntry(
                SENT,
                "A refused document",
                words={
                    "park": "is marked as failed, and later ones are sent",
                    "wait": "is tried for 75 hours, and later ones wait",
                },
            ),
        ),
    )
    response_hours: int = field(
        default=72,
        metadata=about(
            whole(0, 720),
            "How long the response to a 270, 276 or 278 is waited for; 0: none is awaited.",
            SettingEntry(SENT, "Hours until a response is due"),
        ),
    )
    mdn_due_minutes: int = field(
        default=30,
        metadata=about(
            whole(1, 10_080),
            "How long an asynchronous MDN is waited for.",
            SettingEntry(SENT, "Minutes until an MDN is due"),
        ),
    )
    control_min: int = field(
        default=1,
        metadata=about(
            CONTROL_NUMBER,
            "The smallest control number sent.",
            SettingEntry(NUMBERS, "Smallest control number"),
        ),
    )
    control_max: int = field(
        default=MAX_NUMBER,
        metadata=about(
            CONTROL_NUMBER,
            "The largest control number sent; the smallest one follows it.",
            SettingEntry(NUMBERS, "Largest control number"),
        ),
    )
    st02: SetNumbering = field(
        default=SetNumbering.PER_GROUP,
        metadata=about(
            choice(SetNumbering),
            "Whether ST02 begins at 0001 in each group.",
            SettingEntry(
                NUMBERS,
                "Numbers of sets",
                words={
                    "per_group": "begin at 0001 in each group",
                    "continuous": "count on from group to group",
                },
            ),
        ),
    )
    gs06_pad: bool = field(
        default=False,
        metadata=about(
            FLAG,
            "Whether GS06 is padded to nine digits.",
            SettingEntry(NUMBERS, "GS06 has nine digits"),
        ),
    )
    ta1: Ta1Rule = field(
        default=Ta1Rule.ON_REQUEST,
        metadata=about(
            choice(Ta1Rule),
            "Whether a TA1 is sent only where ISA14 asks for it, or also for a rejected"
            " interchange.",
            SettingEntry(
                ACKS,
                "TA1 is sent",
                words={
                    "on_request": "where ISA14 asks for it",
                    "on_error": "also for a rejected interchange",
                },
            ),
        ),
    )
    ack_accepted_sets: bool = field(
        default=True,
        metadata=about(
            FLAG,
            "Whether acknowledgements list accepted sets.",
            SettingEntry(ACKS, "Accepted sets are listed"),
        ),
    )
    reject_level: RejectLevel = field(
        default=RejectLevel.STRICT,
        metadata=about(
            choice(RejectLevel),
            "Whether any error rejects a set, or only a grave one.",
            SettingEntry(
                ACKS,
                "What rejects a set",
                words={"strict": "any error", "lenient": "a grave error"},
            ),
        ),
    )
    count_mismatch: CountMismatch = field(
        default=CountMismatch.REJECT,
        metadata=about(
            choice(CountMismatch),
            "What a wrong SE01 does.",
            SettingEntry(
                ACKS,
                "A wrong SE01",
                words={
                    "reject": "rejects the set",
                    "accept_with_errors": "is accepted with errors",
                },
            ),
        ),
    )
    reack_duplicates: bool = field(
        default=False,
        metadata=about(
            FLAG,
            "Whether a document received twice is acknowledged twice.",
            SettingEntry(ACKS, "Duplicates are acknowledged again"),
        ),
    )
    claim_acks: bool = field(
        default=False,
        metadata=about(
            FLAG,
            "Whether received 837s that are accepted are also answered by a 277CA, claim by claim.",
            SettingEntry(ACKS, "837s are answered by a 277CA"),
        ),
    )
    application_advice: AdviceRule = field(
        default=AdviceRule.NEVER,
        metadata=about(
            choice(AdviceRule),
            "Whether an 824 is sent for a received set whose map failed.",
            SettingEntry(
                ACKS,
                "824 is sent",
                words={"never": "never", "on_error": "where the map of a set failed"},
            ),
        ),
    )
    on_error: OnError = field(
        default=OnError.SPLIT,
        metadata=about(
            choice(OnError),
            "What a rejected set keeps back from being processed.",
            SettingEntry(
                RECEIVED,
                "A rejected set keeps back",
                words={
                    "split": "itself alone",
                    "suspend_group": "its group",
                    "suspend_interchange": "its interchange",
                },
            ),
        ),
    )
    charset: Charset | None = field(
        default=None,
        metadata=about(
            choice(Charset),
            "The characters that are allowed; others are errors. Without it they only warn.",
            SettingEntry(
                RECEIVED,
                "Characters that are allowed",
                words={
                    "basic": "the basic character set",
                    "extended": "the extended character set",
                },
                none="not agreed: others only warn",
            ),
        ),
    )
    codes: CodeCheck = field(
        default=CodeCheck.STANDARD,
        metadata=about(
            choice(CodeCheck),
            "The lists outside of which a code is an error: the strict lists of the standard, or "
            "`partner`, these with the changes that the operator imported; `off` accepts any code, "
            "except where a guide names those that are allowed.",
            SettingEntry(
                RECEIVED,
                "Codes outside the lists",
                words={
                    "standard": "are errors, by the lists of the standard",
                    "partner": "are errors, by these lists and imported codes",
                    "off": "are accepted",
                },
            ),
        ),
    )
    unknown_sets: UnknownSets | None = field(
        default=None,
        metadata=about(
            choice(UnknownSets),
            "What becomes of sets in which no error was found, but that were not checked, since the"
            " dictionary has no definition of them or not the guide they name: rejected, accepted,"
            " or held in quarantine with their interchange; without it, live documents are held and"
            " test documents accepted.",
            SettingEntry(
                RECEIVED,
                "Sets that were not checked",
                words={
                    "reject": "are rejected",
                    "accept": "are accepted",
                    "hold": "are held in quarantine",
                },
                none="live: held, test: accepted",
            ),
        ),
    )
    dup_window_days: int = field(
        default=30,
        metadata=about(
            whole(1, 3650),
            "How many days a control number received is remembered.",
            SettingEntry(RECEIVED, "Days a control number is remembered"),
        ),
    )
    duplicate_number: DuplicateNumber | None = field(
        default=None,
        metadata=about(
            choice(DuplicateNumber),
            "What becomes of another document under a number already used; without it, live"
            " documents are rejected and test documents accepted with a warning.",
            SettingEntry(
                RECEIVED,
                "Another document under a used number",
                words={"reject": "is rejected", "accept_warn": "is accepted with a warning"},
                none="live: rejected, test: accepted with a warning",
            ),
        ),
    )
    overlays: tuple[str, ...] = field(
        default=(),
        metadata=about(
            OVERLAYS,
            "Changes to the dictionary that hold for the partner, in order.",
            SettingEntry(RECEIVED, "Overlays", "names", none="none", example="one name a line"),
            is_planned=True,
        ),
    )
    inbound_networks: tuple[str, ...] = field(
        default=(),
        metadata=about(
            NETWORKS,
            "Where the inbound URLs take documents from; from elsewhere they do not exist. Without"
            " one, from anywhere.",
            SettingEntry(
                RECEIVED,
                "Taken from",
                "names",
                none="anywhere",
                example="192.0.2.7 or 2001:db8::/48, one a line",
            ),
        ),
    )
    leniency: Mapping[str, Severity] = field(
        default_factory=dict,
        metadata=about(
            LENIENCY,
            "Findings that matter more or less than usual in the partner's documents.",
            SettingEntry(RECEIVED, "Leniency", "severities"),
        ),
    )

    def ack_profile(self, ack_type: AckType, environment: Environment) -> AckProfile:
        """Return what making acknowledgements of received documents depends on."""
        return AckProfile(
            ack_type=ack_type,
            ta1=self.ta1,
            reject_level=self.reject_level,
            count_mismatch=self.count_mismatch,
            has_accepted_sets=self.ack_accepted_sets,
            unknown_sets=self.unknown_sets or _UNKNOWN_SETS[environment],
        )


class Setting(NamedTuple):
    """A row of the table."""

    name: str
    default: object
    """As JSON has it."""
    allowed: str
    """In words."""
    meaning: str
    is_planned: bool
    """True if nothing reads it yet, so that any value but the default is refused."""
    entry: SettingEntry
    kind: ValueKind


_KINDS: Final[Mapping[str, ValueKind]] = MappingProxyType({
    each.name: each.metadata["kind"] for each in fields(PartnerSettings)
})
_MEMBERS: Final = MappingProxyType({name: Member(kind) for name, kind in _KINDS.items()})
DEFAULT_SETTINGS: Final = PartnerSettings()


def settings_json(settings: PartnerSettings) -> dict[str, object]:
    """Return all settings as JSON has them; ``read_settings`` of it is the same again."""
    return {each.name: _json_of(getattr(settings, each.name)) for each in fields(settings)}


def _json_of(value: object) -> object:
    if isinstance(value, Delimiters):
        return dict(zip(SEPARATOR_MEMBERS, value, strict=False))
    return plain_json(value)


_DEFAULT_VALUES: Final = settings_json(DEFAULT_SETTINGS)
SETTINGS: Final = tuple(
    Setting(
        each.name,
        _DEFAULT_VALUES[each.name],
        _KINDS[each.name].allowed,
        each.metadata["meaning"],
        each.metadata["is_planned"],
        each.metadata["entry"],
        _KINDS[each.name],
    )
    for each in fields(PartnerSettings)
)
"""Every setting, in order."""
PLANNED_SETTINGS: Final = tuple(each.name for each in SETTINGS if each.is_planned)


def read_settings(given: object, param: str = PARAM) -> PartnerSettings:
    """Return the settings of a JSON object; those it lacks, or that are null, have their default.

    Raises:
        RefusedValueError: With a detail for each fault.
    """
    faults = RequestFaults()
    values = read_members(given, _MEMBERS, faults, param)
    make: Callable[..., PartnerSettings] = PartnerSettings  # each value was read by its kind
    settings = make(**values)
    if settings.control_min > settings.control_max:
        name = f"{param}.control_min"
        most = settings.control_max
        faults.add(name, f'Parameter "{name}" must be at most control_max, which is {most}.')
    if faults.details:
        raise RefusedValueError(tuple(faults.details))
    return settings


SETTINGS_KIND: Final = ValueKind("an object of settings", read_settings)
