"""Storage that the documents of an account use, and the quota that it has for them.

Bytes are those of receipts, interchanges and vault documents as they are stored; records are these
and transactions. They are counted in the unit that stores or removes them.
"""

from dataclasses import dataclass

from longshore.domain.ports import StorageQuota


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountUsage:
    """Storage that an account uses."""

    bytes: int = 0
    records: int = 0
    max_bytes: int | None = None
    """The quota of this account; None: that of the settings, 0: none."""
    max_records: int | None = None
    is_near: bool = False
    """True if the event about the quota was recorded and the usage has not fallen since."""

    def quota(self, default: StorageQuota) -> StorageQuota:
        """Return the quota that holds for the account."""
        return type(default)(
            max_bytes=default.max_bytes if self.max_bytes is None else self.max_bytes,
            max_records=default.max_records if self.max_records is None else self.max_records,
        )
