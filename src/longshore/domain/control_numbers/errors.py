"""Refusals of the control numbers slice."""

from longshore.kit.errors import ErrorCode, LongshoreError


class AdvanceTooFarError(LongshoreError):
    """A counter would skip its whole range, or nothing."""

    def __init__(self, size: int) -> None:
        super().__init__(
            ErrorCode.INVALID_PARAMETER,
            f"Skip at least 1 number and fewer than {size:,}, the size of the smallest range that"
            " was agreed with this partner.",
        )
