"""Every refusal of a submission: its code, its exact text, and that nothing was stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from longshore.domain.accounts.service import AccountService
from longshore.domain.outbound.control_numbers import SKIPPED_FOR
from longshore.domain.partners.model import Connections, Direction, PartnerStatus
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.transactions.model import Source
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment
from longshore.kit.errors import LongshoreError
from longshore.x12.delimiters import Delimiters
from tests.support.clock import StoppedClock
from tests.support.database import Database, Engine
from tests.support.submitting import (
    CTT,
    PO1,
    SIMULATED,
    SubmitSetup,
    a_set,
    a_submit_setup,
    an_interchange,
    context,
)
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, write

SEPARATORS = Delimiters("|", "'", ":", "^")


@pytest.fixture
async def setup(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> SubmitSetup:
    return await a_submit_setup(database, engine, clock, accounts)


@dataclass(frozen=True, kw_only=True)
class Case:
    """A submission, and the details it is refused with: code, parameter, text.

    ``is_separation``: to keep test and live apart, which the audit log tells.
    """

    name: str
    content: str | None = None
    members: Mapping[str, object] = field(default_factory=dict)
    status: PartnerStatus = PartnerStatus.TESTING
    key: Environment = SANDBOX
    settings: PartnerSettings | None = None
    details: tuple[tuple[str, str, str], ...]
    code: str = ""
    is_separation: bool = False


STRANGER = ("ZZ", "STRANGER")
IS_USED = (
    "The control number of this interchange (ISA13) was used before. With restamp: true it gets a"
    " new envelope with numbers of its own."
)
CASES = (
    Case(
        name="another set than the request says",
        members={"tx_set": "810"},
        details=(
            (
                "tx_set_mismatch",
                "tx_set",
                "The content has transaction sets of another code (ST01) than tx_set says.",
            ),
        ),
    ),
    Case(
        name="no set",
        content=an_interchange().partition("GS*")[0] + "IEA*0*000000123~",
        details=(
            (
                "tx_set_mismatch",
                "content",
                "The content has no transaction set (ST to SE).",
            ),
        ),
    ),
    Case(
        name="two interchanges",
        content=an_interchange() + an_interchange(number="000000124"),
        details=(
            (
                "invalid_parameter",
                "content",
                "The content has 2 interchanges; submit each by itself.",
            ),
        ),
    ),
    Case(
        name="all that is wrong with a live document",
        content=an_interchange(usage="P", sender=STRANGER, receiver=STRANGER),
        members={"tx_set": "810"},
        status=PartnerStatus.INACTIVE,
        key=PRODUCTION,
        details=(
            (
                "tx_set_mismatch",
                "tx_set",
                "The content has transaction sets of another code (ST01) than tx_set says.",
            ),
            (
                "partner_inactive",
                "partner_id",
                "The partner is inactive and takes no such documents.",
            ),
            (
                "partner_identity_mismatch",
                "content",
                "The receiver in the ISA is not the partner's.",
            ),
            ("partner_identity_mismatch", "content", "The sender in the ISA is not yours."),
        ),
    ),
    Case(
        name="a live document for a partner in testing",
        is_separation=True,
        status=PartnerStatus.TESTING,
        key=PRODUCTION,
        details=(
            (
                "partner_inactive",
                "partner_id",
                "The partner is testing and takes no such documents.",
            ),
        ),
    ),
    Case(
        name="a live document with a sandbox key, as it is",
        is_separation=True,
        content=an_interchange(usage="P"),
        members={"restamp": False},
        details=(
            (
                "usage_mismatch",
                "content",
                "ISA15 is P, but the key is a sandbox key; it is a test document.",
            ),
        ),
    ),
    Case(
        name="a script that the simulator has not",
        members={"metadata": {"simulate": "explode"}},
        details=(
            (
                "invalid_parameter",
                "metadata.simulate",
                (
                    'Parameter "metadata.simulate" must be accept, accept_with_errors, reject,'
                    " reject:<AK5 code>, partial, duplicate, late, late:<seconds>, never or broken."
                ),
            ),
        ),
    ),
    Case(
        name="a value with a separator, where they are fixed",
        content=a_set("BEG*00*SA*PO|1**20240115", PO1, CTT),
        settings=PartnerSettings(separators=SEPARATORS, fixed_separators=True),
        details=(
            (
                "delimiter_in_data",
                "BEG.03",
                "BEG03 holds a separator of the document; choose other separators.",
            ),
        ),
    ),
    Case(
        name="a bare set of no known group",
        content=a_set(set_id="ZZZ"),
        members={"tx_set": "ZZZ"},
        details=(
            (
                "invalid_parameter",
                "content",
                (
                    "The functional group of this transaction set is not known; submit it in an"
                    " envelope of its own."
                ),
            ),
        ),
    ),
    Case(
        name="nothing",
        content="",
        code="document_empty",
        details=(("document_empty", "content", "the document is empty or only white space"),),
    ),
    Case(
        name="no X12",
        content="Dear Sir or Madam",
        code="document_unparseable",
        details=(("not_x12", "content", "Document is not X12: no ISA or segment found"),),
    ),
    Case(
        name="a lone surrogate",
        content=a_set("BEG*00*SA*\ud800**20240115"),
        code="document_unparseable",
        details=(
            (
                "lone_surrogate",
                "content",
                "a lone surrogate is not a character (line 1, character offset 22)",
            ),
        ),
    ),
    Case(
        name="more sets than are taken",
        content="ST*850*0001~SE*2*0001~" * 1_001,
        details=(
            (
                "limit_exceeded",
                "content",
                "At most 1000 transaction sets are taken at once; submit the others by themselves.",
            ),
        ),
    ),
)


AGREED = ("855", "810")
NOT_AGREED = (
    "Set 850 was not agreed with the partner, whose tx_sets are 855, 810. Add it there, or submit"
    " another set."
)


async def test_a_set_that_was_not_agreed_is_refused_live_and_warned_of_in_test(
    setup: SubmitSetup,
) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE, tx_sets=AGREED)
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(a_set(), by=context(PRODUCTION))
    assert [(each.code, each.param, each.message) for each in refused.value.details] == [
        ("set_not_agreed", "tx_set", NOT_AGREED)
    ]
    assert await setup.counts() == {}
    warned = await setup.submit_json(an_interchange(usage="T"), by=context(PRODUCTION))
    (warning,) = warned["warnings"]
    assert (warning["code"], warning["param"], warning["message"]) == (
        "set_not_agreed",
        "tx_set",
        NOT_AGREED,
    )
    assert warned["status"] == "queued"


@pytest.mark.parametrize("case", CASES, ids=[each.name for each in CASES])
async def test_what_is_refused_leaves_nothing_behind(setup: SubmitSetup, case: Case) -> None:
    await setup.partner(status=case.status, settings=case.settings)
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(
            case.content, by=context(case.key), idempotency_key="K-1", **case.members
        )
    details = tuple((each.code, each.param, each.message) for each in refused.value.details)
    assert details == case.details
    assert refused.value.code == (case.code or case.details[0][0])
    assert await setup.counts() == ({"audit_entries": 1} if case.is_separation else {})


async def test_the_text_is_that_of_the_first_fault_and_counts_the_others(
    setup: SubmitSetup,
) -> None:
    await setup.partner(status=PartnerStatus.INACTIVE)
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(by=context(PRODUCTION), tx_set="810")
    assert refused.value.message == (
        "The content has transaction sets of another code (ST01) than tx_set says."
        " There is one more: see details."
    )


SCRIPTS = {"reject:I12": SIMULATED, "": SIMULATED, "explode": Connections()}


@pytest.mark.parametrize("script", SCRIPTS)
async def test_a_script_is_refused_of_a_partner_that_simulates_and_only_if_there_is_none_such(
    setup: SubmitSetup, script: str
) -> None:
    await setup.partner(connections=SCRIPTS[script])
    answer = await setup.submit_json(metadata={"simulate": script})
    assert answer["transaction_ids"] == [1]


async def test_of_what_is_received_a_script_is_a_text_as_any_other(setup: SubmitSetup) -> None:
    await setup.partner()
    received = an_interchange(sender=("01", "123456789"), receiver=("ZZ", "ACMECORP"))
    answer = await setup.submit_json(
        received, direction=Direction.INBOUND, metadata={"simulate": "explode"}
    )
    assert answer["receipt_id"] == 1


# ---- partners ------------------------------------------------------------------------------------

NO_PARTNER = "There is no such partner, or it is not yours."


@pytest.mark.parametrize("status", set(PartnerStatus) - {PartnerStatus.TESTING})
async def test_a_sandbox_key_does_not_see_a_partner_that_is_not_in_testing(
    setup: SubmitSetup, status: PartnerStatus
) -> None:
    await setup.partner(status=status)
    with pytest.raises(LongshoreError) as refused:
        await setup.submit()
    with pytest.raises(LongshoreError) as unknown:
        await setup.submit(partner_id=2)
    assert (refused.value.code, refused.value.message) == ("not_found", NO_PARTNER)
    assert (unknown.value.code, unknown.value.message) == ("not_found", NO_PARTNER)
    assert await setup.counts() == {"audit_entries": 1}


async def test_a_person_sees_it_and_is_told_why_not(setup: SubmitSetup) -> None:
    await setup.partner(status=PartnerStatus.PENDING)
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(by=context(actor="user 5"), source=Source.BROWSER)
    assert (refused.value.code, refused.value.message) == (
        "partner_inactive",
        "The partner is pending and takes no such documents.",
    )
    assert await setup.counts() == {}


async def test_an_account_without_identity_sends_nothing(setup: SubmitSetup) -> None:
    await setup.partner()

    async def forget(unit: WriteUnit) -> bool:
        (own,) = await unit.identities.list()
        return await unit.identities.delete(own.id)

    assert await write(setup.database, LIVE, forget)
    with pytest.raises(LongshoreError) as refused:
        await setup.submit()
    assert (refused.value.code, refused.value.message) == (
        "invalid_state",
        (
            "Your account has no identity of its own, so there is no sender to write into an"
            ' envelope. Add one under "identities" of the account.'
        ),
    )
    assert await setup.counts() == {}


# ---- numbers -------------------------------------------------------------------------------------


async def test_a_number_that_was_used_is_refused_in_production_and_forgiven_in_the_sandbox(
    setup: SubmitSetup,
) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE)
    live = an_interchange(usage="P")
    await setup.submit(live, by=context(PRODUCTION))
    before = await setup.counts()
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(live, by=context(PRODUCTION))
    assert (refused.value.code, refused.value.message) == ("duplicate_interchange", IS_USED)
    assert await setup.counts() == before
    answer = await setup.submit_json(live, by=context(PRODUCTION), restamp=True)
    assert answer["control_numbers"]["isa"] == "000000001"


async def test_a_number_of_nought_is_not_sent_live(setup: SubmitSetup) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE)
    nought = an_interchange(usage="P", number="000000000")
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(nought, by=context(PRODUCTION))
    assert (refused.value.code, refused.value.message) == (
        "invalid_parameter",
        (
            "The control number of this interchange (ISA13) is 000000000; it must be 000000001 to"
            " 999999999. With restamp: true it gets a new envelope with numbers of its own."
        ),
    )
    assert await setup.counts() == {}
    answer = await setup.submit_json(nought, by=context(PRODUCTION), restamp=True)
    assert answer["control_numbers"]["isa"] == "000000001"


async def test_a_group_number_used_before_is_sent_with_a_warning(setup: SubmitSetup) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE)
    warnings = []
    for number in ("000000123", "000000124"):
        live = an_interchange(usage="P", number=number)
        answer = await setup.submit_json(live, by=context(PRODUCTION))
        warnings.append([each["code"] for each in answer["warnings"]])
        assert answer["status"] == "queued"
    assert warnings == [[], ["duplicate_group"]]


@pytest.mark.parametrize("content", [None, an_interchange(number="000000005")])
async def test_a_number_is_not_sent_twice_in_a_year_whoever_used_it(
    setup: SubmitSetup, content: str | None
) -> None:
    await setup.partner(settings=PartnerSettings(control_min=5, control_max=5))
    await setup.submit(content)
    setup.clock.move(SKIPPED_FOR)
    before = await setup.counts()
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(idempotency_key="K-1")
    assert (refused.value.code, refused.value.message) == (
        "invalid_state",
        (
            "Not enough control numbers between control_min and control_max of this partner are"
            " free: the others were used in the last 366 days. Widen the range in the partner's"
            " settings."
        ),
    )
    assert await setup.counts() == {**before, "events": before["events"] + 1}
    low = (await setup.events())[-1]
    exhausted = {"partner_id": 1, "kind": "isa", "left": 0}
    assert (low.type, low.data) == ("control_number.low", exhausted)
    setup.clock.move(timedelta(microseconds=1))
    assert (await setup.submit_json())["control_numbers"]["isa"] == "000000005"


async def test_a_parent_has_to_be_there(setup: SubmitSetup) -> None:
    await setup.partner()
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(parent_id=7, reason="corrected")
    assert (refused.value.code, refused.value.message) == (
        "not_found",
        "There is no such transaction, or it is not yours.",
    )
    assert await setup.counts() == {}


async def test_what_makes_no_sense_is_refused_before_anything_is_looked_up(
    setup: SubmitSetup,
) -> None:
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(tx_set="ANY", map_id=3, direction=Direction.OUTBOUND, business_key="\n")
    assert [each.param for each in refused.value.details] == ["map_id", "business_key"]
    assert await setup.counts() == {}
