"""``longshore partners``: trading partners as lists and files."""

import json
import re

import pytest

from longshore import listeners
from longshore.domain.partners.connection_check import ConnectionCheck
from longshore.domain.partners.connections import ConnectionType, FileServerConnection
from longshore.domain.partners.host_keys import HostKey
from longshore.domain.partners.targets import NOT_PERMITTED
from longshore.storage.server_address import ServerAddress, published_address
from tests.support.partners import HTTP
from tests.unit.cli.conftest import CommandLine, Ran

pytestmark = pytest.mark.usefixtures("empty_database")

BODY: dict[str, object] = {
    "name": "Northwind Retail",
    "isa_qualifier": "01",
    "isa_id": "123456789",
    "connections": {"test": HTTP},
}
HEAD = ["id", "name", "status", "identity", "test", "live", "updated_at"]


def a_file(run: CommandLine, **members: object) -> str:
    path = run.folder / "partner.json"
    path.write_text(json.dumps(BODY | members), encoding="utf-8")
    return str(path)


def with_a_partner(run: CommandLine, **members: object) -> Ran:
    run("accounts", "create", "acme")
    return run("partners", "create", a_file(run, **members), "--json")


def exported(run: CommandLine, number: int = 2) -> dict[str, object]:
    members: dict[str, object] = run("partners", "export", str(number)).json
    return members


@pytest.mark.parametrize(
    "command", [("list",), ("export", "1"), ("create", "partner.json"), ("import", "partner.json")]
)
def test_whose_partners_has_to_be_clear(run: CommandLine, command: tuple[str, ...]) -> None:
    a_file(run)
    ran = run("partners", *command)
    assert (ran.code, ran.out) == (2, "")
    assert "Name the account of the partner with --account. Accounts: none yet." in ran.err
    for name in ("acme", "Northwind"):
        run("accounts", "create", name)
    assert "Accounts: acme, Northwind." in run("partners", *command).err
    assert "There is no account 'nobody'" in run("partners", *command, "--account", "nobody").err


def test_a_partner_of_another_account_is_not_found(run: CommandLine) -> None:
    with_a_partner(run)
    run("accounts", "create", "Northwind")
    file = a_file(run)
    for command in (("export", "2"), ("import", file, "--id", "2")):
        ran = run("partners", *command, "--account", "northwind")
        assert (ran.code, "(not_found)" in ran.err) == (2, True)
    listed = run("partners", "list", "--account", "northwind", "--json").json["partners"]
    assert [each["name"] for each in listed] == ["Simulator"]


def test_a_new_account_has_a_partner_that_simulates(run: CommandLine) -> None:
    ran = run("accounts", "create", "acme")
    assert "Account acme (developer) is created." in ran.out
    head, row = (line.split() for line in run("partners", "list").out.splitlines())
    assert (head, row[:6]) == (
        HEAD,
        ["1", "Simulator", "testing", "ZZ/SIMULATOR", "simulator", "none"],
    )


def test_a_partner_is_made_of_a_file(run: CommandLine) -> None:
    partner = with_a_partner(run).json["partner"]
    start, _, token = partner["inbound_url_test"].rpartition("/")
    assert (start, token[-9:], partner["inbound_url"]) == (
        *("/edi/receive", "?env=test"),
        "",
    )
    assert (partner["id"], partner["name"]) == (2, "Northwind Retail")
    made = run("partners", "create", a_file(run, name="Bolt", isa_id="BOLT"))
    said, address = made.out.splitlines()
    assert said == "Partner 3 (Bolt) is created; it is testing."
    assert re.fullmatch(
        r"Address for its test documents: the path /edi/receive/\S+\?env=test of the server",
        address,
    )
    again = run("partners", "create", a_file(run))
    assert (again.code, "(invalid_parameter)" in again.err) == (2, True)
    assert len(run("partners", "list", "--json").json["partners"]) == 3


def test_addresses_are_those_of_the_server_that_runs(run: CommandLine) -> None:
    with_a_partner(run)
    data_dir = run.folder / "longshore-data"

    def shown() -> str:
        url: str = run("partners", "list", "--json").json["partners"][1]["inbound_url_test"]
        return url.partition("/edi/")[0]

    def running(database: str = "") -> ServerAddress:
        own = "https://edi.example.com"
        return ServerAddress(address="http://127.0.0.1:9", base_url=own, database=database)

    with published_address(data_dir, running()):
        assert shown() == "https://edi.example.com"
        with published_address(data_dir, running("db.example.com/other")):
            assert shown() == "https://edi.example.com"  # the first is named
        left = (data_dir / "server.json").read_bytes()
    assert (shown(), (data_dir / "server.json").exists()) == ("", False)
    (data_dir / "server.json").write_bytes(left)  # as a crash leaves it
    assert shown() == ""
    with published_address(data_dir, running("db.example.com/other")):
        assert shown() == ""


def test_what_was_exported_is_imported_with_its_secrets_kept(run: CommandLine) -> None:
    with_a_partner(run)
    exported_once = exported(run)
    assert "hush" not in json.dumps(exported_once)
    file = run.folder / "partner.json"
    changed = exported_once | {"industry": "retail", "partner_status": "active"}
    file.write_text(json.dumps(changed), encoding="utf-8")
    ran = run("partners", "import", str(file), "--json")
    assert (ran.code, ran.json["partner"]["id"]) == (0, 2)
    assert ran.json["partner"]["inbound_url"].startswith("/edi/receive/")
    test = ran.json["partner"]["connections"]["test"]
    assert test["basic"] == {"user": "us", "password_set": True}
    assert exported(run) == changed


@pytest.mark.parametrize("command", ["create", "import"])
def test_what_cannot_work_is_refused_and_nothing_is_stored(run: CommandLine, command: str) -> None:
    with_a_partner(run)
    sftp = {"type": "sftp", "host": "127.0.0.1", "user": "us"}
    local = {"type": "http", "url": "http://127.0.0.1:9000/in"}
    for connection, reason in (
        (sftp, NOT_PERMITTED),
        (local, NOT_PERMITTED),
    ):
        file = a_file(run, name="Bolt", connections={"test": connection})
        ran = run("partners", command, file)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == f"longshore: {reason} (invalid_parameter)\n"
    both = a_file(run, name="Bolt", connections={"test": local}, settings={"overlays": ["acme"]})
    assert run("partners", command, both).err == (
        f"longshore: {NOT_PERMITTED} (invalid_parameter)\n"
        'longshore: settings.overlays: The setting "overlays" is not built yet, so it has no'
        " effect. Leave it out.\n"
    )
    twin = run("partners", command, a_file(run, name="Bolt"))
    assert (twin.code, twin.out) == (2, "")
    assert "Partner 2 (Northwind Retail) has the identity 01/123456789 already." in twin.err
    names = [each["name"] for each in run("partners", "list", "--json").json["partners"]]
    assert names == ["Simulator", "Northwind Retail"]


def test_an_import_changes_the_partner_of_its_name_or_id_else_makes_one(run: CommandLine) -> None:
    with_a_partner(run)
    said = [
        run("partners", "import", a_file(run, name="NORTHWIND retail")),
        run("partners", "import", a_file(run, name="Northwind", isa_id="NORTH")),
        run("partners", "import", a_file(run, name="Bolt", isa_id="NORTH"), "--id", "3"),
    ]
    assert [each.out.splitlines()[0] for each in said] == [
        "Partner 2 (NORTHWIND retail) is changed; it is testing.",
        "Partner 3 (Northwind) is created; it is testing.",
        "Partner 3 (Bolt) is changed; it is testing.",
    ]


def test_an_export_goes_to_a_new_file(run: CommandLine) -> None:
    with_a_partner(run)
    file = run.folder / "out.json"
    assert run("partners", "export", "2", str(file)).code == 0
    assert json.loads(file.read_text(encoding="utf-8")) == exported(run)
    refused = run("partners", "export", "2", str(file))
    assert (refused.code, "--force" in refused.err) == (2, True)
    assert run("partners", "export", "2", str(file), "--force").code == 0


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "invalid_json"),
        ('{"name":', "invalid_json"),
        ("[" * 100_000, "invalid_json"),
        ('{"name": "\\ud800"}', "invalid_json"),
        ("[]", "invalid_parameter"),
        ("{}", "missing_parameter"),
        ('{"name": 5}', "invalid_parameter"),
        ('{"name": "N", "nmae": 1}', "unknown_parameter"),
        ('{"name": "N", "partner_status": "active"}', "invalid_parameter"),
    ],
)
@pytest.mark.parametrize("command", ["create", "import"])
def test_what_is_no_partner_is_refused_and_nothing_stored(
    run: CommandLine, command: str, content: str, code: str
) -> None:
    run("accounts", "create", "acme")
    file = run.folder / "partner.json"
    file.write_text(content, encoding="utf-8")
    ran = run("partners", command, str(file), "--json")
    assert (ran.code, ran.json["code"]) == (2, code)
    assert len(run("partners", "list", "--json").json["partners"]) == 1


def test_a_check_shows_the_host_key_and_fails_until_it_is_confirmed(
    run: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_a_partner(run)
    shown = HostKey(text="ssh-ed25519 AAAA", fingerprint="SHA256:uNiReFp")
    answers = [
        ConnectionCheck(code="host_key_unconfirmed", message="Compare it.", host_key=shown),
        ConnectionCheck(code="timed_out", message="There was no answer in time."),
        ConnectionCheck(code="succeeded", message="The login works.", host_key=shown),
    ]

    class Checker:
        async def check(self, connection: FileServerConnection) -> ConnectionCheck:
            assert (connection.user, connection.password) == ("us", "hush")
            return answers.pop(0)

    monkeypatch.setattr(listeners, "open_file_servers", lambda _: {ConnectionType.SFTP: Checker()})
    sftp = {"type": "sftp", "host": "files.example.com", "user": "us", "password": "hush"}
    run("partners", "create", a_file(run, name="Quay", isa_id="QUAY", connections={"test": sftp}))
    command = ("partners", "check-connection", "3")
    ran = run(*command)
    assert (ran.code, ran.out) == (1, "Compare it.\nhost_key: ssh-ed25519 AAAA\n")
    ran = run(*command)
    assert (ran.code, ran.out) == (1, "There was no answer in time.\n")
    ran = run(*command, "--json")
    assert (ran.code, ran.json) == (
        0,
        {
            "code": "succeeded",
            "message": "The login works.",
            "host_key": "ssh-ed25519 AAAA",
            "fingerprint": "SHA256:uNiReFp",
        },
    )
    ran = run(*command, "--environment", "production")
    refusal = (
        "Only AS2, SFTP and FTPS connections and mailboxes can be checked without sending a"
        " document."
        " (invalid_state)"
    )
    assert (ran.code, ran.err) == (2, f"longshore: {refusal}\n")
