"""Host keys: when the key of a server is the one that was confirmed."""

import pytest

from longshore.domain.partners.host_keys import HostKey, is_pinned

SHOWN = HostKey(text="ssh-ed25519 AAAAC3Nz==", fingerprint="SHA256:uNiReFp")


@pytest.mark.parametrize(
    ("pinned", "is_it"),
    [
        ("ssh-ed25519 AAAAC3Nz==", True),
        ("ssh-ed25519 AAAAC3Nz", True),
        ("SHA256:uNiReFp", True),
        ("SHA256:uNiReFp=", True),
        ("SHA256:unirefp", False),
        ("ssh-rsa AAAAC3Nz==", False),
        ("ssh-ed25519 AAAAC3N", False),
        ("", False),
    ],
)
def test_a_key_is_pinned_whole_or_by_its_fingerprint(pinned: str, is_it: object) -> None:
    assert is_pinned(SHOWN, pinned) is is_it


def test_people_compare_the_fingerprint() -> None:
    assert str(SHOWN) == "SHA256:uNiReFp (ssh-ed25519)"
