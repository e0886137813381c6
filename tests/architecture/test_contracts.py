"""The import contracts hold, and would be noticed if they did not."""

import configparser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.repository import ROOT, python_files

# For each contract an import that breaks it: module file and what is written into it.
PLANTS = {
    "layers": [
        ("kit/errors.py", "import longshore.x12"),
        ("x12/findings.py", "import longshore.formats"),
        ("formats/document.py", "import longshore.mapping"),
        ("mapping/__init__.py", "import longshore.engine"),
        ("engine/__init__.py", "import longshore.domain"),
        ("domain/__init__.py", "import longshore.telemetry"),
        ("telemetry/__init__.py", "import longshore.http"),
        ("http/__init__.py", "import longshore.storage"),
        ("storage/__init__.py", "import longshore.compute"),
        ("compute/__init__.py", "import longshore.wiring"),
        ("worker/__init__.py", "import longshore.transport"),
        ("wiring.py", "import longshore.cli"),
    ],
    "sans-io": [("x12/findings.py", "import os"), ("formats/document.py", "import msgspec")],
    "digests": [("x12/findings.py", "import hashlib")],
    "domain-is-plain": [("domain/__init__.py", "import sqlalchemy")],
    "settings": [("http/__init__.py", "import longshore.settings")],
    "x12-order": [("x12/findings.py", "import longshore.x12.delimiters")],
    "acyclic": [
        ("kit/clock.py", "import longshore.kit.ids"),
        ("kit/ids.py", "import longshore.kit.clock"),
    ],
    "http-framework": [("telemetry/__init__.py", "import starlette")],
    "driver-sqlite": [("telemetry/__init__.py", "import apsw")],
    "driver-postgres": [("telemetry/__init__.py", "import asyncpg")],
    "schema-tools": [("telemetry/__init__.py", "import alembic")],
    "sealing": [("telemetry/__init__.py", "import cryptography")],
    "cms": [("telemetry/__init__.py", "import asn1crypto")],
    "password-hashing": [("telemetry/__init__.py", "import argon2")],
    "outbound-http": [("telemetry/__init__.py", "import aiohttp")],
    "ssh": [("telemetry/__init__.py", "import asyncssh")],
}
LIBRARY_CONTRACTS = {
    "starlette": "http-framework",
    "apsw": "driver-sqlite",
    "asyncpg": "driver-postgres",
    "alembic": "schema-tools",
    "cryptography": "sealing",
    "asn1crypto": "cms",
    "argon2": "password-hashing",
    "aiohttp": "outbound-http",
    "asyncssh": "ssh",
}


def contracts() -> dict[str, configparser.SectionProxy]:
    config = configparser.ConfigParser()
    config.read(ROOT / ".importlinter", encoding="utf-8")
    prefix = "importlinter:contract:"
    return {
        name.removeprefix(prefix): config[name]
        for name in config.sections()
        if name.startswith(prefix)
    }


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the contracts of ``folder`` over its own ``src``."""
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-c", command, "--no-logo", "--no-cache"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "src"), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy what the contracts look at, so that something can be planted in it."""
    shutil.copy(ROOT / ".importlinter", tmp_path)
    shutil.copytree(
        ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "*.sql")
    )
    return tmp_path


def test_every_contract_is_kept() -> None:
    done = lint_imports(ROOT)
    assert (done.returncode, done.stdout.count(" KEPT")) == (0, len(contracts())), done.stdout


def test_each_planted_import_breaks_its_contract_and_is_named(copy: Path) -> None:
    expected = [plant for name in contracts() for plant in PLANTS[name]]
    for file, line in expected:
        module = copy / "src/longshore" / file
        module.write_text(f"{module.read_text(encoding='utf-8')}\n{line}\n", encoding="utf-8")
    done = lint_imports(copy)
    assert done.returncode == 1
    kept = [
        name for name, section in contracts().items() if f"{section['name']} KEPT" in done.stdout
    ]
    assert kept == []
    unnamed = [line for file, line in expected if not is_named(done.stdout, file, line)]
    assert unnamed == [line for _, line in PLANTS["acyclic"]]  # a cycle is named as one
    assert "No cycles are allowed in longshore.kit." in done.stdout


def is_named(output: str, file: str, line: str) -> bool:
    """Return whether the report names the importing module together with what it imports."""
    importer = "longshore." + file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    imported = line.removeprefix("import ")
    both = rf"{re.escape(importer)}\b[^\n]*->[^\n]*\b{re.escape(imported.split('.')[0])}"
    return re.search(both, output) is not None or f"{importer} is not allowed" in output


def test_a_new_package_outside_the_layers_is_refused(copy: Path) -> None:
    package = copy / "src/longshore/utilities"
    package.mkdir()
    (package / "__init__.py").touch()
    done = lint_imports(copy)
    assert (done.returncode, "utilities" in done.stdout) == (1, True)


@pytest.mark.parametrize(("name", "folder"), [("layers", "."), ("x12-order", "x12")])
def test_no_layer_that_exists_is_still_in_parentheses(name: str, folder: str) -> None:
    absent = re.findall(r"\((\w+)\)", contracts()[name]["layers"])
    place = ROOT / "src/longshore" / folder
    existing = {path.stem for path in place.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert [layer for layer in absent if layer in existing] == []


@pytest.mark.parametrize("library", LIBRARY_CONTRACTS)
def test_a_contract_is_on_once_its_library_is_imported(library: str) -> None:
    first_import = re.compile(rf"^\s*(?:import|from) {library}\b", re.MULTILINE)
    importers = [
        path.relative_to(ROOT).as_posix()
        for path in python_files("src")
        if first_import.search(path.read_text(encoding="utf-8"))
    ]
    assert importers == [] or LIBRARY_CONTRACTS[library] in contracts()
