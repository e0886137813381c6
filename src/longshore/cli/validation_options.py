"""The options of ``longshore validate`` and ``longshore ack`` that say how to validate."""

from collections.abc import Callable
from typing import TypedDict, TypeVar

import click

from longshore.cli.code_lists import code_lists_option
from longshore.engine import CodeLists
from longshore.engine.validate import CODE_CHECKS

CommandT = TypeVar("CommandT", bound=Callable[..., object])


class ValidationOptions(TypedDict):
    """Options that go to the engine as they are."""

    elem_sep: str | None
    seg_term: str | None
    release: str
    guide: str
    codes: str
    code_lists: CodeLists | None


def validation_options(command: CommandT) -> CommandT:
    """Add the options to a command."""
    for option in (
        click.option(
            "--seg-term", metavar="CHAR", help="Segment terminator, if detection is wrong."
        ),
        click.option(
            "--elem-sep", metavar="CHAR", help="Element separator, if detection is wrong."
        ),
        click.option(
            "--release",
            metavar="RELEASE",
            default="",
            help="Six digits, such as 004010, instead of the document's own.",
        ),
        click.option(
            "--guide",
            metavar="GUIDE",
            default="",
            help="Implementation guide, such as 005010X222A1, instead of the document's own.",
        ),
        code_lists_option,
        click.option(
            "--codes",
            type=click.Choice(CODE_CHECKS),
            default=CODE_CHECKS[0],
            show_default=True,
            help="off: no list of the dictionary refuses a code; what a guide names still does.",
        ),
    ):
        command = option(command)
    return command
