"""``longshore demo``: months of invented traffic in the sandbox of an account, for a first look.

Works where nobody else does: on a data directory without a server, on PostgreSQL without a worker.
"""

import asyncio
import shlex
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from longshore.cli.options import json_option, with_settings
from longshore.cli.serve import own_command
from longshore.cli.terminal import messages, print_error, print_table, write_json
from longshore.database import (
    OpenSealer,
    open_any_database,
    open_sealer,
    place_errors,
    remove_trade_of,
    upgrade_database,
)
from longshore.demo.accounts import (
    AccountPorts,
    DemoAccount,
    LoginBy,
    find,
    find_or_make,
    login_by,
    record_reset,
)
from longshore.demo.failure_scenarios import REJECTED_ORDER
from longshore.demo.period import MAX_DAYS, MIN_DAYS, DemoPeriod
from longshore.demo.plan import DemoPlan
from longshore.demo.runner import OnProgress
from longshore.demo.sandbox import DemoContents, fill
from longshore.demo.sandbox_units import SimulatedClock
from longshore.demo.services import DemoTarget
from longshore.domain.accounts.service import DEMO_ACCOUNT_NAME
from longshore.kit.clock import SystemClock
from longshore.kit.ids import SystemIdSource
from longshore.settings import Settings
from longshore.storage.sqlite.lock import serving

_DAYS, _DOCUMENTS, _SEED = 90, 750, 1
_MIN_DOCUMENTS, _MAX_DOCUMENTS = 30, 20_000
_COLUMNS: Final = ("status", "transactions")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Done:
    """The contents of the new sandbox, and how a person logs in to see them."""

    made: DemoAccount
    login_by: LoginBy
    filled: DemoContents


@click.command()
@click.option(
    "--account",
    metavar="NAME",
    default=DEMO_ACCOUNT_NAME,
    show_default=True,
    help="Account to fill; created if it does not exist.",
)
@click.option(
    "--days",
    type=click.IntRange(MIN_DAYS, MAX_DAYS),
    default=_DAYS,
    show_default=True,
    help="How many days the traffic covers.",
)
@click.option(
    "--documents",
    type=click.IntRange(_MIN_DOCUMENTS, _MAX_DOCUMENTS),
    default=_DOCUMENTS,
    show_default=True,
    help="Approximate number of documents, without acknowledgements.",
)
@click.option(
    "--until",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DAY",
    help="The last day, for example 2026-03-31.  [default: today, up to the last full hour]",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=_SEED,
    show_default=True,
    help="Seed of the random traffic.",
)
@click.option(
    "--reset",
    "is_reset",
    is_flag=True,
    help="First delete all documents, partners, identities and maps of the account, for example "
    "those of an interrupted demo; refused if it has live documents.",
)
@json_option
@with_settings
def demo(  # noqa: PLR0913 - an option each
    settings: Settings,
    *,
    account: str,
    days: int,
    documents: int,
    until: datetime | None,
    seed: int,
    is_reset: bool,
    as_json: bool,
) -> None:
    """Fill the sandbox of an account with invented partners and months of documents.

    All names are invented, nothing is sent anywhere, and live documents are not changed. The
    account must not have exchanged documents yet; --reset starts over, also after Ctrl-C. Before,
    stop `longshore serve` on the data directory, or every `longshore worker` on PostgreSQL.
    """
    period = _period(days, until)
    plan = DemoPlan(period=period, documents=documents, seed=seed)
    with _free_database(settings):
        opened = open_sealer(settings)
        if opened.made_key:
            print_error(f"the master key was created; keep a safe copy: {opened.made_key}")
        with _progress() as on_progress, _stopping(account):
            done = asyncio.run(_fill(settings, opened, account, plan, on_progress, is_reset))
    if as_json:
        write_json(_json(done))
    else:
        _print(settings, done)


def _period(days: int, until: datetime | None) -> DemoPeriod:
    now = SystemClock().now()
    last_day = now.date() if until is None else until.date()
    if last_day > now.date():
        raise click.BadParameter(
            f"the last day is {now.date()} (UTC) at the latest", param_hint="'--until'"
        )
    return DemoPeriod.of(last_day, days, now)


@contextmanager
def _free_database(settings: Settings) -> Iterator[None]:
    """Make the database current and keep servers away from a data directory.

    Raises:
        LongshoreError: ``storage_unavailable``: a server uses it, or it cannot be used.
    """
    upgrade_database(settings)
    with ExitStack() as held:
        if not settings.database_url:
            with place_errors():
                held.enter_context(serving(settings.data_dir))
        yield


@contextmanager
def _progress() -> Iterator[OnProgress]:
    if not sys.stderr.isatty():
        yield lambda _done, _of: None
        return
    columns = (TextColumn("Trading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=messages(), transient=True) as bar:
        task = bar.add_task("")
        yield lambda done, of: bar.update(task, completed=done, total=of)


@contextmanager
def _stopping(account: str) -> Iterator[None]:
    """Say after Ctrl-C how to go on.

    Raises:
        KeyboardInterrupt: The demo was stopped.
    """
    try:
        yield
    except KeyboardInterrupt:
        print_error(
            f"the demo was stopped, and the sandbox of {account} is partly filled;"
            " `longshore demo --reset` with the same options starts over"
        )
        raise


async def _fill(
    settings: Settings,
    opened: OpenSealer,
    account: str,
    plan: DemoPlan,
    on_progress: OnProgress,
    is_reset: bool,  # noqa: FBT001 - an option
) -> _Done:
    async with open_any_database(settings) as database:
        ports = AccountPorts(
            units=database.units,
            revocations=database.revocations,
            sealer=opened.sealer,
            ids=SystemIdSource(),
            # An account that is made for it is as old as its first document.
            clock=SimulatedClock(plan.period.start),
        )
        if is_reset:
            await _reset(settings, ports, account)
        made = await find_or_make(ports, account)
        target = DemoTarget(
            account=made.account,
            units=database.units,
            sealer=opened.sealer,
            index=opened.index,
            ids=ports.ids,
            cursor_key=opened.cursor_key,
        )
        filled = await fill(target, plan, on_progress)
        return _Done(made=made, login_by=await login_by(ports, made.account), filled=filled)


async def _reset(settings: Settings, ports: AccountPorts, name: str) -> None:
    found = await find(ports, name)
    if found is not None:
        await remove_trade_of(settings, found.id)
        await record_reset(ports, found)


def _json(done: _Done) -> dict[str, object]:
    filled = done.filled
    return {
        "account": done.made.account.name,
        "key": done.made.key,
        "first_day": filled.first_day.isoformat(),
        "last_day": filled.last_day.isoformat(),
        "partners": filled.partners,
        "interchanges": filled.interchanges,
        "transactions": filled.transactions,
        "by_status": filled.by_status,
        "login_by": done.login_by,
    }


def _print(settings: Settings, done: _Done) -> None:
    account, filled = done.made.account, done.filled
    if done.made.key:
        click.echo(
            f"The account {account.name} was created with this sandbox key. Store it: it is not"
            f" shown again.\n\n  {done.made.key}\n"
        )
    click.echo(
        f"The sandbox of {account.name} has {filled.transactions} transactions with"
        f" {filled.partners} partners, from {filled.first_day} to {filled.last_day}.\n"
    )
    print_table(_COLUMNS, filled.by_status.items())
    place = [] if settings.database_url else ["--data-dir", str(settings.data_dir.absolute())]
    command = {
        LoginBy.LINK: ["serve", *place],
        LoginBy.USER: ["serve", *place],
        LoginBy.NOBODY: [
            *("users", "create", "E-MAIL", "--account", account.name, "--role", "owner"),
            *place,
        ],
    }[done.login_by]
    click.echo(f"\n{_ADVICE[done.login_by]}\n\n  {shlex.join([*own_command(), *command])}\n")
    click.echo(f"Start here: the order {REJECTED_ORDER}, and why it was rejected.")


_ADVICE: Final = {
    LoginBy.LINK: "Start a server; it prints a link to create the first user:",
    LoginBy.USER: "Start a server, and log in as a user of the account:",
    LoginBy.NOBODY: "This account has no users yet. Create one:",
}
