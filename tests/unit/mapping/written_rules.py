"""What rules write, said in one line each: for tests of targets, without sources."""

from collections import Counter

from longshore.mapping.target_paths import TARGET_PATHS
from longshore.mapping.writes import Binding, OnDuplicate, ReadValue, RuleWrites, ValueOrigin

Values = str | dict[Binding, str] | list[tuple[Binding, str]]


def rules_of(target_format: str, *rules: tuple[object, ...]) -> list[RuleWrites]:
    """Return writes of rules given as target, values and, perhaps, further members by name.

    Values: one text, or texts by binding. A value of a rule is its own origin.
    """
    made = [_rule(target_format, index, *rule) for index, rule in enumerate(rules)]
    uses = Counter(each.target for each in made)
    for each in made:
        each.is_alone = uses[each.target] == 1 and each.on_duplicate is OnDuplicate.LAST
    return made


def _rule(
    target_format: str,
    index: int,
    tgt: object,
    values: object = (),
    mode: object = "last",
    *flags: object,
) -> RuleWrites:
    entries = _entries(values)
    fillers: list[tuple[Binding, str]] = []
    if "filler" in flags:
        entries, fillers = [], entries
    name, _, separator = str(mode).partition(":")
    kind = "const" if "const" in flags else "source"
    return RuleWrites(
        rule=index,
        target=TARGET_PATHS[target_format](str(tgt)),
        on_duplicate=OnDuplicate(name),
        separator=separator,
        has_source="const" not in flags,
        entries=entries,
        fillers=fillers,
        origins=[
            ValueOrigin(kind, (ReadValue("SRC", None, value),), value)  # type: ignore[arg-type]
            for _, value in entries + fillers
        ],
    )


def _entries(values: object) -> list[tuple[Binding, str]]:
    if isinstance(values, str):
        return [((), values)]
    if isinstance(values, dict):
        return list(values.items())
    assert isinstance(values, (list, tuple))
    return [((number,), value) for number, value in enumerate(values) if value is not None]
