"""Refusals of the users slice, one class per thing a caller can act on."""

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError


class NotLoggedInError(LongshoreError):
    """No session, one that has ended, or one that nobody knows: one text for all."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.NOT_LOGGED_IN,
            "You are not logged in, or your session has ended. Log in with POST /api/session; "
            "an API key does not work here.",
        )


class InvalidLoginError(LongshoreError):
    """The e-mail address or the password is wrong; nobody learns which."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.INVALID_LOGIN, "The e-mail address or the password is wrong.")


class PasswordRequiredError(LongshoreError):
    """The login is too long ago for what is asked."""

    def __init__(self) -> None:
        text = "You logged in over 10 minutes ago. Send your password once more, as 'password'."
        code = ErrorCode.PASSWORD_REQUIRED
        detail = ErrorDetail(code=code, message=text, param="password")
        super().__init__(code, text, details=(detail,))


class ForbiddenRoleError(LongshoreError):
    """The account is the caller's, but another role is needed."""

    def __init__(self, needed: str, role: str) -> None:
        super().__init__(
            ErrorCode.FORBIDDEN_RESOURCE,
            f"This needs the role {needed}; you are {role}. Ask an owner of the account.",
        )


class TooManyLoginsError(LongshoreError):
    """Too many passwords were tried, or too many are being checked."""

    def __init__(self, limit: str, most: int, text: str, wait_seconds: int) -> None:
        super().__init__(
            ErrorCode.RATE_LIMITED,
            text,
            details=(
                ErrorDetail(code=ErrorCode.RATE_LIMITED, message=text, limit=limit, max=most),
            ),
            retry_after_seconds=wait_seconds,
        )


class LinkNotFoundError(LongshoreError):
    """The token of a one-time link is unknown, used or expired: one text for all."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.NOT_FOUND,
            "This link is not valid: it was used, has expired or never existed. Ask an owner of "
            "the account, or the operator ('longshore users password'), for another way in.",
        )


class UserNotFoundError(LongshoreError):
    """The account has no user with this id."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.NOT_FOUND,
            "There is no such user, or it is not yours. List yours with GET /api/users.",
        )


class EmailNotFoundError(LongshoreError):
    """The operator named an address that nobody has."""

    def __init__(self, email: str) -> None:
        super().__init__(
            ErrorCode.NOT_FOUND,
            f"There is no user {email!r}. List them with 'longshore users list'.",
        )


class SessionNotFoundError(LongshoreError):
    """The user has no session with this id."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.NOT_FOUND,
            "There is no such session, or it is not yours. List yours with "
            "GET /api/account/sessions.",
        )


class OwnKeyNotFoundError(LongshoreError):
    """The account has no API key with this id."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.NOT_FOUND,
            "There is no such API key, or it is not yours. List yours with GET /api/keys.",
        )


class InvalidUserParameterError(LongshoreError):
    """One member of a request about a user is out of its bounds."""

    def __init__(self, param: str, message: str) -> None:
        super().__init__(
            ErrorCode.INVALID_PARAMETER,
            message,
            details=(ErrorDetail(code=ErrorCode.INVALID_PARAMETER, message=message, param=param),),
        )


class EmailTakenError(InvalidUserParameterError):
    """Somebody, of this account or another, has the address."""

    def __init__(self) -> None:
        super().__init__("email", "This e-mail address is used already. Choose another.")


class TooManyUsersError(LongshoreError):
    """The account has as many users as it may have."""

    def __init__(self, most: int) -> None:
        super().__init__(
            ErrorCode.INVALID_STATE,
            f"An account has at most {most:,} users. Remove one who is not needed any more.",
        )


class LastOwnerError(LongshoreError):
    """Nobody could manage the account any more."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.INVALID_STATE,
            "This is the last owner of the account. Make another user owner first.",
        )
