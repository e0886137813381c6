"""A password that a command asks for: at a prompt, or as a line of standard input.

It is never an argument, which others on the machine can read.
"""

import sys

import click

from longshore.domain.users.errors import InvalidUserParameterError
from longshore.domain.users.passwords import PASSWORD_MAX_BYTES


def ask_password(*, is_new: bool) -> str:
    """Return a password, typed at a terminal, a new one twice, else one line of standard input.

    Raises:
        InvalidUserParameterError: The line is no text in UTF-8.
    """
    if sys.stdin.isatty():
        typed: str = click.prompt("Password", hide_input=True, confirmation_prompt=is_new)
        return typed
    line = sys.stdin.buffer.readline(PASSWORD_MAX_BYTES + 3)  # and CR, LF, and one too many
    try:
        return line.rstrip(b"\r\n").decode()
    except UnicodeDecodeError as error:
        raise InvalidUserParameterError(
            "password", "The password on standard input is not valid UTF-8."
        ) from error
