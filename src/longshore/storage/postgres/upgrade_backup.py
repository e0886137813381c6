"""The backup before a migration: taken by itself where that is possible, else insisted on.

A server's database may be large, its operator may have better means (base backups and the archive
of the log), and pg_dump may be missing where Longshore runs. So it can be waived, but only by a
person: a start never migrates a database that nobody has saved (decision 0008).
"""

from pathlib import Path
from typing import Final

from longshore.kit.clock import Clock
from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.postgres.backup import back_up_postgres
from longshore.storage.postgres.migrate import Saving
from longshore.storage.schema.catalogue import Migration
from longshore.storage.sqlite.data_directory import DIRECTORY_MODE

_SOLUTIONS: Final = (
    " Nothing was migrated. Make a backup by other means, then run"
    " 'longshore db upgrade --no-backup'; or correct this and try again."
)


def saving_to(folder: Path, url: str, clock: Clock, *, programs: Path | None = None) -> Saving:
    """Return what saves the database of ``url`` as ``before-vNNNN-<UTC time>.dump`` in ``folder``.

    Makes the folder. ``programs`` is the folder of pg_dump, if it is not on the PATH. The returned
    function refuses with ``DatabaseRefusedError`` what it cannot save, naming both ways out.
    """

    async def save(first: Migration) -> None:
        name = f"before-{first.name[:5]}-{clock.now():%Y%m%dT%H%M%SZ}.dump"
        try:
            _make_folder(folder)
            await back_up_postgres(url, folder / name, clock, programs=programs)
        except OSError as error:
            raise DatabaseRefusedError(
                f"The backup before the migration cannot be written: {error.strerror}.{_SOLUTIONS}"
            ) from error
        except DatabaseRefusedError as refusal:
            raise DatabaseRefusedError(
                f"The backup before the migration failed. {refusal.message}{_SOLUTIONS}"
            ) from refusal

    return save


def _make_folder(folder: Path) -> None:
    folder.mkdir(mode=DIRECTORY_MODE, parents=True, exist_ok=True)
