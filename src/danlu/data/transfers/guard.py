"""Which addresses a transfer may reach: a name is resolved once, and what was checked is what is connected to."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence

from danlu.domain.transfers.problems import TransferStopped

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_METADATA = (ipaddress.ip_address("100.100.100.200"), ipaddress.ip_address("fd00:ec2::254"))
"""Of clouds whose machines learn their credentials at an address that is not link-local."""


class AddressGuard:
    """This machine's own addresses and those of its link are refused, but for the networks that are `allowed`."""

    def __init__(self, allowed: Sequence[str]) -> None:
        self._allowed = [ipaddress.ip_network(one, strict=False) for one in allowed]

    def addresses(self, host: str, port: int) -> list[str]:
        """All that may be connected to, in the resolver's order. TransferStopped if there is none."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise TransferStopped("name_unknown", host=host) from None
        addresses = list(dict.fromkeys(str(one[4][0]).partition("%")[0] for one in found))
        fine = [one for one in addresses if self._may(ipaddress.ip_address(one))]
        if not fine:
            raise TransferStopped("address_refused", host=host, address=addresses[0])
        return fine

    def _may(self, address: Address) -> bool:
        meant = _meant(address)
        if any(meant in one for one in self._allowed if one.version == meant.version):
            return True
        return not (
            meant.is_loopback
            or meant.is_link_local
            or meant.is_multicast
            or meant.is_unspecified
            or meant.is_reserved
            or meant in _METADATA
        )


def _meant(address: Address) -> Address:
    """The IPv4 address that an IPv6 one stands for."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        return inner or address
    return address
