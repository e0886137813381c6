"""Pages that never change while the service runs, and what all pages have in common."""

from typing import Final

from starlette.types import Receive, Scope, Send

from longshore.http.envelope import Answer
from longshore.http.errors import MethodNotAllowedError
from longshore.http.exchange import Exchange, exchange_of
from longshore.http.query import ParameterReader

_NO_PARAMETERS: Final = ParameterReader(None, ())


class StaticPage:
    """Serves one ready answer for GET and HEAD."""

    def __init__(self, path: str, answer: Answer) -> None:
        self.path = path
        self._answer = answer

    async def __call__(self, scope: Scope, _receive: Receive, _send: Send) -> None:
        """Answer one request.

        Raises:
            MethodNotAllowedError: The method is neither GET nor HEAD.
            RefusedBodyError: The query has parameters.
        """
        exchange = exchange_of(scope)
        exchange.route = self.path
        refuse_changes(exchange)
        _NO_PARAMETERS.read(scope["query_string"], {})
        await exchange.answer(self._answer)


def refuse_changes(exchange: Exchange) -> None:
    """Let a request pass that only reads.

    Raises:
        MethodNotAllowedError: The method is neither GET nor HEAD.
    """
    if exchange.method not in {"GET", "HEAD"}:
        raise MethodNotAllowedError("GET, HEAD")
