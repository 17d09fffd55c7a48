"""Which network addresses are the public internet's; everything else is refused (reliability 4.3)."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

_NAT64: Final = IPv6Network("64:ff9b::/96")
_NAT64_LOCAL: Final = IPv6Network("64:ff9b:1::/48")
_SITE: Final = IPv6Network("fec0::/10")
_COMPATIBLE: Final = IPv6Network("::/96")


def is_public(text: str) -> bool:
    """Whether it is an address that anybody on the internet could reach; False for what is no address.

    An IPv4 address inside an IPv6 one counts as what it is; tunnels (6to4, Teredo) never count as public.
    """
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return _public4(address) if isinstance(address, IPv4Address) else _public6(address)


def _public4(address: IPv4Address) -> bool:
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _public6(address: IPv6Address) -> bool:
    if address.ipv4_mapped is not None:
        return _public4(address.ipv4_mapped)
    if address in _NAT64:
        return _public4(IPv4Address(int(address) & 0xFFFF_FFFF))
    if address.sixtofour is not None or address.teredo is not None:
        return False
    if address in _SITE or address in _COMPATIBLE or address in _NAT64_LOCAL:
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved)
