"""Refusals about imported definitions."""

from longshore.kit.errors import ErrorCode, LongshoreError


class DefinitionNotFoundError(LongshoreError):
    """The account has no definition with this id in the environment."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.NOT_FOUND, "There is no such definition, or it is not yours.")


class DefinitionStateError(LongshoreError):
    """The account has as many definitions as it may have."""

    def __init__(self, text: str) -> None:
        super().__init__(ErrorCode.INVALID_STATE, text)
