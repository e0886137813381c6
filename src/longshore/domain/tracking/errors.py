"""Refusals of tracking; those that the states make are in ``transactions.errors``."""

from longshore.domain.transactions.errors import ActionRefusedError
from longshore.kit.errors import ErrorCode, LongshoreError


class NothingStoredError(LongshoreError):
    """There is a transaction, but not what was asked of it."""

    def __init__(self, text: str) -> None:
        super().__init__(ErrorCode.NOT_FOUND, text)


class ConcurrentChangeError(ActionRefusedError):
    """Somebody else, or a delivery, changed the transaction while this was asked for."""

    def __init__(self) -> None:
        super().__init__(
            "This transaction was changed by somebody else at the same time, so nothing was done."
            " Look at it and ask again."
        )


class UnderWayError(ActionRefusedError):
    """The interchange of a transaction is about to be sent, or is being sent."""

    def __init__(self) -> None:
        super().__init__(
            "The interchange of this transaction is being sent at this moment, so nothing was"
            " done. Wait until the attempt has ended and ask again."
        )
