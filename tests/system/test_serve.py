"""The service as a process: first start, later start, stop, crash, and what beside it goes on."""

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.system.server import DEADLINE_SECONDS, LONGSHORE, clean_environment, longshore, serving

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "samples" / "850_purchase_order"
KEY = re.compile(r"svc_test_[0-9A-Za-z]{36}")


def printed_key(text: str) -> str:
    found = KEY.search(text)
    assert found
    return found[0]


def make_key(folder: Path, *arguments: str) -> tuple[str, int]:
    """Make a key of the account demo, and the database if there is none."""
    assert longshore("db", "upgrade", "--data-dir", "data", cwd=folder).returncode == 0
    answer = longshore(
        "keys",
        "create",
        "--account",
        "demo",
        "--environment",
        "sandbox",
        "--json",
        "--data-dir",
        "data",
        *arguments,
        cwd=folder,
    )
    assert (answer.returncode, answer.stderr) == (0, b"")
    issued = json.loads(answer.stdout)
    assert list(issued) == ["key", "id"]
    return issued["key"], issued["id"]


def test_the_first_start_prints_a_command_that_parses_the_sample_order(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with serving(tmp_path) as server:
        assert "longshore worker" not in server.printed
        command = server.printed.partition("\ncurl ")[2].partition("\n\n")[0]
        answer = subprocess.run(
            ["bash", "-c", f"curl {command}"],
            cwd=elsewhere,
            env=clean_environment(PATH=path_with_curl(tmp_path)),
            capture_output=True,
            timeout=DEADLINE_SECONDS,
            check=True,
        )
    body = json.loads(answer.stdout)
    assert (body["ok"], body["environment"]) == (True, "sandbox")
    assert body["fields"] == json.loads((SAMPLE / "fields.json").read_text(encoding="utf-8"))


def path_with_curl(folder: Path) -> str:
    """Return a PATH on which there is a curl, the real one if the machine has it."""
    path = clean_environment()["PATH"]
    if shutil.which("curl", path=path):
        return path
    stand_in = folder / "tools" / "curl"
    stand_in.parent.mkdir()
    script = ROOT / "tests" / "docs" / "curl_stand_in.py"
    stand_in.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n')
    stand_in.chmod(0o755)
    return f"{path}:{stand_in.parent}"


def test_the_command_line_gives_the_bytes_of_the_http_answer(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        key = printed_key(server.printed)
        for sample in sorted((ROOT / "samples").glob("*/input.*")):
            name = {".edi": "x12"}.get(sample.suffix, sample.suffix[1:])
            request = {"document": sample.read_text(encoding="utf-8"), "format": name}
            status, content = server.call_raw("POST", "/api/v1/parse", key, request)
            printed = longshore(
                "parse", str(sample), "--format", name, "--json", cwd=tmp_path
            ).stdout
            assert status == 200
            assert content == b'{"ok":true,' + printed[1:-2] + b',"environment":"sandbox"}'


def test_the_command_line_validates_as_the_server_does_a_long_document_too(tmp_path: Path) -> None:
    """Above 32 KiB the server hands it to a process of its own."""
    order = (SAMPLE / "input.edi").read_text(encoding="utf-8")
    documents = {"short": order, "wrong": order.replace("SE*28*", "SE*27*"), "long": order * 200}
    with serving(tmp_path) as server:
        key = printed_key(server.printed)
        for name, document in documents.items():
            (tmp_path / name).write_text(document, encoding="utf-8")
            status, content = server.call_raw(
                "POST", "/api/v1/validate", key, {"document": document}
            )
            printed = longshore("validate", name, "--json", cwd=tmp_path).stdout
            assert status == 200
            assert content == b'{"ok":true,' + printed[1:-2] + b',"environment":"sandbox"}'
            answered = longshore("ack", name, cwd=tmp_path).stdout
            assert answered.decode() == json.loads(content)["ack"]


def test_a_key_made_beside_the_server_works_and_its_revocation_holds_at_once(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as server:
        key, key_id = make_key(tmp_path)
        assert key_id == 2
        status, body = server.call("GET", "/api/v1/ping", key)
        assert (status, body["account"], body["environment"]) == (200, "demo", "sandbox")
        revoked = longshore("keys", "revoke", "2", "--data-dir", "data", cwd=tmp_path)
        assert revoked.returncode == 0
        status, body = server.call("GET", "/api/v1/ping", key)
        assert (status, body["code"]) == (401, "invalid_api_key")
        assert server.call("GET", "/api/v1/ping", printed_key(server.printed))[0] == 200


def test_an_account_suspended_beside_the_server_is_refused_until_it_is_resumed(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as server:
        key = printed_key(server.printed)
        statuses = []
        for action in ("suspend", "resume"):
            longshore("accounts", action, "demo", "--data-dir", "data", cwd=tmp_path)
            statuses.append(server.call("GET", "/api/v1/ping", key)[0])
    assert statuses == [403, 200]


def test_a_key_made_before_the_first_start_works_and_that_start_prints_none(
    tmp_path: Path,
) -> None:
    key, key_id = make_key(tmp_path)
    assert key_id == 1
    with serving(tmp_path) as server:
        assert KEY.search(server.printed) is None
        assert "keys create --account demo --environment sandbox" in server.printed
        assert server.call("GET", "/api/v1/ping", key)[0] == 200


def at_once(folder: Path, *command: str) -> list[bytes]:
    """Run a command in four processes; return what each prints."""
    running = [
        subprocess.Popen(
            [*LONGSHORE, *command, "--json"],
            cwd=folder,
            env=clean_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(4)
    ]
    answers = [process.communicate(timeout=DEADLINE_SECONDS) for process in running]
    assert [err for _, err in answers] == [b""] * 4
    return [out for out, _ in answers]


def test_four_first_commands_at_once_all_make_their_key(tmp_path: Path) -> None:
    applied = [json.loads(out)["applied"] for out in at_once(tmp_path, "db", "upgrade")]
    assert sorted(map(bool, applied)) == [False, False, False, True]
    keys = at_once(tmp_path, "keys", "create", "--account", "demo", "--environment", "sandbox")
    assert sorted(json.loads(out)["id"] for out in keys) == [1, 2, 3, 4]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_ends_with_0_and_leaves_nothing_in_the_way(
    tmp_path: Path, number: signal.Signals
) -> None:
    with serving(tmp_path) as server:
        server.process.send_signal(number)
        assert server.process.wait(DEADLINE_SECONDS) == 0
        key = printed_key(server.printed)
    with serving(tmp_path) as server:
        assert KEY.search(server.printed) is None
        assert server.call("GET", "/api/v1/ping", key)[0] == 200


def test_commands_know_the_address_of_the_running_server(tmp_path: Path) -> None:
    place = ("--data-dir", "data", "--json")

    def inbound_url() -> str:
        listed = json.loads(longshore("partners", "list", *place, cwd=tmp_path).stdout)
        return str(listed["partners"][0]["inbound_url_test"])

    with serving(tmp_path) as server:
        assert inbound_url().startswith(f"{server.address}/edi/receive/")
        checks = json.loads(longshore("doctor", *place, cwd=tmp_path).stdout)["checks"]
        shown = server.address.removeprefix("http://").replace(":", " port ")
        assert checks[-1]["message"] == f"Longshore answers on {shown}"
        server.kill()
    assert inbound_url().startswith("/edi/receive/")
    with serving(tmp_path) as server:
        assert server.stop() == 0
    assert not (tmp_path / "data" / "server.json").exists()


def test_after_a_crash_the_next_start_knows_the_keys(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        key = printed_key(server.printed)
        made, _ = make_key(tmp_path)
        server.kill()
    with serving(tmp_path) as server:
        assert KEY.search(server.printed) is None
        assert [server.call("GET", "/api/v1/ping", each)[0] for each in (key, made)] == [200, 200]


def test_the_printed_command_for_another_key_works_from_any_folder(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with serving(tmp_path) as server:
        command = server.printed.partition("Create another key:")[2].splitlines()[0]
        answer = subprocess.run(
            ["bash", "-c", command],
            cwd=elsewhere,
            env=clean_environment(),
            capture_output=True,
            text=True,
            timeout=DEADLINE_SECONDS,
            check=True,
        )
        assert server.call("GET", "/api/v1/ping", printed_key(answer.stdout))[0] == 200


def test_a_second_server_on_the_data_directory_is_refused_in_one_line(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        second = longshore("serve", "--port", "0", "--data-dir", "data", cwd=tmp_path)
        assert server.call("GET", "/healthz")[0] == 200
    assert (second.returncode, second.stdout) == (2, b"")
    [line] = second.stderr.decode().splitlines()
    assert line.startswith("longshore: Another 'longshore serve' uses this data directory. Stop it")


def test_a_port_in_use_is_refused_before_a_key_is_made(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        refused = longshore("serve", "--port", str(port), "--data-dir", "data", cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (2, b"")
    assert refused.stderr.decode().splitlines() == [
        (
            f"longshore: 127.0.0.1 port {port} cannot be listened on: Address already in use. "
            "Choose another with --port or --host. (invalid_parameter)"
        )
    ]
    with serving(tmp_path) as server:
        assert KEY.search(server.printed)


@pytest.mark.parametrize(
    ("place", "reason"),
    [("file", "File exists"), ("file/below", "Not a directory"), ("/proc/1/fd", "")],
)
def test_a_data_directory_that_cannot_be_used_is_refused_in_one_line(
    tmp_path: Path, place: str, reason: str
) -> None:
    (tmp_path / "file").touch()
    refused = longshore("serve", "--port", "0", "--data-dir", place, cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (2, b"")
    [line] = refused.stderr.decode().splitlines()
    assert line.startswith("longshore: The data directory cannot be ")
    assert reason in line
    assert line.endswith("(storage_unavailable)")


def test_a_doctor_beside_the_server_finds_all_well(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        port = server.address.rpartition(":")[2]
        doctor = longshore("doctor", "--port", port, "--data-dir", "data", "--json", cwd=tmp_path)
    assert doctor.returncode == 0
    report = json.loads(doctor.stdout)
    assert report["ok"] is True
    assert report["checks"][-1] == {
        "name": "port",
        "ok": True,
        "message": f"Longshore answers on 127.0.0.1 port {port}",
    }


def test_no_key_and_no_content_reaches_the_log(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        key = printed_key(server.printed)
        server.call("POST", "/api/v1/parse", key, {"document": "ISA*secret-of-a-partner"})
        server.call("GET", f"/api/v1/ping?key={key}", key)
        assert server.stop() == 0
    log = (tmp_path / "log").read_text(encoding="utf-8")
    assert log.count('"event":"request"') == 2
    assert KEY.search(log) is None
    assert "secret-of-a-partner" not in log


@pytest.mark.parametrize(
    ("setting", "logged"),
    [
        ('trusted_proxies = ["127.0.0.1"]', ['"client":"203.0.113.9"']),
        ("", ['"client":"127.0.0.1"']),
        ('log_level = "warning"', []),
    ],
    ids=["proxy", "default", "quiet"],
)
def test_settings_of_the_file_reach_the_log(
    tmp_path: Path, setting: str, logged: list[str]
) -> None:
    (tmp_path / "longshore.toml").write_text(setting)
    with serving(tmp_path) as server:
        server.call("GET", "/healthz", x_forwarded_for="203.0.113.9")
        assert server.stop() == 0
    log = (tmp_path / "log").read_text(encoding="utf-8")
    assert re.findall(r'"client":"[^"]*"', log) == logged


def test_a_limit_of_the_file_holds(tmp_path: Path) -> None:
    (tmp_path / "longshore.toml").write_text("max_body_bytes = 1024")
    with serving(tmp_path) as server:
        key = printed_key(server.printed)
        status, body = server.call("POST", "/api/v1/parse", key, {"document": "x" * 1_024})
    assert (status, body["code"], body["details"][0]["limit_bytes"]) == (
        413,
        "document_too_large",
        1_024,
    )


def test_a_start_reports_an_audit_log_whose_end_was_lost_and_serves(tmp_path: Path) -> None:
    make_key(tmp_path)
    heads = {"accounts": [{"id": 1, "entries": 7, "head": "ab" * 32}]}
    (tmp_path / "heads.json").write_text(json.dumps(heads), encoding="utf-8")
    (tmp_path / "longshore.toml").write_text('audit_heads_file = "heads.json"\n', encoding="utf-8")
    with serving(tmp_path) as server:
        assert server.call("GET", "/healthz")[0] == 200
        assert server.stop() == 0
    log = (tmp_path / "log").read_text(encoding="utf-8")
    found = [line for line in log.splitlines() if "audit_log_differs" in line]
    assert len(found) == 1
    assert "account 1: the log has 1 entries, 7 were noted: its end is lost" in found[0]
