"""Interfaces, addresses and routes, by the kernel's own messages (rtnetlink): no program needs to be installed."""

from __future__ import annotations

import os
import socket
import struct

_HEAD = struct.Struct("=IHHII")
_ERROR = struct.Struct("=i")
_LINK = struct.Struct("=BxHiII")
_ADDRESS = struct.Struct("=BBBBI")
_ROUTE = struct.Struct("=BBBBBBBBI")
_NLMSG_ERROR = 2
_REQUEST, _ACK, _EXCLUSIVE, _CREATE = 0x1, 0x4, 0x200, 0x400
_NEWLINK, _NEWADDR, _NEWROUTE = 16, 20, 24
_IFF_UP = 1
_IFLA_IFNAME, _IFLA_LINKINFO, _IFLA_NET_NS_FD = 3, 18, 28
_INFO_KIND, _INFO_DATA = 1, 2
_VETH_PEER = 1
_IFA_ADDRESS, _IFA_LOCAL = 1, 2
_RTA_GATEWAY = 5
_NESTED = 0x8000
_MAIN_TABLE, _BOOT_PROTOCOL, _EVERYWHERE, _UNICAST = 254, 3, 0, 1


class Netlink:
    """Changes the network namespace in which it was made. Each call is answered before it returns; OSError says what
    the kernel thinks of it."""

    def __init__(self) -> None:
        self._socket = socket.socket(
            socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, socket.NETLINK_ROUTE
        )

    def __enter__(self) -> Netlink:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def raise_link(self, name: str) -> None:
        index = socket.if_nametoindex(name)
        self._do(_NEWLINK, 0, _LINK.pack(0, 0, index, _IFF_UP, _IFF_UP))

    def add_address(self, name: str, address: str, bits: int) -> None:
        packed = socket.inet_aton(address)
        body = _ADDRESS.pack(socket.AF_INET, bits, 0, 0, socket.if_nametoindex(name))
        body += _attribute(_IFA_LOCAL, packed) + _attribute(_IFA_ADDRESS, packed)
        self._do(_NEWADDR, _CREATE | _EXCLUSIVE, body)

    def add_default_route(self, gateway: str) -> None:
        body = _ROUTE.pack(
            socket.AF_INET, 0, 0, 0, _MAIN_TABLE, _BOOT_PROTOCOL, _EVERYWHERE, _UNICAST, 0
        ) + _attribute(_RTA_GATEWAY, socket.inet_aton(gateway))
        self._do(_NEWROUTE, _CREATE | _EXCLUSIVE, body)

    def add_pair(self, name: str, peer: str, peer_namespace: int) -> None:
        """Two interfaces joined by a wire: one here, the other in another namespace. FileExistsError if there is one
        of that name here; the pair goes with either namespace."""
        other = _LINK.pack(0, 0, 0, 0, 0) + _words(
            (_IFLA_IFNAME, _text(peer)), (_IFLA_NET_NS_FD, struct.pack("=i", peer_namespace))
        )
        info = _words((_INFO_KIND, b"veth"), (_INFO_DATA | _NESTED, _attribute(_VETH_PEER | _NESTED, other)))
        body = _LINK.pack(0, 0, 0, 0, 0) + _words(
            (_IFLA_IFNAME, _text(name)), (_IFLA_LINKINFO | _NESTED, info)
        )
        self._do(_NEWLINK, _CREATE | _EXCLUSIVE, body)

    def _do(self, kind: int, flags: int, body: bytes) -> None:
        head = _HEAD.pack(_HEAD.size + len(body), kind, _REQUEST | _ACK | flags, 1, 0)
        self._socket.send(head + body)
        answer = self._socket.recv(65536)
        if _HEAD.unpack_from(answer)[1] != _NLMSG_ERROR:
            raise OSError(0, "the kernel gave an unexpected answer about the network")
        code = -_ERROR.unpack_from(answer, _HEAD.size)[0]
        if code:
            raise OSError(code, os.strerror(code))


def _words(*attributes: tuple[int, bytes]) -> bytes:
    return b"".join(_attribute(kind, content) for kind, content in attributes)


def _attribute(kind: int, content: bytes) -> bytes:
    return struct.pack("=HH", 4 + len(content), kind) + content + b"\0" * (-len(content) % 4)


def _text(name: str) -> bytes:
    return name.encode() + b"\0"
