"""R2: a process that dies at a named point leaves whole units, and what it began is done once.

A scene is played twice from the same rows: once without a death, its rows kept after each unit;
once by a process that ends by SIGKILL at a point. What lies there then is what lay there after as
many units, row for row. The next process does what the first has not told anybody it has done;
in the end both plays have had the same effects.
"""

import signal
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree

import pytest

from longshore.domain.audit.service import AuditAdministration
from longshore.domain.ports import AccountId
from longshore.storage.sqlite.database import SqliteDatabase
from tests.support.crash_scenes import DOUBLED, SCENES, TORN
from tests.support.crashes import (
    LEASE_OVER,
    NEXT,
    SETTING,
    FolderDestination,
    Rows,
    Scene,
    Site,
    all_rows,
    died,
    effects,
    plain_run,
    staged,
)
from tests.support.database import Engine, PostgresEngine
from tests.support.postgres import PostgresServer

pytestmark = pytest.mark.full("kills processes")

DEATHS = [(name, point) for name, scene in SCENES.items() for point in scene.points]
ON_POSTGRES = [
    ("a document is submitted", "submission.submit.before_commit"),
    ("a document is submitted", "submission.submit.after_commit"),
    ("a document is delivered", "dispatch.send.after_answer"),
    ("a document is delivered", "dispatch.conclude.before_commit"),
    ("a message is sent whose receipt comes later", "dispatch.conclude.before_commit"),
    ("a receipt is taken", "as2.take_receipt.before_commit"),
    ("a receipt of ours is sent", "as2.send_receipt.before_commit"),
    ("a receipt is processed", "processing.record.before_commit"),
    ("a document is taken in", "intake.receive.before_commit"),
]


@dataclass(frozen=True)
class Play:
    """A scene as it goes without a death. ``units``: the rows before and after each unit."""

    site: Site
    units: Sequence[Rows]
    end: Rows


async def prepared(site: Site, scene: Scene, engine: Engine) -> Site:
    await engine.create()
    async with staged(site, SETTING) as stage:
        await scene.prepare(stage)
    return site


async def played(scene: Scene, folder: Path) -> Play:
    """Play a scene on SQLite."""
    site = Site(folder / "before")
    site.folder.mkdir(parents=True)
    await prepared(site, scene, site.sqlite)
    plain = copied(site, folder / "after")
    units, end = await plain_run(plain, scene, plain.sqlite)
    return Play(site, units, end)


def copied(site: Site, folder: Path) -> Site:
    copytree(site.folder, folder)
    return Site(folder)


class Plays:
    """The plays of all scenes on SQLite, each made once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[str, Play] = {}

    async def of(self, name: str) -> Play:
        if name not in self._made:
            self._made[name] = await played(SCENES[name], self._folder / name.replace(" ", "_"))
        return self._made[name]


@pytest.fixture(scope="module")
def plays(tmp_path_factory: pytest.TempPathFactory) -> Plays:
    return Plays(tmp_path_factory.mktemp("plays"))


async def go_on(site: Site, scene: Scene, *, is_stored: bool) -> None:
    """Be the next process: whoever had no answer asks again, and all that waits is done."""
    is_refused = is_stored and scene.refusal is not None
    async with staged(site, NEXT, scene.later + LEASE_OVER) as stage:
        if not (is_stored and scene.is_found):
            with pytest.raises(scene.refusal) if is_refused and scene.refusal else nullcontext():
                await scene.act(stage)
        await stage.settle()


def insist_on_same_effects(scene: Scene, plain: Rows, found: Rows, *, is_stored: bool) -> None:
    """Check that what was begun is done once; ``is_stored``: the first process had stored all."""
    wanted, got = effects(plain), effects(found)
    if scene.adds and is_stored:
        assert len(got.pop(scene.adds)) == len(wanted.pop(scene.adds)) + 1
    assert got == wanted


async def insist_on_sound(site: Site, rows: Rows) -> None:
    """Check the database itself, and the chain of its audit log."""
    async with site.open() as database:
        verdict = await AuditAdministration(database.units).verify(AccountId(1))
        if isinstance(database, SqliteDatabase):
            assert database.integrity_check() == ()
    own = [each for each in rows["audit_entries"] if each["account_id"] == 1]
    assert (verdict.broken_at, verdict.entries) == (None, len(own))


async def insist_on_one_effect(
    site: Site, scene: Scene, point: str, play: Play, engine: Engine
) -> None:
    """Check what the dead process left, let the next one go on, and check what there is then."""
    stored = scene.points[point]
    assert await all_rows(engine) == play.units[stored]
    is_stored = stored == len(play.units) - 1
    await go_on(site, scene, is_stored=is_stored)
    end = await all_rows(engine)
    insist_on_same_effects(scene, play.end, end, is_stored=is_stored)
    await insist_on_sound(site, end)
    copies = FolderDestination(site.folder / "parcels").copies()
    assert sorted(copies.values())[:-1] == [1] * (len(copies) - 1)
    assert max(copies.values(), default=1) == 1 + (point in scene.sends_twice)


@pytest.mark.parametrize("name", SCENES)
async def test_each_unit_of_a_scene_changes_something(plays: Plays, name: str) -> None:
    units = (await plays.of(name)).units
    stored = max(SCENES[name].points.values())
    assert all(units[at] != units[at + 1] for at in range(stored))


@pytest.mark.parametrize(("name", "point"), DEATHS)
async def test_a_death_leaves_whole_units_and_what_was_begun_is_done_once(
    plays: Plays, tmp_path: Path, name: str, point: str
) -> None:
    play = await plays.of(name)
    site = copied(play.site, tmp_path / "site")
    assert died(site, SCENES[name], point) == -signal.SIGKILL
    await insist_on_one_effect(site, SCENES[name], point, play, site.sqlite)


@pytest.mark.parametrize(
    ("_case", "scene", "point"),
    [
        ("torn", TORN, "partners.identities.before_commit"),
        ("doubled", DOUBLED, "partners.rotate.after_commit"),
    ],
)
async def test_an_effect_that_is_torn_or_doubled_would_be_noticed(
    tmp_path: Path, _case: str, scene: Scene, point: str
) -> None:
    play = await played(scene, tmp_path / "play")
    site = copied(play.site, tmp_path / "site")
    assert died(site, scene, point) == -signal.SIGKILL
    with pytest.raises(AssertionError):
        await insist_on_one_effect(site, scene, point, play, site.sqlite)


@pytest.mark.parametrize(("name", "point"), ON_POSTGRES)
async def test_on_postgresql_it_is_the_same(
    postgres_server: PostgresServer, tmp_path: Path, name: str, point: str
) -> None:
    engine, scene = PostgresEngine(postgres_server), SCENES[name]
    site = await prepared(Site(tmp_path, engine.url), scene, engine)
    units, end = await plain_run(site, scene, engine)
    for path in (tmp_path / "parcels").iterdir():
        path.unlink()
    await prepared(site, scene, engine)
    assert died(site, scene, point) == -signal.SIGKILL
    await insist_on_one_effect(site, scene, point, Play(site, units, end), engine)
