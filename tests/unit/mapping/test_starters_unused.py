"""What the starter maps leave unused: nothing, but for the list in their reference page."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longshore.engine import convert
from longshore.mapping.starters import THERE_AND_BACK, compiled, starter, starters
from longshore.x12.samples.parts import SampleKind
from tests.unit.mapping.starter_documents import (
    BY_HAND,
    BY_NAME,
    GENERATED,
    ROOT,
    SETS,
    STAMP,
    WITHOUT_STARTER,
    unused,
)
from tests.unit.x12.valid_documents import a_document

PAGE = (ROOT / "docs/reference/starter-maps.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `([^`]+-to-json)` \| `([^`]+)` \| (.+?) \| .+ \|$", re.MULTILINE)
ROWS = [(key, segments, re.findall("`([^`]+)`", keys)) for key, segments, keys in ROW.findall(PAGE)]
KEYS = {tx_set: f"{tx_set}-to-json" for tx_set in SETS} | {"837": "837p-to-json"}
# What follows its guide, or no guide.
NAMES = [
    name
    for name, each in BY_NAME.items()
    if each.tx_set in THERE_AND_BACK
    or (each.tx_set in SETS and each.guide and each.guide not in WITHOUT_STARTER)
]
# By case, what has no place or is no repetition; the documents are faulty.
FAULTY = {
    "tests/cases/18_lowercase_segment.edi": ["ref.01", "ref.02"],
    "tests/cases/19_linebreak_in_data.edi": ["MSG.01"],
    "tests/cases/20_component_sep_in_text.edi": ["MSG.01"],
    "tests/cases/21_837_composite_repetition.edi": ["HI.01[2]", "HI.01[2].01", "HI.01[2].02"],
}


@pytest.mark.parametrize("name", GENERATED)
def test_a_document_with_every_position_is_used_up(name: str) -> None:
    tx_set, text = GENERATED[name]
    assert unused(KEYS[tx_set], text) == []


@pytest.mark.parametrize("name", BY_HAND)
def test_every_document_at_hand_is_used_up(name: str) -> None:
    tx_set, text = BY_HAND[name]
    left = [each for each in unused(KEYS[tx_set], text) if not each.startswith("ST[2]/")]
    assert left == FAULTY.get(name, [])


@settings(max_examples=40)  # each runs thousands of rules
@given(st.sampled_from(NAMES), st.integers(0, 2**32))
def test_any_valid_document_is_used_up(name: str, seed: int) -> None:
    definition = BY_NAME[name]
    text = a_document(definition, SampleKind.VARIED, seed).text()
    assert unused(KEYS[definition.tx_set], text) == []


@pytest.mark.parametrize(("key", "segments", "keys"), ROWS)
def test_the_page_says_what_is_left(key: str, segments: str, keys: list[str]) -> None:
    text = (
        "ISA*00*          *00*          *ZZ*US             *ZZ*YOU            *260302*0915*^*00501"
        f"*000000001*0*T*:~GS*XX*US*YOU*20260302*0915*1*X*005010~ST*{key[:3]}*0001~{segments}"
        "SE*1*0001~GE*1*1~IEA*1*000000001~"
    )
    assert unused(key, text) == keys


def test_the_page_has_its_rows() -> None:
    assert len(ROWS) == PAGE.partition("## 3.")[2].partition("## 4.")[0].count("\n| `") == 10


def test_the_page_lists_every_starter() -> None:
    table = PAGE.partition("## 1.")[0]
    assert set(re.findall(r"`([^` ]*-to-[^` ]*)`", table)) >= {info.key for info in starters()}


def test_the_page_names_the_members_that_are_not_read() -> None:
    listed = PAGE.partition("These members are not read:")[2].split("\n")[0]
    said = re.findall("`([a-z_.]+)`", listed)
    text = a_document(BY_NAME["850_005010"], SampleKind.FULL).text()
    json = convert(text, compiled("850-to-json")).output
    back = convert(json, compiled("json-to-850"), stamp=STAMP, is_explained=True)
    assert back.explain["unused"] == said


def test_the_page_names_columns_and_members() -> None:
    columns = [str(rule["tgt"]) for rule in starter("835-to-csv").field_map]
    section = PAGE.partition("## 4.")[2].partition("## 5.")[0]
    named = re.findall("`([a-z]+_[a-z_]+)`", section)
    assert [name for name in named if name not in columns] == []
    assert columns[:8] == named[:8]
