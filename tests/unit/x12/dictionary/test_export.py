"""Definitions as plain values."""

from __future__ import annotations

import json

from longshore.x12.dictionary.export import schema_export, segments_export, set_export
from longshore.x12.dictionary.overlay import apply
from tests.unit.x12.dictionary.texts import defined, order, small


def test_the_structure_of_a_set() -> None:
    exported = json.loads(json.dumps(set_export(order())))
    positions = exported.pop("positions")
    assert exported == {
        "set": "850",
        "release": "004010",
        "guide": None,
        "functional_id": "PO",
    }
    lines = {"id": "PO1", "requirement": "M", "max": 100000}
    assert positions[0] == {"path": "BEG", "segment": "BEG", "requirement": "M", "max": 1}
    assert positions[3] == {"path": "DTM", "segment": "DTM", "requirement": "O", "max": 0}
    assert positions[7:10] == [
        {"path": "PO1/PO1", "segment": "PO1", "requirement": "M", "max": 1, "loop": lines},
        {
            "path": "PO1/PID/PID",
            "segment": "PID",
            "requirement": "M",
            "max": 1,
            "loop": {"id": "PID", "requirement": "O", "max": 1000},
        },
        {"path": "PO1/DTM", "segment": "DTM", "requirement": "O", "max": 10},
    ]
    assert [position["segment"] for position in positions] == [
        use.segment.id for _, use in order().positions()
    ]


def test_the_structure_of_a_guide_with_its_qualifiers() -> None:
    exported = set_export(defined("837", "005010", "005010X999"))
    assert exported["guide"] == "005010X999"
    positions = json.loads(json.dumps(exported["positions"]))
    assert positions[1] == {
        "path": "REF",
        "segment": "REF",
        "requirement": "S",
        "max": 1,
        "when": {"element": "01", "codes": ["87"]},
    }
    assert positions[2] == {
        "path": "1000A/NM1",
        "segment": "NM1",
        "requirement": "R",
        "max": 1,
        "loop": {"id": "1000A", "requirement": "R", "max": 1},
        "when": {"element": "01", "codes": ["41"]},
    }
    assert positions[-2]["path"] == "2000A/2000B/2300/HI"
    assert positions[-2]["when"] == {"element": "01.01", "codes": ["ABK"]}
    assert "loop" not in positions[-2]


def test_the_segments_of_a_release() -> None:
    exported = json.loads(json.dumps(segments_export(small().vocabulary, "004010")))
    assert exported["release"] == "004010"
    segments = {each["segment"]: each for each in exported["segments"]}
    assert list(segments) == sorted(segments)
    assert "NTE" not in segments
    assert segments["REF"] == {
        "segment": "REF",
        "notes": ["R0203"],
        "elements": [
            {"position": 1, "element": "128", "type": "ID", "min": 2, "max": 3,
             "requirement": "M", "repeat": 1},
            {"position": 2, "element": "127", "type": "AN", "min": 1, "max": 30,
             "requirement": "O", "repeat": 1},
            {"position": 3, "element": "352", "type": "AN", "min": 1, "max": 80,
             "requirement": "O", "repeat": 1},
            {"position": 4, "element": "C040", "requirement": "O", "repeat": 1},
        ],
    }  # fmt: skip
    assert segments["HI"]["elements"][1]["repeat"] == 3


def test_the_schema_for_people_has_labels_codes_and_components() -> None:
    exported = json.loads(json.dumps(schema_export(order())))
    assert (exported["name"], exported["extensions"]) == ("Purchase order", [])
    head = exported["positions"][0]
    assert head["label"] == "header"
    assert head["elements"][0] == {
        "position": 1,
        "element": "353",
        "type": "ID",
        "min": 2,
        "max": 2,
        "requirement": "M",
        "repeat": 1,
        "label": "purpose",
        "code_list": "purpose",
    }
    assert exported["code_lists"]["purpose"] == {"00": "original"}
    assert "code_list" not in head["elements"][1]
    references = exported["positions"][2]
    parts = references["elements"][3]["components"]
    assert [part["element"] for part in parts] == ["128", "127", "128", "127"]
    assert "type" not in references["elements"][3]
    assert exported["positions"][4]["label"] is None


def test_the_schema_of_a_guide_says_what_the_guide_leaves() -> None:
    exported = json.loads(json.dumps(schema_export(defined("837", "005010", "005010X999"))))
    version = exported["positions"][1]["elements"]
    assert [element["requirement"] for element in version] == ["R", "R", "N", "N"]
    assert version[0]["codes"] == [{"code": "87", "meaning": None}]
    assert (version[1]["min"], version[1]["max"]) == (5, 20)
    claim = next(each for each in exported["positions"] if each["segment"] == "CLM")
    assert [part["requirement"] for part in claim["elements"][1]["components"]] == ["R", "S"]
    others = exported["positions"][-1]["elements"]
    assert others[1]["repeat"] == 2
    version_parts = version[3]["components"]
    assert [part["requirement"] for part in version_parts] == ["M", "M", "O", "O"]


def test_the_schema_of_an_overlay_lists_what_it_widened() -> None:
    text = 'overlay acme on 850@004010 "x"\nBEG.01 codes 00 extend 99\nextend REF NTE O1\n'
    newer = text.replace("004010", "005010")
    exported = schema_export(apply(order("005010"), newer, "a.xd", small().vocabulary.segment))
    assert exported["extensions"] == ["BEG.01: codes 99", "REF: NTE O1"]
