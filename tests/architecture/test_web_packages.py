"""The packages of the browser application are pinned, hashed, whole, explained, and of one set."""

import json
import re
from typing import Any

import pytest

from tests.architecture.repository import ROOT
from tools.strip_npm_lock import stripped

LOCK_TEXT = (ROOT / "web/package-lock.json").read_text(encoding="utf-8")
LOCK = json.loads(LOCK_TEXT)
PACKAGE = json.loads((ROOT / "web/package.json").read_text(encoding="utf-8"))
DIRECT = PACKAGE["dependencies"] | PACKAGE["devDependencies"]

# Any: what npm writes of a package.
Facts = dict[str, Any]


def installed(lock: Facts) -> dict[str, Facts]:
    """Map the place of each locked package to what is known of it."""
    return {place: facts for place, facts in lock["packages"].items() if place}


def faults(lock: Facts) -> list[str]:
    """Name the packages that are not pinned by version and hash, or say where they come from."""
    return [
        place
        for place, facts in installed(lock).items()
        if not facts.get("version")
        or not facts.get("integrity", "").startswith("sha512-")
        or "resolved" in facts
    ]


def absent(lock: Facts) -> list[str]:
    """Name what a locked package asks for and the lock lacks: then ``npm ci`` refuses the lock.

    A package that is there for other systems only has to be in it too.
    """
    places = installed(lock)
    return [
        f"{name} of {place}"
        for place, facts in places.items()
        for kind in ("dependencies", "optionalDependencies")
        for name in facts.get(kind, {})
        if not is_found(name, place, places)
    ]


def is_found(name: str, place: str, places: dict[str, Facts]) -> bool:
    """Return whether Node, from ``place`` upwards, comes to a package called ``name``."""
    while place:
        if f"{place}/node_modules/{name}" in places:
            return True
        place = place.rpartition("node_modules/")[0].rstrip("/")
    return f"node_modules/{name}" in places


def test_every_package_is_pinned_and_hashed_and_no_address_is_named() -> None:
    assert faults(LOCK) == []
    assert [line for line in LOCK_TEXT.splitlines() if "://" in line] == []


def test_a_bad_lock_would_be_noticed() -> None:
    facts = {"version": "1.0.0", "integrity": "sha512-x"}
    assert faults({"packages": {"": {}, "node_modules/a": facts}}) == []
    for bad in ({"version": ""}, {"integrity": "sha1-x"}, {"resolved": "elsewhere"}):
        assert faults({"packages": {"node_modules/a": facts | bad}}) == ["node_modules/a"]


def test_the_lock_is_whole_for_every_system() -> None:
    assert absent(LOCK) == []


def test_a_missing_package_would_be_noticed() -> None:
    wants_c = {"optionalDependencies": {"c": "1"}}
    nested: Facts = {"node_modules/a": {}, "node_modules/a/node_modules/b": wants_c}
    assert absent({"packages": nested}) == ["c of node_modules/a/node_modules/b"]
    for place in ("node_modules/c", "node_modules/a/node_modules/c"):
        assert absent({"packages": {**nested, place: {}}}) == []


def test_direct_packages_have_an_exact_version_which_is_the_locked_one() -> None:
    assert [each for each in DIRECT.values() if not re.fullmatch(r"\d+\.\d+\.\d+", each)] == []
    locked = installed(LOCK)
    assert {name: locked[f"node_modules/{name}"]["version"] for name in DIRECT} == DIRECT


def test_all_of_mantine_has_one_version() -> None:
    found = {
        place: facts["version"]
        for place, facts in installed(LOCK).items()
        if "node_modules/@mantine/" in place
    }
    assert len(found) >= 7
    assert set(found.values()) == {PACKAGE["dependencies"]["@mantine/core"]}


def test_every_direct_package_has_its_reason_on_the_dependencies_page() -> None:
    page = (ROOT / "docs/explanation/dependencies.md").read_text(encoding="utf-8")
    browser = page.partition("\n## In the browser\n")[2].partition("\n## ")[0]
    assert {name for name in DIRECT if f"`{name}`" not in browser} == set()


def test_stripping_takes_funding_and_refuses_any_other_address() -> None:
    lock = {"packages": {"": {}, "node_modules/a": {"version": "1", "funding": {"url": "a://b"}}}}
    assert json.loads(stripped(json.dumps(lock))) == {
        "packages": {"": {}, "node_modules/a": {"version": "1"}}
    }
    with pytest.raises(ValueError, match="names an address"):
        stripped(json.dumps({"packages": {"node_modules/a": {"resolved": "a://b"}}}))
