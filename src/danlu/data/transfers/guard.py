"""Which addresses a transfer may reach: a name is resolved once, and what was checked is what is connected to."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence

from danlu.data.outside import NetworkGuard
from danlu.domain.errors import ForbiddenAddress
from danlu.domain.transfers.problems import TransferStopped


class AddressGuard:
    """What whoever names an address may not reach is refused, but for the networks that are `allowed`."""

    def __init__(self, allowed: Sequence[str]) -> None:
        self._allowed = [ipaddress.ip_network(one, strict=False) for one in allowed]
        self._others = NetworkGuard()

    def addresses(self, host: str, port: int) -> list[str]:
        """All that may be connected to, in the resolver's order. TransferStopped if there is none."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise TransferStopped("name_unknown", host=host) from None
        addresses = list(dict.fromkeys(str(one[4][0]).partition("%")[0] for one in found))
        fine = [one for one in addresses if self._may(host, one)]
        if not fine:
            raise TransferStopped("address_refused", host=host, address=addresses[0])
        return fine

    def _may(self, host: str, address: str) -> bool:
        plain = ipaddress.ip_address(address)
        if any(plain in one for one in self._allowed if one.version == plain.version):
            return True
        try:
            self._others.require(host, address)
        except ForbiddenAddress:
            return False
        return True
