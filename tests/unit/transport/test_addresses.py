"""Where documents may be sent (S9): each network of the table."""

from ipaddress import ip_address

import pytest

from longshore.transport.addresses import is_listed, is_permitted, networks_of

REFUSED_ADDRESSES = (
    *("0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254"),
    *("169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1"),
    *("192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1"),
    *("240.0.0.1", "255.255.255.255", "168.63.129.16", "100.100.100.200", "192.0.0.192"),
    *("::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1"),
    *("64:ff9b:1::1", "100::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%1"),
    *("fec0::1", "ff02::1", "2001::1", "2001:0:53aa:64c:0:fb8c:80ff:fffe", "2001:db8::1"),
    *("2002:7f00:1::", "2002:808:808::", "3fff::1", "4000::1", "1fff::1"),
)
PUBLIC_ADDRESSES = (
    *("8.8.8.8", "1.1.1.1", "100.63.255.255", "172.15.255.255", "172.32.0.1", "223.255.255.255"),
    *("2606:4700::1111", "2a00:1450::1", "2400::1", "3ffe::1"),
)


def test_there_are_as_many_cases_as_were_asked_for() -> None:
    assert len({*REFUSED_ADDRESSES}) >= 40


@pytest.mark.parametrize("text", REFUSED_ADDRESSES)
def test_an_address_that_is_not_public_is_refused(text: str) -> None:
    assert not is_permitted(ip_address(text))


@pytest.mark.parametrize("text", PUBLIC_ADDRESSES)
def test_a_public_address_is_permitted(text: str) -> None:
    assert is_permitted(ip_address(text))


@pytest.mark.parametrize(
    ("_case", "text", "allowed", "is_ok"),
    [
        ("own network", "10.1.2.3", ["10.0.0.0/8"], True),
        ("another", "10.1.2.3", ["192.168.0.0/16"], False),
        ("loopback", "127.0.0.1", ["127.0.0.0/8"], True),
        ("loopback of IPv6", "::1", ["::1/128"], True),
        ("own network of IPv6", "fd12::1", ["fd12::/16"], True),
        ("link-local", "169.254.1.1", ["0.0.0.0/0"], False),
        ("metadata of a cloud", "169.254.169.254", ["169.254.169.254/32"], False),
        ("metadata of another", "fd00:ec2::254", ["fd00::/8"], False),
        ("link-local of IPv6", "fe80::1", ["::/0"], False),
        ("unspecified", "0.0.0.0", ["0.0.0.0/0"], False),
        ("multicast", "ff02::1", ["::/0"], False),
        ("NAT64 of what is public", "64:ff9b::808:808", ["64:ff9b::/96"], True),
        ("NAT64 of what is ours", "64:ff9b::a00:1", ["64:ff9b::/96"], False),
        ("NAT64 of metadata", "64:ff9b::a9fe:a9fe", ["64:ff9b::/96", "169.254.0.0/16"], False),
        ("mapped", "::ffff:10.0.0.1", ["::ffff:0:0/96"], False),
        ("mapped and inner", "::ffff:10.0.0.1", ["::ffff:0:0/96", "10.0.0.0/8"], True),
        ("6to4 of loopback", "2002:7f00:1::", ["2002::/16"], False),
    ],
)
def test_an_operator_may_allow_networks_but_not_all(
    _case: str, text: str, allowed: list[str], is_ok: object
) -> None:
    networks = networks_of(allowed)
    assert is_permitted(ip_address(text), networks) is is_ok
    assert is_listed(ip_address("8.8.8.8"), networks) is ("0.0.0.0/0" in allowed)
