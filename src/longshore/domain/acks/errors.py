"""Refusals of the acknowledgements slice."""

from longshore.kit.errors import ErrorCode, LongshoreError


class AckNotFoundError(LongshoreError):
    """Nothing of this id is the caller's; the text is the same whatever was asked for."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.NOT_FOUND,
            "There is no acknowledgement with this id in your account, or it belongs to the other"
            " environment. List yours with GET /api/v1/acks.",
        )
