"""The ``longshore`` command: finds the subcommand, and turns every ending into an exit code.

====  =====================================================================
0     done
1     done, and the document has findings of severity error (doctor: a fault)
2     refused: bad usage, bad settings, unreadable input, an error of the catalogue
70    a fault of Longshore itself
130   Ctrl-C
141   the reader of the output went away (``longshore parse … | head``)
====  =====================================================================

Commands are imported when they are called: ``longshore parse`` loads neither the web framework
nor the database.
"""

import os
import resource
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from typing import Final

import click

from longshore import __version__
from longshore.cli.terminal import (
    EXIT_BROKEN_PIPE,
    EXIT_INTERNAL,
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_REFUSED,
    print_error,
    write_refusal,
)
from longshore.kit.errors import ErrorCode, LongshoreError

NEEDED_MEMORY_BYTES: Final = 512 << 20
"""Address space of a process for a large document; with less of it anything can fail."""
COMMANDS: Final = {
    "serve": "longshore.cli.serve",
    "demo": "longshore.cli.demo",
    "worker": "longshore.cli.worker",
    "parse": "longshore.cli.documents",
    "validate": "longshore.cli.validation",
    "ack": "longshore.cli.validation",
    "convert": "longshore.cli.convert",
    "sample": "longshore.cli.samples",
    "redact": "longshore.cli.redact",
    "bulk": "longshore.cli.bulk",
    "dictionary": "longshore.cli.dictionary",
    "maps": "longshore.cli.maps",
    "partners": "longshore.cli.partners",
    "as2": "longshore.cli.as2",
    "webhooks": "longshore.cli.webhooks",
    "control-numbers": "longshore.cli.control_numbers",
    "accounts": "longshore.cli.accounts",
    "keys": "longshore.cli.keys",
    "users": "longshore.cli.users",
    "audit": "longshore.cli.audit",
    "db": "longshore.cli.database",
    "backup": "longshore.cli.backup",
    "restore": "longshore.cli.backup",
    "openapi": "longshore.cli.openapi",
    "doctor": "longshore.cli.doctor",
    "completion": "longshore.cli.completion",
}
_EXTRAS: Final = {"pyarrow": "bulk"}
"""The extra that brings a package; any other is brought by ``server``."""


class _CommandTable(click.Group):
    """Commands by name, each in the module of ``COMMANDS`` and imported when asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        try:
            module = import_module(COMMANDS[cmd_name])
        except ModuleNotFoundError as missing:
            package = (missing.name or "").partition(".")[0]
            if package in {"", "longshore"}:
                raise
            return _not_installed(cmd_name, package)
        command = getattr(module, cmd_name.replace("-", "_"))
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as unknown:
            name = unknown.command_name
            nearest = get_close_matches(name, COMMANDS, n=1)
            raise click.exceptions.NoSuchCommand(name, possibilities=nearest, ctx=ctx) from unknown

    def invoke(self, ctx: click.Context) -> object:
        try:
            code = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # Here, because click itself would end the process with 1.
            _forget_output()
            return EXIT_BROKEN_PIPE
        return code


def _not_installed(name: str, package: str) -> click.Command:
    """Return a command that says what has to be installed before it can be used.

    Raises:
        ClickException: When it is called.
    """
    install = f"pip install 'longshore[{_EXTRAS.get(package, 'server')}]'"
    advice = f"It needs the package {package}: install it with {install}."

    def refuse(arguments: tuple[str, ...]) -> None:
        del arguments
        raise click.ClickException(f"`longshore {name}` is not installed. {advice}")

    return click.Command(
        name,
        callback=refuse,
        params=[click.Argument(["arguments"], nargs=-1, type=click.UNPROCESSED)],
        context_settings={"ignore_unknown_options": True},
        help=advice,
        short_help=f"Not installed: {install}.",
        add_help_option=False,
    )


@click.group(
    cls=_CommandTable,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.option(
    "--traceback", "show_traceback", is_flag=True, help=("Print a traceback of an internal error.")
)
def longshore(*, show_traceback: bool) -> None:
    """Parse, convert, exchange and acknowledge EDI documents.

    Exit code 0: done; 1: the document has errors; 2: refused; 3: not all of it was checked.
    """
    del show_traceback  # read by main(), which also sees what fails before this point


def main(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    as_json = "--json" in arguments
    try:
        code = longshore.main(list(arguments), prog_name="longshore", standalone_mode=False)
    except click.ClickException as refusal:
        _show_usage_error(refusal, as_json=as_json)
        return EXIT_REFUSED
    except LongshoreError as refusal:
        write_refusal(refusal, as_json=as_json)
        return EXIT_REFUSED
    except (click.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except OSError as fault:
        _show_system_error(fault, as_json=as_json)
        return EXIT_REFUSED
    except Exception as fault:  # noqa: BLE001 - the last resort of the command line
        _show_internal_error(fault, as_json=as_json, arguments=arguments)
        return EXIT_INTERNAL
    return code if isinstance(code, int) else EXIT_OK


def run() -> None:
    """Be the process: run its arguments, end with the exit code."""
    sys.exit(main(sys.argv[1:]))


def _show_usage_error(refusal: click.ClickException, *, as_json: bool) -> None:
    if as_json:
        write_refusal(
            LongshoreError(ErrorCode.INVALID_PARAMETER, refusal.format_message()), as_json=True
        )
    else:
        refusal.show()


def _show_system_error(fault: OSError, *, as_json: bool) -> None:
    reason = fault.strerror or type(fault).__name__
    what = f"{fault.filename}: {reason}" if fault.filename else reason
    refusal = LongshoreError(ErrorCode.STORAGE_UNAVAILABLE, f"System error: {what}.")
    with suppress(OSError):  # what was refused may be the output itself
        write_refusal(refusal, as_json=as_json)
    _forget_output()


def _forget_output() -> None:
    """Let go of output that cannot be written: Python would try, and complain, again at exit."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_internal_error(fault: Exception, *, as_json: bool, arguments: Sequence[str]) -> None:
    if "--traceback" in arguments:
        traceback.print_exception(fault)
    message = f"internal error ({type(fault).__name__}). {_cause()}"
    if as_json:
        write_refusal(LongshoreError(ErrorCode.INTERNAL_ERROR, message), as_json=True)
    else:
        print_error(f"{message}; `longshore --traceback …` prints the traceback")


def _cause() -> str:
    """Return the cause of an internal error in a sentence without its full stop."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if resource.RLIM_INFINITY != limit < NEEDED_MEMORY_BYTES:
        return (
            f"The limit of memory (ulimit -v) is {limit >> 20} MiB; Longshore needs"
            f" {NEEDED_MEMORY_BYTES >> 20} MiB"
        )
    return "This is a bug in Longshore"
