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
    CONTROL_NUMBER,
    LENIENCY,
    MARK_INSTEAD,
    MOST_NUMBER,
    NETWORKS,
    OVERLAYS,
    PARTNER_DELIMITERS,
    SEPARATORS_KIND,
    ZONE,
    Charset,
    DuplicateNumber,
    OnError,
    SetNumbering,
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


def _about(kind: ValueKind, meaning: str, *, is_planned: bool = False) -> Mapping[str, object]:
    return {"kind": kind, "meaning": meaning, "is_planned": is_planned}


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerSettings:
    """What was agreed with a partner about documents; None leaves a thing to its rule."""

    separators: Delimiters = field(
        default=PARTNER_DELIMITERS,
        metadata=_about(SEPARATORS_KIND, "Separators of what is sent to the partner."),
    )
    fixed_separators: bool = field(
        default=False,
        metadata=_about(
            FLAG,
            "Whether other separators may never be chosen, even if a value holds one of these.",
        ),
    )
    replace_delimiters_with: str | None = field(
        default=None,
        metadata=_about(
            MARK_INSTEAD,
            "What is written in place of a separator in a value where separators are fixed; without"
            " it such a value is refused.",
        ),
    )
    ta1: Ta1Rule = field(
        default=Ta1Rule.ON_REQUEST,
        metadata=_about(
            choice(Ta1Rule),
            "Whether a TA1 is sent only where ISA14 asks for it, or also for a rejected"
            " interchange.",
        ),
    )
    ack_accepted_sets: bool = field(
        default=True, metadata=_about(FLAG, "Whether acknowledgements list accepted sets.")
    )
    reject_level: RejectLevel = field(
        default=RejectLevel.STRICT,
        metadata=_about(
            choice(RejectLevel),
            "Whether any error rejects a set, or only a grave one.",
        ),
    )
    count_mismatch: CountMismatch = field(
        default=CountMismatch.REJECT,
        metadata=_about(choice(CountMismatch), "What a wrong SE01 does."),
    )
    charset: Charset | None = field(
        default=None,
        metadata=_about(
            choice(Charset),
            "The characters that are allowed; others are errors. Without it they only warn.",
        ),
    )
    unknown_sets: UnknownSets | None = field(
        default=None,
        metadata=_about(
            choice(UnknownSets),
            "What becomes of sets in which no error was found, but that were not checked, since the"
            " dictionary has no definition of them or not the guide they name: rejected, accepted,"
            " or held in quarantine with their interchange; without it, live documents are held and"
            " test documents accepted.",
        ),
    )
    on_error: OnError = field(
        default=OnError.SPLIT,
        metadata=_about(choice(OnError), "What a rejected set keeps back from being processed."),
    )
    dup_window_days: int = field(
        default=30,
        metadata=_about(whole(1, 3650), "How many days a control number received is remembered."),
    )
    duplicate_number: DuplicateNumber | None = field(
        default=None,
        metadata=_about(
            choice(DuplicateNumber),
            "What becomes of another document under a number already used; without it, live"
            " documents are rejected and test documents accepted with a warning.",
        ),
    )
    reack_duplicates: bool = field(
        default=False,
        metadata=_about(FLAG, "Whether a document received twice is acknowledged twice."),
    )
    st02: SetNumbering = field(
        default=SetNumbering.PER_GROUP,
        metadata=_about(choice(SetNumbering), "Whether ST02 begins at 0001 in each group."),
    )
    gs06_pad: bool = field(
        default=False, metadata=_about(FLAG, "Whether GS06 is padded to nine digits.")
    )
    control_min: int = field(
        default=1, metadata=_about(CONTROL_NUMBER, "The smallest control number sent.")
    )
    control_max: int = field(
        default=MOST_NUMBER,
        metadata=_about(
            CONTROL_NUMBER,
            "The largest control number sent; the smallest one follows it.",
        ),
    )
    timezone: str = field(
        default="UTC", metadata=_about(ZONE, "The time zone of dates and times in envelopes.")
    )
    delivery_deadline_hours: int | None = field(
        default=None,
        metadata=_about(
            whole(1, 720),
            "How long delivery is tried at most; without it the schedule of attempts decides.",
        ),
    )
    mdn_due_minutes: int = field(
        default=30,
        metadata=_about(
            whole(1, 10_080), "How long an asynchronous MDN is waited for.", is_planned=True
        ),
    )
    overlays: tuple[str, ...] = field(
        default=(),
        metadata=_about(
            OVERLAYS,
            "Changes to the dictionary that hold for the partner, in order.",
            is_planned=True,
        ),
    )
    leniency: Mapping[str, Severity] = field(
        default_factory=dict,
        metadata=_about(
            LENIENCY,
            "Findings that matter more or less than usual in the partner's documents.",
        ),
    )
    inbound_networks: tuple[str, ...] = field(
        default=(),
        metadata=_about(
            NETWORKS,
            "Where the inbound URLs take documents from; from elsewhere they do not exist. Without"
            " one, from anywhere.",
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
    """A row of the table. ``default``: as JSON has it; ``allowed``: in words."""

    name: str
    default: object
    allowed: str
    meaning: str
    is_planned: bool
    """Whether nothing reads it yet, so that any value but the default is refused."""


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


_DEFAULTS: Final = settings_json(DEFAULT_SETTINGS)
SETTINGS: Final = tuple(
    Setting(
        each.name,
        _DEFAULTS[each.name],
        _KINDS[each.name].allowed,
        each.metadata["meaning"],
        each.metadata["is_planned"],
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
