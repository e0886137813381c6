"""Settings: which source wins, and that nothing unknown or impossible is let through."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from longshore.kit.errors import ErrorCode
from longshore.settings import (
    LogLevel,
    Settings,
    SettingsError,
    load_settings,
)
from tools.gen_settings import EXAMPLE_FILE, example_toml


def load(tmp_path: Path, environ: dict[str, str] | None = None, **arguments: object) -> Settings:
    return load_settings(arguments, environ=environ or {}, working_dir=tmp_path)


def refusal(tmp_path: Path, environ: dict[str, str], **arguments: object) -> SettingsError:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, environ, **arguments)
    return caught.value


def test_without_any_source_the_defaults_hold(tmp_path: Path) -> None:
    assert load(tmp_path) == Settings()
    assert (Settings().host, Settings().port) == ("127.0.0.1", 8080)
    assert (Settings().data_dir, Settings().max_body_bytes) == (Path("longshore-data"), 33_554_432)


def test_the_command_line_wins_over_the_environment_over_the_file(tmp_path: Path) -> None:
    (tmp_path / "longshore.toml").write_text('port = 1\nhost = "file"\nlog_level = "error"\n')
    environ = {"LONGSHORE_PORT": "2", "LONGSHORE_HOST": "environ", "HOME": "/"}
    settings = load(tmp_path, environ, port=3, data_dir=None)
    assert settings == replace(Settings(), port=3, host="environ", log_level=LogLevel.ERROR)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("data_dir", "/srv/edi", Path("/srv/edi")),
        ("host", "::1", "::1"),
        ("port", "0", 0),
        ("port", "65535", 65_535),
        ("base_url", "https://edi.example.com/", "https://edi.example.com"),
        ("base_url", "https://example.com/edi", "https://example.com/edi"),
        ("base_url", "", ""),
        ("trusted_proxies", "10.0.0.7, 10.1.0.0/16,::1", ("10.0.0.7/32", "10.1.0.0/16", "::1/128")),
        ("trusted_proxies", "", ()),
        ("max_body_bytes", "1024", 1_024),
        ("log_level", "DEBUG", LogLevel.DEBUG),
    ],
)
def test_text_of_the_environment_becomes_a_value(
    tmp_path: Path, name: str, text: str, value: object
) -> None:
    settings = load(tmp_path, {f"LONGSHORE_{name.upper()}": text})
    assert getattr(settings, name) == value


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("port", "65536", "LONGSHORE_PORT must be a whole number from 0 to 65535"),
        ("port", "-1", "LONGSHORE_PORT must be a whole number from 0 to 65535"),
        ("port", "٨٠", "LONGSHORE_PORT must be a whole number from 0 to 65535"),
        ("port", "9" * 5_000, "LONGSHORE_PORT must be a whole number from 0 to 65535"),
        ("port", "", "LONGSHORE_PORT must be a whole number from 0 to 65535"),
        (
            "host",
            "a b",
            (
                "LONGSHORE_HOST must be an address or a host name, "
                "for example 127.0.0.1, ::1 or 0.0.0.0"
            ),
        ),
        (
            "base_url",
            "edi.example.com",
            (
                "LONGSHORE_BASE_URL must begin with http:// or https:// and name a host, such as "
                "https://edi.example.com"
            ),
        ),
        *(
            (
                "base_url",
                address,
                (
                    "LONGSHORE_BASE_URL must begin with http:// or https:// and name a host, such "
                    "as https://edi.example.com"
                ),
            )
            for address in ("https://a:b", "https://a:65536", "https://a:0", "https://[::1")
        ),
        ("data_dir", "", "LONGSHORE_DATA_DIR must be the path of a folder"),
        (
            "data_dir",
            "~no-such-user/edi",
            "LONGSHORE_DATA_DIR must be the path of a folder; its ~ does not name a user",
        ),
        ("master_key_file", "a\0b", "LONGSHORE_MASTER_KEY_FILE must be the path of a file"),
        (
            "master_key_file",
            "~no-such-user/key",
            "LONGSHORE_MASTER_KEY_FILE must be the path of a file; its ~ does not name a user",
        ),
        (
            "trusted_proxies",
            "10.0.0.7/8",
            (
                "LONGSHORE_TRUSTED_PROXIES must be a list of addresses or networks, such as "
                "10.0.0.7 or 10.0.0.0/8"
            ),
        ),
        ("log_level", "loud", "LONGSHORE_LOG_LEVEL must be one of: debug, info, warning, error"),
    ],
)
def test_an_impossible_value_is_refused_by_its_source(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    error = refusal(tmp_path, {f"LONGSHORE_{name.upper()}": text})
    assert (error.code, error.message) == (ErrorCode.INVALID_PARAMETER, message)


@pytest.mark.parametrize("line", ["port = true", "port = 80.5", 'port = "x"', "port = [1]"])
def test_a_value_of_the_wrong_type_in_the_file_is_refused(tmp_path: Path, line: str) -> None:
    file = tmp_path / "longshore.toml"
    file.write_text(line)
    assert refusal(tmp_path, {}).message == (
        f"port in {file} must be a whole number from 0 to 65535"
    )


def test_the_file_takes_lists_and_numbers(tmp_path: Path) -> None:
    (tmp_path / "longshore.toml").write_text('trusted_proxies = ["10.0.0.7"]\nport = 9000\n')
    settings = load(tmp_path)
    assert (settings.trusted_proxies, settings.port) == (("10.0.0.7/32",), 9_000)


def test_unknown_names_are_refused_with_the_nearest_known_all_at_once(tmp_path: Path) -> None:
    file = tmp_path / "longshore.toml"
    file.write_text("max_body = 1\n")
    error = refusal(tmp_path, {"LONGSHORE_PROT": "1", "LONGSHORE_PORT": "x"})
    assert error.code == ErrorCode.UNKNOWN_PARAMETER
    assert [detail.message for detail in error.details] == [
        "LONGSHORE_PROT is not a setting; the nearest is LONGSHORE_PORT",
        f"max_body in {file} is not a setting; the nearest is max_body_bytes",
        "LONGSHORE_PORT must be a whole number from 0 to 65535",
    ]


@pytest.mark.parametrize(
    "url", ["", "postgresql://h/d", "postgres://login:secret@[::1]:5432/d?sslmode=require"]
)
def test_a_database_url_is_taken_and_never_shown(tmp_path: Path, url: str) -> None:
    settings = load(tmp_path, {"LONGSHORE_DATABASE_URL": url})
    assert settings.database_url == url
    assert "secret" not in repr(settings)


@pytest.mark.parametrize("url", ["mysql://u:secret@h/d", "secret", "postgresql://", 7])
def test_another_database_url_is_refused_without_its_password(tmp_path: Path, url: object) -> None:
    assert refusal(tmp_path, {}, database_url=url).message == (
        "--database-url must be an address such as postgresql://login:password@host:5432/database"
    )


def test_the_file_of_the_data_directory_is_found_by_environment_and_argument(
    tmp_path: Path,
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "longshore.toml").write_text("port = 9000")
    assert load(tmp_path, {"LONGSHORE_DATA_DIR": "data"}).port == 9_000
    assert load(tmp_path, data_dir=tmp_path / "data").port == 9_000
    assert load(tmp_path).port == 8_080


def test_two_files_are_refused_and_a_named_one_settles_it(tmp_path: Path) -> None:
    here, there = tmp_path / "longshore.toml", tmp_path / "longshore-data" / "longshore.toml"
    there.parent.mkdir()
    here.write_text("port = 1")
    there.write_text("port = 2")
    assert refusal(tmp_path, {}).message == (
        f"there are two settings files, {here} and {there}: keep one of them"
    )
    assert load_settings({}, config=there, environ={}, working_dir=tmp_path).port == 2


def test_a_named_file_that_is_missing_or_no_toml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read: No such file or directory"):
        load_settings({}, config=tmp_path / "no.toml", environ={})
    (tmp_path / "bad.toml").write_bytes(b"port = \xff")
    with pytest.raises(SettingsError, match="is not valid TOML"):
        load_settings({}, config=tmp_path / "bad.toml", environ={})


def test_the_committed_example_is_generated_and_loads_with_every_line_switched_on(
    tmp_path: Path,
) -> None:
    text = EXAMPLE_FILE.read_text(encoding="utf-8")
    assert text == example_toml()
    names = [field.name for field in fields(Settings)]
    switched_on = [
        line.removeprefix("# ")
        for line in text.splitlines()
        if line.removeprefix("# ").split(" = ")[0] in names
    ]
    assert len(switched_on) == len(names)
    (tmp_path / "longshore.toml").write_text("\n".join(switched_on))
    assert load(tmp_path) == Settings()


@pytest.mark.parametrize(("given", "workers"), [("auto", "auto"), ("0", 0), ("3", 3), (256, 256)])
def test_document_workers_are_a_number_or_left_to_the_machine(
    given: object, workers: object, tmp_path: Path
) -> None:
    settings = load_settings({"document_workers": given}, environ={}, working_dir=tmp_path)
    assert settings.document_workers == workers


def test_other_document_workers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings({"document_workers": "many"}, environ={}, working_dir=tmp_path)
    assert refused.value.message == (
        "--document-workers must be a whole number from 0 to 256 or auto"
    )


def test_the_place_of_the_master_key_is_taken_from_the_home_of_a_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/srv/edi")
    found = [
        load_settings(
            {}, environ={"LONGSHORE_MASTER_KEY_FILE": given}, working_dir=tmp_path
        ).master_key_file
        for given in ("~/master.key", "/run/secrets/key", "")
    ]
    assert found == ["/srv/edi/master.key", "/run/secrets/key", ""]


def test_the_order_of_a_fault_test_is_no_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LONGSHORE_FAULT", "here:2")
    assert load_settings({}, working_dir=tmp_path) == Settings()
