"""``longshore as2``: identities, the steps of a roll-over, and the text for a partner."""

import json
import sys
from datetime import timedelta
from importlib import import_module
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from longshore.as2.keys import read_certificate
from longshore.as2.messages import Wrapping, compose
from longshore.kit.clock import SystemClock
from tests.support.as2 import NOW, a_pair, as2_members
from tests.support.clock import StoppedClock
from tests.unit.cli.conftest import CommandLine

doctor = import_module("longshore.cli.doctor")
pytestmark = pytest.mark.usefixtures("empty_database")


def found_by_doctor(run: CommandLine) -> tuple[bool, str]:
    checks = run("doctor", "--port", "0", "--json").json["checks"]
    (found,) = [each for each in checks if each["name"] == "AS2 certificates"]
    return found["ok"], found["message"]


def test_an_identity_is_made_shown_and_its_key_replaced(run: CommandLine) -> None:
    run("accounts", "create", "acme")
    made = run("as2", "create", "ACME TEST", "--valid-days", "20", "--json")
    assert (made.code, made.json["identity"]["as2_name"]) == (0, "ACME TEST")
    (certificate,) = made.json["identity"]["certificates"]
    is_ok, message = found_by_doctor(run)
    assert is_ok
    assert message == (
        "0 expired, 1 expiring within 30 days; the first is that of as2_identity 1 (sandbox) of"
        f" account 1, until {certificate['not_after'][:10]}"
    )
    assert (certificate["signs"], certificate["is_expiring"]) == (True, True)
    shown = run("as2", "show", "ACME TEST")
    assert shown.out.startswith("AS2 profile for test documents\n\nAS2 name:      ACME TEST\n")
    assert "AS2 URL:       /as2\n" in shown.out
    assert certificate["certificate"].strip() in shown.out
    assert certificate["fingerprint"] in shown.out
    added = run("as2", "add-key", "ACME TEST")
    assert added.out.startswith("AS2 identity ACME TEST (sandbox) has a second key.\nIt signs with")
    listed = run("as2", "list")
    assert [line.split()[-1] for line in listed.out.splitlines()] == ["use", "signs", "opens"]
    assert "(renew it)" in listed.out
    switched = run("as2", "switch-keys", "ACME TEST")
    assert "(sandbox) signs with the other key." in switched.out
    dropped = run("as2", "drop-key", "ACME TEST", "--json").json["identity"]["certificates"]
    assert [each["is_expiring"] for each in dropped] == [False]
    assert run("as2", "list", "--json").json["identities"][0]["certificates"] == dropped
    assert found_by_doctor(run) == (True, "none has expired or expires within 30 days")
    assert "PRIVATE" not in run("as2", "list", "--json").out


def test_a_certificate_that_has_expired_is_wrong(
    run: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("accounts", "create", "acme")
    run("as2", "create", "ACME", "--environment", "production", "--valid-days", "1")
    later = SystemClock().now() + timedelta(days=2)
    monkeypatch.setattr(doctor, "SystemClock", lambda: StoppedClock(later))
    is_ok, message = found_by_doctor(run)
    assert not is_ok
    assert message.startswith(
        "1 expired, 0 expiring within 30 days; the first is that of as2_identity 1 (production)"
        " of account 1, until 2"
    )


def test_what_cannot_be_done_is_refused(run: CommandLine) -> None:
    run("accounts", "create", "acme")
    assert run("as2", "create", 'a"b').err.startswith('longshore: Parameter "as2_name" must be')
    run("as2", "create", "ACME")
    taken = run("as2", "create", "ACME", "--environment", "production")
    assert (taken.code, "(invalid_parameter)" in taken.err) == (2, True)
    assert "(not_found)" in run("as2", "show", "acme").err
    assert "(invalid_state)" in run("as2", "drop-key", "ACME").err
    missing = run("as2", "switch-keys", "ACME", "--environment", "production")
    assert (missing.code, "(not_found)" in missing.err) == (2, True)


def test_a_key_moves_to_another_identity_as_an_encrypted_file(
    run: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def typed(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(f"{text}\n".encode())))

    run("accounts", "create", "acme")
    made = run("as2", "create", "ACME", "--json").json["identity"]["certificates"]
    file, word = tmp_path / "acme.p12", "a word for the file"
    typed("short")
    refused = run("as2", "export-key", "ACME", str(file))
    assert (refused.code, "at least 12 characters" in refused.err) == (2, True)
    assert not file.exists()
    typed(word)
    exported = run("as2", "export-key", "ACME", str(file))
    assert exported.out == f"The key of AS2 identity ACME (sandbox) is in {file}.\n"
    assert file.stat().st_mode & 0o777 == 0o600
    again = run("as2", "export-key", "ACME", str(file))
    assert (again.code, "--force overwrites" in again.err) == (2, True)
    typed("another word")
    wrong = run("as2", "create", "OTHER", "--pkcs12", str(file))
    assert (wrong.code, "or the password is another" in wrong.err) == (2, True)
    typed(word)
    taken = run("as2", "create", "OTHER", "--pkcs12", str(file), "--json").json["identity"]
    assert taken["certificates"] == made
    typed(word)
    assert run("as2", "add-key", "OTHER", "--pkcs12", str(file)).code == 0


def test_a_profile_as_a_file_becomes_the_connection_of_a_partner(
    run: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("accounts", "create", "acme")
    run("as2", "create", "ACME")
    file = tmp_path / "acme.json"
    nowhere = run("as2", "export-profile", "ACME", str(file))
    assert (nowhere.code, "set base_url, or start the server" in nowhere.err) == (2, True)
    monkeypatch.setenv("LONGSHORE_BASE_URL", "https://acme.example")
    assert "(not_found)" in run("as2", "export-profile", "NOBODY", str(file)).err
    assert run("as2", "export-profile", "ACME", str(file)).code == 0
    written = json.loads(file.read_text())
    assert (written["as2_name"], written["url"]) == ("ACME", "https://acme.example/as2")
    partner = tmp_path / "partner.json"
    partner.write_text('{"name": "Harbor"}')
    number = str(run("partners", "create", str(partner), "--json").json["partner"]["id"])
    made = run("as2", "import-profile", number, str(file))
    assert made.out.startswith(
        f"Partner {number} is connected by AS2 (sandbox): ACME to ACME at"
        " https://acme.example/as2.\nSHA-256 fingerprint: "
    )
    connections = json.loads(run("partners", "export", number).out)["connections"]
    assert connections["live"] == {"type": "none"}
    assert connections["test"]["certificates"] == written["certificates"]
    run("as2", "create", "OTHER")
    again = run("as2", "import-profile", number, str(file), "--identity", "OTHER")
    assert ": OTHER to ACME at" in again.out
    assert ": OTHER to ACME at" in run("as2", "import-profile", number, str(file)).out


def test_a_profile_that_cannot_be_imported_changes_nothing(
    run: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LONGSHORE_BASE_URL", "https://acme.example")
    run("accounts", "create", "acme")
    run("as2", "create", "ACME")
    partner, file = tmp_path / "partner.json", tmp_path / "acme.json"
    partner.write_text('{"name": "Harbor"}')
    number = str(run("partners", "create", str(partner), "--json").json["partner"]["id"])
    run("as2", "export-profile", "ACME", str(file))
    live = tmp_path / "live.json"
    live.write_text(file.read_text().replace('"sandbox"', '"production"'))
    unnamed = run("as2", "import-profile", number, str(live))
    assert (unnamed.code, "--identity. Identities: none yet." in unnamed.err) == (2, True)
    other = run("as2", "import-profile", number, str(file), "--identity", "OTHER")
    assert (other.code, "(not_found)" in other.err) == (2, True)
    file.write_text("{}")
    empty = run("as2", "import-profile", number, str(file))
    assert (empty.code, 'The AS2 profile: Parameter "format" is missing.' in empty.err) == (2, True)
    connections = json.loads(run("partners", "export", number).out)["connections"]
    assert connections == {"test": {"type": "none"}, "live": {"type": "none"}}


def test_the_simulator_becomes_an_as2_partner(run: CommandLine) -> None:
    run("accounts", "create", "acme")
    first = run("as2", "connect-simulator", "--json").json
    assert first.pop("partner_id") > 0
    assert first == {"as2_from": "ACME-TEST", "as2_to": "SIMULATOR-1"}
    partners = run("partners", "list", "--json").json["partners"]
    (made,) = [each for each in partners if each["connections"]["test"]["type"] == "as2"]
    connection = made["connections"]["test"]
    assert (made["name"], made["isa_id"]) == ("AS2 simulator", "AS2SIMULATOR")
    simulator = run("as2", "list", "--json").json["identities"][1]
    assert simulator["as2_name"] == "SIMULATOR-1"
    assert connection["url"] == "https://simulator.invalid/as2"
    assert connection["certificates"] == [simulator["certificates"][0]["certificate"]]
    assert connection["certificates"] != [
        run("as2", "list", "--json").json["identities"][0]["certificates"][0]["certificate"]
    ]
    again = run("as2", "connect-simulator")
    assert (again.code, 'Another partner has this "name" already.' in again.err) == (2, True)


def test_the_simulator_trades_with_the_identity_that_is_named(run: CommandLine) -> None:
    run("accounts", "create", "acme")
    for name in ("ONE", "TWO"):
        run("as2", "create", name)
    several = run("as2", "connect-simulator")
    assert (several.code, "--identity. Identities: ONE, TWO." in several.err) == (2, True)
    assert '"as2_name" must be' in run("as2", "connect-simulator", "--identity", 'a"b').err
    made = run("as2", "connect-simulator", "--identity", "TWO")
    assert made.out.endswith(" is connected by AS2 (sandbox): TWO to SIMULATOR-1.\n")


def test_the_only_identity_trades_with_the_simulator(run: CommandLine) -> None:
    run("accounts", "create", "acme")
    run("as2", "create", "ONE")
    assert run("as2", "connect-simulator", "--json").json["as2_from"] == "ONE"


def a_saved_message(identity: str, to: str) -> bytes:
    """Return a message of THEM to an identity, as it came: headers, an empty line, the body."""
    certificate = read_certificate(to)
    sent = compose(b"ISA*00*~", Wrapping(), a_pair("THEM"), certificate, NOW)
    lines = {
        "AS2-From": "THEM",
        "AS2-To": identity,
        "Message-ID": "<1@them>",
        "Content-Type": sent.body.content_type,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"POST /as2 HTTP/1.1\r\n{head}\r\n".encode() + sent.body.content


def test_a_saved_message_is_opened_step_by_step(run: CommandLine, tmp_path: Path) -> None:
    run("accounts", "create", "acme")
    made = run("as2", "create", "ACME", "--json").json["identity"]["certificates"][0]
    file, output, partner = (tmp_path / name for name in ("sent", "out.edi", "partner.json"))
    file.write_bytes(a_saved_message("ACME", made["certificate"]))
    unknown = run("as2", "open", str(file))
    assert unknown.code == 1
    assert unknown.out.splitlines() == [
        "wrong  No partner has a connection for messages from THEM to ACME (sandbox).",
        "Its receipt says: processed/error: unknown-trading-relationship.",
    ]
    connection = as2_members(as2_from="ACME")
    partner.write_text(json.dumps({"name": "Them", "connections": {"test": connection}}))
    run("partners", "create", str(partner))
    opened = run("as2", "open", str(file), "--output", str(output))
    lines = opened.out.splitlines()
    assert (opened.code, output.read_bytes()) == (0, b"ISA*00*~")
    assert lines[0] == "ok     The message <1@them> is from THEM to ACME."
    assert lines[1].endswith(f"with aes256_cbc for our certificate {made['fingerprint']}.")
    assert lines[3].startswith("ok     The payload has 8 bytes (application/EDI-X12). MIC: ")
    assert lines[4] == "Its receipt says: processed."
    assert "--force" in run("as2", "open", str(file), "--output", str(output)).err
    file.write_bytes(a_saved_message("ACME", a_pair("US co").certificate.pem))
    refused = run("as2", "open", str(file), "--json")
    assert (refused.code, refused.json["accepted"]) == (1, False)
    assert refused.json["disposition"] == "processed/error: decryption-failed"
    assert [each["ok"] for each in refused.json["steps"]] == [True, False]


def test_what_is_no_message_is_not_opened(run: CommandLine, tmp_path: Path) -> None:
    run("accounts", "create", "acme")
    file = tmp_path / "sent"
    for content, text in ((b"x", "The headers do not end"), (b"a: b\n\n", "Message-ID is missing")):
        file.write_bytes(content)
        found = run("as2", "open", str(file))
        assert (found.code, found.out.startswith(f"wrong  {text}")) == (1, True)
    file.write_bytes(a_saved_message("OTHER", a_pair("US co").certificate.pem))
    assert "(not_found)" in run("as2", "open", str(file)).err
