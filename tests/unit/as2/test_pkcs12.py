"""A key pair as an encrypted file: ours opened by openssl, and files of openssl read."""

import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from longshore.as2.certificates import PemKeyPair
from longshore.as2.errors import CertificateError
from longshore.as2.keys import make_key_pair
from longshore.as2.pkcs12 import MAX_BYTES, read_pkcs12, write_pkcs12
from tests.support.clock import START

PASSWORD = "a word for the file"


@pytest.fixture(scope="module")
def pair() -> PemKeyPair:
    made = make_key_pair("PIER", START - timedelta(days=1), b"\1" * 20, bits=2_048)
    return PemKeyPair(made.certificate.pem, made.private_pem)


@pytest.fixture(scope="module")
def file(pair: PemKeyPair) -> bytes:
    return write_pkcs12(pair, "PIER", PASSWORD)


def openssl(*arguments: str, content: bytes = b"") -> bytes:
    command = ("openssl", *arguments)
    return subprocess.run(command, input=content, capture_output=True, check=True).stdout


def test_a_file_has_the_pair_encrypted(pair: PemKeyPair, file: bytes) -> None:
    assert read_pkcs12(file, PASSWORD) == pair
    assert b"PRIVATE" not in file
    opened = openssl("pkcs12", "-nodes", "-passin", f"pass:{PASSWORD}", content=file).decode()
    assert "friendlyName: PIER" in opened
    assert pair.certificate.strip() in opened
    assert pair.private_key.strip() in opened


def test_a_file_of_openssl_is_read(pair: PemKeyPair, tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    key.write_text(pair.private_key)
    certificate.write_text(pair.certificate)
    export = ("pkcs12", "-export", "-passout", f"pass:{PASSWORD}")
    made = openssl(*export, "-inkey", str(key), "-in", str(certificate))
    assert read_pkcs12(made, PASSWORD) == pair
    without_key = openssl(*export, "-nokeys", "-in", str(certificate))
    with pytest.raises(CertificateError, match="no private key with its certificate"):
        read_pkcs12(without_key, PASSWORD)


def test_a_key_that_is_not_rsa_is_refused(tmp_path: Path) -> None:
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    openssl(
        *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
        *("-subj", "/CN=x", "-keyout", key, "-out", certificate),
    )
    export = ("pkcs12", "-export", "-passout", f"pass:{PASSWORD}")
    with pytest.raises(CertificateError, match="no RSA key"):
        read_pkcs12(openssl(*export, "-inkey", key, "-in", certificate), PASSWORD)


@pytest.mark.parametrize("password", ["", "another word", PASSWORD.upper()])
def test_another_password_opens_nothing(file: bytes, password: str) -> None:
    with pytest.raises(CertificateError, match="or the password is another"):
        read_pkcs12(file, password)


@pytest.mark.parametrize("content", [b"", b"-----BEGIN", b"\x30\x82\xff\xff", b"\0" * MAX_BYTES])
def test_what_is_no_file_is_refused(content: bytes) -> None:
    with pytest.raises(CertificateError, match="no PKCS #12 file"):
        read_pkcs12(content, PASSWORD)


def test_a_large_file_is_not_read(file: bytes) -> None:
    with pytest.raises(CertificateError, match="more than 65,536 bytes"):
        read_pkcs12(file + bytes(MAX_BYTES), PASSWORD)
