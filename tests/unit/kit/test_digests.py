"""Digests, with the values that their standards give."""

from longshore.kit.digests import keyed_sha256, sha256


def test_the_digest_of_abc_is_that_of_fips_180() -> None:
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert sha256(b"abc").hex() == digest


def test_the_keyed_digest_is_that_of_rfc_4231() -> None:
    digest = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert keyed_sha256(b"Jefe", b"what do ya want for nothing?").hex() == digest
