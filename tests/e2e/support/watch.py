"""What a page must never do: report a broken policy, log an error, or leave an exception uncaught.

A browser logs every answer from 400 on as an error. A test that provokes one declares exactly
which: path and status. Only calls of ``/api/`` can be declared, and a declared one has to happen.
"""

import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Error, WebError

# Runs before anything of the page. An event of the policy is not on the console by itself when a
# page swallows it.
REPORTER = """addEventListener('securitypolicyviolation', (event) => console.error(
  `policy violated: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`))"""

FAILED = re.compile(
    r"Failed to load resource: (?:the server responded with a status of (\d{3})|net::ERR_\w+)"
)
NO_ANSWER = 0
"""Status of a call that got no answer: aborted, refused or offline."""


@dataclass(frozen=True)
class Failure:
    """A call of the API that failed: its path without the query, and the status."""

    path: str
    status: int

    @classmethod
    def of(cls, message: ConsoleMessage) -> Self | None:
        """Return the failure that a console message is about, if it is about one."""
        found = FAILED.match(message.text)
        path = urlsplit(message.location["url"]).path
        if found is None or not path.startswith("/api/"):
            return None
        return cls(path, int(found[1] or NO_ANSWER))


@dataclass
class Watch:
    """Collects the faults of all pages of one test."""

    faults: list[str] = field(default_factory=list)
    failures: set[Failure] = field(default_factory=set)
    expected: set[Failure] = field(default_factory=set)

    def expect(self, path: str, status: int) -> None:
        """Declare that a call of ``path`` will fail; ``NO_ANSWER`` if it gets none."""
        assert path.startswith("/api/")
        self.expected.add(Failure(path, status))

    def over(self, context: BrowserContext) -> None:
        """Watch every page of a new ``context`` from now on."""
        self.report_in(context)
        self.listen_to(context)

    @staticmethod
    def report_in(context: BrowserContext) -> None:
        """Let every page of ``context`` log broken policies, for whoever listens."""
        context.add_init_script(REPORTER)

    def listen_to(self, context: BrowserContext) -> None:
        """Watch every page of a ``context`` that reports, until ``leave``."""
        context.on("console", self._note_message)
        context.on("weberror", self._note_exception)

    def leave(self, context: BrowserContext) -> None:
        """Watch ``context`` no longer; ``hear_out`` comes before."""
        context.remove_listener("console", self._note_message)
        context.remove_listener("weberror", self._note_exception)

    def judge(self) -> None:
        """Fail unless nothing happened but what was declared, and all of that."""
        assert self.faults == []
        assert self.failures == self.expected, "calls that failed, and those declared to fail"

    def _note_message(self, message: ConsoleMessage) -> None:
        if message.type != "error":
            return
        failure = Failure.of(message)
        if failure is None:
            where = message.location
            self.faults.append(f"{message.text} ({where['url']}:{where['line']})")
        else:
            self.failures.add(failure)

    def _note_exception(self, error: WebError) -> None:
        self.faults.append(f"uncaught: {error.error}")


def hear_out(context: BrowserContext) -> None:
    """Wait until all pages of ``context`` have told what they have to tell."""
    for page in context.pages:
        with suppress(Error):  # on its way to another page, which is none of ours to wait for
            page.evaluate("0")  # what was logged before arrives before the answer


def close(context: BrowserContext) -> None:
    """Close a context when all its pages have told what they have to tell."""
    hear_out(context)
    context.close()
