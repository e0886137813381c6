"""TLS of the server itself, with openssl and curl as clients, and a certificate that changes."""

import http.client
import shutil
import ssl
import subprocess
from contextlib import ExitStack, closing
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import urlsplit

import pytest

from tests.support.destinations import make_certificate
from tests.system.server import DEADLINE_SECONDS, Server, serving

OPENSSL, CURL = shutil.which("openssl"), shutil.which("curl")


def connected(server: Server, trust: ssl.SSLContext) -> http.client.HTTPSConnection:
    """Return a connection that trusts one certificate, named localhost."""
    port = urlsplit(server.address).port
    return http.client.HTTPSConnection("localhost", port, timeout=DEADLINE_SECONDS, context=trust)


def status_of(connection: http.client.HTTPSConnection) -> int:
    connection.request("GET", "/healthz")
    answer = connection.getresponse()
    answer.read()
    return answer.status


def status_at(server: Server, trust: ssl.SSLContext) -> int:
    """Return the status on a connection of its own."""
    with closing(connected(server, trust)) as connection:
        return status_of(connection)


def wait_for_line(server: Server, event: str) -> None:
    end = monotonic() + DEADLINE_SECONDS
    while event not in (server.folder / "log").read_text(encoding="utf-8"):
        assert monotonic() < end, f"no {event} in the log"
        sleep(0.05)


def handshake(server: Server, version: str) -> int:
    """Return how ``openssl s_client`` ends that offers this version alone."""
    assert OPENSSL is not None
    where = server.address.removeprefix("https://")
    done = subprocess.run(
        [OPENSSL, "s_client", "-connect", where, version, "-cipher", "ALL:@SECLEVEL=0"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=DEADLINE_SECONDS,
        check=False,
    )
    return done.returncode


def check_with_programs(server: Server) -> None:
    """Connect as openssl and curl do, if this machine has them."""
    if OPENSSL is not None:
        assert handshake(server, "-tls1_1") != 0
        assert (handshake(server, "-tls1_2"), handshake(server, "-tls1_3")) == (0, 0)
    if CURL is not None:
        trust = ("--cacert", "second/certificate.pem")
        port = urlsplit(server.address).port
        shown = subprocess.run(
            [CURL, "-sS", *trust, f"https://localhost:{port}/healthz"],
            cwd=server.folder,
            capture_output=True,
            timeout=DEADLINE_SECONDS,
            check=True,
        )
        assert shown.stdout.startswith(b'{"ok":true')


def test_the_certificate_changes_while_the_server_runs(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    _, first = make_certificate(tmp_path / "first", "localhost")
    _, second = make_certificate(tmp_path / "second", "localhost")
    for name in ("certificate.pem", "key.pem"):
        shutil.copy(tmp_path / "first" / name, tmp_path / name)
    options = ("--tls-cert", "certificate.pem", "--tls-key", "key.pem")
    with serving(tmp_path, *options, is_measured=False) as server, ExitStack() as stack:
        assert server.address.startswith("https://127.0.0.1:")
        earlier = stack.enter_context(closing(connected(server, first)))
        assert status_of(earlier) == 200
        shutil.copy(tmp_path / "second/certificate.pem", tmp_path)
        wait_for_line(server, "tls_certificate_refused")
        assert status_at(server, first) == 200
        shutil.copy(tmp_path / "second/key.pem", tmp_path)
        wait_for_line(server, "tls_certificate_taken")
        assert status_at(server, second) == 200
        with pytest.raises(ssl.SSLCertVerificationError):
            status_at(server, first)
        assert status_of(earlier) == 200  # what is open goes on
        check_with_programs(server)
        assert server.stop() == 0
