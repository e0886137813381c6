"""``longshore audit verify``: walks the audit log of each account and says whether it is whole."""

import click

from longshore.cli.administration import administer
from longshore.cli.options import json_option, with_settings
from longshore.cli.terminal import EXIT_FINDINGS, EXIT_OK, print_table, write_json
from longshore.domain.accounts.errors import AccountNotFoundError
from longshore.domain.accounts.model import Account
from longshore.domain.audit.chain import ChainVerdict
from longshore.settings import Settings
from longshore.wiring import Administration

_Walked = tuple[Account, ChainVerdict]


@click.group()
def audit() -> None:
    """Check the audit log."""


@audit.command(epilog="Exit code 0: every log is whole; 1: one is broken.")
@click.option("--account", "name", metavar="NAME", help="Only this account.")
@json_option
@with_settings
def verify(settings: Settings, *, name: str | None, as_json: bool) -> int:
    """Walk the chain of hashes of each account; works beside a running server.

    An entry that was changed, put in or taken out breaks the chain at its position, and so does an
    end that was cut off. Keep the head of a log apart: a log that was written anew as a whole has
    another one.
    """

    async def walk(admin: Administration) -> list[_Walked]:
        accounts = await admin.accounts.list() if name is None else (await _account(admin, name),)
        return [(account, await admin.audit.verify(account.id)) for account in accounts]

    walked = administer(settings, walk)
    is_whole = all(verdict.broken_at is None for _, verdict in walked)
    if as_json:
        write_json({"ok": is_whole, "accounts": [_json(*each) for each in walked]})
    else:
        rows = ((account.name, *_cells(verdict)) for account, verdict in walked)
        print_table(("account", "entries", "found", "head"), rows)
    return EXIT_OK if is_whole else EXIT_FINDINGS


async def _account(admin: Administration, name: str) -> Account:
    account = await admin.accounts.find(name)
    if account is None:
        raise AccountNotFoundError(name)
    return account


def _json(account: Account, verdict: ChainVerdict) -> dict[str, object]:
    return {
        "id": account.id,
        "name": account.name,
        "entries": verdict.entries,
        "head": verdict.head.hex(),
        "broken_at": verdict.broken_at,
    }


def _cells(verdict: ChainVerdict) -> tuple[object, ...]:
    broken = verdict.broken_at
    found = "whole" if broken is None else f"BROKEN at entry {broken}"
    return verdict.entries, found, verdict.head.hex()
