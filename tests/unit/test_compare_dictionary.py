"""What ``python -m tools.compare_dictionary`` says of a folder of facts."""

import json
from pathlib import Path

import pytest

from longshore.x12.dictionary.export import segments_export, set_export
from longshore.x12.dictionary.library import shipped
from tools import compare_dictionary
from tools.compare_dictionary import Difference, Reasons, compare_all, compare_set, main
from tools.x12_pages import sets_summary

ORDER = "990"


def exported(tx_set: str, release: str, guide: str | None = None) -> dict[str, object]:
    definition = shipped().definition(tx_set, release, guide)
    assert definition is not None
    return json.loads(json.dumps(set_export(definition)))  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that agrees but for four things of a set, one of a guide and one of each word."""
    folder = tmp_path_factory.mktemp("facts")
    for name in ("sets", "guides"):
        (folder / name).mkdir()
    answer = exported(ORDER, "004010")
    positions = answer["positions"]
    assert isinstance(positions, list)
    positions[1]["max"] = 7
    positions[7]["loop"]["requirement"] = "M"
    del positions[2]
    positions.append({"path": "NTE", "segment": "NTE", "requirement": "O", "max": 1})
    guide = exported("999", "005010", "005010X231A1")
    assert isinstance(guide["positions"], list)
    guide["positions"][0]["max"] = 2
    words = {
        "sets/a": answer,
        "sets/unknown": {"set": "000", "release": "004010", "positions": []},
        "guides/a": guide,
        "guides/unknown": {"set": "999", "guide": "005010X000", "positions": []},
        "segments-004010": {
            "G62": {"els": [["432", "O", 1], ["373", "M", 1]], "notes": ["P0102", "R0301"]},
            "QQQ": {"els": [], "notes": []},
        },
        "composites-004010": {"C030": [["722", "M"], ["1528", "O"]], "C042": [["426", "O"]]},
        "elements-004010": {"353": ["ID", 2, 2], "212": ["R9", 1, 9], "99999": ["AN", 1, 1]},
    }
    for name, content in words.items():
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


def test_each_difference_is_named(facts: Path) -> None:
    compared = {each.subject: each for each in compare_all(facts)}
    assert compared["990 004010"].size == 12
    assert compared["990 004010"].percent == pytest.approx(100 * 8 / 12)
    assert compared["990 004010"].differences == (
        Difference("990 004010", "N9", "max 1", "max 7"),
        Difference("990 004010", "G62", "present", "absent"),
        Difference("990 004010", "S5/S5 (loop)", "O", "M"),
        Difference("990 004010", "NTE", "absent", "present"),
    )
    assert compared["005010X231A1 999"].differences == (
        Difference("005010X231A1 999", "AK1", "max 1", "max 2"),
    )
    assert [each.place for each in compared["segments 004010"].differences] == ["G62", "G62 notes"]
    assert compared["composites 004010"].differences == (
        Difference("composites 004010", "C042", "426! 127", "426"),
    )
    assert compared["elements 004010"].differences == (
        Difference("elements 004010", "212", "R 1/17", "R 1/9"),
    )


def test_unknown_maxima_are_not_compared() -> None:
    answer = exported(ORDER, "005010")
    assert isinstance(answer["positions"], list)
    answer["positions"][1]["max"] = 0
    compared = compare_set(answer | {"maxima": "unknown where 0"})
    assert compared is not None
    assert (compared.percent, compared.differences) == (100.0, ())


def test_a_loop_may_have_an_id_of_two_words_and_ls_stands_around_its_loop() -> None:
    answer = exported("204", "004010")
    flat = json.loads(json.dumps(answer).replace("0320/", "0300/item/x/"))
    compared = compare_set(flat)
    assert compared is not None
    assert compared.size == 66


def test_a_reason_on_the_page_explains_a_difference() -> None:
    rows = (
        "990 004010 | `N9[A\\|B]` | max 1 | max 7 | because",
        "850 005010 | * | | | all",
        "a | b",
    )
    page = "\n".join(f"| {row} |" for row in rows)
    reasons = Reasons(page)
    assert reasons.explain(Difference("990 004010", "N9[A|B]", "max 1", "max 7"))
    assert not reasons.explain(Difference("990 004010", "N9", "max 1", "max 7"))
    assert reasons.explain(Difference("850 005010", "anything", "M", "O"))


def test_the_command_fails_on_what_is_not_explained(
    facts: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert main([str(facts), "--set", ORDER]) == 1
    assert "  N9: max 1, facts: max 7" in capsys.readouterr().out
    page = tmp_path / "page.md"
    page.write_text("| 990 004010 | * | | | because |\n", encoding="utf-8")
    monkeypatch.setattr(compare_dictionary, "AGREEMENT", page)
    assert main([str(facts), "--set", ORDER, "--brief"]) == 0
    assert capsys.readouterr().out == (
        "990 004010: 12 positions, 66.7 % equal, 4 differences, 0 not explained\n"
    )


def test_every_segment_and_element_has_a_label() -> None:
    for release in ("004010", "005010"):
        vocabulary = shipped().vocabulary
        for segment_id in vocabulary.segment_ids(release):
            segment = vocabulary.segment(segment_id, release)
            assert segment is not None
            labels = [use.label for use in segment.uses]
            assert all((segment.label, *labels)), segment_id
            assert len(set(labels)) == len(labels), segment_id
    assert segments_export(shipped().vocabulary, "004010")["release"] == "004010"


def test_readme_counts_the_sets_and_guides_on_its_first_screen() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    link = f"[{sets_summary()}](docs/reference/transaction-sets.md)"
    assert link in readme.split("## ", maxsplit=1)[0]
