"""Translation of PostgreSQL's errors to the one set that both engines share."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import asyncpg

from longshore.domain.ports import NotUniqueError
from longshore.storage.errors import (
    DatabaseRefusedError,
    OutsideScopeError,
    StorageUnavailableError,
)

RETRIED: Final = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError)
"""The transaction was in the way of another; the same unit may be run again at once."""

_Kinds = tuple[type[Exception], ...]

_REFUSALS: Final[_Kinds] = (
    asyncpg.ClientConfigurationError,  # an address that means nothing
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
)
LOSSES: Final[_Kinds] = (
    OSError,  # includes TimeoutError
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # shut down, not up yet, terminated
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.InterfaceError,  # the driver's word for a connection or a pool that is closed
    asyncpg.InternalClientError,  # its word for one that was closed between two of its own steps
)
"""The connection broke, so that nobody knows what the server still did."""

# The first row that fits holds; each with the seconds after which another try has a chance.
_UNAVAILABLE: Final[tuple[tuple[_Kinds, int, str], ...]] = (
    ((asyncpg.DiskFullError,), 10, "The disk of the database is full; nothing was stored."),
    (
        (asyncpg.QueryCanceledError, asyncpg.LockNotAvailableError),
        1,
        "The database is busy with other work; nothing was stored.",
    ),
    (
        (asyncpg.ReadOnlySQLTransactionError, asyncpg.InsufficientResourcesError),
        10,
        "The database cannot be written now; nothing was stored.",
    ),
    (RETRIED, 1, "The unit conflicted with others too often; nothing was stored."),
    (LOSSES, 5, "The database cannot be reached now; nothing was stored."),
)


@contextmanager
def driver_errors() -> Iterator[None]:
    """Turn the driver's errors into those both engines share."""
    try:
        yield
    except (
        asyncpg.PostgresError,
        asyncpg.InterfaceError,
        asyncpg.InternalClientError,
        OSError,
    ) as error:
        outcome = translated(error)
        raise outcome from error


def translated(error: Exception) -> Exception:
    """Return what the outside learns of an error of the driver.

    An error that says the *program* is wrong (a constraint, SQL, a value of the wrong type) stays
    what it is.
    """
    if isinstance(error, _REFUSALS):
        return DatabaseRefusedError(
            "The database server refused the login or has no database of that name, or"
            " database_url is no address such as postgresql://login@host/database."
        )
    if isinstance(error, asyncpg.InsufficientPrivilegeError) and "row-level security" in str(error):
        return OutsideScopeError()
    if isinstance(error, asyncpg.UniqueViolationError):
        return NotUniqueError("another row has a value that may exist once")
    if isinstance(error, asyncpg.InterfaceError) and isinstance(error, ValueError):
        return error
    for kinds, retry_after_seconds, message in _UNAVAILABLE:
        if isinstance(error, kinds):
            return StorageUnavailableError(message, retry_after_seconds=retry_after_seconds)
    return error
