"""The certificate of the server: files that cannot be used, and those that change."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from shutil import copy

import pytest

from longshore.http.server import ServedAddress, listen, open_certificate
from longshore.http.tls import ServerCertificate
from longshore.kit.errors import LongshoreError
from tests.support.destinations import make_certificate

MUST_BE = "They must be a certificate chain and its unencrypted private key, both PEM."


@pytest.fixture
def files(tmp_path: Path) -> Callable[[str], tuple[str, str]]:
    """Return what makes a certificate and its key, and returns their paths."""

    def make(name: str) -> tuple[str, str]:
        folder = tmp_path / name
        folder.mkdir()
        make_certificate(folder, "localhost")
        return str(folder / "certificate.pem"), str(folder / "key.pem")

    return make


def refusal(cert_file: str, key_file: str) -> str:
    with pytest.raises(LongshoreError) as refused:
        open_certificate(cert_file, key_file)
    assert refused.value.code == "invalid_parameter"
    return refused.value.message


def test_files_that_cannot_be_used_are_refused_with_the_reason(
    files: Callable[[str], tuple[str, str]], tmp_path: Path
) -> None:
    cert_file, key_file = files("first")
    other_key = files("second")[1]
    text = tmp_path / "text"
    text.write_text("no certificate", encoding="ascii")
    begin = "The files of tls_cert and tls_key cannot be used:"
    missing = f"{begin} No such file or directory. {MUST_BE}"
    assert refusal(cert_file, str(tmp_path / "absent")) == missing
    assert refusal("", key_file) == missing
    assert refusal(cert_file, other_key) == f"{begin} KEY_VALUES_MISMATCH. {MUST_BE}"
    assert refusal(str(text), key_file).startswith(begin)
    assert open_certificate("", "") is None


def test_a_certificate_that_changes_is_taken_once_its_key_fits(
    files: Callable[[str], tuple[str, str]],
) -> None:
    (cert_file, key_file), (new_cert, new_key) = files("first"), files("second")
    certificate = ServerCertificate(cert_file, key_file)
    assert certificate.reload() is False
    copy(new_cert, cert_file)
    assert [certificate.reload(), certificate.reload()] == [False, False]
    copy(new_key, key_file)
    assert [certificate.reload(), certificate.reload()] == [True, False]
    Path(key_file).unlink()
    assert certificate.reload() is False


def test_the_files_are_looked_at_until_the_server_ends(
    files: Callable[[str], tuple[str, str]],
) -> None:
    certificate = ServerCertificate(*files("first"))
    looks: list[bool] = []

    def look() -> bool:
        looks.append(True)
        return False

    certificate.reload = look  # type: ignore[method-assign]  # counted

    async def watch() -> None:
        watching = asyncio.create_task(certificate.watch(0.0))
        while len(looks) < 2:  # noqa: ASYNC110 - a plain list
            await asyncio.sleep(0)
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)

    asyncio.run(watch())


def test_an_address_with_a_certificate_is_https(
    files: Callable[[str], tuple[str, str]],
) -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        served = ServedAddress(listener, ServerCertificate(*files("first")))
        assert served.address == f"https://127.0.0.1:{port}"
        assert ServedAddress(listener).address == f"http://127.0.0.1:{port}"
