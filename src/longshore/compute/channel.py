"""Messages between the server and a worker process; long texts and bytes travel outside the pickle.

A pickle copies what it holds, on both sides and with the interpreter's lock held, so that a large
document would stop the event loop several times. Here it is written from where it lies and read
by one call into the object that is handed on; the lock is free meanwhile.
"""

import pickle
import struct
from io import BytesIO
from socket import MSG_WAITALL, socket
from typing import Final

LARGE_ITEMS: Final = 16_384  # characters or bytes from which a value travels outside the pickle
_SIZES: Final = struct.Struct("!QQ")  # bytes of the pickle, number of values outside it
_SIZE: Final = struct.Struct("!Q")


class WorkerChannel:
    """One end of a connected pair of sockets; owns its socket."""

    def __init__(self, end: socket) -> None:
        self._end = end

    def send(self, message: object) -> None:
        """Send a picklable value. Nothing has been sent if pickling raises.

        Raises:
            OSError: The other end is closed.
        """
        pickled = BytesIO()
        pickler = _Pickler(pickled)
        pickler.dump(message)
        large_values = pickler.large_values
        sizes = b"".join(_SIZE.pack(len(value)) for value in large_values)
        head = _SIZES.pack(pickled.tell(), len(large_values))
        self._end.sendall(b"".join((head, sizes, pickled.getbuffer())))
        for value in large_values:
            self._end.sendall(value)

    def receive(self) -> object:
        """Wait for the next message.

        Raises:
            EOFError: The other end is closed.
            OSError: It broke.
        """
        size, count = _SIZES.unpack(self._read(_SIZES.size))
        sizes = _SIZE.iter_unpack(self._read(count * _SIZE.size))
        pickled = self._read(size)
        large_values = [self._read(value_size) for (value_size,) in sizes]
        return _Unpickler(BytesIO(pickled), large_values).load()

    def close(self) -> None:
        """Close this end."""
        self._end.close()

    def _read(self, size: int) -> bytes:
        data = self._end.recv(size, MSG_WAITALL) if size else b""
        if len(data) == size:
            return data
        pieces = [data]
        while pieces[-1] and (rest := size - sum(map(len, pieces))):
            pieces.append(self._end.recv(rest, MSG_WAITALL))
        if not pieces[-1]:
            raise EOFError("the other end is closed")
        return b"".join(pieces)


class _Pickler(pickle.Pickler):
    """Sets large values aside, in order; the pickle has their numbers and kinds."""

    def __init__(self, file: BytesIO) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.large_values: list[bytes] = []

    def persistent_id(self, obj: object) -> tuple[int, bool] | None:
        """Return the number of a large value and whether it is text; None for all else."""
        if not isinstance(obj, str | bytes) or len(obj) < LARGE_ITEMS:
            return None
        is_text = isinstance(obj, str)
        # A document may hold half of a surrogate pair; what reads it refuses it.
        self.large_values.append(
            obj.encode("utf-8", "surrogatepass") if isinstance(obj, str) else obj
        )
        return len(self.large_values) - 1, is_text


class _Unpickler(pickle.Unpickler):  # noqa: S301 - the other end is a process of ours
    def __init__(self, file: BytesIO, large_values: list[bytes]) -> None:
        super().__init__(file)
        self._large_values = large_values

    def persistent_load(self, pid: tuple[int, bool]) -> str | bytes:
        """Return the large value of this number, which is asked for once."""
        number, is_text = pid
        value = self._large_values[number]
        return value.decode("utf-8", "surrogatepass") if is_text else value
