"""The machine's name servers, as far as a job's own network cannot reach them by itself."""

from __future__ import annotations

import contextlib
import ipaddress
import socket

_FILE = "/etc/resolv.conf"
_LARGEST = 65536
_MOST = 3


def unreachable_servers() -> list[str]:
    """IPv4 addresses that belong to this machine or to its links: to them a door must lead."""
    return [server for server in _servers() if _is_ours(server)]


def _servers() -> list[str]:
    found = []
    with contextlib.suppress(OSError), open(_FILE, encoding="ascii", errors="replace") as file:
        for line in file.read(_LARGEST).splitlines():
            words = line.split()
            if len(words) > 1 and words[0] == "nameserver":
                with contextlib.suppress(ValueError):
                    found.append(str(ipaddress.IPv4Address(words[1])))
    return list(dict.fromkeys(found))[:_MOST]


def _is_ours(server: str) -> bool:
    address = ipaddress.IPv4Address(server)
    if address.is_loopback or address.is_link_local:
        return True
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as probe:
        try:
            probe.bind((server, 0))
        except OSError:
            return False
    return True
