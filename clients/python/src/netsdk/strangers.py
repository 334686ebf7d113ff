"""Addresses that strangers may name, so that they cannot use the client to probe its machine and network.

See docs/decisions/189.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from .errors import NetError
from .flow import Answer, Flow, LateError, Request, resolve, send

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

#: Private networks. A client may share one with its node.
_PRIVATE = [
    ipaddress.ip_network(network)
    for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")
]
_PUBLIC_V6 = ipaddress.IPv6Network("2000::/3")
#: Ranges that are not public: IANA's special-purpose registries, and Azure's services for virtual machines. The
#: JavaScript client has the same list.
_SPECIAL = [
    ipaddress.ip_network(network)
    for network in """0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12
    192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24
    198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 2001::/23 2001:db8::/32
    2002::/16 2620:4f:8000::/48 3fff::/20""".split()
]
#: Cloud metadata services in private ranges (Alibaba, AWS, Google), which strangers may never name.
_METADATA = [ipaddress.ip_network(network) for network in ("100.100.100.200/32", "fd00:ec2::/32", "fd20:ce::/64")]
#: Prefix of IPv4 addresses in IPv6-only networks (RFC 6052).
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def is_public_address(address: str) -> bool:
    """Returns True unless the address is private, local, reserved or multicast."""
    parsed = _parse(address)
    return parsed is not None and _is_public(parsed)


def may_stranger_name(address: str, near: Iterable[str] = ()) -> bool:
    """Returns True if the address is public, or in the private network of the node.

    :param address: an IP address, without brackets
    :param near: the node's addresses
    """
    parsed = _parse(address)
    return parsed is not None and (_is_public(parsed) or any(_is_near(parsed, _parse(each)) for each in near))


def _is_public(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and address not in _PUBLIC_V6:
        return False
    return not any(address in network for network in _SPECIAL)


def _is_near(address: Address, node: Address | None) -> bool:
    if node is None or node.version != address.version or not (_is_private(address) and _is_private(node)):
        return False
    if any(address in network for network in _METADATA):
        return False
    length = 3 if address.version == 4 else 8
    return address.packed[:length] == node.packed[:length]


def _is_private(address: Address) -> bool:
    return any(address in network for network in _PRIVATE)


def _parse(text: str) -> Address | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in _NAT64:
            return ipaddress.IPv4Address(address.packed[-4:])
    return address


@dataclass(frozen=True)
class Way:
    """The way in which requests reach a store."""

    #: Checked addresses. If empty, the connection resolves the name.
    addresses: Sequence[str] = ()
    #: True if an address is not public. Any answer but the blob then counts as absence, so that the stranger does not
    #: learn whether something answers there.
    is_hidden: bool = False

    def send(self, request: Request) -> Flow[Answer]:
        """Sends a request to the first checked address that accepts a connection."""
        if not self.addresses:
            return (yield from send(request))
        *others, last = self.addresses
        for address in others:
            try:
                return (yield from send(replace(request, address=address)))
            except NetError as error:
                if isinstance(error, LateError) or error.status != 0:
                    raise
        return (yield from send(replace(request, address=last)))


@dataclass(frozen=True)
class Reach:
    """Decides how origins may be reached. Origins that are not trusted need an address that a stranger may name.

    :param node_url: strangers may name addresses in this node's private network
    :param trusted: normalized origins that the user or operator chose
    """

    node_url: str
    trusted: frozenset[str]

    def way(self, origin: str) -> Flow[Way | None]:
        """Returns how to reach an origin. None means that it is not allowed or has no address; callers must treat both
        alike.

        :raises NetError: if the name cannot be resolved now
        """
        if origin in self.trusted:
            return Way()
        found = yield from resolve(urlsplit(origin).hostname or "")
        try:
            near = yield from resolve(urlsplit(self.node_url).hostname or "")
        except NetError:
            near = []
        allowed = [address for address in found if may_stranger_name(address, near)]
        if not allowed:
            return None
        # Keep one address per family, because the machine may reach only one family.
        chosen = {":" in address: address for address in reversed(allowed)}
        first = allowed[0]
        addresses = [first, *(each for each in chosen.values() if each != first)]
        return Way(addresses, is_hidden=not all(map(is_public_address, addresses)))
