"""How the URL of a destination must be written (S9), to be saved as to be sent to."""

from ipaddress import ip_address

import pytest

from longshore.domain.partners.connection_members import CONNECTION
from longshore.domain.partners.connections import HttpConnection
from longshore.domain.partners.members import RefusedValueError
from longshore.domain.partners.targets import (
    AddressRefusedError,
    UrlTarget,
    read_server,
    read_target,
)

WIDE = {ord(digit): chr(0xFF10 + int(digit)) for digit in "0123456789"}  # as in Japanese texts

REFUSED_SPELLINGS = (
    # addresses that only a resolver understands
    *("https://127.1/", "https://0x7f000001/", "https://2130706433/", "https://017700000001/"),
    *("https://0/", "https://127.0.1/", "https://0x7f.0.0.1/", "https://127.0.0.0x1/"),
    *("https://0177.0.0.1/", "https://127.0.0.01/", "https://127.0.0.1.:8443x/", "https://1.2.3/"),
    *("https://256.1.1.1/", "https://example.com.0x7f/", "https://10.1/"),
    # what two programs may read differently
    *("https://user@example.com/", "https://user:word@example.com/", "https://@example.com/"),
    *("https://example.com\\@127.0.0.1/", "https:\\\\example.com/", "https://example.com\\/"),
    *("https://exa mple.com/", "https://example.com/\x00", "https://example.com/\r\nHost: x"),
    *("https://example.com%00.internal/", "https://127.0.0.1%2f.example.com/", "https://%31%32/"),
    *("https://example.com/%00", "https://example.com/in?a=%00.edi"),
    *("https://[fe80::1%25eth0]/", "https://[fe80::1%eth0]/", "https://[::1/", "https://::1/"),
    *(
        "https://[127.0.0.1]/",
        "https://[v1.abc]/",
        "https://[::ffff:127.0.0.1.]/",
        "https://example..com/",
    ),
    *("https:example.com", "https:/example.com", "https:///example.com", "//example.com/"),
    *("example.com", "https://", "https://:8443/", "https://exam_ple!.com/", "https://-a.com/"),
    # schemes and ports
    *("ftp://example.com/", "file:///etc/passwd", "gopher://example.com/", "javascript:alert(1)"),
    *("https://example.com:22/", "https://example.com:25/", "https://example.com:0/"),
    *("https://example.com:1023/", "https://example.com:65536/", "https://example.com:-1/"),
    *("https://example.com:8e2/", "https://example.com:https/"),
)


def test_there_are_as_many_cases_as_were_asked_for() -> None:
    assert len({*REFUSED_SPELLINGS}) >= 40


@pytest.mark.parametrize("url", REFUSED_SPELLINGS)
def test_a_url_that_may_be_read_in_two_ways_is_refused(url: str) -> None:
    with pytest.raises(AddressRefusedError) as refused:
        read_target(url)
    assert "127" not in str(refused.value)
    assert "example" not in str(refused.value)


@pytest.mark.parametrize("url", REFUSED_SPELLINGS)
def test_what_can_never_be_sent_to_is_not_saved_either(url: str) -> None:
    with pytest.raises(RefusedValueError):
        CONNECTION.read({"type": "http", "url": url}, "connections.live")


@pytest.mark.parametrize(
    "url",
    [
        *("http://edi.example.com/in", "https://edi.example.com:443/", "http://edi.example.com:80"),
        *("https://edi.example.com:1024/", "https://10.1.2.3/", "https://[fd12::1]:8443/in?a=b"),
    ],
)
def test_what_depends_on_the_operator_is_judged_when_it_is_sent(url: str) -> None:
    saved = CONNECTION.read({"type": "http", "url": url}, "connections.live")
    assert saved == HttpConnection(url=url)


def target(host: str, **members: object) -> UrlTarget:
    usual: dict[str, object] = {"scheme": "https", "port": 443, "path": "/"}
    return UrlTarget(host=host, **{**usual, **members})  # type: ignore[arg-type]  # each as its field


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("https://EDI.Example.com", target("edi.example.com")),
        ("https://edi.example.com./in", target("edi.example.com.", path="/in")),
        ("http://edi.example.com", target("edi.example.com", scheme="http", port=80)),
        (
            "https://edi.example.com:8443/a?b=c%20d",
            target("edi.example.com", port=8443, path="/a?b=c%20d"),
        ),
        ("https://münchen.example/", target("xn--mnchen-3ya.example")),
        ("https://8.8.8.8/".translate(WIDE), target("8.8.8.8")),
        ("https://8.8.8.8/", target("8.8.8.8")),
        ("https://[2606:4700:0::1111]:8443/", target("2606:4700::1111", port=8443)),
        ("https://my_host.example:1024/", target("my_host.example", port=1024)),
    ],
)
def test_a_url_is_read_in_the_one_way_it_is_used(url: str, read: UrlTarget) -> None:
    assert read_target(url) == read


def test_a_literal_in_wide_digits_is_the_address_it_looks_like() -> None:
    address = read_target("https://127.0.0.1/".translate(WIDE)).address
    assert address == ip_address("127.0.0.1")


@pytest.mark.parametrize(
    ("host", "port", "read"),
    [
        ("Files.Example.com", 22, "files.example.com"),
        ("files.example.com", 2222, "files.example.com"),
        ("8.8.8.8", 22, "8.8.8.8"),
        ("[2606:4700:0::1111]", 22, "2606:4700::1111"),
        ("2606:4700::1111", 22, "2606:4700::1111"),
    ],
)
def test_a_host_is_read_as_that_of_a_url(host: str, port: int, read: str) -> None:
    assert read_server("sftp", host, port) == UrlTarget(
        scheme="sftp", host=read, port=port, path=""
    )


@pytest.mark.parametrize(
    ("host", "port"),
    [
        ("files.example.com", 25),
        ("127.1", 22),
        ("[::1", 22),
        ("[files]", 22),
        ("a b", 22),
        ("", 22),
    ],
)
def test_a_host_that_two_programs_may_read_differently_is_refused(host: str, port: int) -> None:
    with pytest.raises(AddressRefusedError):
        read_server("sftp", host, port)


def test_each_protocol_has_one_privileged_port() -> None:
    assert read_server("ftps", "h", 21).port == 21
    with pytest.raises(AddressRefusedError, match=r"^The port is neither 21 nor from 1024 on\.$"):
        read_server("ftps", "h", 22)
