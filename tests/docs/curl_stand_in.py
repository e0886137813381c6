"""Does what the pages ask of curl, where there is none: a machine needs Python and make only.

Refuses every option that it does not know, so a page cannot lean on one by accident.
"""

import argparse
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def main(arguments: list[str]) -> int:
    """Send one request; print the answer's body, whatever its status."""
    parser = argparse.ArgumentParser(prog="curl", allow_abbrev=False)
    parser.add_argument("-s", action="store_true")
    parser.add_argument("-S", action="store_true")
    parser.add_argument("-H", action="append", default=[], dest="headers")
    parser.add_argument("--data", dest="body")
    parser.add_argument("--data-binary", dest="file")
    parser.add_argument("-o", dest="output")
    parser.add_argument("-X", dest="method")
    parser.add_argument("-b", dest="cookies_from")
    parser.add_argument("-c", dest="cookies_to")
    parser.add_argument("-w", dest="write_out", default="")
    parser.add_argument("address")
    given = parser.parse_args(arguments)
    headers = dict(line.split(": ", 1) for line in given.headers)
    if given.cookies_from:
        headers["Cookie"] = Path(given.cookies_from).read_text(encoding="ascii")
    body = Path(given.file.removeprefix("@")).read_bytes() if given.file else _body(given.body)
    request = Request(given.address, body, headers, method=given.method)
    try:
        with urlopen(request, timeout=30) as answer:
            status, body = answer.status, answer.read()
            if given.cookies_to:
                cookie = answer.headers["Set-Cookie"].partition(";")[0]
                Path(given.cookies_to).write_text(cookie, encoding="ascii")
    except HTTPError as refusal:
        with refusal:
            status, body = refusal.code, refusal.read()
    if given.output:
        Path(given.output).write_bytes(body)
    else:
        sys.stdout.buffer.write(body)
    sys.stdout.write(given.write_out.replace("%{http_code}", str(status)).replace("\\n", "\n"))
    return 0


def _body(given: str | None) -> bytes | None:
    if given is None:
        return None
    if given == "@-":
        text = sys.stdin.read()
    else:
        text = Path(given[1:]).read_text(encoding="utf-8") if given.startswith("@") else given
    return text.replace("\r", "").replace("\n", "").encode()  # as curl does for --data


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
