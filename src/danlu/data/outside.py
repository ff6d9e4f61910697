"""Where Danlu may go when somebody names an address: not to this machine, nor to what only machines of a cloud ask."""

from __future__ import annotations

import ipaddress
import socket
from typing import NamedTuple

import psutil

from danlu.domain.errors import ForbiddenAddress, UnknownHost, Unreachable
from danlu.domain.words import Words

_METADATA = frozenset(
    ipaddress.ip_address(text)
    for text in ("100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254")
)
"""Where clouds answer their machines with credentials, besides link-local addresses."""
_CONNECT_S = 5.0
_MOST_TRIED = 4
IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class NetworkGuard(NamedTuple):
    """With `local`, the machine itself is no exception: for installations whose store is beside Danlu, and tests."""

    local: bool = False

    def addresses(self, host: str, port: int) -> list[str]:
        """What a name stands for now. UnknownHost; ForbiddenAddress if even one of them is no place to go: who answers
        for the name may answer otherwise next time."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise UnknownHost(_UNKNOWN.fill(host=host)) from None
        addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
        for address in addresses:
            self.require(host, address)
        return addresses[:_MOST_TRIED]

    def connect(self, host: str, port: int) -> socket.socket:
        """A connection to an address that was looked at, not to a name that is looked up again."""
        for address in self.addresses(host, port):
            try:
                return socket.create_connection((address, port), timeout=_CONNECT_S)
            except OSError:
                continue
        raise Unreachable(_UNREACHABLE.fill(host=host, port=port))

    def require(self, host: str, address: str) -> None:
        if _is_forbidden(address) or (not self.local and _is_own(address)):
            raise ForbiddenAddress(_FORBIDDEN.fill(host=host))


def _plain(address: str) -> IpAddress:
    """Without what hides an IPv4 address in one of IPv6."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inside = found.ipv4_mapped or found.sixtofour
        if inside is None and found in ipaddress.IPv6Network("64:ff9b::/96"):
            inside = ipaddress.IPv4Address(int(found) & 0xFFFF_FFFF)
        return inside or found
    return found


def _is_forbidden(address: str) -> bool:
    found = _plain(address)
    return found.is_link_local or found.is_multicast or found in _METADATA or _is_nowhere(found)


def _is_nowhere(found: IpAddress) -> bool:
    return found.is_reserved and not found.is_loopback


def _is_own(address: str) -> bool:
    found = _plain(address)
    if found.is_loopback or found.is_unspecified:
        return True
    own = {one.address.partition("%")[0] for each in psutil.net_if_addrs().values() for one in each}
    return str(found) in own


_UNKNOWN = Words(
    "the name {host} leads to no address; is it spelled right?",
    "主机名 {host} 无法解析，请检查拼写",
)
_UNREACHABLE = Words(
    "nothing answers at {host}:{port} within 5 seconds; is it running, and is the way there open?",
    "{host}:{port} 在 5 秒内无应答；请检查服务是否运行、网络是否可达",
)
_FORBIDDEN = Words(
    "{host} leads to the machine that Danlu runs on, or to an address that no volume can be at; administrators can "
    "permit the machine itself with the setting attach_local",
    "{host} 指向丹炉所在的机器，或不能作为外部存储的地址；管理员可通过设置 attach_local 允许访问本机",
)
