"""Every operation of the service, in the order of the documentation."""

from typing import Final

from longshore.http import ops
from longshore.http.api_v1.acks import LIST_ACKS
from longshore.http.api_v1.convert import CONVERT
from longshore.http.api_v1.definition_operations import DEFINITION_OPERATIONS
from longshore.http.api_v1.documents import DOCUMENT
from longshore.http.api_v1.events import LIST_EVENTS
from longshore.http.api_v1.parse import PARSE
from longshore.http.api_v1.partners import LIST_PARTNERS, SHOW_PARTNER
from longshore.http.api_v1.ping import PING
from longshore.http.api_v1.samples import SAMPLE
from longshore.http.api_v1.schemas import SCHEMA, SCHEMAS
from longshore.http.api_v1.submit import SUBMIT
from longshore.http.api_v1.transaction_actions import TRANSACTION_ACTIONS
from longshore.http.api_v1.transaction_redrive import TRANSACTION_REDRIVE
from longshore.http.api_v1.transactions import TRANSACTION_READS
from longshore.http.api_v1.validate import VALIDATE
from longshore.http.api_v1.webhook_operations import WEBHOOK_OPERATIONS
from longshore.http.edi import as2 as inbound_as2
from longshore.http.edi import receive
from longshore.http.operation import AnyOperation
from longshore.http.session import (
    account,
    account_password,
    acks,
    as2,
    attention,
    audit,
    connection_checks,
    definitions,
    documents,
    events,
    exports,
    inspect,
    interchanges,
    keys,
    map_history,
    map_suggestions,
    map_trials,
    maps,
    partners,
    samples,
    session,
    stats,
    submit,
    transactions,
    users,
    vault,
    webhooks,
)

OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    PING,
    PARSE,
    VALIDATE,
    CONVERT,
    SCHEMAS,
    SCHEMA,
    SAMPLE,
    *DEFINITION_OPERATIONS,
    DOCUMENT,
    LIST_PARTNERS,
    SHOW_PARTNER,
    SUBMIT,
    *TRANSACTION_READS,
    *TRANSACTION_ACTIONS,
    TRANSACTION_REDRIVE,
    LIST_ACKS,
    LIST_EVENTS,
    *WEBHOOK_OPERATIONS,
    *session.OPERATIONS,
    *account_password.OPERATIONS,
    *stats.OPERATIONS,
    *attention.OPERATIONS,
    *users.OPERATIONS,
    *keys.OPERATIONS,
    *documents.OPERATIONS,
    *samples.OPERATIONS,
    *inspect.OPERATIONS,
    *definitions.OPERATIONS,
    *maps.OPERATIONS,
    *map_history.OPERATIONS,
    *map_trials.OPERATIONS,
    *map_suggestions.OPERATIONS,
    *vault.OPERATIONS,
    *account.OPERATIONS,
    *partners.OPERATIONS,
    *connection_checks.OPERATIONS,
    *as2.OPERATIONS,
    *interchanges.OPERATIONS,
    *receive.OPERATIONS,
    *inbound_as2.OPERATIONS,
    *submit.OPERATIONS,
    *transactions.OPERATIONS,
    *acks.OPERATIONS,
    *events.OPERATIONS,
    *webhooks.OPERATIONS,
    *audit.OPERATIONS,
    *exports.OPERATIONS,
    *ops.OPERATIONS,
)
