"""Work for worker processes, which must be able to import it."""

import gc
import os
import signal
import time
from pathlib import Path
from threading import current_thread, main_thread
from typing import NoReturn

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.x12.dictionary.own_definitions import OwnDefinitions


def where(document: str | bytes, *, mark: str = "") -> tuple[int, bool, int, str]:
    """Tell the process, whether it is its main thread, and what was given."""
    return os.getpid(), current_thread() is main_thread(), len(document), mark


def definitions(own: OwnDefinitions) -> tuple[str, bool]:
    """Tell the name of definitions, and whether the process has the texts of them."""
    return own.name, "850" in own.dictionary().functional_ids


def refuse(document: str) -> NoReturn:
    raise LongshoreError(
        ErrorCode.DOCUMENT_EMPTY,
        f"{len(document)} characters",
        details=(ErrorDetail(code="document_empty", message="empty", param="document"),),
        retry_after_seconds=3,
    )


def fail(_document: str) -> NoReturn:
    raise ValueError("no")


class Order:
    """A document whose end can be noticed."""


def refuse_order(_document: str, *, order: Order) -> NoReturn:
    raise ValueError(type(order).__name__)


def return_what_cannot_be_sent(_document: str) -> object:
    return lambda: None


def loop_forever(_document: str) -> NoReturn:
    while True:
        pass


def take_memory(_document: str, *, size: int) -> int:
    return len(bytearray(size))


KEPT: list[bytes] = []


def keep(_document: str, *, size: int) -> int:
    """Take memory and never give it back; tell the process."""
    KEPT.append(b"x" * size)
    return os.getpid()


def die(document: str) -> NoReturn:
    """End the process as the system does when memory is short; leave a line."""
    with Path(document.rstrip("x")).open("a", encoding="ascii") as file:
        file.write("died\n")
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def die_once(document: str) -> int:
    """End the process at the first attempt."""
    if not Path(document.rstrip("x")).exists():
        die(document)
    return os.getpid()


def collector_is_on(_document: str) -> bool:
    return gc.isenabled()


def frozen_count(_document: str) -> int:
    return gc.get_freeze_count()


def wait_long(document: str) -> NoReturn:
    """Leave a line, and wait without using any computing time."""
    with Path(document.rstrip("x")).open("a", encoding="ascii") as file:
        file.write("begun\n")
    time.sleep(60)
    raise AssertionError
