"""``longshore sample``: a document, its faults, and many files."""

from pathlib import Path

from longshore.engine import sample
from tests.unit.cli.conftest import CommandLine


def test_a_document_is_printed_as_the_engine_makes_it(run: CommandLine) -> None:
    ran = run("sample", "850", "--release", "004010", "--seed", "5", "--kind", "full")
    made = sample("850", "004010", seed=5, kind="full")
    assert (ran.code, ran.out, ran.err) == (0, made.text, "")


def test_what_is_expected_of_a_fault_is_printed_next_to_it(run: CommandLine) -> None:
    options = ("--release", "004010", "--kind", "minimal", "--fault", "element_too_long")
    ran = run("sample", "850", *options)
    made = sample("850", "004010", kind="minimal", fault="element_too_long")
    assert (ran.code, ran.out) == (0, made.text)
    assert ran.err == "expected: error element_too_long at BEG03, segment 2\n"
    assert run("sample", "850", *options, "--json").json == {
        "tx_set": "850",
        "release": "004010",
        "guide": None,
        "kind": "minimal",
        "seed": 0,
        "fault": "element_too_long",
        "document": made.text,
        "expected": [each.members() for each in made.expected],
    }


def test_broken_has_a_fault_that_the_seed_chooses(run: CommandLine) -> None:
    ran = run("sample", "837", "--guide", "005010X222A1", "--broken", "--seed", "3")
    assert ran.out == sample("837", guide="005010X222A1", seed=3, fault="any").text
    assert ran.err.startswith("expected: error ")


def test_files_are_written_with_consecutive_numbers_and_never_replaced(
    run: CommandLine, tmp_path: Path
) -> None:
    folder = tmp_path / "new" / "folder"
    options = ("sample", "850", "--count", "2", "--files", "3", "--output", str(folder))
    ran = run(*options, "--seed", "10")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    written = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert written == {
        f"850-{seed:09d}.edi": sample("850", count=2, seed=seed).text for seed in (10, 12, 14)
    }
    ran = run(*options, "--seed", "14")
    path = folder / "850-000000014.edi"
    assert (ran.code, ran.out) == (2, "")
    assert str(path) in ran.err.replace("\n", "")
    assert len([*folder.iterdir()]) == 3


def test_the_faults_of_files_are_listed(run: CommandLine, tmp_path: Path) -> None:
    options = ("--files", "1", "--output", str(tmp_path), "--fault", "set_count_wrong")
    ran = run("sample", "850", *options, "--kind", "minimal")
    line = "850-000000000.edi  error set_count_wrong at GE01, segment 7\n"
    assert (ran.code, ran.out) == (0, line)
    found = run("sample", "850", *options, "--seed", "8", "--json").json
    assert [(each["file"], each["seed"], each["fault"]) for each in found["files"]] == [
        ("850-000000008.edi", 8, "set_count_wrong")
    ]


def test_files_need_a_folder(run: CommandLine, tmp_path: Path) -> None:
    for options in (("--files", "3"), ("--output", str(tmp_path))):
        ran = run("sample", "850", *options)
        assert (ran.code, ran.out) == (2, "")
        assert "--files and --output belong together." in ran.err
    assert [*tmp_path.iterdir()] == []
