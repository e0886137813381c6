"""Where the browser application is found: its shell at every page's address, its files below one.

Which pages exist is the application's own affair: every address below ``/app/`` answers with the
shell. Nothing here needs a session, as nothing here belongs to anybody.
"""

from pathlib import Path
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from longshore.http.envelope import Answer
from longshore.http.exchange import Exchange, exchange_of
from longshore.http.headers import has_body
from longshore.http.pages import refuse_changes
from longshore.http.ui.files import Representation, StaticFile, names_tag, read_files
from longshore.http.ui.shell import Shell, read_shell
from longshore.kit.ids import IdSource

STATIC_FOLDER: Final = Path(__file__).with_name("static")
"""Where the build puts the application; absent in a source tree that was never built."""

NOT_MODIFIED: Final = 304

SHELL_PATHS: Final = ("/", "/setup", "/login", "/app", "/app/{path:path}")

# In logs and metrics: how many pages and files there are is up to the application.
SHELL_ROUTE: Final = "shell"
STATIC_ROUTE: Final = "static"


def application_routes(ids: IdSource, folder: Path = STATIC_FOLDER) -> dict[str, ASGIApp]:
    """Return what serves the application built in ``folder``, by path or pattern of a path.

    Without a built application the shell says so, and there are no files.

    Raises:
        ValueError: The page of the application takes no nonce.
    """
    shell = ShellEndpoint(read_shell(folder, ids))
    routes: dict[str, ASGIApp] = dict.fromkeys(SHELL_PATHS, shell)
    return routes | {address: FileEndpoint(file) for address, file in read_files(folder).items()}


class ShellEndpoint:
    """Serves the shell."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    async def __call__(self, scope: Scope, _receive: Receive, _send: Send) -> None:
        """Answer one request.

        Raises:
            MethodNotAllowedError: The method is neither GET nor HEAD.
        """
        exchange = exchange_of(scope)
        exchange.route = SHELL_ROUTE
        refuse_changes(exchange)
        await exchange.answer(self._shell.answer())


class FileEndpoint:
    """Serves one file, compressed if the client takes that, and not again if it has it."""

    def __init__(self, file: StaticFile) -> None:
        self._file = file

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Answer one request.

        Raises:
            MethodNotAllowedError: The method is neither GET nor HEAD.
        """
        exchange = exchange_of(scope)
        exchange.route = STATIC_ROUTE
        refuse_changes(exchange)
        form = self._file.for_request(exchange.headers)
        if names_tag(exchange.headers.get(b"if-none-match", b""), form.etag):
            await _answer_not_modified(exchange, form, send)
        else:
            await exchange.answer(Answer(form.body, self._file.content_type, headers=form.headers))


async def _answer_not_modified(exchange: Exchange, form: Representation, send: Send) -> None:
    """Say that the client has the newest form already.

    Not by ``exchange.answer``, whose Content-Length would be 0: here it may only be that of the
    file (RFC 9110 section 8.6).
    """
    exchange.status = NOT_MODIFIED
    headers = [(b"x-request-id", exchange.request_id.encode()), *form.headers]
    if has_body(exchange.headers):
        headers.append((b"connection", b"close"))  # the body stays unread
    await send({"type": "http.response.start", "status": exchange.status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
