"""The simulator as an AS2 partner: messages that it opens, and what it cannot use."""

from pathlib import Path

import pytest

from longshore.compute.inline import InlineCompute
from longshore.domain.as2.model import As2Keys
from longshore.domain.delivery.ports import OutboundMessage, Sent, answered
from longshore.domain.partners.connections import SIMULATOR_URL
from longshore.kit.environment import Environment
from longshore.transport.as2_simulator import As2OrSimulator
from tests.support.as2 import CERTIFICATE, as2_members, pem_pair
from tests.support.clock import StoppedClock
from tests.unit.transport.test_as2 import KEYS, connection_of

AN_850 = Path("samples/850_purchase_order/input.edi").read_bytes()
SIMULATOR = As2Keys(name="THEM", pairs=(pem_pair("THEM"),))
OUTSIDE = answered(204, "", None)


class Outside:
    """The transport for partners outside."""

    async def send(self, message: OutboundMessage) -> Sent:
        del message
        return OUTSIDE


async def send(
    environment: Environment = Environment.SANDBOX,
    keys: As2Keys | None = SIMULATOR,
    simulate: str = "",
    **members: object,
) -> Sent:
    message = OutboundMessage(
        connection=connection_of(as2_members(**{"url": SIMULATOR_URL} | members)),
        environment=environment,
        content=AN_850,
        message_id="0a1b",
        simulate=simulate,
        as2_keys=KEYS,
        simulator_keys=keys,
    )
    return await As2OrSimulator(Outside(), StoppedClock(), InlineCompute()).send(message)


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"compress": True, "encrypt_algorithm": "3des", "sign_algorithm": "sha1", "oaep": False},
        {"sign": False, "encrypt": False, "mdn_signed": False},
        {"mdn": "none"},
    ],
)
async def test_what_it_opens_is_delivered_and_acknowledged(members: dict[str, object]) -> None:
    sent = await send(**members)  # type: ignore[arg-type]  # each as its parameter
    assert (sent.error_code, sent.http_status) == (None, 200)
    (reply,) = sent.replies
    assert b"ST*997*" in reply.content


async def test_it_answers_by_its_script() -> None:
    assert (await send(simulate="never")).replies == ()


@pytest.mark.parametrize(
    ("members", "code", "text"),
    [
        (
            {"certificates": [CERTIFICATE, SIMULATOR.pairs[0].certificate]},
            "receipt_negative",
            "The receipt of the partner says: processed/error: decryption-failed.",
        ),
        (
            {"certificates": [CERTIFICATE], "mdn": "none"},
            "http_400",
            "The destination answered with status 400.",
        ),
        (
            {"mdn": "async"},
            "not_configured",
            "The simulator sends its receipts in the answer: mdn cannot be async.",
        ),
        (
            {"keys": None},
            "not_configured",
            "The simulator has no AS2 identity THEM: create it in this environment.",
        ),
    ],
)
async def test_what_it_cannot_use_is_said(members: dict[str, object], code: str, text: str) -> None:
    sent = await send(**members)  # type: ignore[arg-type]  # each as its parameter
    assert (sent.error_code, sent.message, sent.replies) == (code, text, ())


async def test_partners_outside_and_live_documents_do_not_reach_it() -> None:
    assert await send(url="https://as2.example.com/") is OUTSIDE
    assert await send(Environment.PRODUCTION) is OUTSIDE
