"""Runs a worker: claims what is due, does several entries at once, renews their leases.

It looks for due entries when it is woken, and once a second in any case, so that nothing depends on
being woken. It does ``concurrency`` entries at once, and at most two of one partner, so that a
partner that does not answer delays no other. An entry claimed beyond these two waits here, under
its lease, and is not counted as running. Half of the slots are reserved for deliveries and half for
what was received, as long as there is both: a flood of one kind does not delay the other.

While the database is away, the units of the worker are tried again. A claim may have been committed
although its answer was lost: what is leased but not done is handed back when the database answers.

After ``stop`` nothing new is begun. What runs may finish; what does not finish in time is handed
back.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from longshore.domain.delivery.attempt_start import LEASE
from longshore.domain.delivery.model import OutboxEntry, ReservedSlots
from longshore.domain.delivery.worker import DELIVERIES, SENT_TO_PARTNERS, Worker
from longshore.domain.partners.model import PartnerId
from longshore.telemetry.logging import describe, get_logger
from longshore.worker.persistence import is_away

T = TypeVar("T")

POLL_SECONDS: Final = 1.0
CONCURRENCY: Final = 8
CONCURRENCY_PER_PARTNER: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodicTask:
    """Something that is done at regular intervals, besides the entries."""

    name: str
    seconds: float
    """The seconds between the end of one run and the start of the next."""
    run: Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerConfig:
    """The concurrency, intervals and deadlines of a worker."""

    concurrency: int = CONCURRENCY
    concurrency_per_partner: int = CONCURRENCY_PER_PARTNER
    max_following: int = 20
    """The documents that follow one another to a partner before others have a turn."""
    poll_seconds: float = POLL_SECONDS
    renew_seconds: float = LEASE.total_seconds() / 3
    grace_seconds: float = 10.0
    """The time that running entries may take to finish after ``stop``."""


@dataclass(slots=True)
class _Job:
    """An entry that was claimed."""

    entry: OutboxEntry
    is_waiting: bool = False
    """It waits until fewer deliveries to its partner run."""


class Storage(Protocol):
    """The database as a runner uses it."""

    @property
    def losses(self) -> int:
        """Return how often the database was away during a unit, since the start of the process."""
        ...

    def stop(self) -> None:
        """Do not try any failed unit again from now on."""
        ...


class Runner:
    """The loop of one worker process."""

    def __init__(
        self,
        worker: Worker,
        periodic_tasks: Sequence[PeriodicTask] = (),
        config: WorkerConfig | None = None,
        storage: Storage | None = None,
        on_start: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        """Make a runner that calls ``on_start`` before it claims anything."""
        self._on_start = on_start
        self.counts: Counter[tuple[str, str]] = Counter()
        """Entries by kind and by ``done`` or ``failed``."""
        self._worker = worker
        self._storage = storage
        self._losses = 0  # of the storage, when what is leased was looked at
        self._periodic_tasks = periodic_tasks
        self._config = config or WorkerConfig()
        self._log = get_logger("longshore.worker")
        self._jobs: dict[asyncio.Task[None], _Job] = {}
        self._slots = asyncio.Semaphore(self._config.concurrency)
        self._partner_slots: defaultdict[PartnerId | None, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(self._config.concurrency_per_partner)
        )
        self._woken = asyncio.Event()
        self._stopped = asyncio.Event()

    def wake(self) -> None:
        """Look at once; called on the loop, after a commit that may have stored work."""
        self._woken.set()

    def stop(self) -> None:
        """Begin nothing new; ``run`` returns when the rest is done or handed back."""
        if self._storage is not None:
            self._storage.stop()
        self._stopped.set()
        self._woken.set()

    async def run(self) -> None:
        """Work until ``stop``."""
        renewing = PeriodicTask(
            name="renew_leases", seconds=self._config.renew_seconds, run=self._renew
        )
        tasks = [
            asyncio.create_task(self._run_periodically(each))
            for each in (renewing, *self._periodic_tasks)
        ]
        try:
            if self._on_start is not None:
                await self._tried("start_failed", _listed(self._on_start()))
            while not self._stopped.is_set():
                self._woken.clear()
                if not await self._begin_due():
                    await _set_within(self._woken, self._config.poll_seconds)
        finally:
            self.stop()
            await self._wind_down()
            await asyncio.gather(*tasks)

    async def _begin_due(self) -> bool:
        """Claim what there is room for, and begin it; tell whether there was anything."""
        room = self._config.concurrency - sum(not each.is_waiting for each in self._jobs.values())
        if room <= 0:
            return False
        if self._storage is not None and self._storage.losses != self._losses:
            await self._tried("reclaim_failed", self._reclaim(self._storage.losses))
        entries = await self._tried("claim_failed", self._claim(room)) or ()
        for entry in entries:
            job = _Job(entry)
            task = asyncio.create_task(self._do(job))
            self._jobs[task] = job
            task.add_done_callback(self._is_over)
        return bool(entries)

    async def _claim(self, most: int) -> Sequence[OutboxEntry]:
        if not await self._worker.is_due():
            return ()
        running = [job.entry.new.kind for job in self._jobs.values() if not job.is_waiting]
        half, deliveries = (
            self._config.concurrency // 2,
            sum(each in DELIVERIES for each in running),
        )
        reserved = ReservedSlots(
            deliveries=max(0, half - deliveries),
            others=max(0, half - (len(running) - deliveries)),
        )
        return await self._worker.claim(most, reserved)

    async def _reclaim(self, losses: int) -> None:
        """Hand back what is leased but not done: a commit was kept, and its answer lost."""
        leased = await self._worker.leased()
        known = {job.entry.id for job in self._jobs.values()}
        for entry in leased:
            if entry.id not in known:
                await self._worker.hand_back(entry)
        self._losses = losses

    async def _do(self, job: _Job) -> None:
        """Do an entry when a slot is free, and in the same slot the entries that follow it."""
        entry = job.entry
        of_partner: asyncio.Semaphore | nullcontext[None] = nullcontext()
        if entry.new.kind in SENT_TO_PARTNERS:
            of_partner = self._partner_slots[entry.new.partner_id]
            job.is_waiting = of_partner.locked()
        async with of_partner:
            job.is_waiting = False
            async with self._slots:
                following = await self._done(entry)
                left = self._config.max_following
                while following is not None and left and not self._stopped.is_set():
                    job.entry, left = following, left - 1
                    following = await self._done(following)
                if following is not None:
                    await self._tried("hand_back_failed", self._worker.hand_back(following))

    async def _done(self, entry: OutboxEntry) -> OutboxEntry | None:
        """Do an entry and return the one that follows; a failure is logged and stored with it."""
        kind = entry.new.kind
        losses = self._storage.losses if self._storage else 0
        (outcome,) = await asyncio.gather(self._worker.do(entry), return_exceptions=True)
        if not isinstance(outcome, BaseException):
            self.counts[kind, "done"] += 1
            if self._storage and self._storage.losses != losses:
                # What was tried again may have left it, as if another had it; else it is ended.
                await self._tried("hand_back_failed", self._worker.hand_back(entry), kind=kind)
            return outcome
        self.counts[kind, "failed"] += 1
        self._log.error("job_failed", kind=kind, **describe(outcome))
        if is_away(outcome):  # no fault of the entry
            await self._tried("hand_back_failed", self._worker.hand_back(entry), kind=kind)
        else:
            await self._tried(
                "record_failure_failed", self._worker.record_failure(entry), kind=kind
            )
        return None

    def _is_over(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            del self._jobs[task]
        self.wake()

    async def _renew(self) -> None:
        for job in list(self._jobs.values()):
            # One whose lease is lost goes on: what it finds out is refused at its end.
            await self._tried("renew_failed", self._worker.renew(job.entry))

    async def _wind_down(self) -> None:
        """Let what runs finish in time; hand back the rest, and what waits for its partner."""
        for task, job in self._jobs.items():
            if job.is_waiting:
                task.cancel()
        if self._jobs:
            await asyncio.wait(self._jobs, timeout=self._config.grace_seconds)
        left = dict(self._jobs)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        for job in left.values():
            await self._tried("hand_back_failed", self._worker.hand_back(job.entry))

    async def _run_periodically(self, task: PeriodicTask) -> None:
        while not self._stopped.is_set():
            await self._tried("periodic_task_failed", _listed(task.run()), task=task.name)
            await _set_within(self._stopped, task.seconds)

    async def _tried(
        self, event: str, work: Coroutine[object, object, T], **members: str
    ) -> T | None:
        """Return what ``work`` returns; None if it failed, and a line in the log."""
        (outcome,) = await asyncio.gather(work, return_exceptions=True)
        if not isinstance(outcome, BaseException):
            return outcome
        # Whatever fails now may work later: nothing but the stop ends the loop.
        self._log.error(event, **members, **describe(outcome))
        return None


async def _listed(work: Awaitable[T]) -> tuple[T]:
    """Return what ``work`` returns as something that is not None."""
    return (await work,)


async def _set_within(event: asyncio.Event, seconds: float) -> None:
    """Wait for an event, but not longer than that."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
