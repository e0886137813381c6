"""``longshore redact``: one document, several, and the key."""

from pathlib import Path

from longshore.engine import redact
from tests.unit.cli.conftest import CommandLine
from tests.unit.x12.documents import an_850

KEY = b"a key of 16 byte"


def written(folder: Path) -> tuple[Path, Path]:
    document, key = folder / "order.edi", folder / "secret.key"
    document.write_text(an_850(), encoding="ascii")
    key.write_bytes(KEY)
    return document, key


def test_a_document_is_printed_as_the_engine_makes_it(run: CommandLine, tmp_path: Path) -> None:
    document, key = written(tmp_path)
    ran = run("redact", str(document), "--key-file", str(key))
    assert (ran.code, ran.out, ran.err) == (0, redact(an_850(), KEY).text, "")


def test_without_a_key_each_run_has_its_own(run: CommandLine, tmp_path: Path) -> None:
    document, _ = written(tmp_path)
    first, second = (run("redact", str(document)).out for _ in range(2))
    assert len({first, second, an_850()}) == 3


def test_several_documents_are_written_into_a_folder(run: CommandLine, tmp_path: Path) -> None:
    document, key = written(tmp_path)
    other = tmp_path / "in" / "other.edi"
    other.parent.mkdir()
    other.write_text(an_850(), encoding="ascii")
    given = ("redact", str(document), str(other.parent), "--key-file", str(key))
    ran = run(*given)
    assert (ran.code, ran.out) == (2, "")
    assert "Several documents need --out, the folder to write to." in ran.err
    folder = tmp_path / "out"
    ran = run(*given, "--out", str(folder))
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    text = redact(an_850(), KEY).text
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "order.edi": text,
        "other.edi": text,
    }
    assert run(*given, "--out", str(folder)).code == 2
    assert run(*given, "--out", str(folder), "--force").code == 0


def test_two_documents_of_one_name_are_refused(run: CommandLine, tmp_path: Path) -> None:
    document, _ = written(tmp_path)
    other = tmp_path / "in" / "order.edi"
    other.parent.mkdir()
    other.write_text(an_850(), encoding="ascii")
    ran = run("redact", str(document), str(other), "--out", str(tmp_path / "out"))
    assert ran.code == 2
    assert "Two of the documents are named order.edi." in ran.err
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_redacted_is_refused(run: CommandLine, tmp_path: Path) -> None:
    document, key = written(tmp_path)
    key.write_bytes(b"short")
    ran = run("redact", str(document), "--key-file", str(key), "--out", str(tmp_path / "new.edi"))
    assert (ran.code, ran.out) == (2, "")
    assert "The key has 5 octets; it must have at least 16." in ran.err
    assert not (tmp_path / "new.edi").exists()
