"""Refusals of the maps slice, one class per thing a caller can act on."""

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError, more_in_details


class MapNotFoundError(LongshoreError):
    """No map of this account has this id, or it has no such version."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.NOT_FOUND, "There is no such map, or it is not yours.")


class EditConflictError(LongshoreError):
    """Somebody saved another version since the one that was edited."""

    def __init__(self, current: int) -> None:
        code = ErrorCode.EDIT_CONFLICT
        text = (
            f"Version {current} of this map was saved since you opened it."
            " Load it, bring your changes in, and save again."
        )
        detail = ErrorDetail(code=code, param="If-Match", message=text, current_version=current)
        super().__init__(code, text, details=(detail,))


class MapLockedError(LongshoreError):
    """The map is locked against changes."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.INVALID_STATE, "This map is locked. Unlock it before you change it."
        )


class InvalidMapError(LongshoreError):
    """Members of a map are at fault; each has its detail."""

    def __init__(self, faults: tuple[ErrorDetail, ...]) -> None:
        text = faults[0].message + more_in_details(len(faults))
        super().__init__(ErrorCode(faults[0].code), text, details=faults)
