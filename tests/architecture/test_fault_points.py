"""R2: every named point is one where a test lets a process die, and no unit is without points.

A point that no test passes proves nothing; a service whose unit has none was never seen to die.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import Final

import pytest

from longshore.domain.transactions.states import Action
from tests.architecture.repository import ROOT, python_files
from tests.contract import test_submit_crashes
from tests.support.crash_scenes import SCENES
from tests.system import test_vault_kills

DOMAIN = ROOT / "src" / "longshore" / "domain"

KILLS: Final[Mapping[str, frozenset[str]]] = {
    "tests/contract/test_crash_points.py": frozenset(
        point for scene in SCENES.values() for point in scene.points
    ),
    "tests/contract/test_submit_crashes.py": frozenset({
        *test_submit_crashes.BEFORE,
        *test_submit_crashes.AGAIN,
        "submission.submit.after_commit",
        "submission.reissue.after_commit",
    }),
    "tests/system/test_vault_kills.py": frozenset(test_vault_kills.POINTS),
}
"""Where a process is let die, and at which points."""

PARTS: Final[Mapping[str, frozenset[str]]] = {
    # Of TransactionService; a reissue is a submission.
    "wanted.action": frozenset(Action) - {Action.REISSUE},
    "action": frozenset(Action) - {Action.REISSUE},
}
"""What stands in the braces of a point."""

_NEXT_LOOK: Final = "one statement, which the next look makes again"
_NEXT_CLAIM: Final = "ends one entry with its audit entry; the next claim does it again"
_COMMAND: Final = "one unit of a command, of which nothing but its message follows"
_ONE_ROW: Final = "one row, changed by one statement: there is nothing to tear"
_LEASE: Final = "leases, renewed or given back by one statement"
_OLDER: Final = (
    "older than the points: several rows in one unit, none of them a number, an event or work for"
    " others. That a unit is kept whole or not at all is held by test_units and test_power_loss"
)
_NOTED: Final = "adds to the audit log alone, and nothing is given out before that is durable"
_LOGIN: Final = "the status of a connection with an audit entry, and nothing sent or promised"
_PIECEMEAL: Final = "removes what has expired; whatever a death leaves, the next run removes"
_KEYS: Final = "one row of keys with its entry in the audit log, and nothing sent or promised"
_ENDPOINT: Final = "one row of endpoints with its entry in the audit log, and nothing sent"
_QUEUED: Final = "work for others in one unit, as of the fan-out, where a process is let die"
_DEFINITIONS: Final = "an import that is repeated leads to the same definitions"
WITHOUT_POINTS: Final[Mapping[str, str]] = {
    "accounts/service.py AccountService.create": _ONE_ROW,
    "accounts/service.py AccountService.set_plan": _ONE_ROW,
    "accounts/service.py AccountService.set_retention": _ONE_ROW,
    "accounts/service.py AccountService.set_own_retention": _ONE_ROW,
    "accounts/service.py AccountService._set_status": _ONE_ROW,
    "usage/service.py UsageService.set_quota": _ONE_ROW,
    "accounts/service.py KeyService.create": _ONE_ROW,
    "accounts/service.py KeyService.revoke": _ONE_ROW,
    "accounts/service.py KeyService.rotate": _OLDER,
    "accounts/service.py bootstrap_demo": _OLDER,
    "as2/identities.py As2IdentityService._change": _KEYS,
    "as2/identities.py As2IdentityService.create": _KEYS,
    "as2/identities.py As2IdentityService.delete": _KEYS,
    "as2/identities.py As2IdentityService.export_key": _KEYS,
    "as2/identities.py As2IdentityService.keys_to_open": _KEYS,
    "as2/intake.py As2Intake.record_refusal": _NOTED,
    "as2/receipt_delivery.py As2ReceiptSender.give_up": _NEXT_CLAIM,
    "audit/service.py AuditAdministration.record_restore": _COMMAND,
    "control_numbers/service.py ControlNumberService.advance": _COMMAND,
    "definitions/service.py DefinitionService.delete": _ONE_ROW,
    "definitions/service.py DefinitionService.import_file": _DEFINITIONS,
    "delivery/held_entries.py Releaser._resume_suspended": _NEXT_LOOK,
    "inbound/mailbox_jobs.py MailboxScheduler.insert": _NEXT_LOOK,
    "mailboxes/logins.py MailboxLogins._record": _LOGIN,
    "inbound/polling.py MailboxPoller._finish": _LEASE,
    "inbound/polling.py MailboxPoller._put_back": _LEASE,
    "inbound/polling.py MailboxPoller._refuse": _NOTED,
    "inbound/polling.py MailboxPoller._set_status": _NOTED,
    "delivery/worker.py Worker.renew": _LEASE,
    "exports.py ExportService._note": _NOTED,
    "delivery/worker.py Worker._put_back": _LEASE,
    "delivery/worker.py Worker.return_leases": _LEASE,
    "maps/service.py MapService.create": _OLDER,
    "maps/service.py MapService._advance": _OLDER,
    "maps/service.py MapService.set_locked": _OLDER,
    "maps/service.py MapService.delete": _OLDER,
    "users/administration.py UserAdministration.create": _OLDER,
    "users/administration.py UserAdministration.set_password": _OLDER,
    "users/administration.py open_set_up": _OLDER,
    "users/login.py LoginService._begin": _OLDER,
    "users/own_keys.py OwnKeyService.create": _ONE_ROW,
    "users/own_keys.py OwnKeyService.rotate": _OLDER,
    "users/own_keys.py OwnKeyService.revoke": _ONE_ROW,
    "users/service.py UserService.remove": _OLDER,
    "users/service.py UserService._end": _OLDER,
    "users/service.py UserService._kept": _OLDER,
    "vault/service.py Retention._purge": _PIECEMEAL,
    "webhooks/delivery.py WebhookSender.give_up": _ONE_ROW,
    "webhooks/deliveries.py WebhookDeliveryService.replay": _QUEUED,
    "webhooks/deliveries.py WebhookDeliveryService.replay_event": _QUEUED,
    "webhooks/deliveries.py WebhookDeliveryService.replay_period": _QUEUED,
    "webhooks/deliveries.py WebhookDeliveryService.test": _QUEUED,
    "webhooks/retention.py WebhookRetention._remove": _PIECEMEAL,
    "webhooks/service.py WebhookService._step": _ENDPOINT,
    "webhooks/service.py WebhookService.change": _ENDPOINT,
    "webhooks/service.py WebhookService.create": _ENDPOINT,
    "webhooks/service.py WebhookService.delete": _ENDPOINT,
    "webhooks/service.py WebhookService.rotate": _ENDPOINT,
}
"""The functions that run a unit of their own without points, and why."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def calls(node: ast.AST) -> Iterator[ast.Call]:
    return (each for each in ast.walk(node) if isinstance(each, ast.Call))


def points(node: ast.AST) -> set[str]:
    """Return the points that code passes, each value of a brace for itself."""
    return {
        name
        for call in calls(node)
        if ast.unparse(call.func) == "fault_point"
        for name in written_out(call.args[0])
    }


def written_out(argument: ast.expr) -> set[str]:
    if isinstance(argument, ast.Constant):
        return {str(argument.value)}
    assert isinstance(argument, ast.JoinedStr), ast.unparse(argument)
    names = {""}
    for part in argument.values:
        words = (
            PARTS[ast.unparse(part.value)]
            if isinstance(part, ast.FormattedValue)
            else {ast.literal_eval(part)}
        )
        names = {name + word for name in names for word in words}
    return names


def writers(code: str) -> dict[str, set[str]]:
    """Return the functions and methods that run a write unit, with the points in each."""
    return {
        name: points(function)
        for name, function in functions(ast.parse(code))
        if any(ast.unparse(call.func).endswith("units.write") for call in calls(function))
    }


def functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    for node in tree.body:
        if isinstance(node, Function):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{each.name}", each) for each in methods(node))


def methods(node: ast.ClassDef) -> list[Function]:
    return [each for each in node.body if isinstance(each, Function)]


def passed() -> set[str]:
    return {
        name
        for path in python_files("src")
        for name in points(ast.parse(path.read_text(encoding="utf-8")))
    }


def all_writers() -> dict[str, set[str]]:
    return {
        f"{path.relative_to(DOMAIN).as_posix()} {name}": found
        for path in python_files("src/longshore/domain")
        for name, found in writers(path.read_text(encoding="utf-8")).items()
    }


def after_commits(found: set[str]) -> set[str]:
    return {name for name in found if name.endswith(".after_commit")}


def test_every_point_is_one_where_a_test_lets_a_process_die() -> None:
    assert passed() == frozenset().union(*KILLS.values())


def test_every_write_of_a_service_has_a_point_after_its_commit_or_a_reason() -> None:
    without = {name for name, found in all_writers().items() if not after_commits(found)}
    assert without == set(WITHOUT_POINTS)


def test_what_has_a_point_after_its_commit_has_one_before() -> None:
    known = passed()
    missing = {
        name for name in after_commits(known) if name.replace(".after_", ".before_") not in known
    }
    assert missing == set()


@pytest.mark.parametrize(
    ("_case", "code", "found"),
    [
        ("without", "async def f(units):\n    await units.write(s, w)\n", {"f": set()}),
        (
            "with",
            (
                "class S:\n    async def f(self):\n        await self._ports.units.write(s, w)\n"
                "        fault_point('a.b.after_commit')\n"
            ),
            {"S.f": {"a.b.after_commit"}},
        ),
        ("reading", "async def f(units):\n    await units.read(s, w)\n", {}),
    ],
)
def test_writers_are_found(_case: str, code: str, found: dict[str, set[str]]) -> None:
    assert writers(code) == found


def test_braces_are_written_out() -> None:
    code = ast.parse('fault_point(f"transactions.{action}.before_commit")')
    assert points(code) == {"transactions.retry.before_commit", "transactions.cancel.before_commit"}
