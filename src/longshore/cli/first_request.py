"""The requests a newcomer sends first, as shell commands that can be pasted.

One parses a whole purchase order, the other makes the first user. They need no file and no folder,
so they work wherever they are pasted.
"""

import json
import shlex

from longshore.domain.samples.service import ORDER


def purchase_order() -> str:
    """Return the sample order on one line, which its segments allow."""
    return ORDER.document().replace("\n", "")


def first_request(address: str, key: str) -> str:
    """Return a curl command that parses the order; to be pasted into any POSIX shell."""
    return _post(
        f"{address}/api/v1/parse",
        {"document": purchase_order()},
        f"-H {shlex.quote(f'Authorization: Bearer {key}')}",
    )


def set_up_request(address: str, token: str) -> str:
    """Return a curl command that makes the first user.

    What stands for address and password is refused as it is: nobody gets a known password.
    """
    body = {"token": token, "email": "E-MAIL", "password": "PASSWORD"}
    return _post(f"{address}/api/setup", body)


def _post(url: str, body: dict[str, str], *options: str) -> str:
    return " \\\n  ".join((
        f"curl -sS {shlex.quote(url)}",
        *options,
        "-H 'Content-Type: application/json'",
        f"--data {shlex.quote(json.dumps(body))}",
    ))
