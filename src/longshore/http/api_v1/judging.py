"""Where a document is judged: beside the event loop, unless it is very short."""

from collections.abc import Callable
from typing import Final

from longshore.domain.ports import Compute

# Of a valid document two milliseconds. A hostile one takes 20 microseconds a character, a hundred
# times as long as reading it.
JUDGED_AT_ONCE_CHARS: Final = 2_048


async def judge(
    compute: Compute, function: Callable[..., bytes], document: str, **options: object
) -> bytes:
    """Return what ``function`` makes of a document that is to be validated."""
    run = compute.run if len(document) <= JUDGED_AT_ONCE_CHARS else compute.hand_over
    return await run(function, document, **options)
