"""Commands that are misspelt, and commands that a shell completes."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.cli.conftest import CommandLine


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["parsee"], "No such command 'parsee'. Did you mean 'parse'?"),
        (["keys", "revok"], "No such command 'revok'. Did you mean 'revoke'?"),
        (["parse", "--formt"], "No such option '--formt'. Did you mean '--format'?"),
        (["qqq"], "No such command 'qqq'."),
    ],
)
def test_a_misspelt_word_names_the_nearest(
    run: CommandLine, arguments: list[str], message: str
) -> None:
    ran = run(*arguments, "--json")
    assert (ran.code, ran.json["error"], ran.json["code"]) == (2, message, "invalid_parameter")
    assert run(*arguments).err.splitlines()[-1] == f"Error: {message}"


@pytest.mark.parametrize(
    ("shell", "line"),
    [
        ("bash", "complete -o nosort -F _longshore_completion longshore"),
        ("zsh", "#compdef longshore"),
        ("fish", "complete --no-files --command longshore"),
    ],
)
def test_each_shell_has_its_script(run: CommandLine, shell: str, line: str) -> None:
    ran = run("completion", shell)
    assert (ran.code, ran.err) == (0, "")
    assert line in ran.out
    assert f"_LONGSHORE_COMPLETE={shell}_complete" in ran.out


def test_bash_completes_commands_and_options(run: CommandLine) -> None:
    script = run("completion", "bash").out
    program = Path(sys.executable).parent / "longshore"
    ask = (
        "COMPREPLY=(); COMP_WORDS=(longshore %s); COMP_CWORD=%d; _longshore_completion %s;"
        " echo ${COMPREPLY[@]}"
    )
    typed = [ask % ("pars", 1, program), ask % ("parse --view", 2, program)]
    done = subprocess.run(
        ["bash", "--norc", "-c", "\n".join((script, *typed))],
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.splitlines() == ["parse", "--view"]
