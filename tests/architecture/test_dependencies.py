"""The doors stay light: the engine needs the standard library alone, the package nothing."""

import json
import subprocess
import sys

# Loaded by an interpreter that serves nothing and stores nothing.
NOT_FOR_THE_ENGINE = {"asyncio", "sqlite3", "socket", "ssl", "threading", "logging", "http"}


def loaded_by(statement: str) -> set[str]:
    """Return the top-level modules that ``statement`` brings into a fresh interpreter."""
    code = (
        "import json, sys; before = set(sys.modules)\n"
        f"{statement}\n"
        "print(json.dumps([name for name in sys.modules if name not in before]))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    return {name.split(".")[0] for name in json.loads(answer.stdout)}


def test_importing_the_package_loads_nothing_else() -> None:
    assert loaded_by("import longshore") == {"longshore"}


def test_the_engine_needs_no_third_party_module() -> None:
    assert loaded_by("import longshore.engine") - sys.stdlib_module_names == {"longshore"}


def test_parsing_loads_no_loop_no_socket_and_no_database() -> None:
    statement = "from longshore.engine import parse; parse('ST*850*1~SE*2*1~')"
    loaded = loaded_by(statement)
    assert loaded & NOT_FOR_THE_ENGINE == set()
    assert loaded - sys.stdlib_module_names == {"longshore"}
