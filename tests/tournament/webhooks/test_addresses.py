"""Which addresses webhooks may have: nothing of the own network is reachable through them."""

import ipaddress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.webhooks.addresses import AddressRefused, check_url, find_allowed, is_public

PUBLIC = ["8.8.8.8", "172.32.0.1", "2606:4700::1111", "64:ff9b::808:808"]
OWN = [
    "172.31.255.255", "224.0.0.1", "168.63.129.16", "fe80::1%eth0", "fec0::1", "ff02::1",
    "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::a9fe:a9fe", "::8.8.8.8", "::ffff:0:10.0.0.1",
    "4000::1", "fe00::1",
]  # fmt: skip
"""Addresses that only some network reaches, and those that stand for one of them."""

SPECIAL = [
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.0.0.0/29", "192.0.0.8/32", "192.0.0.170/31", "192.0.2.0/24", "192.168.0.0/16",
    "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "255.255.255.255/32",
    "192.88.99.0/24", "::1/128", "::/128", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64",
    "2001::/32", "2001:2::/48", "2001:10::/28", "2001:db8::/32", "2002::/16", "3fff::/20",
    "5f00::/16", "fc00::/7", "fe80::/10",
]  # fmt: skip
"""The blocks of IANA's registries of special IPv4 and IPv6 addresses (as of 2025-10-09) that are
not globally reachable, or deprecated, or for which the registry does not say it."""


def test_a_public_address_is_allowed() -> None:
    for address in PUBLIC:
        assert is_public(ipaddress.ip_address(address)), address
    assert find_allowed("name.example.org", 443, "https", lambda *_: PUBLIC) == PUBLIC


@pytest.mark.parametrize("address", OWN)
def test_an_address_of_the_own_network_is_refused(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(AddressRefused):
        check_url(f"https://{host}/hook")
    with pytest.raises(AddressRefused):
        find_allowed("name.example.org", 443, "https", lambda *_: ["8.8.8.8", address])


def test_a_special_address_is_refused_also_inside_of_another() -> None:
    for block in SPECIAL:
        network = ipaddress.ip_network(block)
        middle = network.network_address + network.num_addresses // 2
        for address in (network[0], middle, network[-1]):
            assert not is_public(address), address
            if isinstance(address, ipaddress.IPv4Address):
                for text in (f"::ffff:{address}", f"::{address}", f"64:ff9b::{address}"):
                    assert not is_public(ipaddress.ip_address(text)), text


@given(st.integers(0, 2**32 - 1))
def test_an_address_stands_for_the_one_inside(number: int) -> None:
    inner = ipaddress.IPv4Address(number)
    for outer in (
        ipaddress.IPv6Address((0xFFFF << 32) + number),
        ipaddress.IPv6Address((0x2002 << 112) + (number << 80)),
        ipaddress.IPv6Address((0x64FF9B << 96) + number),
    ):
        assert is_public(outer) <= is_public(inner)


def test_an_https_address_is_allowed() -> None:
    for url in (
        "https://hooks.example.org:8443/a?b=c",
        "https://xn--bcher-kva.example/",
        "https://[2606:4700::1111]:2000/",
    ):
        assert check_url(url).geturl() == url


@pytest.mark.parametrize(
    "url",
    [
        "", "hooks.example.org", "http://hooks.example.org/", "https:///hook",
        "https://me@hooks.example.org/", "https://@hooks.example.org/",
        "https://hooks.example.org/#part", "https://hooks.example.org:22/",
        "https://hooks.example.org:0/", "https://hooks.example.org:99999/", "https://localhost/",
        "https://a.localhost./", "https://db.internal/", "https://127.1/", "https://2130706433/",
        "https://0x7f.1/", "https://010.0.0.1/", "https://exa mple.org/",
        "https://hooks.example.org/\r\nX: y", "https://hooks.example.org\\@127.0.0.1/",
        "https://-.example.org/", "https://bücher.example/", f"https://{'a' * 64}.org/",
        f"https://{'a.' * 150}org/", f"https://hooks.example.org/{'a' * 500}", "https://[::1/",
        "https://[v1.a]/",
    ],
)  # fmt: skip
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        check_url(url)


@given(st.text("aZ09.-_:/@[]#?%\\ \n\u00fc", max_size=60))
def test_any_text_is_checked_in_time(text: str) -> None:
    for url in (text, f"https://{text}", f"https://{text * 8}/"):
        try:
            host = check_url(url).hostname
        except AddressRefused:
            continue
        assert host


def test_allowed_networks_are_reached_also_over_http(settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = [ipaddress.ip_network("10.0.0.0/8")]

    assert check_url("http://10.1.1.1/hook").hostname == "10.1.1.1"
    assert find_allowed("bot", 80, "http", lambda *_: ["10.2.2.2"]) == ["10.2.2.2"]
    for scheme, address in (("http", "8.8.8.8"), ("https", "192.168.1.1"), ("http", "127.0.0.1")):
        with pytest.raises(AddressRefused):
            find_allowed("bot", 80, scheme, lambda *_, found=address: [found])  # type: ignore[misc]  # reason: bound early
