"""CMS against the openssl command: it reads what we write, and we read what it writes."""

import subprocess
from pathlib import Path
from typing import Final

import pytest

from longshore.as2.algorithms import CIPHERS, DIGESTS, digest_of
from longshore.as2.certificates import read_certificate_facts
from longshore.as2.envelopes import decrypt, encrypt
from longshore.as2.errors import As2Error, DecryptionError
from longshore.as2.keys import KeyPair
from longshore.as2.signatures import sign, verify
from tests.support.as2 import NOW, a_pair

PAYLOADS: Final = {
    "crlf": b"ISA*00~\r\nIEA*1*000000001~\r\n",
    "lf": b"ISA*00~\nIEA*1*000000001~\n",
    "bytes": bytes(range(256)),
    "empty line": b"x\r\n\r\n",
    "nothing": b"",
    "3 MB": b"ISA*00*0123456789~\n" * 157_895,
}
SHORT: Final = PAYLOADS["lf"]
CIPHER_OPTIONS: Final = {
    "3des": "-des3",
    **{
        f"aes{bits}_{mode}": f"-aes-{bits}-{mode}"
        for bits in (128, 192, 256)
        for mode in ("cbc", "gcm")
    },
}


@pytest.fixture(scope="module")
def us() -> KeyPair:
    return a_pair("US")


@pytest.fixture
def folder(tmp_path: Path, us: KeyPair) -> Path:
    (tmp_path / "cert.pem").write_text(us.certificate.pem)
    (tmp_path / "key.pem").write_text(us.private_pem)
    return tmp_path


def openssl(folder: Path, command: str) -> bool:
    """Run a command in a folder; tell whether it succeeded."""
    arguments = ["openssl", *command.split()]
    done = subprocess.run(arguments, cwd=folder, capture_output=True, timeout=30, check=False)
    return done.returncode == 0


def verified_by_openssl(folder: Path) -> bool:
    return openssl(
        folder,
        "cms -verify -binary -inform DER -in sig.der -content part.bin -certfile cert.pem"
        " -nointern -noverify -out /dev/null",
    )


@pytest.mark.parametrize("name", PAYLOADS)
def test_openssl_verifies_our_signature_and_we_its(folder: Path, us: KeyPair, name: str) -> None:
    content = PAYLOADS[name]
    (folder / "part.bin").write_bytes(content)
    for digest in DIGESTS:
        (folder / "sig.der").write_bytes(sign(content, us, digest, NOW))
        assert verified_by_openssl(folder)
        assert openssl(
            folder,
            f"cms -sign -binary -md {digest} -outform DER -signer cert.pem -inkey key.pem"
            " -in part.bin -out theirs.der",
        )
        theirs = (folder / "theirs.der").read_bytes()
        found = verify(content, theirs, (us.certificate,), DIGESTS)
        assert (found.content, found.digest) == (content, digest)


def test_openssl_notices_what_we_notice(folder: Path, us: KeyPair) -> None:
    signature = sign(SHORT, us, "sha256", NOW)
    (folder / "sig.der").write_bytes(signature)
    (folder / "part.bin").write_bytes(SHORT[:-2] + b"!\n")
    assert not verified_by_openssl(folder)
    with pytest.raises(As2Error, match="not the one that was signed"):
        verify(SHORT[:-2] + b"!\n", signature, (us.certificate,))


@pytest.mark.parametrize("options", ["-noattr", "-nocerts", "-keyid", "-nosmimecap"])
def test_other_forms_of_signatures_are_verified(folder: Path, us: KeyPair, options: str) -> None:
    (folder / "part.bin").write_bytes(SHORT)
    command = "cms -sign -binary -md sha256 -outform DER -signer cert.pem -inkey key.pem"
    assert openssl(folder, f"{command} {options} -in part.bin -out sig.der")
    assert verify(SHORT, (folder / "sig.der").read_bytes(), (us.certificate,)).content == SHORT


@pytest.mark.parametrize("name", PAYLOADS)
def test_openssl_decrypts_our_envelope_and_we_its(folder: Path, us: KeyPair, name: str) -> None:
    content = PAYLOADS[name]
    (folder / "part.bin").write_bytes(content)
    for cipher in CIPHERS:
        for is_oaep in (False, True):
            sealed = encrypt(content, us.certificate, cipher, is_oaep=is_oaep)
            (folder / "env.der").write_bytes(sealed)
            assert openssl(
                folder,
                "cms -decrypt -binary -inform DER -in env.der -recip cert.pem -inkey key.pem"
                " -out plain.bin",
            ), cipher
            assert (folder / "plain.bin").read_bytes() == content
            transport = "-keyopt rsa_padding_mode:oaep" if is_oaep else ""
            assert openssl(
                folder,
                f"cms -encrypt -binary {CIPHER_OPTIONS[cipher]} -outform DER -in part.bin"
                f" -out env.der -recip cert.pem {transport}",
            )
            theirs = (folder / "env.der").read_bytes()
            assert decrypt(theirs, (us,), CIPHERS) == content
    assert {*CIPHER_OPTIONS} == {*CIPHERS}


@pytest.mark.parametrize(
    "options",
    [
        "-stream",
        "-keyid",
        "-keyopt rsa_padding_mode:oaep -keyopt rsa_oaep_md:sha256",
        "-keyopt rsa_padding_mode:oaep -keyopt rsa_oaep_md:sha512 -keyopt rsa_mgf1_md:sha384",
    ],
)
def test_other_forms_of_envelopes_are_decrypted(folder: Path, us: KeyPair, options: str) -> None:
    (folder / "part.bin").write_bytes(SHORT)
    command = "cms -encrypt -binary -aes256 -outform DER -in part.bin -out env.der"
    flags, _, key_options = options.partition("-keyopt")
    options = f"{flags} -recip cert.pem" + (f" -keyopt{key_options}" if key_options else "")
    assert openssl(folder, f"{command} {options}")
    assert decrypt((folder / "env.der").read_bytes(), (us,)) == SHORT


def test_an_envelope_for_another_is_not_decrypted(folder: Path, us: KeyPair) -> None:
    (folder / "part.bin").write_bytes(SHORT)
    command = "cms -encrypt -binary -aes256 -outform DER -in part.bin -out env.der"
    assert openssl(folder, f"{command} -recip cert.pem")
    with pytest.raises(DecryptionError):
        decrypt((folder / "env.der").read_bytes(), (a_pair("THEM"),))
    (folder / "env.der").write_bytes(encrypt(SHORT, us.certificate, "aes256_cbc", is_oaep=False))
    (folder / "key.pem").write_text(a_pair("THEM").private_pem)
    assert (
        not openssl(
            folder, "cms -decrypt -binary -inform DER -in env.der -inkey key.pem -out plain.bin"
        )
        or (folder / "plain.bin").read_bytes() != SHORT
    )


def test_the_digest_is_that_of_openssl(folder: Path) -> None:
    for content in PAYLOADS.values():
        (folder / "part.bin").write_bytes(content)
        assert openssl(folder, "dgst -sha256 -binary -out digest.bin part.bin")
        assert (folder / "digest.bin").read_bytes() == digest_of("sha256", content)


def test_a_certificate_of_openssl_is_read(folder: Path) -> None:
    assert openssl(
        folder,
        "req -x509 -newkey rsa:2048 -nodes -keyout new.key -out new.pem -days 1 -subj /CN=NEW",
    )
    assert read_certificate_facts((folder / "new.pem").read_text()).subject == "Common Name: NEW"
