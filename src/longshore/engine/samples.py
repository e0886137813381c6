"""Make documents from the dictionary: valid ones, and ones with one fault.

Source: docs/reference/samples.md.
"""

from __future__ import annotations

from longshore.engine.schemas import find_definition
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.x12.dictionary.model import Definition
from longshore.x12.samples.expected import GeneratedSample


def sample(  # noqa: PLR0913 - each option of the command line, most of them rarely given
    tx_set: str,
    release: str = "",
    guide: str = "",
    *,
    kind: str = "plain",
    seed: int = 0,
    count: int = 1,
    fault: str = "",
    sender: str = "",
    receiver: str = "",
) -> GeneratedSample:
    """Return a document of a set; the same one for the same arguments and version of Longshore.

    Args:
        tx_set: The transaction set, such as ``850``.
        release: Six digits; ``""`` takes that of the guide, or the newest there is.
        guide: An implementation guide of the set.
        kind: ``minimal``, ``plain``, ``full`` (every loop, segment and element) or ``varied``.
        seed: Decides what is chosen where there is a choice, and the control number.
        count: How many sets there are; the second is made with ``seed`` + 1, and so on.
        fault: The code of a finding that the document leads to, or ``any`` for one that the seed
            chooses; ``""`` for a valid document.
        sender: Qualifier and id of the sender, such as ``ZZ:ACME``.
        receiver: Likewise of the receiver.

    Raises:
        LongshoreError: not_found: there is no such definition. invalid_parameter: another argument
            is none of those above, or the set has no place for the fault.
    """
    # Here, because reading documents can do without what writes them.
    from longshore.x12.samples.documents import (  # noqa: PLC0415 - see above
        SampleOrder,
        make_document,
    )

    definition = known_definition(tx_set, release, guide)
    order = SampleOrder(
        kind=kind, seed=seed, count=count, fault=fault, sender=sender, receiver=receiver
    )
    return make_document(definition, order)


def known_definition(tx_set: str, release: str, guide: str) -> Definition:
    """Return a definition; without ``release`` that of the guide, or the newest there is.

    Raises:
        LongshoreError: not_found.
    """
    definition = find_definition(tx_set, release, guide)
    if definition is None:
        message = "The dictionary has no such set, release or guide."
        raise LongshoreError(ErrorCode.NOT_FOUND, message)
    return definition
