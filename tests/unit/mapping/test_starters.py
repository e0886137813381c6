"""The starter maps as such: which there are, what their rules and names are like."""

import re
from collections.abc import Iterator, Mapping, Sequence
from time import process_time

import pytest

from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.mapping.rules import MAX_RULES, compile_rules
from longshore.mapping.starters import (
    CLAIMS_GUIDE,
    REMITTANCE_GUIDE,
    THERE_AND_BACK,
    compiled,
    starter,
    starters,
)
from longshore.mapping.starters.names import component_path, segment_names
from longshore.mapping.starters.places import StarterPlace, places_of
from longshore.mapping.starters.segment_names import SEGMENT_NAMES
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.model import CompositeType, ElementUse

KEYS = [info.key for info in starters()]
TO_JSON = [info.key for info in starters() if info.target_fmt == "json"]
GUIDES = {"835": REMITTANCE_GUIDE, "837": CLAIMS_GUIDE}
SETS = (*THERE_AND_BACK, *GUIDES)
# Names of arrays that are not in the plural, since English has none or the segment is a list.
UNCOUNTED = {"equipment", "shipped", "teeth", "file_information"}


def test_there_are_these() -> None:
    assert KEYS == [
        "850-to-json",
        "json-to-850",
        "855-to-json",
        "json-to-855",
        "856-to-json",
        "json-to-856",
        "810-to-json",
        "json-to-810",
        "856-to-nested-json",
        "835-to-json",
        "835-to-csv",
        "837p-to-json",
    ]


def test_a_starter_says_what_it_is_for() -> None:
    found = starter("json-to-850")
    assert (found.name, found.source_fmt, found.target_fmt, found.tx_set, found.direction) == (
        "JSON order to 850 purchase order",
        "json",
        "x12",
        "850",
        "outbound",
    )
    assert starter("835-to-csv").direction == "inbound"
    assert found.lookups == ()


@pytest.mark.parametrize("find", [starter, compiled])
def test_an_unknown_key_is_refused(find: object) -> None:
    assert callable(find)
    with pytest.raises(LongshoreError) as refused:
        find("850-to-xml")
    assert refused.value.code is ErrorCode.NOT_FOUND
    assert refused.value.message.startswith("No such starter map. There are: 850-to-json, ")


@pytest.mark.parametrize("key", KEYS)
def test_its_rules_are_sound_and_few_enough_and_each_has_its_note(key: str) -> None:
    rules = starter(key).field_map
    assert len(compiled(key).rules) == len(rules) <= MAX_RULES
    assert all(rule["note"] for rule in rules)
    assert {name for rule in rules for name in rule} <= {
        *("src", "tgt", "note", "const", "transform", "join")
    }


@pytest.mark.parametrize("key", KEYS)
def test_each_target_is_written_by_one_rule(key: str) -> None:
    targets = [rule["tgt"] for rule in starter(key).field_map]
    assert len(set(targets)) == len(targets)


@pytest.mark.parametrize("tx_set", SETS)
def test_each_object_is_made_of_one_segment_or_loop(tx_set: str) -> None:
    origins: dict[str, str] = {}
    for rule in starter("837p-to-json" if tx_set == "837" else f"{tx_set}-to-json").field_map:
        source, target = str(rule["src"]), str(rule["tgt"])
        if not target.startswith(("transaction.", "interchange.")):
            ends = zip(re.finditer(r"\[\*\]", source), re.finditer(r"\[\*\]", target), strict=True)
            for before, after in ends:
                array, segments = target[: after.end()], source[: before.end()]
                assert origins.setdefault(array, segments) == segments


def test_a_rule_is_an_ordinary_one() -> None:
    rules = {str(rule["tgt"]): rule for rule in starter("850-to-json").field_map}
    assert rules["lines[*].product_ids[1].qualifier"] == {
        "src": ":PO1[*].08",
        "tgt": "lines[*].product_ids[1].qualifier",
        "note": "lines, product ids 2, qualifier (PO1-08)",
    }
    assert rules["order.number"]["src"] == ":BEG.03"
    assert rules["parties[*].name"]["src"] == ":N1[*].02"
    assert rules["lines[*].quantity"]["src"] == ":PO1[*].02"


def test_a_guide_names_what_it_tells_apart() -> None:
    sources = {rule["tgt"]: rule["src"] for rule in starter("837p-to-json").field_map}
    assert sources["levels[*].billing_provider.last_name"] == "HL[*]:NM1[01=85].03"
    assert sources["levels[*].claims[*].prior_authorization.value"] == "HL[*]:CLM[*]:REF[01=G1].02"
    assert sources["levels[*].claims[*].service_lines[*].service.charge"] == (
        "HL[*]:CLM[*]:LX[*]:SV1.02"
    )
    others = str(sources["levels[*].claims[*].other_references[*].value"])
    assert others.startswith("HL[*]:CLM[*]:REF[01!=4N|F5|")


# ---- names -------------------------------------------------------------------------------------


def inside(places: tuple[StarterPlace, ...]) -> Iterator[StarterPlace]:
    for place in places:
        yield place
        yield from inside(place.members)


@pytest.mark.parametrize("tx_set", SETS)
def test_every_name_was_chosen(tx_set: str) -> None:
    made_up = re.compile("element_[0-9]|component_[0-9]")
    for place in inside(places_of(tx_set, GUIDES.get(tx_set, ""))):
        assert [leaf for leaf in place.leaves if made_up.search(leaf.name)] == []
        assert place.tag == "FOB" or place.name != place.tag.lower()


@pytest.mark.parametrize("tx_set", SETS)
def test_an_array_is_called_in_the_plural(tx_set: str) -> None:
    arrays = {p.name for p in inside(places_of(tx_set, GUIDES.get(tx_set, ""))) if p.is_many}
    assert {name for name in arrays if not name.endswith("s")} <= UNCOUNTED


def test_each_segment_has_as_many_names_as_elements() -> None:
    vocabulary = shipped().vocabulary
    for line in re.findall("^([A-Z][A-Z0-9]+) ", SEGMENT_NAMES, re.MULTILINE):
        found = [vocabulary.segment(line, release) for release in ("004010", "005010")]
        most = max(len(segment.uses) for segment in found if segment)
        assert len(segment_names(line).elements) == most, line
        assert len(set(segment_names(line).elements)) == most, line


def test_what_has_no_names_yet_is_called_by_number() -> None:
    assert segment_names("ZZZ").one == "zzz"
    assert segment_names("ZZZ").element(3) == "element_03"
    assert component_path("unit", "C001", 99) == "unit.component_99"
    assert component_path("unit", "C777", 2) == "unit.component_02"


# ---- the union of releases ---------------------------------------------------------------------


def elements_of(use: ElementUse, position: int) -> Iterator[str]:
    repetition = "[*]" if use.repeat != 1 else ""
    if isinstance(use.type, CompositeType):
        parts = range(1, len(use.type.uses) + 1)
        yield from (f"{position:02d}{repetition}.{part:02d}" for part in parts)
    else:
        yield f"{position:02d}{repetition}"


@pytest.mark.parametrize("tx_set", THERE_AND_BACK)
@pytest.mark.parametrize("release", ["004010", "005010"])
def test_every_element_of_every_position_has_a_rule(tx_set: str, release: str) -> None:
    sources = {re.sub(r"\[\*\]", "", str(r["src"])) for r in starter(f"{tx_set}-to-json").field_map}
    definition = shipped().definition(tx_set, release)
    assert definition is not None
    for around, use in definition.positions():
        tags = [loop.trigger.segment.id for loop in around]
        if not around or use is not around[-1].trigger:
            tags.append(use.segment.id)
        path = ":".join(tags) if tags[0] == "HL" else ":" + ":".join(tags)
        for position, element in enumerate(use.segment.uses, 1):
            for place in elements_of(element, position):
                source = f"{path}.{place}".replace("[*]", "")
                assert {source, f"{source}.01"} & sources, source


def compile_seconds(rules: Sequence[Mapping[str, object]]) -> float:
    """Return the CPU time of compiling rules, the least of five."""
    times = []
    for _ in range(5):
        before = process_time()
        compile_rules(rules, source_format="x12", target_format="json")
        times.append(process_time() - before)
    return min(times)


def test_rules_are_made_and_checked_in_little_time() -> None:
    rules = starter("850-to-json").field_map
    assert compile_seconds(rules) < 40 * compile_seconds(rules[:200])  # eleven times as many
    assert compiled("850-to-json") is compiled("850-to-json")
