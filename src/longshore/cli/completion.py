"""``longshore completion``: the script that makes a shell complete commands and options."""

from typing import Final

import click
from click.shell_completion import get_completion_class

_SHELLS: Final = ("bash", "zsh", "fish")
_PROGRAM: Final = "longshore"
_VARIABLE: Final = "_LONGSHORE_COMPLETE"  # read by click in the process the script starts


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of SHELL.

    bash: eval "$(longshore completion bash)" in ~/.bashrc. zsh: eval "$(longshore completion zsh)"
    in ~/.zshrc, after compinit. fish: longshore completion fish >
    ~/.config/fish/completions/longshore.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None  # click knows the three
    click.echo(kind(ctx.find_root().command, {}, _PROGRAM, _VARIABLE).source())
