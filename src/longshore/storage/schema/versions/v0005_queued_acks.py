"""Our own acknowledgements are ``queued`` until they are sent. See decision 0021.

Until now they were ``pending``, as those are that partners still have to send.
"""

from typing import Final

from alembic import op

_RENAME: Final = (
    "UPDATE acks SET status = 'queued' WHERE direction = 'outbound' AND status = 'pending'"
)


def upgrade() -> None:
    """Rename the status of our acknowledgements that are not sent yet."""
    op.execute(_RENAME)
