"""Memory of large documents goes back to the system when they are done.

glibc raises the size from which a block is mapped on its own each time such a block is freed, up
to 32 MiB. From then on bodies and results lie in the heap, between small things that stay, and
their memory is never returned: a server keeps hundreds of megabytes after a few large documents.
Setting the size turns that adaptation off.
"""

import ctypes
from contextlib import suppress
from typing import Final

_M_MMAP_THRESHOLD: Final = -3  # malloc.h
_LARGE_BYTES: Final = 4 << 20


def return_large_blocks() -> None:
    """Have blocks of 4 MiB and more returned when freed; no effect where the C library differs."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
