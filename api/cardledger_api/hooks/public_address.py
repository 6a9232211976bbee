"""Addresses of the web: where webhooks may be sent, and nothing else. In doubt an address is refused."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

from cardledger.errors import LedgerError

_RELAYS: Final = IPv4Network("192.88.99.0/24")
"""Relays into IPv6 (RFC 7526), which lead anywhere."""
_GIVEN: Final = IPv6Network("2000::/3")
"""All addresses of the web in IPv6. Whatever has another beginning stands for an address of IPv4, or is local."""
_EMBEDDING: Final = tuple(map(IPv6Network, ("2001::/23", "2002::/16")))
"""Those in it that have an address of IPv4 within: Teredo and its like, 6to4."""
_ISATAP: Final = (0x00005EFE, 0x02005EFE)
"""What stands before the address of IPv4 in the second half of an address of ISATAP (RFC 5214)."""


def is_public(ip: IPv4Address | IPv6Address) -> bool:
    """Tell whether an address is one of the web, and stands for no other.

    >>> is_public(ip_address("192.0.2.1")), is_public(ip_address("64:ff9b::7f00:1")), is_public(ip_address("2606:4700::1"))
    (False, False, True)
    """
    if not ip.is_global or ip.is_multicast or ip.is_reserved:
        return False
    if isinstance(ip, IPv4Address):
        return ip not in _RELAYS
    return ip in _GIVEN and not any(ip in net for net in _EMBEDDING) and int(ip) >> 32 & 0xFFFFFFFF not in _ISATAP


def expect_public(ip: str, *, private: bool) -> None:
    """Refuse an address of this computer or its network, or one that may lead there, unless they are allowed.

    Raises LedgerError `webhook.address`.
    """
    if private:
        return
    try:
        public = "%" not in ip and is_public(ip_address(ip))
    except ValueError:
        public = False
    if not public:
        raise LedgerError("webhook.address", f"{ip} is an address of this computer or its network, or may lead there")
