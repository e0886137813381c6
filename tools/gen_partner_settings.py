"""Write web/src/core/partnerSettings.json from the settings of partners, or ``--check`` it.

Danger: a page that lags behind the service offers settings that are refused, and lacks others.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from longshore.domain.partners.setting_kinds import SettingGroup
from longshore.domain.partners.settings import SETTINGS, Setting

TARGET = Path(__file__).parents[1] / "web/src/core/partnerSettings.json"


def groups() -> list[dict[str, object]]:
    """Return the groups as the pages read them (``web/src/core/partnerSettings.ts``)."""
    return [
        {
            "title": group.value,
            "settings": [_shown(each) for each in SETTINGS if each.entry.group is group],
        }
        for group in SettingGroup
    ]


def _shown(setting: Setting) -> dict[str, object]:
    planned = {"isPlanned": True} if setting.is_planned else {}
    return {
        "name": setting.name,
        "label": setting.entry.label,
        "means": setting.meaning,
        "kind": dict(_kind(setting)),
        "default": setting.default,
        **planned,
    }


def _kind(setting: Setting) -> Iterator[tuple[str, object]]:
    entry, kind = setting.entry, setting.kind
    usual = "choice" if kind.words else "number" if kind.bounds else "flag"
    yield "as", entry.form or usual
    if entry.words:
        yield "among", [{"value": value, "label": label} for value, label in entry.words.items()]
    if kind.bounds:
        yield "least", kind.bounds[0]
        yield "most", kind.bounds[1]
    if entry.example:
        yield "placeholder", entry.example
    if entry.most_chars:
        yield "most", entry.most_chars
    if entry.none:
        yield "none", entry.none


def main(arguments: list[str]) -> int:
    """Return the exit status: 1 if ``--check`` finds a difference."""
    text = json.dumps(groups(), indent=2, ensure_ascii=False) + "\n"
    if "--check" not in arguments:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    if TARGET.is_file() and TARGET.read_text(encoding="utf-8") == text:
        return 0
    print("web/src/core/partnerSettings.json is stale: run `make openapi`", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
