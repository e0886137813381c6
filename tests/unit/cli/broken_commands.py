"""Commands that end in ways no real one should."""

import click


@click.command()
@click.option("--json", "as_json", is_flag=True)
def faulty(*, as_json: bool) -> None:
    """Fail as a programming mistake does."""
    del as_json
    raise ZeroDivisionError("the secret svc_test_x")


@click.command()
def interrupted() -> None:
    """Be stopped by Ctrl-C."""
    raise KeyboardInterrupt


@click.command()
def three() -> int:
    """Choose its exit code."""
    return 3
