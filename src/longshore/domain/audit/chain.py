"""The hash chain of an account's audit log: SHA-256(previous hash || canonical row).

An entry that is changed, removed or inserted breaks the chain there; if the end is cut off, the
sequence of the account is ahead of the last entry. ``longshore audit verify`` walks the chain.

Source: reliability.md section 8.
"""

import hmac
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from longshore.domain.audit.model import ChainedEntry, SealedEntry
from longshore.domain.ports import AccountId, Scope
from longshore.domain.units import ReadUnit, Units
from longshore.kit.errors import ErrorCode, LongshoreError

START: Final = bytes(32)
"""The hash that the first entry follows."""


def chained_hash(previous: bytes, entry: SealedEntry) -> bytes:
    """Return the hash of an entry that follows one with the hash ``previous``."""
    return sha256(previous + _canonical(entry)).digest()


def first_break(previous: bytes, position: int, entries: Iterable[ChainedEntry]) -> int | None:
    """Return at which position a chain is broken, None where it holds.

    ``previous`` and ``position`` are hash and position of the entry that ``entries`` follow,
    ``START`` and 0 before the first.
    """
    for each in entries:
        position += 1
        previous = chained_hash(previous, each.entry)
        if each.entry.position != position or not hmac.compare_digest(previous, each.hash):
            return position
    return None


def chained(first: int, previous: bytes, entries: Iterable[SealedEntry]) -> Sequence[ChainedEntry]:
    """Return entries at positions from ``first`` on, which follow the hash ``previous``."""
    found = []
    for position, each in enumerate(entries, first):
        entry = replace(each, position=position)
        previous = chained_hash(previous, entry)
        found.append(ChainedEntry(entry, previous))
    return found


def _canonical(entry: SealedEntry) -> bytes:
    before, after = around_position(entry)
    return f"{before}{entry.position}{after}".encode()


def around_position(entry: SealedEntry) -> tuple[str, str]:
    """Return the text of an entry that is hashed, before and after its position.

    It is a JSON array, in this order for ever: account, position, and these members.
    """
    members = [
        entry.actor,
        entry.action,
        entry.object,
        entry.ip,
        entry.request_id,
        entry.created_at.isoformat(timespec="microseconds"),
        entry.wrapped_key.hex(),
        entry.facts.hex(),
    ]
    text = json.dumps(members, ensure_ascii=True, separators=(",", ":"))
    return f"[{entry.account_id},", f",{text[1:]}"


BATCH: Final = 1_000
"""Entries that one unit reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainVerdict:
    """Result of a walk through the chain."""

    entries: int
    head: bytes
    """Hash of the last entry, ``START`` without one."""
    broken_at: int | None
    """Position of the first entry that was changed, put in, or is not there; None where the chain
    holds to its end.
    """


async def verify_chain(units: Units, scope: Scope, account_id: AccountId) -> ChainVerdict:
    """Walk the log of an account from its beginning, as far as it goes when the walk begins.

    Raises:
        LongshoreError: ``storage_unavailable``.
    """

    async def length(unit: ReadUnit) -> int:
        return await unit.audit.length(account_id)

    position, previous = 0, START
    total = await units.read(scope, length)

    async def following(unit: ReadUnit) -> Sequence[ChainedEntry]:
        return await unit.audit.list_after(account_id, position, min(BATCH, total - position))

    while position < total:
        entries = await units.read(scope, following)
        broken_at = first_break(previous, position, entries) if entries else position + 1
        if broken_at is not None:
            return ChainVerdict(entries=position, head=previous, broken_at=broken_at)
        position, previous = entries[-1].entry.position, entries[-1].hash
    return ChainVerdict(entries=position, head=previous, broken_at=None)


_HASH_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedHead:
    """The end of an account's audit log at an earlier time."""

    account_id: AccountId
    entries: int
    """The number of entries that the log had."""
    head: bytes
    """The hash of the last of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadMismatch:
    """A log that does not contain the head that was noted of it."""

    noted: NotedHead
    found_entries: int
    """The number of entries that the log has now."""

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
