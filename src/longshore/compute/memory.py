"""Memory of large documents goes back to the system when they are done.

glibc raises the size from which a block is mapped on its own each time such a block is freed, up
to 32 MiB. From then on bodies and results lie in the heap, between small things that stay, and
their memory is never returned: a server keeps hundreds of megabytes after a few large documents.
Setting the size turns that adaptation off.

It also turns off the adaptation of a second size: how much may lie unused at the end of the heap.
At its default of 128 KiB the heap shrinks after each document of a megabyte and grows again for the
next, a page at a time, which cost more than half of what the server itself did for it.
"""

import ctypes
from contextlib import suppress
from typing import Final

_M_TRIM_THRESHOLD: Final = -1  # malloc.h
_M_MMAP_THRESHOLD: Final = -3
_LARGE_BYTES: Final = 4 << 20
_UNUSED_BYTES: Final = 16 << 20


def return_large_blocks() -> None:
    """Have blocks of 4 MiB and more returned when freed, and what lies unused beyond 16 MiB.

    No effect where the C library differs.
    """
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
        library.mallopt(_M_TRIM_THRESHOLD, _UNUSED_BYTES)
