"""The pages about trading say what the tables of the code say."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.delivery.schedule import PAUSES
from longshore.domain.delivery.simulation import Word, read_script
from longshore.domain.events.model import EventType
from longshore.domain.inbound.routing import TA1_CODES, RoutingProblem
from longshore.domain.partners.model import PartnerStatus
from longshore.domain.partners.settings import SETTINGS
from longshore.domain.partners.status import (
    CONNECTION_DISABLED,
    HOST_KEY_UNCONFIRMED,
    NOT_CONFIGURED,
    PARTNER_INACTIVE,
    STEPS,
    takes_documents,
)
from longshore.domain.transactions.model import ACK_OUTCOMES
from longshore.domain.transactions.states import ACTIONS, TRANSITIONS, Action, Axis
from longshore.kit.environment import Environment
from tests.docs.pages import ROOT, blocks, commands
from tests.docs.test_reference import rows, section

HOWTO = ROOT / "docs/howto"
MAX_COMMANDS = 8
SPELT = {"yes": True, "no": False}


def page(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def codes(text: str) -> list[str]:
    return re.findall(r"`([a-z0-9_.]+)`", text)


# ---- events and settings -------------------------------------------------------------------------


def test_the_events_of_the_contract_are_those_that_can_be_recorded() -> None:
    text = section("contract.md", "## 13. Events").split(". ", 1)[0]
    named = set()
    for each in re.findall(r"`([a-z_.|]+)`", text):
        kind, _, words = each.partition(".")
        named |= {f"{kind}.{word}" for word in words.split("|")}
    assert named == {each.value for each in EventType}


def test_the_settings_of_the_contract_have_the_defaults_of_the_code() -> None:
    shapes = section("contract.md", "## 15. Shapes")
    text = shapes.split("`settings` and defaults ", 1)[1].split("\n\n", 1)[0].replace("\n", " ")
    said = re.findall(r"`([a-z0-9_]+)` (?:\(`(.+?)`\)|`([^`]+)`|([^\s,.]+))", text)
    assert sorted((name, marks or word or value) for name, marks, word, value in said) == sorted(
        (each.name, default_in_words(each.default)) for each in SETTINGS
    )


def default_in_words(default: object) -> str:
    """Return a default as the contract writes it; of separators the marks alone."""
    if isinstance(default, dict) and default:
        return " ".join(default.values())
    return default if isinstance(default, str) else json.dumps(default)


# ---- states --------------------------------------------------------------------------------------


def steps_of(text: str, outcomes: frozenset[str]) -> Mapping[str, set[str]]:
    """Read ``from → to, to`` of a row; ``an outcome`` stands for all of them."""
    found: dict[str, set[str]] = {}
    for part in text.split(";"):
        starts, _, ends = part.partition("→")
        reached = set(codes(ends)) | (outcomes if "outcome" in ends else set())
        for start in codes(starts):
            found.setdefault(start, set()).update(reached)
    return found


def test_the_steps_of_the_contract_are_those_of_the_table() -> None:
    table = {row[0]: row[1] for row in rows(section("contract.md", "## 5. Transaction record"))}
    outcomes = frozenset(each.value for each in ACK_OUTCOMES)
    for axis in (Axis.PROCESSING, Axis.DELIVERY):
        said = steps_of(table[axis.value.removesuffix("_status")], frozenset())
        done = {
            start.value: set(map(str, ends)) for start, ends in TRANSITIONS[axis].items() if ends
        }
        assert {start: ends for start, ends in said.items() if ends} == done
    said = steps_of(table["ack"].split("outcome →")[0], outcomes)
    steps = TRANSITIONS[Axis.ACK]
    assert said == {
        str(start): set(map(str, steps[start])) for start in steps if start not in outcomes
    }


def test_the_actions_of_the_pages_are_those_of_the_table() -> None:
    text = section("contract.md", "## 5. Transaction record")
    table = {
        row[0].strip("`"): row[1]
        for row in rows(page(HOWTO / "submit-and-track.md").split("## Retry, reissue, cancel")[1])
    }
    for action in Action:
        listed = {each.value for each in ACTIONS[action]}
        line = re.search(rf"`{action}`: (?:delivery )?([^.]*)", text)
        assert line is not None
        assert set(codes(line[1])) - {"rejected"} == listed
        assert set(codes(table[action])) - {"reason"} == listed


def test_what_partners_take_and_become_is_that_of_the_table() -> None:
    listed = {row[0].strip("`"): row[1:] for row in rows(page(HOWTO / "partners.md"))}
    assert listed.keys() == {each.value for each in PartnerStatus}
    for status in PartnerStatus:
        sandbox, live, after = listed[status]
        taken = [takes_documents(status, each) for each in Environment]
        assert taken == [SPELT[sandbox], SPELT[live]]
        by_person = {
            to.value for start, to in STEPS if start is status and to is not PartnerStatus.ERROR
        }
        assert by_person == set(codes(after)) or after == "what it was before"


# ---- what is said of failures --------------------------------------------------------------------


def test_every_reason_to_set_an_interchange_aside_has_its_row() -> None:
    table = rows(page(HOWTO / "receive-documents.md"))
    named = {code for row in table for code in codes(row[0])}
    assert {each.value for each in TA1_CODES} | {RoutingProblem.PARTNER_INACTIVE.value} <= named
    literals = "".join(map(page, (ROOT / "src/longshore").rglob("*.py")))
    assert [each for each in named if f'"{each}"' not in literals and each != "021"] == []


def test_the_contract_names_the_codes_of_failures_and_of_reasons() -> None:
    text = section("contract.md", "## 5. Transaction record").split("`last_error.code` of")[1]
    received, _, others = text.split("\n\n", 1)[0].partition("Of what is sent: ")
    sent, _, held = others.partition("Of what is held, ")
    assert set(codes(sent)) == {each.value for each in FailureKind}
    hold_reasons = {
        *(NOT_CONFIGURED, PARTNER_INACTIVE, CONNECTION_DISABLED, HOST_KEY_UNCONFIRMED),
    }
    assert set(codes(held.split(";")[0])) == hold_reasons
    table = rows(page(HOWTO / "receive-documents.md"))
    assert {code for row in table for code in codes(row[0])} - {"021"} <= set(codes(received))


def test_every_test_that_a_claim_names_is_there() -> None:
    text = page(ROOT / "docs/explanation/reliability.md")
    named = re.findall(r"(tests/[a-z0-9_/]+(?:\.py)?)", text)
    assert named
    assert [each for each in named if not (ROOT / each).exists()] == []


# ---- the simulator, delivery, and the first exchange ---------------------------------------------


def test_every_word_of_the_simulator_has_its_row() -> None:
    table = rows(page(HOWTO / "submit-and-track.md").split("## The simulator")[1])
    scripts = [script for row in table for script in re.findall(r"`([^`]+)`", row[0])]
    read = [read_script(each) for each in scripts]
    assert None not in read
    assert {each.word for each in read if each is not None} == set(Word)


def test_the_times_of_attempts_are_those_of_the_schedule() -> None:
    text = page(ROOT / "docs/explanation/reliability.md").split("**Times of attempts**: ")[1]
    units = {"s": 1, "min": 60, "h": 3600}
    said = re.findall(r"([0-9]+) (s|min|h)\b", text.split(" after one another")[0])
    assert [int(count) * units[unit] for count, unit in said] == [
        each.total_seconds() for each in PAUSES
    ]


def test_the_first_exchange_takes_eight_commands_at_most_and_edits_no_file() -> None:
    text = page(ROOT / "docs/tutorial/first-exchange.md")
    typed = [command.text for each in blocks(text) for command in commands(each.text)]
    shown = [
        line for each in blocks(text) if each.language == "text" for line in each.text.splitlines()
    ]
    assert 0 < len(typed) + len(shown) <= MAX_COMMANDS
    assert [
        each for each in [*typed, *shown] if re.search(r"\b(?:sed -i|nano|vi|ed)\b", each)
    ] == []
