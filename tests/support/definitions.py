"""A file that describes an 850 of our own, and documents that tell it from the shipped one."""

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar

from longshore.compute.inline import InlineCompute
from longshore.domain.definitions.service import DefinitionService
from longshore.engine.definitions import import_definitions
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.ports import some_ports

P = ParamSpec("P")
T = TypeVar("T")
AN_ESL = """form: X12
version: '004010'
structures:
- id: '850'
  name: "Order of ours"
  class: PO
  heading:
  - { idRef: BEG, position: '0100', usage: M }
  - { idRef: REF, position: '0200', usage: M, count: 2 }
"""
"""An 850 that requires a REF, and has no PO1."""
AN_ORDER = "ST*850*0001~BEG*00*SA*PO-1**20260115~REF*DP*7~SE*4*0001~"
"""Valid by our own definition; that of Longshore asks for a PO1."""


def an_import(**members: str) -> dict[str, str]:
    """Return the body of a request that imports ``AN_ESL``."""
    return {"file": "order.esl", "content": AN_ESL} | members


class RememberedImports(InlineCompute):
    """Imports each file once in a process: the dictionary is linted each time."""

    async def submit_to_executor(
        self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        if function is import_definitions:
            return remembered(*args)  # type: ignore[return-value]  # those of this function
        return await super().submit_to_executor(function, *args, **kwargs)


remembered = lru_cache(import_definitions)


def a_definition_service(
    database: Database, clock: StoppedClock, **ports: object
) -> DefinitionService:
    return DefinitionService(some_ports(database, clock, compute=RememberedImports(), **ports))
