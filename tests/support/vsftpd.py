"""A vsftpd with TLS, whose folder a test looks into. It is run by the user that runs the tests."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from longshore.domain.partners.connections import FtpsConnection

VSFTPD = shutil.which("vsftpd", path="/usr/sbin:/usr/local/sbin:/usr/bin")
USER, PASSWORD = "anonymous", "hush-word"


@dataclass(frozen=True, kw_only=True)
class Vsftpd:
    """A running vsftpd."""

    folder: Path
    """With ``in`` and ``out``."""
    port: int
    fingerprint: str
    """What openssl says of its certificate."""

    def connection(self, **members: object) -> FtpsConnection:
        """Return a connection that logs in and puts its files into ``in``."""
        usual: dict[str, object] = {
            "host": "127.0.0.1",
            "port": self.port,
            "user": USER,
            "password": PASSWORD,
            "certificate": self.fingerprint,
            "upload_dir": f"{self.folder}/in",
        }
        return FtpsConnection(**{**usual, **members})  # type: ignore[arg-type]  # each as its field


def make_certificate(folder: Path, name: str = "server") -> str:
    """Make a key and a certificate of 127.0.0.1 with openssl; return its fingerprint."""
    key, certificate = folder / f"{name}.key", folder / f"{name}.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30"]
    names = ["-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*command, *names, *files], check=True, capture_output=True)
    command = ["openssl", "x509", "-in", str(certificate), "-noout", "-fingerprint", "-sha256"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return said.strip().partition("=")[2]


@contextmanager
def vsftpd(folder: Path, *more: str) -> Iterator[Vsftpd]:
    """Run a server on a free port of loopback, with further lines of its configuration."""
    root = folder / "files"
    for each in ("in", "out"):
        (root / each).mkdir(parents=True)
    fingerprint = make_certificate(folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "passwords").write_text(f"{PASSWORD}\n", encoding="utf-8")
    config = folder / "vsftpd.conf"
    lines = (
        *("listen=YES", "listen_address=127.0.0.1", f"listen_port={port}", "background=NO"),
        *("run_as_launching_user=YES", "seccomp_sandbox=NO", "xferlog_enable=NO"),
        *("anonymous_enable=YES", "local_enable=NO", "write_enable=YES", f"anon_root={root}"),
        *("anon_upload_enable=YES", "anon_mkdir_write_enable=YES", "anon_other_write_enable=YES"),
        *("anon_world_readable_only=NO", "anon_umask=022", "allow_writeable_chroot=YES"),
        *("secure_email_list_enable=YES", f"email_password_file={folder}/passwords"),
        *("ssl_enable=YES", "allow_anon_ssl=YES", "force_anon_logins_ssl=YES"),
        *("force_anon_data_ssl=YES", "ssl_tlsv1=YES", "require_ssl_reuse=YES"),
        *(f"rsa_cert_file={folder}/server.pem", f"rsa_private_key_file={folder}/server.key"),
        *more,
    )
    config.write_text("".join(f"{each}\n" for each in lines), encoding="utf-8")
    assert VSFTPD is not None
    with subprocess.Popen([VSFTPD, str(config)], stderr=subprocess.DEVNULL) as running:
        try:
            _wait_for(port)
            yield Vsftpd(folder=root, port=port, fingerprint=fingerprint)
        finally:
            running.terminate()


def _wait_for(port: int) -> None:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("vsftpd does not listen")
