"""What a browser has to load: every file the build names is there, and the first page is small.

Sizes are those that travel: compressed as the server sends them.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from longshore.http.ui.files import CONTENT_TYPES, PREFIX, StaticFile, read_files
from longshore.http.ui.routes import STATIC_FOLDER

KILOBYTE = 1_000
FIRST_SCRIPT_KB = 260
FIRST_STYLE_KB = 40
MAPPER_KB = 60
MAPPER = "src/routes/MapperPage.tsx"

# Any: what Vite says of a chunk.
Manifest = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def manifest() -> Manifest:
    built = STATIC_FOLDER / ".vite/manifest.json"
    if not built.is_file():
        pytest.fail("the pages are not built: run `make web`")
    return dict(json.loads(built.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def files() -> dict[str, StaticFile]:
    return dict(read_files(STATIC_FOLDER))


def reached(manifest: Manifest, name: str) -> Iterator[str]:
    """Yield the chunk ``name`` and what has to be loaded before it can run."""
    yield name
    for each in manifest[name].get("imports", ()):
        yield from reached(manifest, each)


def other_pages(manifest: Manifest) -> Iterator[set[str]]:
    """Yield the chunks of each page but the mapper."""
    for name in manifest:
        if name.startswith("src/routes/") and name != MAPPER:
            yield set(reached(manifest, name))


def files_of(manifest: Manifest, chunks: set[str]) -> set[str]:
    """Return the addresses of the scripts and styles of some chunks."""
    return {
        PREFIX + file
        for name in chunks
        for file in (manifest[name]["file"], *manifest[name].get("css", ()))
    }


def kilobytes(files: dict[str, StaticFile], addresses: set[str], suffix: str) -> float:
    """Return the size of all files of one kind, as sent."""
    sent = (
        files[each].compressed or files[each].plain for each in addresses if each.endswith(suffix)
    )
    return sum(len(form.body) for form in sent) / KILOBYTE


def entry(manifest: Manifest) -> str:
    """Return the chunk that the page begins with."""
    (name,) = (name for name, chunk in manifest.items() if chunk.get("isEntry"))
    return name


def test_every_file_the_build_names_is_served_under_a_known_type(
    manifest: Manifest, files: dict[str, StaticFile]
) -> None:
    named = files_of(manifest, set(manifest))
    assert named - set(files) == set()
    known = set(CONTENT_TYPES.values())
    assert {path for path, file in files.items() if file.content_type not in known} == set()


def test_the_page_names_only_files_that_are_served(files: dict[str, StaticFile]) -> None:
    page = (STATIC_FOLDER / "index.html").read_text(encoding="utf-8")
    named = {part.partition('"')[0] for part in page.split('="/')[1:]}
    assert len(named) >= 4
    assert {f"/{path}" for path in named} - set(files) == set()


def test_the_first_page_is_within_its_budget(
    manifest: Manifest, files: dict[str, StaticFile], capsys: pytest.CaptureFixture[str]
) -> None:
    first = files_of(manifest, set(reached(manifest, entry(manifest))))
    script, style = (kilobytes(files, first, suffix) for suffix in (".js", ".css"))
    with capsys.disabled():
        print(  # noqa: T201 - the figure is for people
            f"\nfirst page: {script:.0f} of {FIRST_SCRIPT_KB} kB script, "
            f"{style:.0f} of {FIRST_STYLE_KB} kB style"
        )
    assert script <= FIRST_SCRIPT_KB
    assert style <= FIRST_STYLE_KB


def test_the_mapper_is_within_its_budget(
    manifest: Manifest, files: dict[str, StaticFile], capsys: pytest.CaptureFixture[str]
) -> None:
    first = files_of(manifest, set(reached(manifest, entry(manifest))))
    mapper = files_of(manifest, set(reached(manifest, MAPPER))) - first
    own = mapper - files_of(manifest, {each for page in other_pages(manifest) for each in page})
    whole, script = kilobytes(files, mapper, ".js"), kilobytes(files, own, ".js")
    with capsys.disabled():
        # The figures are for people.
        print(f"\nmapper: {script:.0f} of {MAPPER_KB} kB script")  # noqa: T201 - see above
        print(f"with what it shares with other pages: {whole:.0f} kB")  # noqa: T201 - see above
    assert 0 < script <= MAPPER_KB
