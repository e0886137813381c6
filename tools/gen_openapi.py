"""Write openapi.json from the operations, or with ``--check`` compare the committed one.

Danger: a document that lags behind the code misleads everybody who generates a client from it.
"""

import sys
from pathlib import Path

from longshore.http.openapi import openapi_json

TARGET = Path(__file__).parents[1] / "openapi.json"


def main(arguments: list[str]) -> int:
    """Return the exit status: 1 if ``--check`` finds a difference."""
    document = openapi_json()
    if "--check" not in arguments:
        TARGET.write_bytes(document)
        return 0
    if TARGET.is_file() and TARGET.read_bytes() == document:
        return 0
    print("openapi.json is stale: run `make openapi` and look at the difference", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
