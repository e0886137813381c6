"""Clients that the usual generators make of openapi.json call a real server, typed and strict."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from longshore.http.routes import OPERATIONS
from tests.system.server import serving

ROOT = Path(__file__).parents[2]
CALLS = Path(__file__).parent / "generated_clients"
SAMPLE = ROOT / "samples" / "850_purchase_order" / "input.edi"
MODULES = ROOT / "web" / "node_modules"
PROGRAMS = os.pathsep.join((str(MODULES / ".bin"), str(Path(sys.executable).parent)))
STRICT_TYPESCRIPT = (
    *("tsc", "--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"),
    *("--module", "esnext", "--moduleResolution", "bundler"),
    *("--target", "es2023", "--lib", "es2023,dom"),
)
PRINTED = [
    "parse True PO-20260302-17",
    "raw True PO-20260302-17 32",
    "validate True True 997",
    'convert True {"number":"PO-20260302-17"}',
    "submit True queued True",
    "list True True True",
    "refused False document_empty",
]


def run(folder: Path, *command: str) -> str:
    """Run a program that must succeed; return what it prints."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PATH": os.pathsep.join((PROGRAMS, os.environ["PATH"]))},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, f"{command[0]}\n{done.stdout}"
    return done.stdout


def calling(folder: Path, *command: str) -> list[str]:
    """Run a program that calls a new server; return the lines it prints."""
    folder = folder / "served"
    folder.mkdir()
    with serving(folder) as server:
        (key,) = set(re.findall("svc_test_[0-9A-Za-z]{36}", server.printed))
        document = SAMPLE.read_text("utf-8")
        return run(folder.parent, *command, server.address, key, document).splitlines()


@pytest.mark.timeout(240)
def test_a_python_client_is_generated_whole_and_calls_the_service(tmp_path: Path) -> None:
    generator = ("openapi-python-client", "generate", "--path", str(ROOT / "openapi.json"))
    said = run(
        tmp_path, *generator, "--meta", "none", "--output-path", "longshore_client",
        "--fail-on-warning",
    )  # fmt: skip
    assert not re.search("warning|error", said, re.IGNORECASE), said
    made = [path.stem for path in (tmp_path / "longshore_client" / "api").glob("*/*.py")]
    assert len(made) - made.count("__init__") == len(OPERATIONS)
    (tmp_path / "calls.py").write_text((CALLS / "calls.py.txt").read_text("utf-8"), "utf-8")
    # Of the generated modules the types are followed; how the generator wrote them is not judged.
    run(
        tmp_path, "mypy", "--strict", "--config-file=", "--follow-imports=silent",
        "--cache-dir=cache", "calls.py",
    )  # fmt: skip
    assert calling(tmp_path, sys.executable, "-W", "error", "calls.py") == PRINTED


@pytest.mark.timeout(240)
def test_a_typescript_client_is_generated_whole_and_calls_the_service(tmp_path: Path) -> None:
    (tmp_path / "node_modules").symlink_to(MODULES)
    said = run(
        tmp_path, "openapi-typescript", str(ROOT / "openapi.json"), "--output", "schema.d.ts"
    )
    assert not re.search("warning|error", said, re.IGNORECASE), said
    schema = (tmp_path / "schema.d.ts").read_text("utf-8")
    operations = schema.partition("export interface operations {")[2]
    assert len(re.findall(r"^    \w+: \{$", operations, re.MULTILINE)) == len(OPERATIONS)
    (tmp_path / "calls.mts").write_text((CALLS / "calls.mts.txt").read_text("utf-8"), "utf-8")
    run(tmp_path, *STRICT_TYPESCRIPT, "calls.mts")
    said_by_node = calling(tmp_path, "node", "calls.mts")
    assert said_by_node == [
        line.replace("True", "true").replace("False", "false") for line in PRINTED
    ]
