"""The first user of a new server, with what the first start prints."""

import json
import re
import subprocess
from pathlib import Path

from tests.system.server import DEADLINE_SECONDS, Server, clean_environment, longshore, serving
from tests.system.test_serve import path_with_curl

PASSWORD = "a long sentence nobody guesses"
TOKEN = re.compile(r"^  http://127\.0\.0\.1:[0-9]+/setup#token=([0-9A-Za-z_-]{43})$", re.MULTILINE)


def printed_command(server: Server) -> str:
    """Return the printed command that makes the first user, filled in by its reader."""
    text = server.printed
    at = text.index("/api/setup")
    command = text[text.rindex("\ncurl ", 0, at) : text.index("\n\n", at)]
    return command.replace("E-MAIL", "ada@example.com").replace('"PASSWORD"', f'"{PASSWORD}"')


def run(command: str, folder: Path) -> dict[str, object]:
    ran = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=clean_environment(PATH=path_with_curl(folder)),
        capture_output=True,
        timeout=DEADLINE_SECONDS,
        check=True,
    )
    answer: dict[str, object] = json.loads(ran.stdout)
    return answer


def log_in(server: Server, password: str = PASSWORD) -> tuple[int, str]:
    """Log in with a real client; return status and cookie."""
    cookies = server.folder / "cookies.txt"
    body = json.dumps({"email": "ada@example.com", "password": password})
    answer = run(
        f"curl -sS -c {cookies} {server.address}/api/session "
        f"-H 'Content-Type: application/json' --data '{body}'",
        server.folder,
    )
    secret = re.search(r"svc_session[\s=]+([0-9A-Za-z_-]{43})", cookies.read_text())
    assert secret is not None
    return 200 if answer["ok"] else 401, secret[1]


def test_the_first_start_prints_a_command_that_makes_the_owner_once(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert len(TOKEN.findall(server.printed)) == 1
        as_printed = server.printed[server.printed.rindex("curl ") :].partition("\n\n")[0]
        assert run(as_printed, tmp_path)["code"] == "invalid_parameter"  # nobody's known password
        assert run(printed_command(server), tmp_path)["user"] == {
            "id": 1,
            "email": "ada@example.com",
            "role": "owner",
        }
        assert run(printed_command(server), tmp_path)["code"] == "not_found"
        assert server.stop() == 0
    with serving(tmp_path) as server:
        assert TOKEN.findall(server.printed) == []
        assert "Create the first user" not in server.printed
    log = (tmp_path / "log").read_text()
    assert "ada@" not in log
    assert PASSWORD not in log


def test_a_later_start_without_users_prints_a_new_link(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        first = TOKEN.findall(server.printed)
    with serving(tmp_path) as server:
        second = TOKEN.findall(server.printed)
        assert (len(first), len(second), first == second) == (1, 1, False)
        assert run(printed_command(server), tmp_path)["ok"] is True
        body = {"token": first[0], "email": "eve@example.com", "password": PASSWORD}
        assert server.call("POST", "/api/setup", body=body)[0] == 404


def test_a_session_outlives_the_server_and_not_a_password_set_beside_it(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        run(printed_command(server), tmp_path)
        status, secret = log_in(server)
        assert status == 200
        server.kill()
    with serving(tmp_path) as server:
        cookie = f"svc_session={secret}"
        status, answer = server.call("GET", "/api/session", cookie=cookie)
        assert (status, answer["user"]["email"]) == (200, "ada@example.com")
        changed = longshore(
            "users", "password", "ada@example.com", "--data-dir", "data",
            cwd=tmp_path, stdin=b"another long sentence",
        )  # fmt: skip
        assert (changed.returncode, changed.stderr) == (0, b"")
        status, answer = server.call("GET", "/api/session", cookie=cookie)
        assert (status, answer["code"]) == (401, "not_logged_in")
        assert log_in(server, "another long sentence")[0] == 200
