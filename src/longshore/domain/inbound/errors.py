"""Errors inside the inbound slice that make the processor start again or give up its lease."""


class OutdatedError(RuntimeError):
    """What was read before the unit does not stand any more: it has to be judged again."""


class LeaseLostError(RuntimeError):
    """The work is another worker's by now, or done: nothing of this attempt is kept."""
