"""X-Forwarded-For is believed of trusted proxies only, hop by hop from its end."""

import pytest

from longshore.http.client_address import ClientAddresses

PROXIES = ("10.0.0.0/8", "2001:db8::1/128")


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        pytest.param("203.0.113.7", "198.51.100.9", "203.0.113.7", id="peer is no proxy"),
        pytest.param("10.0.0.1", "198.51.100.9", "198.51.100.9", id="peer is a proxy"),
        pytest.param("2001:db8::1", "2001:db8::7", "2001:db8::7", id="of IPv6"),
        pytest.param("10.0.0.1", "1.1.1.1, 198.51.100.9", "198.51.100.9", id="invented first hop"),
        pytest.param("10.0.0.1", "198.51.100.9,10.0.0.2", "198.51.100.9", id="two proxies"),
        pytest.param("10.0.0.1", "10.0.0.3", "10.0.0.3", id="a proxy calls"),
        pytest.param("10.0.0.1", 'x","a":"', "10.0.0.1", id="no address"),
        pytest.param("10.0.0.1", 'x", 10.0.0.2', "10.0.0.2", id="no address behind a proxy"),
        pytest.param("10.0.0.1", "", "10.0.0.1", id="no header"),
        pytest.param("testclient", "198.51.100.9", "testclient", id="peer without address"),
    ],
)
def test_the_client_is_the_last_hop_that_is_no_proxy(
    peer: str, forwarded: str, client: str
) -> None:
    headers = {b"x-forwarded-for": forwarded.encode()} if forwarded else {}
    assert ClientAddresses(PROXIES).of({"client": (peer, 5)}, headers) == client


def test_without_proxies_the_peer_is_the_client() -> None:
    headers = {b"x-forwarded-for": b"198.51.100.9"}
    assert ClientAddresses(()).of({"client": ("10.0.0.1", 5)}, headers) == "10.0.0.1"
    assert ClientAddresses(()).of({"client": None}, headers) == ""
