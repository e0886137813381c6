"""The inside of a worker process: one piece of work after the other, each within its limits.

Limits, and what each becomes:

- CPU time of one piece, by a timer that raises: ``limit_exceeded``, ``cpu_seconds``. Twice that
  time, spent inside one call of C where nothing can be raised: the system ends the process.
- Memory of the process (RLIMIT_AS): ``limit_exceeded``, ``memory_bytes``.
- Signals meant for the server reach the whole process group; a worker ends by the end of its
  connection alone, so that a stopping server can finish what was accepted.
- A server that is killed closes nothing in good order: a thread waits for its end.
"""

import gc
import multiprocessing
import os
import resource
import signal
from collections.abc import Callable
from dataclasses import dataclass
from socket import socket
from threading import Thread
from types import FrameType
from typing import Final

from longshore.compute.channel import WorkerChannel
from longshore.compute.memory import return_large_blocks
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

READY: Final = "ready"
NICENESS: Final = 5  # where cores are short, the event loop, which everybody waits for, goes first


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkLimits:
    """Limits of one piece of work. Memory counts everything the process has mapped."""

    cpu_seconds: float = 60
    memory_bytes: int = 2 << 30


class _CpuTimeUsedUp(BaseException):
    """The work has had its CPU time; it must not catch this as an error of its own."""


def limit_exceeded(limit: str, maximum: int | None, text: str) -> LongshoreError:
    """Return the refusal of a document that takes too much."""
    code = ErrorCode.LIMIT_EXCEEDED
    detail = ErrorDetail(code=code, message=text, limit=limit, max=maximum)
    return LongshoreError(code, text, details=(detail,))


def limit_memory(memory_bytes: int) -> None:
    """Limit the memory of this process; a lower limit of the system (``ulimit -v``) stays."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    allowed = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
    resource.setrlimit(resource.RLIMIT_AS, (allowed, allowed))


def work(end: socket, limits: WorkLimits) -> None:
    """Do what comes over the channel whose ``end`` this is until it is closed."""
    channel = WorkerChannel(end)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, _stop_work)
    os.nice(NICENESS)
    limit_memory(limits.memory_bytes)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core file would hold documents
    return_large_blocks()
    Thread(target=_end_with_the_server, daemon=True).start()
    gc.collect()
    gc.freeze()
    channel.send(READY)
    while True:
        try:
            task = channel.receive()
        except (EOFError, OSError, MemoryError):
            return
        assert callable(task)  # the server sends nothing else
        _answer(channel, *_outcome(task, limits))
        del task  # a document is not kept while the next one is waited for


def _outcome(task: Callable[[], object], limits: WorkLimits) -> tuple[object, BaseException | None]:
    """Return what ``task`` returned or raised."""
    gc.disable()  # what one document makes lives as long as its answer; cycles wait
    try:
        signal.setitimer(signal.ITIMER_PROF, limits.cpu_seconds)
        signal.setitimer(signal.ITIMER_VIRTUAL, 2 * limits.cpu_seconds)
        try:
            return task(), None
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except _CpuTimeUsedUp:
        text = f"The document takes more than {limits.cpu_seconds:g} seconds of computing time."
        return None, limit_exceeded("cpu_seconds", int(limits.cpu_seconds), text)
    except MemoryError:
        text = "The document takes more memory than there is for one document."
        return None, limit_exceeded("memory_bytes", limits.memory_bytes, text)
    except Exception as error:  # noqa: BLE001 - it is raised where the work was asked for
        return None, error.with_traceback(None)
    finally:
        gc.enable()


def _answer(channel: WorkerChannel, result: object, error: BaseException | None) -> None:
    try:
        channel.send((result, error))
    except MemoryError:
        text = "The result takes more memory than there is for one document."
        channel.send((None, limit_exceeded("memory_bytes", None, text)))
    except Exception as unsendable:  # noqa: BLE001 - whatever a pickler raises is a fault of ours
        channel.send((None, TypeError(f"no answer: {type(unsendable).__name__}")))


def _stop_work(_number: int, _frame: FrameType | None) -> None:
    raise _CpuTimeUsedUp


def _end_with_the_server() -> None:
    server = multiprocessing.parent_process()
    assert server is not None
    server.join()
    os.kill(os.getpid(), signal.SIGKILL)  # nothing may run any more, least of all what waits
