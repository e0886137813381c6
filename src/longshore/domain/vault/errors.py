"""Refusals of the vault slice."""

from longshore.kit.errors import ErrorCode, LongshoreError


class DocumentNotFoundError(LongshoreError):
    """Nothing of this id is the caller's; the text is the same whatever was asked for."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.NOT_FOUND,
            "There is no document with this id that you may see; an API key sees those of its"
            " own environment. A convert with save_to_vault answers the id as doc_id.",
        )
