"""When the build of the browser application runs, and that it cannot fail unseen."""

import os
from pathlib import Path

import pytest

import hatch_build
from hatch_build import WebBuildHook, is_built

pytestmark = pytest.mark.full("runs npm")

INDEX = "src/longshore/http/ui/static/index.html"
SOURCES = ["web/package.json", "web/src/main.tsx", "web/public/icon.svg"]


def tree(root: Path, ages: dict[str, int]) -> Path:
    """Make the files of a source tree, each changed so many seconds ago."""
    for name, seconds in ages.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (1_000_000 - seconds, 1_000_000 - seconds))
    return root


def pack(root: Path, version: str = "standard") -> None:
    """Call the hook as hatchling does; of what it is given it needs the root alone."""
    hook = WebBuildHook(str(root), {}, None, None, "", "wheel")  # type: ignore[arg-type]  # it needs the root alone
    hook.initialize(version, {})


@pytest.fixture
def npm(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Where npm was asked to build; this one leaves nothing behind."""
    asked: list[Path] = []
    monkeypatch.setattr(hatch_build, "build", asked.append)
    return asked


def test_it_is_built_if_no_source_is_newer(tmp_path: Path) -> None:
    assert is_built(tree(tmp_path, {INDEX: 10, **dict.fromkeys(SOURCES, 10)}))
    for name in SOURCES:
        assert not is_built(tree(tmp_path, {name: 5}))
        assert is_built(tree(tmp_path, {name: 10}))


def test_what_npm_installed_is_no_source(tmp_path: Path) -> None:
    assert is_built(tree(tmp_path, {INDEX: 10, SOURCES[0]: 20, "web/node_modules/a/b.js": 0}))


def test_an_unpacked_source_package_is_built_whatever_its_times(tmp_path: Path) -> None:
    assert is_built(tree(tmp_path, {INDEX: 10, SOURCES[0]: 0, "PKG-INFO": 0}))


def test_without_its_page_it_is_never_built(tmp_path: Path) -> None:
    assert not is_built(tree(tmp_path, {SOURCES[0]: 0, "PKG-INFO": 0}))


def test_a_build_that_leaves_no_page_ends_the_packing(tmp_path: Path, npm: list[Path]) -> None:
    with pytest.raises(RuntimeError, match=r"left no .*index\.html"):
        pack(tree(tmp_path, {SOURCES[0]: 0}))
    assert npm == [tmp_path / "web"]


def test_what_is_built_is_not_built_again(tmp_path: Path, npm: list[Path]) -> None:
    pack(tree(tmp_path, {INDEX: 0, SOURCES[0]: 0}))
    assert npm == []


def test_nothing_is_built_for_an_editable_install_or_on_request(
    tmp_path: Path, npm: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree(tmp_path, {SOURCES[0]: 0})
    pack(root, "editable")
    monkeypatch.setenv("LONGSHORE_SKIP_WEB", "1")
    pack(root)
    assert npm == []


def test_an_npm_that_fails_ends_the_packing(tmp_path: Path) -> None:
    web = tree(tmp_path, {"web/package.json": 0}) / "web"
    (web / "package.json").write_text("no JSON", encoding="utf-8")
    with pytest.raises(RuntimeError, match="npm ci --ignore-scripts in web/ ended with status"):
        hatch_build.build(web)
