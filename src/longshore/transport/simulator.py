"""The simulator partner as a transport: whatever it is sent, it has received."""

from __future__ import annotations

from longshore.domain.delivery.outcome import AttemptOutcome, AttemptVerdict
from longshore.domain.delivery.ports import OutboundMessage, Reply, Sent
from longshore.domain.delivery.simulation import ACCEPT, Script, read_script, simulate
from longshore.domain.partners.connections import SimulatorConnection
from longshore.domain.ports import Compute
from longshore.kit.errors import LongshoreError


class Simulator:
    """Sends to connections of the type ``simulator``: nothing leaves the house."""

    def __init__(self, compute: Compute) -> None:
        self._compute = compute

    async def send(self, message: OutboundMessage) -> Sent:
        """Return the answers of the script that the sender asks for, else of the connection's."""
        connection = message.connection
        assert isinstance(connection, SimulatorConnection)
        script = read_script(message.simulate) or read_script(connection.script) or ACCEPT
        replies = await simulated_replies(self._compute, message.content, script)
        return Sent(verdict=AttemptVerdict(AttemptOutcome.SUCCEEDED), replies=replies)


async def simulated_replies(compute: Compute, content: bytes, script: Script) -> tuple[Reply, ...]:
    """Return what the simulator sends for an interchange; nothing for what is no document."""
    try:
        return await compute.run(simulate, content, script)
    except LongshoreError:
        return ()
