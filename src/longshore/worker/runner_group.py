"""Several runners of one process, which start and stop together."""

from __future__ import annotations

import asyncio
from collections import Counter

from longshore.worker.runner import Runner


class RunnerGroup:
    """The runner of documents, and one of webhooks that takes no slot from it."""

    def __init__(self, documents: Runner, webhooks: Runner) -> None:
        self._documents = documents
        self._webhooks = webhooks

    @property
    def counts(self) -> Counter[tuple[str, str]]:
        """Return the entries of both by kind and by ``done`` or ``failed``."""
        return self._documents.counts + self._webhooks.counts

    def wake(self) -> None:
        """Look for documents at once, after a commit that may have stored some."""
        self._documents.wake()

    def stop(self) -> None:
        """Begin nothing new; ``run`` returns when the rest is done or handed back."""
        self._documents.stop()
        self._webhooks.stop()

    async def run(self) -> None:
        """Work until ``stop``."""
        await asyncio.gather(self._documents.run(), self._webhooks.run())
