"""Heads of audit logs that the operator noted outside the database, and their comparison with it.

The chain of hashes shows every change of a log but one: if a whole database is replaced by an
older copy, its log is shorter and still whole. A head that was noted outside shows that as well.

Source: reliability.md section 8.
"""

import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass

from longshore.domain.audit.model import ChainedEntry
from longshore.domain.ports import AccountId, Scope
from longshore.domain.units import ReadUnit, Units
from longshore.kit.errors import ErrorCode, LongshoreError

_HASH_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedHead:
    """The end of an account's audit log at an earlier time."""

    account_id: AccountId
    entries: int
    """How many entries the log had."""
    head: bytes
    """The hash of the last of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadMismatch:
    """A log that does not contain the head that was noted of it."""

    noted: NotedHead
    found_entries: int
    """How many entries the log has now."""

    def __str__(self) -> str:
        """Say for people what is wrong."""
        noted = self.noted
        if self.found_entries < noted.entries:
            return (
                f"account {noted.account_id}: the log has {self.found_entries} entries,"
                f" {noted.entries} were noted: its end is lost"
            )
        return f"account {noted.account_id}: entry {noted.entries} is not the one that was noted"


def read_heads(text: str) -> Sequence[NotedHead]:
    """Return the heads in the JSON that ``longshore audit verify --json`` prints.

    Raises:
        LongshoreError: ``invalid_parameter``: it is something else.
    """
    try:
        return [_head(each) for each in json.loads(text)["accounts"]]
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise LongshoreError(
            ErrorCode.INVALID_PARAMETER,
            "The file of audit heads is not what `longshore audit verify --json` prints.",
        ) from error


def _head(given: dict[str, object]) -> NotedHead:
    account_id, entries, head = given["id"], given["entries"], given["head"]
    if not (isinstance(account_id, int) and isinstance(entries, int) and isinstance(head, str)):
        raise TypeError
    noted = NotedHead(account_id=AccountId(account_id), entries=entries, head=bytes.fromhex(head))
    if len(noted.head) != _HASH_BYTES or entries < 0:
        raise ValueError
    return noted


async def find_mismatches(units: Units, heads: Sequence[NotedHead]) -> Sequence[HeadMismatch]:
    """Return the heads that the audit logs no longer contain.

    Raises:
        LongshoreError: ``storage_unavailable``.
    """
    found = [await _compare(units, each) for each in heads if each.entries]
    return [each for each in found if each is not None]


async def _compare(units: Units, noted: NotedHead) -> HeadMismatch | None:
    account_id = noted.account_id

    async def read(unit: ReadUnit) -> tuple[int, Sequence[ChainedEntry]]:
        entries = await unit.audit.list_after(account_id, noted.entries - 1, 1)
        return await unit.audit.length(account_id), entries

    length, entries = await units.read(Scope(account_id=account_id, environment=None), read)
    is_there = any(
        each.entry.position == noted.entries and hmac.compare_digest(each.hash, noted.head)
        for each in entries
    )
    return None if is_there else HeadMismatch(noted=noted, found_entries=length)
