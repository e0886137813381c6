"""``longshore audit verify``: walks the audit log of each account and says whether it is whole."""

from collections.abc import Sequence

import click

from longshore.background import noted_heads
from longshore.cli.administration import administer
from longshore.cli.options import json_option, with_settings
from longshore.cli.terminal import EXIT_FINDINGS, EXIT_OK, print_table, write_json
from longshore.domain.accounts.errors import AccountNotFoundError
from longshore.domain.accounts.model import Account
from longshore.domain.audit.chain import ChainVerdict, HeadMismatch
from longshore.settings import Settings
from longshore.wiring import Administration

_Walked = tuple[Account, ChainVerdict]


@click.group()
def audit() -> None:
    """Check the audit log."""


@audit.command(epilog="Exit code 0: every log is intact; 1: one is broken.")
@click.option("--account", "name", metavar="NAME", help="Only this account.")
@click.option(
    "--heads",
    "heads_file",
    type=click.Path(),
    help="Compare with an earlier output of --json.  [default: the setting audit_heads_file]",
)
@json_option
@with_settings
def verify(settings: Settings, *, name: str | None, heads_file: str | None, as_json: bool) -> int:
    """Walk the chain of hashes of each account, also while a server is running.

    An entry that was changed, inserted or removed breaks the chain at its position, and so does an
    end that was cut off. If the whole database was replaced by an older copy, only a head that was
    noted outside shows it: keep the output of --json somewhere else and name it with --heads.
    """
    noted = noted_heads(heads_file or settings.audit_heads_file)

    async def walk(admin: Administration) -> tuple[list[_Walked], Sequence[HeadMismatch]]:
        accounts = await admin.accounts.list() if name is None else (await _account(admin, name),)
        walked = [(account, await admin.audit.verify(account.id)) for account in accounts]
        ids = {account.id for account in accounts}
        heads = [each for each in noted if name is None or each.account_id in ids]
        return walked, await admin.audit.find_mismatches(heads)

    walked, mismatches = administer(settings, walk)
    is_whole = all(verdict.broken_at is None for _, verdict in walked) and not mismatches
    if as_json:
        lost = [str(each) for each in mismatches]
        accounts = [_json(*each) for each in walked]
        write_json({"ok": is_whole, "accounts": accounts, "heads_not_found": lost})
    else:
        rows = ((account.name, *_cells(verdict)) for account, verdict in walked)
        print_table(("account", "entries", "found", "head"), rows)
        for each in mismatches:
            click.echo(f"NOT THE LOG THAT WAS NOTED: {each}")
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
