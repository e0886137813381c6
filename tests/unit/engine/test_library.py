"""The engine as a library: what it exports, what it does with something that is no document."""

import ast
import io
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from longshore import engine, kit
from longshore.engine import ErrorCode, LongshoreError, acknowledge, convert, parse, validate
from longshore.x12.findings import Finding, FindingCode, Severity

RULES = [{"src": "BEG.03", "tgt": "number"}]
PATH = Path("order.edi")


NO_DOCUMENT = "A document is str or bytes, not {}."
OF_PATH = " The engine opens no files: pass path.read_bytes()."
OF_FILE = " Pass what file.read() returns, of a file opened with 'rb'."


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (PATH, NO_DOCUMENT.format(type(PATH).__name__) + OF_PATH),
        (None, NO_DOCUMENT.format("NoneType")),
        (io.BytesIO(b"ISA"), NO_DOCUMENT.format("BytesIO") + OF_FILE),
    ],
    ids=["path", "None", "file"],
)
def test_what_is_no_document_is_a_type_error(given: object, message: str) -> None:
    for call in (
        lambda: parse(given),  # type: ignore[arg-type]  # the point
        lambda: validate(given),  # type: ignore[arg-type]  # the point
        lambda: acknowledge(given),  # type: ignore[arg-type]  # the point
        lambda: convert(given, RULES),  # type: ignore[arg-type]  # the point
    ):
        with pytest.raises(TypeError) as refused:
            call()
        assert str(refused.value) == message


def test_errors_and_findings_are_exported() -> None:
    assert (engine.LongshoreError, engine.ErrorCode, engine.ErrorDetail) == (
        kit.errors.LongshoreError,
        kit.errors.ErrorCode,
        kit.errors.ErrorDetail,
    )
    assert (engine.Finding, engine.FindingCode, engine.Severity) == (
        Finding,
        FindingCode,
        Severity,
    )
    with pytest.raises(LongshoreError) as refused:
        parse("Dear partner")
    assert refused.value.code is ErrorCode.DOCUMENT_UNPARSEABLE


def test_the_package_says_that_it_is_typed() -> None:
    assert files("longshore").joinpath("py.typed").is_file()


def test_the_command_line_imports_no_command_that_is_not_called() -> None:
    script = "import sys, longshore.cli.main; print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    loaded = set(ast.literal_eval(done.stdout.decode()))
    assert loaded.isdisjoint({"longshore.engine", "longshore.wiring", "apsw", "starlette"})
    assert "longshore.cli.completion" not in loaded
