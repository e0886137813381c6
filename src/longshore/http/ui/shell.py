"""The one HTML page of the browser application, made anew for each answer.

Its content security policy allows a style element only with the nonce of the same answer. The page
holds the nonce too, for the application to give it to what it makes, so no copy of the page may be
kept: an old body under a new header would have no styles.
"""

import base64
from pathlib import Path
from typing import Final

from longshore.http.documentation import HTML, html_page
from longshore.http.envelope import Answer
from longshore.http.headers import Header
from longshore.http.ui.files import INDEX
from longshore.kit.ids import IdSource

PLACEHOLDER: Final = b"__CSP_NONCE__"
NONCE_BYTES: Final = 18  # 24 characters of base64, without padding

_HEADERS: Final[tuple[Header, ...]] = (
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)


class Shell:
    """Makes the answers that carry the page."""

    def __init__(self, page: bytes, ids: IdSource) -> None:
        self._pieces = page.split(PLACEHOLDER)
        self._ids = ids

    def answer(self) -> Answer:
        """Return the page with a nonce of its own."""
        nonce = base64.urlsafe_b64encode(self._ids.token_bytes(NONCE_BYTES))
        policy = b"content-security-policy", content_security_policy(nonce)
        return Answer(nonce.join(self._pieces), HTML, headers=(*_HEADERS, policy))


def read_shell(folder: Path, ids: IdSource) -> Shell:
    """Return the shell of the application built in ``folder``, or a page that says how to build it.

    Raises:
        ValueError: The page takes no nonce, so the application would be without its styles.
    """
    index = folder / INDEX
    if not index.is_file():
        return Shell(_not_built(), ids)
    page = index.read_bytes()
    if PLACEHOLDER not in page:
        raise ValueError(f"{INDEX} of the browser application lacks {PLACEHOLDER.decode()}")
    return Shell(page, ids)


def content_security_policy(nonce: bytes) -> bytes:
    """Return the policy of the page: own scripts, own styles and those with ``nonce``, no markup.

    ``trusted-types default``: text becomes markup only through the application's own policy.
    """
    return (
        b"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-%s'; "
        b"style-src-attr 'none'; img-src 'self' data:; connect-src 'self'; font-src 'self'; "
        b"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        b"require-trusted-types-for 'script'; trusted-types default"
    ) % nonce


def _not_built() -> bytes:
    return html_page(
        "Longshore",
        '<main class="welcome"><h1>Longshore</h1>'
        "<p>The service runs, but its pages were not built with this installation. Run "
        "<code>make web</code> in the source folder, then start the service again.</p>"
        '<p><a class="button" href="/docs">Documentation of the HTTP API</a> '
        '<a href="/openapi.json">OpenAPI 3.1</a></p></main>',
    ).encode()
