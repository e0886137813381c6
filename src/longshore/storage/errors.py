"""Refusals of storage: for now (waiting helps) or as it stands (the operator must act)."""

from longshore.kit.errors import ErrorCode, LongshoreError


class StorageUnavailableError(LongshoreError):
    """The database cannot serve now; nothing of the unit was kept, and it may be tried again."""

    def __init__(self, message: str, *, retry_after_seconds: int = 1) -> None:
        super().__init__(
            ErrorCode.STORAGE_UNAVAILABLE, message, retry_after_seconds=retry_after_seconds
        )


class OutsideScopeError(RuntimeError):
    """A unit wrote a row outside its scope: a mistake of the program, of which nothing was kept."""

    def __init__(self) -> None:
        super().__init__("a unit wrote a row outside its scope")


class DatabaseRefusedError(LongshoreError):
    """The database, its place or its settings are not fit for use; the text says what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(ErrorCode.STORAGE_UNAVAILABLE, message, retry_after_seconds=60)
