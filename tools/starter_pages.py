"""Generated reference page: what the starter maps call every segment and element in JSON."""

from collections.abc import Iterable, Iterator

from longshore.mapping.starters import CLAIMS_GUIDE, REMITTANCE_GUIDE, THERE_AND_BACK
from longshore.mapping.starters.places import StarterPlace, places_of

_SETS = (
    *((tx_set, "") for tx_set in THERE_AND_BACK),
    ("835", REMITTANCE_GUIDE),
    ("837", CLAIMS_GUIDE),
)


def member_lines() -> Iterator[str]:
    """Yield the tables: where segments come to, by set; then the members of each segment."""
    for tx_set, guide in _SETS:
        yield from (f"## {tx_set}", "", "| X12 | JSON |", "|---|---|")
        yield from _places(places_of(tx_set, guide), "", "")
        yield ""
    yield from ("## Members of segments", "", "| segment | members, by element |", "|---|---|")
    members: dict[str, dict[str, str]] = {}
    for tx_set, guide in _SETS:
        _gather(places_of(tx_set, guide), members)
    for tag, names in sorted(members.items()):
        listed = " · ".join(f"{element} `{name}`" for element, name in sorted(names.items()))
        yield f"| `{tag}` | {listed} |"


def _places(places: Iterable[StarterPlace], around: str, above: str) -> Iterator[str]:
    for place in places:
        source = f"{around}{place.tag}{_code(place)}"
        target = f"{above}{place.name}{'[*]' if place.is_many else ''}"
        yield f"| `{source}` | `{target}` |"
        yield from _places(place.members, f"{source} ", f"{target}.")


def _code(place: StarterPlace) -> str:
    """Return the condition of a place; of many codes, that there are others."""
    return "[other]" if "!=" in place.condition else place.condition.replace("|", "/")


def _gather(places: Iterable[StarterPlace], members: dict[str, dict[str, str]]) -> None:
    for place in places:
        for leaf in place.leaves:
            members.setdefault(place.tag, {})[leaf.element.replace("[*]", "")] = leaf.name
        _gather(place.members, members)
