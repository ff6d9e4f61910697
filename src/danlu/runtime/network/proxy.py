"""What a client of the proxy asks for, and whether it may have it."""

from __future__ import annotations

import fnmatch
import ipaddress
import re
import socket
import time
from typing import NamedTuple, Sequence
from urllib.parse import urlsplit

_LONGEST_HEAD = 16_384
_HEAD_SECONDS = 10.0
_CONNECT_SECONDS = 15.0
_LINE = re.compile(rb"([A-Z]{1,16}) (\S{1,8192}) HTTP/1\.[01]\r\n")
# They are between client and proxy alone.
_HOP = re.compile(rb"(?im)^(?:proxy-[a-z-]+|connection|keep-alive):[^\r\n]*\r\n")
PORTS = (80, 443)
ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"


class Refused(Exception):
    """The request is answered with this sentence."""

    def __init__(self, status: str, text: str) -> None:
        super().__init__(text)
        self.status = status

    def answer(self) -> bytes:
        body = f"{self}\n".encode()
        head = f"HTTP/1.1 {self.status}\r\nContent-Type: text/plain; charset=utf-8\r\n"
        return f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body


class ProxyRequest(NamedTuple):
    host: str
    port: int
    first: bytes
    """What goes on to the host before anything else."""
    tunnel: bool


def read_request(client: socket.socket) -> ProxyRequest:
    """Refused when it is none; ConnectionError when the client leaves or takes too long."""
    deadline, data = time.monotonic() + _HEAD_SECONDS, b""
    while b"\r\n\r\n" not in data:
        left = deadline - time.monotonic()
        if left <= 0:
            raise ConnectionError("the client takes too long")
        if len(data) > _LONGEST_HEAD:
            raise Refused("431 Request Header Fields Too Large", "the request's head is too long")
        client.settimeout(left)
        more = client.recv(_LONGEST_HEAD)
        if not more:
            raise ConnectionError("the client left")
        data += more
    return _understand(data)


def _understand(data: bytes) -> ProxyRequest:
    line = _LINE.match(data)
    if line is None:
        raise Refused("400 Bad Request", "this is a proxy for HTTP: CONNECT host:port, or http://host/path")
    method, target = line[1].decode("ascii"), line[2].decode("latin-1")
    head, _, rest = data[line.end() :].partition(b"\r\n\r\n")
    try:
        if method == "CONNECT":
            parts = urlsplit(f"//{target}")
            return ProxyRequest(_host(parts.hostname), parts.port or 443, rest, True)
        parts = urlsplit(target)
        if parts.scheme != "http":
            raise ValueError("not http://")
        where = parts._replace(scheme="", netloc="").geturl() or "/"
        kept = _HOP.sub(b"", head + b"\r\n") + b"Connection: close\r\n\r\n"
        first = f"{method} {where} HTTP/1.1\r\n".encode("latin-1") + kept + rest
        return ProxyRequest(_host(parts.hostname), parts.port or 80, first, False)
    except ValueError as error:
        raise Refused("400 Bad Request", f"{target} is not a target for this proxy: {error}") from error


def _host(name: str | None) -> str:
    if not name:
        raise ValueError("it names no host")
    return name.rstrip(".").lower()


def is_allowed(host: str, port: int, allow: Sequence[str]) -> bool:
    """By a name (`pypi.org`), a pattern (`*.example.org`) or either with a port; without one, those of the web."""
    for entry in allow:
        pattern, port_words = _split(entry.lower())
        if fnmatch.fnmatchcase(host, pattern):
            if port_words == "*" or port_words == str(port):
                return True
            if not port_words and (port in PORTS or pattern == "*"):
                return True
    return False


def _split(entry: str) -> tuple[str, str]:
    pattern, colon, port = entry.rpartition(":")
    return (pattern, port) if colon else (entry, "")


def open_way(request: ProxyRequest, allow: Sequence[str]) -> socket.socket:
    """A connection to the host. Refused where it is not allowed, or leads back to this machine."""
    host, port = request.host, request.port
    if not is_allowed(host, port, allow):
        raise Refused(
            "403 Forbidden",
            f"the network of this job does not reach {host}:{port}; it reaches: {', '.join(allow[:20]) or 'nothing'}",
        )
    named = any(_split(entry) == (host, str(port)) for entry in allow)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Refused("502 Bad Gateway", f"{host} is not found: {error}") from error
    trouble: OSError | None = None
    for family, kind, protocol, _, address in found:
        if not named and leads_back(str(address[0])):
            raise Refused("403 Forbidden", f"{host} is this machine, which tasks do not reach")
        way = socket.socket(family, kind | socket.SOCK_CLOEXEC, protocol)
        try:
            way.settimeout(_CONNECT_SECONDS)
            way.connect(address)
            return way
        except OSError as error:
            way.close()
            trouble = error
    raise Refused("502 Bad Gateway", f"{host}:{port} does not answer: {trouble}")


def leads_back(address: str) -> bool:
    """Whether it is one of this machine's own addresses, or a service of its links, such as a cloud's metadata."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(ip, "ipv4_mapped", None)
    if mapped is not None:
        return leads_back(str(mapped))
    if ip.is_loopback or ip.is_link_local or ip.is_unspecified or ip.is_multicast:
        return True
    family = socket.AF_INET if ip.version == 4 else socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as probe:
        try:
            probe.bind((str(ip), 0))
        except OSError:
            return False
    return True
