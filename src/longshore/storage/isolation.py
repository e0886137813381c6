"""Tables that belong to tenants (reliability.md section 5); both engines guard exactly these.

The rule, the same on both: a unit sees and changes the rows of its account. Where a table has an
environment, a production unit reaches the rows of both environments, a sandbox unit those of the
sandbox, a unit without an environment none. The system scope reaches all rows of the tables that
are named for it, and nothing of the others. Without a scope there are no rows.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantTable:
    """A table whose rows belong to accounts; queries read it through ``view``."""

    name: str
    account_column: str = "account_id"
    environment_column: str | None = None
    in_system_scope: bool = False
    is_append_only: bool = False
    """True if no unit may change or remove its rows."""

    @property
    def view(self) -> str:
        """The name of the view with the rows that the unit may see."""
        return f"{self.name}_scoped"


TENANT_TABLES: Final = (
    TenantTable(name="accounts", account_column="id", in_system_scope=True),
    TenantTable(name="account_usage", in_system_scope=True),
    TenantTable(name="api_keys", in_system_scope=True),
    TenantTable(name="users", in_system_scope=True),
    TenantTable(name="sessions", in_system_scope=True),
    TenantTable(name="one_time_links", in_system_scope=True),
    TenantTable(name="maps"),
    TenantTable(name="map_versions"),
    TenantTable(name="definitions", environment_column="environment"),
    TenantTable(name="vault_documents", environment_column="environment"),
    TenantTable(name="identities"),
    TenantTable(name="partners"),
    TenantTable(name="partner_tokens", in_system_scope=True),
    TenantTable(name="as2_identities", environment_column="environment", in_system_scope=True),
    TenantTable(name="control_counters", environment_column="environment"),
    TenantTable(name="receipts", environment_column="environment"),
    TenantTable(name="interchanges", environment_column="environment"),
    TenantTable(name="functional_groups", environment_column="environment"),
    TenantTable(name="transactions", environment_column="environment"),
    TenantTable(name="transaction_references", environment_column="environment"),
    TenantTable(name="request_traces", environment_column="environment"),
    TenantTable(name="response_traces", environment_column="environment"),
    TenantTable(name="acks", environment_column="environment"),
    TenantTable(name="outbox", environment_column="environment", in_system_scope=True),
    TenantTable(name="webhook_endpoints", environment_column="environment", in_system_scope=True),
    TenantTable(name="webhook_deliveries", environment_column="environment"),
    TenantTable(name="delivery_attempts", environment_column="environment"),
    TenantTable(name="as2_receipts", environment_column="environment"),
    # Logins, and what the operator does on the command line, are recorded in the system scope.
    TenantTable(name="account_sequences", in_system_scope=True),
    TenantTable(name="events", environment_column="environment"),
    TenantTable(name="audit_entries", in_system_scope=True, is_append_only=True),
    TenantTable(name="idempotency_keys", environment_column="environment"),
)

SHARED_TABLES: Final = frozenset({"schema_migrations", "sealing_keys", "number_reserves"})
"""Tables without an owner; every unit may read them."""
