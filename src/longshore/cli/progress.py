"""Progress of long work, written to stderr."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from longshore.cli.terminal import messages

# Shorter documents are done before a person would read the bar.
_PROGRESS_FROM: Final = 4_194_304


@contextmanager
def progress(
    what: str, size: int, *, is_output_flowing: bool = False
) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on stderr if the work is long and stderr is a terminal.

    Args:
        what: Name of the work.
        size: Total amount of work.
        is_output_flowing: The command writes to stdout at the same time, so there is no bar if
            stdout is a terminal too.

    Yields:
        A function that takes the amount of work done so far.
    """
    would_mix = is_output_flowing and sys.stdout.isatty()
    if size < _PROGRESS_FROM or not sys.stderr.isatty() or would_mix:
        yield lambda _done: None
        return
    columns = (TextColumn(what), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=messages(), transient=True) as bar:
        task = bar.add_task("", total=size)
        yield lambda done: bar.update(task, completed=done)
