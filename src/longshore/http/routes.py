"""Every operation of the service, in the order of the documentation."""

from typing import Final

from longshore.http import ops
from longshore.http.api_v1.convert import CONVERT
from longshore.http.api_v1.documents import DOCUMENT
from longshore.http.api_v1.parse import PARSE
from longshore.http.api_v1.ping import PING
from longshore.http.api_v1.schemas import SCHEMA, SCHEMAS
from longshore.http.api_v1.validate import VALIDATE
from longshore.http.operation import AnyOperation
from longshore.http.session import (
    account,
    account_password,
    documents,
    inspect,
    keys,
    map_history,
    map_suggestions,
    map_trials,
    maps,
    samples,
    session,
    users,
    vault,
)

OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    PING,
    PARSE,
    VALIDATE,
    CONVERT,
    SCHEMAS,
    SCHEMA,
    DOCUMENT,
    *session.OPERATIONS,
    *account_password.OPERATIONS,
    *users.OPERATIONS,
    *keys.OPERATIONS,
    *documents.OPERATIONS,
    *samples.OPERATIONS,
    *inspect.OPERATIONS,
    *maps.OPERATIONS,
    *map_history.OPERATIONS,
    *map_trials.OPERATIONS,
    *map_suggestions.OPERATIONS,
    *vault.OPERATIONS,
    *account.OPERATIONS,
    *ops.OPERATIONS,
)
