"""Tries an installed Longshore: ``python tools/try_wheel.py [--library] path/to/longshore``.

Proves that the wheel carries what it needs (queries, migrations, dictionary, the built pages) and
that the run-time lock is enough, without Node. It knows the installed command and the samples only,
nothing of the source tree, and runs on the standard library. With ``--library`` it proves that the
wheel alone is the library, and brings nothing else. A failure is an exception with what the command
said.
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
EXIT_REFUSED = 2
MANIFEST = "lib/python*/site-packages/longshore/http/ui/static/.vite/manifest.json"


LIBRARY_BYTES = 5_000_000
USE_OF_THE_LIBRARY = """
import sys, longshore as ls
order = ls.read(sys.argv[1])
assert order.is_valid and [each["PO1"][2] for each in order.transaction_sets[0].loops("PO1")]
ls.convert(order, "850-to-json"), order.ack(), [*ls.stream(sys.argv[1])], ls.sample("837")
ls.new("850").add("BEG", "00").document().findings
"""


def try_library(longshore: str, folder: Path) -> None:
    """Use the library where nothing else is installed; the command says what it needs."""
    python = Path(longshore).parent / "python"
    listed = _output_of([str(python), "-m", "pip", "list", "--format", "json"], folder)
    installed_names = {each["name"] for each in json.loads(listed)}
    assert installed_names <= {"longshore", "pip", "setuptools"}, installed_names
    (package,) = Path(longshore).parent.parent.glob("lib/python*/site-packages/longshore")
    (wheel,) = (Path(__file__).parents[1] / "build/wheel").glob("longshore-*.whl")
    assert wheel.stat().st_size < LIBRARY_BYTES, wheel.stat().st_size
    assert (package / "py.typed").is_file()
    document = str((SAMPLE / "input.edi").resolve())
    _output_of([str(python), "-W", "error", "-c", USE_OF_THE_LIBRARY, document], folder)
    refused = subprocess.run(
        [longshore, "serve"], cwd=folder, capture_output=True, check=False, encoding="utf-8"
    )
    assert refused.returncode == EXIT_REFUSED
    assert refused.stderr == (
        "The longshore command needs the package click: "
        "install it with pip install 'longshore[cli]'.\n"
    ), refused.stderr


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
        installed = str(Path(sys.argv[-1]).absolute())
        if "--library" in sys.argv:
            try_library(installed, Path(temporary))
            tried = "the library alone"
        else:
            try_command(installed, Path(temporary))
            try_server(installed, Path(temporary))
            tried = "help, dictionary, parse, keys, serve, pages"
    print(f"the wheel works: {tried}")
