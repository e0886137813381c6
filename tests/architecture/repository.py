"""The files of this repository, with git or, in an exported tree, without."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOT_OURS = frozenset({
    "__pycache__",
    "build",
    "dist",
    "longshore-data",
    "bench-results",
    "node_modules",
    "static",
})


def files() -> list[Path]:
    """List every file of ours: what git tracks or would add, else the tree without its caches."""
    answer = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if answer.returncode == 0 and (ROOT / ".git").exists():
        paths = (ROOT / name for name in answer.stdout.decode().split("\0") if name)
        return sorted(path for path in paths if path.is_file())
    return sorted(walk(ROOT))


def walk(folder: Path) -> Iterator[Path]:
    """Yield the files below ``folder`` that are not made by a tool."""
    for path in folder.iterdir():
        if path.is_file():
            if not path.name.startswith(".coverage"):
                yield path
        elif path.name not in NOT_OURS and (path.name == ".ci" or not path.name.startswith(".")):
            yield from walk(path)


def python_files(*folders: str) -> list[Path]:
    """List the Python files below ``folders``."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
