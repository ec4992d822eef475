"""The addresses that webhooks may be sent to: public ones, over https.

A request of the service must not reach what only its own network can: refused are all blocks in
IANA's registries of special addresses (loopback, private, link-local with the metadata address of
clouds, shared, documentation and others), multicast and unassigned addresses, and IPv6 addresses
that lead to one of them (mapped, NAT64) or might (6to4, Teredo). `settings.WEBHOOK_NETWORKS` names
networks that are allowed all the same, also over http. A name is checked when it is resolved, at
each attempt; the connection goes to an address that was checked.
"""

import ipaddress
import re
import socket
from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from games.rules.text import Text, either
from tournament.models.webhooks import LONGEST_ADDRESS

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], Sequence[str]]
"""Return the addresses of a host; raises OSError."""

PORTS = {"http": 80, "https": 443}
FIRST_FREE_PORT = 1024
"""Below it only the port of the scheme is allowed: the others belong to other services."""
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
SPECIAL_NETWORKS: Final = [
    ipaddress.ip_network(block)
    for block in (
        "168.63.129.16/32",  # of Azure: every machine there reaches it, and nobody else
        "192.0.0.0/24",  # protocol assignments (RFC 6890)
        "192.88.99.0/24",  # relays of 6to4, deprecated (RFC 7526)
        "2001::/23",  # protocol assignments (RFC 2928), among them Teredo (RFC 4380)
        "2002::/16",  # 6to4 (RFC 3056)
        "3fff::/20",  # documentation (RFC 9637)
        "fec0::/10",  # site-local, deprecated (RFC 3879)
    )
]
"""Blocks of IANA's registries of special addresses that `is_global` and `is_reserved` do not know.

Which ones `is_global` knows depends on the release of Python.
"""
_LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
HOST_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*\.?", re.ASCII)
NUMERIC_LABEL = re.compile(r"(0x[0-9a-f]*|[0-9]+)\Z", re.ASCII)
NOT_PUBLIC: Final = Text("the host has no public address")
"""What is said of a name, so that nobody learns which names the own network has."""
LOCAL_NAMES = re.compile(r"(.*\.)?(localhost|local|internal|home\.arpa)\Z")


class AddressRefused(ValueError):
    """A webhook must not be sent to this address; the message says why."""


def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host, from the resolver of the system; raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


def check_url(url: str) -> SplitResult:
    """Return the parts of an address that a webhook may have; raises AddressRefused.

    The host may be a name that is not resolved here.
    """
    if len(url) > LONGEST_ADDRESS or not url.isascii() or not url.isprintable() or " " in url:
        detail = Text(
            "an address has at most %(most)s printable ASCII characters, no spaces",
            most=LONGEST_ADDRESS,
        )
        raise AddressRefused(detail)
    try:
        parts = urlsplit(url)
        port = PORTS.get(parts.scheme, 0) if parts.port is None else parts.port
    except ValueError as error:
        raise AddressRefused(Text("this is not the address of a web page")) from error
    schemes = ("https", "http") if settings.WEBHOOK_NETWORKS else ("https",)
    if parts.scheme not in schemes:
        raise AddressRefused(
            Text("the address must begin with %(scheme)s://", scheme=either([*schemes]))
        )
    if parts.username is not None or parts.password is not None or "\\" in parts.netloc:
        raise AddressRefused(Text("the address must not contain a user name or a password"))
    if parts.fragment:
        raise AddressRefused(Text("the address must not contain a part after #"))
    usual = PORTS[parts.scheme]
    if port != usual and port < FIRST_FREE_PORT:
        raise AddressRefused(
            Text(
                "port %(port)s is neither %(usual)s nor %(least)s to 65535",
                port=port,
                usual=usual,
                least=FIRST_FREE_PORT,
            )
        )
    if "[" in parts.netloc and ":" not in (parts.hostname or ""):
        raise AddressRefused(Text("only an IPv6 address is written in brackets"))
    _check_host(parts.hostname or "", parts.scheme)
    return parts


def _check_host(host: str, scheme: str) -> None:
    """Raise AddressRefused for an address that is not allowed, and for a name that is none."""
    address = _parse_address(host)
    if address is not None:
        require_allowed(address, scheme)
    elif not HOST_NAME.fullmatch(host) or NUMERIC_LABEL.match(host.rstrip(".").rpartition(".")[2]):
        raise AddressRefused(Text("the address has no valid host"))
    elif LOCAL_NAMES.match(host.rstrip(".")) and not settings.WEBHOOK_NETWORKS:
        raise AddressRefused(Text("%(host)s is a name of the local network", host=host))


def _parse_address(text: str) -> Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def require_allowed(address: Address | None, scheme: str) -> None:
    """Raise AddressRefused for an address of the own network, and for http to any other one."""
    if address and any(address in network for network in settings.WEBHOOK_NETWORKS):
        return
    if address is None or not is_public(address):
        raise AddressRefused(NOT_PUBLIC)
    if scheme != "https":
        raise AddressRefused(Text("only https is allowed to this address"))


def is_public(address: Address) -> bool:
    """Return True if an address, or the one that it stands for, is reachable by everyone."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.scope_id is not None:
            return False
        inner = address.ipv4_mapped
        if address in NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        if inner is not None:
            return is_public(inner)
    return (
        address.is_global
        and not address.is_multicast
        and not address.is_reserved
        and not any(address in network for network in SPECIAL_NETWORKS)
    )


def find_allowed(host: str, port: int, scheme: str, resolve: Resolve) -> list[str]:
    """Return the addresses of a host, all of which are allowed.

    Raises AddressRefused if one of them is not, or the name cannot be resolved.
    """
    literal = _parse_address(host)
    try:
        texts = [host] if literal is not None else resolve(host, port)
    except OSError as error:
        raise AddressRefused(NOT_PUBLIC) from error
    for text in texts:
        require_allowed(_parse_address(text), scheme)
    if not texts:
        raise AddressRefused(NOT_PUBLIC)
    return list(texts)
