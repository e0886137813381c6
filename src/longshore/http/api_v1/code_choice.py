"""The member ``codes`` of a request, which chooses the codes that a document is compared with."""

from typing import Annotated, Final, Literal

import msgspec

from longshore.engine.validate import CODES_OFF, CODES_PARTNER
from longshore.http.services import HttpServices

CodesName = Literal["standard", "partner", "off"]
CODES_MEANING: Final = (
    "The codes that documents are compared with. standard (default): the strict lists of the "
    "dictionary; partner: these with the codes that the operator imported, as for partners whose "
    "setting codes is partner; off: no list of the dictionary. The codes that a guide names for a "
    "position are required with each of them. codes_checked in the answer names the elements whose "
    "list was enforced, and those whose list the operator changed."
)

RawCodes = Annotated[
    CodesName | msgspec.UnsetType,
    msgspec.Meta(description=f"With a raw body: {CODES_MEANING}"),
]
UsedCodes = Annotated[
    CodesName,
    msgspec.Meta(
        description="The codes that were compared with. standard also if codes of the operator "
        "were asked for and there are none."
    ),
]


def code_options(codes: CodesName | None, services: HttpServices) -> dict[str, object]:
    """Return the codes to compare with, by the names of the engine."""
    if codes == CODES_OFF:
        return {"codes": codes}
    return {"code_lists": services.code_lists()} if codes == CODES_PARTNER else {}
