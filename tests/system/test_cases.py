"""Every document of tests/cases answers as expected.json says: by command line and by HTTP."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from longshore.cli.main import main
from tests.system.server import Server, longshore, serving
from tests.system.test_serve import printed_key

CASES = Path(__file__).parents[1] / "cases"
EXPECTED: dict[str, dict[str, Any]] = json.loads((CASES / "expected.json").read_text("utf-8"))
NAMES = sorted(EXPECTED)
REFUSED = [name for name in NAMES if "status" in EXPECTED[name]]

# One that is read, one with errors, one that is refused.
AS_A_PROCESS = {"01_850_basic.edi": 0, "25_se_count_wrong.edi": 1, "40_not_x12.txt": 2}

LEVELS = {"interchange": "ta105", "group": "ak905", "set": "ak502"}


def test_there_are_forty_cases_and_each_has_its_document() -> None:
    documents = [path.name for path in CASES.iterdir() if path.suffix in {".edi", ".txt"}]
    assert sorted(documents) == NAMES
    assert len(NAMES) == 40
    assert REFUSED == ["40_not_x12.txt"]


# ---- what was answered, in the words of expected.json -------------------------------------------


def summary(answer: dict[str, Any], status: int) -> dict[str, Any]:
    """Return what ``expected.json`` would say of an answer; ``fields`` as pairs, in order."""
    if status != 200:
        detail_code = answer["details"][0]["code"]
        return {
            "status": status,
            "code": answer["code"],
            "detail_code": detail_code,
            "error": answer["error"],
        }
    found = {name: answer[name] for name in answer if name in EXPECTED[NAMES[0]]}
    return found | {
        "warnings": in_order(finding["code"] for finding in answer["warnings"]),
        "errors": in_order(map(shorthand, answer["errors"])),
        "fields": list(answer["fields"].items()),
    }


def expected(name: str, **differently: object) -> dict[str, Any]:
    """Return what a case demands, in the shape of ``summary``."""
    demanded = EXPECTED[name] | differently
    if "fields" in demanded:
        demanded["fields"] = list(demanded["fields"].items())
    return demanded


def in_order(codes: Iterator[str]) -> list[str]:
    """Return each code once, in order of first appearance."""
    return list(dict.fromkeys(codes))


def shorthand(finding: dict[str, Any]) -> str:
    """Return ``ak502_4`` for a finding that leads to code 4 in AK502."""
    [(level, code)] = finding["ack_code"].items()
    return f"{LEVELS[level]}_{code}"


# ---- the command line ---------------------------------------------------------------------------


def status_of(exit_code: int) -> int:
    """Return the HTTP status that says what an exit code of ``parse`` says."""
    return {0: 200, 1: 200, 2: 400}[exit_code]


@pytest.mark.parametrize("name", NAMES)
def test_the_command_line_answers_as_expected(
    name: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    exit_code = main(["parse", str(CASES / name), "--json"])
    out = capsysbinary.readouterr().out
    answer = json.loads(out)
    assert summary(answer, status_of(exit_code)) == expected(name)
    assert exit_code == (2 if name in REFUSED else bool(EXPECTED[name]["errors"]))


@pytest.mark.parametrize("name", AS_A_PROCESS)
def test_the_command_as_a_process_answers_as_expected(name: str, tmp_path: Path) -> None:
    ran = longshore("parse", str(CASES / name), "--json", cwd=tmp_path)
    assert ran.returncode == AS_A_PROCESS[name]
    assert summary(json.loads(ran.stdout), status_of(ran.returncode)) == expected(name)
    assert (ran.stderr == b"") is (name not in REFUSED)


# ---- HTTP ---------------------------------------------------------------------------------------


class Service(NamedTuple):
    """A running server and a key for it."""

    server: Server
    key: str

    def parse(self, document: str) -> tuple[int, dict[str, Any]]:
        """Post a document; return status and answer."""
        return self.server.call("POST", "/api/v1/parse", self.key, {"document": document})


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("cases")) as server:
        yield Service(server, printed_key(server.printed))


def text_of(name: str) -> str:
    """Return a case as a client would put it into JSON, with its byte order mark if it has one."""
    codec = "latin-1" if EXPECTED[name].get("charset") == "iso-8859-1" else "utf-8"
    return (CASES / name).read_bytes().decode(codec)


@pytest.mark.parametrize("name", NAMES)
def test_http_answers_as_expected(name: str, service: Service) -> None:
    status, answer = service.parse(text_of(name))
    # Text in JSON is UTF-8, whatever the file was that it came from.
    differently = {} if name in REFUSED else {"charset": "utf-8"}
    assert summary(answer, status) == expected(name, **differently)


def test_a_byte_order_mark_in_the_text_makes_no_difference(service: Service) -> None:
    name = "02_bom_leading_ws.edi"
    text = text_of(name)
    assert text[0] == "\ufeff"
    status, answer = service.parse(text[1:])
    assert summary(answer, status) == expected(name)
    assert (status, answer) == service.parse(text)


@pytest.mark.parametrize("name", AS_A_PROCESS)
def test_command_line_and_http_give_the_same_answer(
    name: str, service: Service, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    main(["parse", str(CASES / name), "--json"])
    printed = json.loads(capsysbinary.readouterr().out)
    _, answer = service.parse(text_of(name))
    alone = {"ok", "environment", "request_id"}
    assert {member: answer[member] for member in answer if member not in alone} == {
        member: printed[member] for member in printed if member not in alone
    }
