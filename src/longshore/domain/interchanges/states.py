"""What becomes of an interchange that is sent: its status follows what delivering it came to.

Each step names where it starts, so that one which was refused, and never to be sent, stays as it
is, and so does one that arrived while it was given up.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Final

from longshore.domain.interchanges.store import InterchangeStatus, InterchangeStore
from longshore.domain.transactions.model import InterchangeId

_S = InterchangeStatus
_STARTS: Final[Mapping[InterchangeStatus, tuple[InterchangeStatus, ...]]] = MappingProxyType({
    _S.QUEUED: (_S.SENT, _S.FAILED),
    _S.SENT: (_S.QUEUED, _S.FAILED),
    _S.FAILED: (_S.QUEUED,),
    _S.CANCELLED: (_S.QUEUED, _S.FAILED),
})


async def step_outbound(
    interchanges: InterchangeStore, number: InterchangeId, to: InterchangeStatus, now: datetime
) -> None:
    """Note what became of an interchange; nothing, if it does not stand where that follows from.

    ``to``: ``queued`` when it is to be sent again, ``sent`` when it arrived, ``failed`` when it was
    given up, ``cancelled`` when it was called off.
    """
    for start in _STARTS[to]:
        if await interchanges.step(number, start, to, None, now):
            return
