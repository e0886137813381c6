"""``longshore users``: what the operator makes, and that no password is in an argument."""

import io
import os
import pty
import sys

import pytest

from tests.unit.cli.conftest import CommandLine

pytestmark = pytest.mark.usefixtures("empty_database")

PASSWORD = "a long sentence nobody guesses"


class Line(io.TextIOWrapper):
    """Standard input with one line, typed by nobody."""

    def __init__(self, line: bytes) -> None:
        super().__init__(io.BytesIO(line), encoding="utf-8")


@pytest.fixture
def demo(run: CommandLine) -> CommandLine:
    assert run("accounts", "create", "demo").code == 0
    return run


def create(
    run: CommandLine, monkeypatch: pytest.MonkeyPatch, line: bytes, *more: str
) -> tuple[int, str]:
    monkeypatch.setattr(sys, "stdin", Line(line))
    ran = run("users", "create", "ada@example.com", *(more or ("--account", "demo")), "--role",
              "owner", "--json")  # fmt: skip
    return ran.code, ran.out if ran.code == 0 else ran.json["error"]


def test_a_user_is_created_listed_and_given_another_password(
    demo: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, printed = create(demo, monkeypatch, PASSWORD.encode() + b"\r\n")
    assert (code, PASSWORD in printed) == (0, False)
    [user] = demo("users", "list", "--json").json["users"]
    assert {**user, "created_at": ""} == {
        "id": 1,
        "account": "demo",
        "email": "ada@example.com",
        "role": "owner",
        "has_password": True,
        "created_at": "",
        "last_login_at": None,
    }
    monkeypatch.setattr(sys, "stdin", Line(b"another long sentence"))
    changed = demo("users", "password", "ADA@example.com")
    assert changed.out == "User ada@example.com (owner of demo) is given a new password.\n"
    [head, line] = demo("users", "list").out.splitlines()
    assert head.split()[:4] == ["id", "account", "email", "role"]
    assert line.split()[:4] == ["1", "demo", "ada@example.com", "owner"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"", "at least 12 characters"),
        (b"short\n", "at least 12 characters"),
        (b"\n" + PASSWORD.encode(), "at least 12 characters"),
        (b"x" * 1_025 + b"\n", "at most 1,024 bytes"),
        (b"x" * 1_000_000, "at most 1,024 bytes"),
        (b"\xff" * 20, "not valid UTF-8"),
    ],
)
def test_a_password_that_cannot_be_used_makes_nobody(
    demo: CommandLine, monkeypatch: pytest.MonkeyPatch, line: bytes, words: str
) -> None:
    code, error = create(demo, monkeypatch, line)
    assert (code, words in error) == (2, True)
    assert demo("users", "list", "--json").json == {"users": []}


def test_spaces_of_a_password_count(demo: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert create(demo, monkeypatch, b"qv7#kz!w" + b" " * 4 + b"\n")[0] == 0


def test_accounts_and_users_that_do_not_exist_are_not_found(
    demo: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, error = create(demo, monkeypatch, PASSWORD.encode(), "--account", "acme")
    assert (code, error) == (
        2,
        "There is no account 'acme'. List them with 'longshore accounts list'.",
    )
    for email in ("nobody@example.com", "no address", "a\0b@c"):
        monkeypatch.setattr(sys, "stdin", Line(PASSWORD.encode()))
        ran = demo("users", "password", email, "--json")
        assert (ran.code, ran.json["code"]) == (2, "not_found")


def test_at_a_terminal_the_password_is_asked_for_twice_and_not_shown(
    demo: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return PASSWORD

    controller, terminal = pty.openpty()
    with os.fdopen(controller, "wb"), os.fdopen(terminal, "r") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr("click.termui.hidden_prompt_func", answer)
        ran = demo("users", "create", "ada@example.com", "--account", "demo", "--role", "viewer")
    assert ran.out == "User ada@example.com (viewer of demo) is created.\n"
    assert len(asked) == 2


def test_there_is_no_option_for_a_password(demo: CommandLine) -> None:
    ran = demo("users", "create", "a@b", "--account", "demo", "--role", "owner", "--password", "x")
    assert ran.code == 2
    assert "No such option" in ran.err
