"""Start the ``longshore`` command, or say which package it needs."""

import sys

_EXIT_REFUSED = 2
_NEEDED = ("click", "rich")


def run() -> None:
    """Be the process of the command; without its packages say in one sentence what to install.

    Raises:
        ModuleNotFoundError: Another package is missing, or a part of Longshore.
    """
    try:
        from longshore.cli.main import run as run_command  # noqa: PLC0415 - it may not be there
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in _NEEDED:
            raise
        sys.stderr.write(
            f"The longshore command needs the package {package}: "
            "install it with pip install 'longshore[cli]'.\n"
        )
        sys.exit(_EXIT_REFUSED)
    run_command()


if __name__ == "__main__":
    run()
