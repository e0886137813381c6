"""Every operation of the service, in the order of the documentation."""

from typing import Final

from longshore.http import ops
from longshore.http.api_v1.parse import PARSE
from longshore.http.api_v1.ping import PING
from longshore.http.api_v1.schemas import SCHEMA, SCHEMAS
from longshore.http.api_v1.validate import VALIDATE
from longshore.http.operation import AnyOperation

OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    PING,
    PARSE,
    VALIDATE,
    SCHEMAS,
    SCHEMA,
    *ops.OPERATIONS,
)
