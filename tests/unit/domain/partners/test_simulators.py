"""What an account is called at first."""

import pytest

from longshore.domain.partners.model import Identity
from longshore.domain.partners.simulators import first_identity
from longshore.domain.ports import AccountId


@pytest.mark.parametrize(
    ("name", "isa_id"),
    [
        ("demo", "DEMO"),
        ("Müller  GmbH", "MULLER GMBH"),
        ("Straße 7", "STRASSE 7"),
        ("A*B~C>D^E:F|G", "ABCDEFG"),
        ("The quick brown fox", "THE QUICK BROWN"),
        ("Fourteen chars and", "FOURTEEN CHARS"),
        ("日本電気", "ACCOUNT 7"),
        ("&&", "ACCOUNT 7"),
        ("\uff11\uff12\uff13", "123"),
    ],
)
def test_the_first_identity_is_the_name_as_far_as_it_goes(name: str, isa_id: str) -> None:
    identity = first_identity(name, AccountId(7))
    assert identity == Identity(qualifier="ZZ", isa_id=isa_id)
