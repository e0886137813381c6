"""Tries an installed Longshore: ``python tools/try_wheel.py path/to/longshore``.

Proves that the wheel carries what it needs (queries, migrations, dictionary, the built pages) and
that the run-time lock is enough, without Node. It knows the installed command and the samples only,
nothing of the source tree, and runs on the standard library. A failure is an exception with what
the command said.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import Request, urlopen

SAMPLE = Path(__file__).parents[1] / "samples/850_purchase_order"
TYPED = "lib/python*/site-packages/longshore/py.typed"
MANIFEST = "lib/python*/site-packages/longshore/http/ui/static/.vite/manifest.json"


def try_command(longshore: str, folder: Path) -> None:
    """Ask for help and for a set, and parse a sample to exactly its fields."""
    assert list(Path(longshore).parent.parent.glob(TYPED)), "the wheel has no py.typed"
    assert "parse" in _output_of([longshore, "--help"], folder)
    exported = _output_of([longshore, "dictionary", "export", "--set", "850"], folder)
    assert json.loads(exported)["positions"][0]["segment"] == "BEG"
    document = str((SAMPLE / "input.edi").resolve())
    answer = json.loads(_output_of([longshore, "parse", document, "--json"], folder))
    assert answer["fields"] == json.loads((SAMPLE / "fields.json").read_text(encoding="utf-8"))


def try_server(longshore: str, folder: Path) -> None:
    """Make a key on a new data directory, serve, parse the sample with it, stop."""
    place = ["--data-dir", str(folder / "data")]
    owner = ["--account", "demo", "--environment", "sandbox"]
    _output_of([longshore, "db", "upgrade", *place], folder)
    issued = _output_of([longshore, "keys", "create", *owner, *place, "--json"], folder)
    headers = {"Authorization": f"Bearer {json.loads(issued)['key']}"}
    body = json.dumps({"document": (SAMPLE / "input.edi").read_text(encoding="utf-8")})
    command = [longshore, "serve", "--port", "0", *place]
    # Its own programs alone: there is no Node among them.
    path = str(Path(longshore).parent)
    assert shutil.which("node", path=path) is None
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, text=True, env={"PATH": path}
    ) as server:
        try:
            address = f"{_address_of(server)}/api/v1/parse"
            headers["Content-Type"] = "application/json"
            with urlopen(Request(address, body.encode(), headers), timeout=30) as answer:
                assert json.load(answer)["ok"]
            try_pages(address.partition("/api/")[0], assets_of(Path(longshore)))
        finally:
            server.terminate()
        assert server.wait() == 0


def try_pages(address: str, assets: set[str]) -> None:
    """Get the shell, whose nonce is that of its header, and every file the build names."""
    with urlopen(f"{address}/", timeout=30) as answer:
        page, policy = answer.read().decode(), answer.headers["Content-Security-Policy"]
    assert re.findall(r'name="csp-nonce" content="([^"]+)"', page) == re.findall(
        r"'nonce-([^']+)'", policy
    )
    named = set(re.findall(r'(?:src|href)="/static/([^"]+)"', page))
    assert named & assets, page  # or it is the page that says how to build the others
    for asset in sorted(named | assets):
        with urlopen(f"{address}/static/{asset}", timeout=30) as answer:
            assert answer.read(), asset


def assets_of(longshore: Path) -> set[str]:
    """List the files that the manifest of the installed build names."""
    (manifest,) = longshore.parent.parent.glob(MANIFEST)
    chunks = json.loads(manifest.read_text(encoding="utf-8")).values()
    return {
        name
        for chunk in chunks
        for name in (chunk["file"], *chunk.get("css", ()), *chunk.get("assets", ()))
    }


def _output_of(command: list[str], folder: Path) -> str:
    """Run a command that must succeed; return what it prints."""
    return subprocess.run(
        command, cwd=folder, stdout=subprocess.PIPE, check=True, encoding="utf-8"
    ).stdout


def _address_of(server: subprocess.Popen[str]) -> str:
    """Read what the server prints up to its address.

    Raises:
        AssertionError: It ended before; the text is what it printed.
    """
    printed = ""
    for line in server.stdout or ():
        printed += line
        if found := re.search(r"http://127\.0\.0\.1:[0-9]+", line):
            return found[0]
    raise AssertionError(printed)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        installed = str(Path(sys.argv[1]).absolute())
        try_command(installed, Path(temporary))
        try_server(installed, Path(temporary))
    print("the wheel works: help, dictionary, parse, keys, serve, pages")
