"""Makes the network namespace of an attempt, and goes into it."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import os
import socket
from typing import Any, Callable, Iterator, NamedTuple, NoReturn

from danlu.ports import user_ids
from danlu.ports.descriptors import close_all, receive_descriptors, send_descriptors
from danlu.runtime.network import nat, resolver, system
from danlu.runtime.network.netlink import Netlink
from danlu.runtime.network.wish import PROXY_ADDRESS, NetworkWish

_BACKLOG = 128
_LOOPBACK = "lo"
DANLU, PROXY, NAMES = "danlu", "proxy", "names"


class NetworkDoor(NamedTuple):
    """A socket inside that something outside answers: Danlu, the proxy, or a name server."""

    kind: str
    listener: socket.socket


class AttemptNetwork(NamedTuple):
    """Descriptors keep it: it is gone with the last process inside and the last of these that is closed."""

    namespace: int
    owner: int
    """The user namespace that an ordinary user needs to enter first; -1 for root, also among subordinate ids."""
    doors: list[NetworkDoor]

    def enter(self) -> None:
        """Go inside for good, before privileges are given up. Not with threads if there is an owner."""
        if self.owner >= 0:
            system.enter(self.owner, system.CLONE_NEWUSER)
        system.enter(self.namespace, system.CLONE_NEWNET)

    @contextlib.contextmanager
    def visit(self) -> Iterator[None]:
        """Be inside for a moment; only the machine's root comes back."""
        home = system.own_network()
        try:
            system.enter(self.namespace, system.CLONE_NEWNET)
            yield
        finally:
            system.enter(home, system.CLONE_NEWNET)
            os.close(home)

    def new_socket(self) -> socket.socket:
        """A socket that is inside, for somebody outside to connect."""
        if _comes_back(self.owner):
            with self.visit():
                return _tcp_socket()

        def make() -> list[int]:
            self.enter()
            return [_tcp_socket().detach()]

        return socket.socket(fileno=_in_child(make)[0])

    def describe(self) -> dict[str, Any]:
        """For the first record of a supervisor, from which a later launcher finds the network again."""
        return {
            "namespace": self.namespace,
            "owner": self.owner,
            "doors": [[door.kind, door.listener.fileno()] for door in self.doors],
        }

    def close(self) -> None:
        for fd in (self.namespace, self.owner):
            if fd >= 0:
                os.close(fd)
        for door in self.doors:
            door.listener.close()


def make_network(wish: NetworkWish) -> AttemptNetwork:
    """OSError where this machine forbids it."""
    try:
        network = _make_here(wish) if _comes_back(-1) else _make_in_child(wish, own_users=False)
    except PermissionError:
        if wish.nat:
            raise
        return _make_in_child(wish, own_users=True)
    try:
        if wish.nat:
            nat.connect(network.namespace)
    except BaseException:
        network.close()
        raise
    return network


def adopt_network(pid: int, described: dict[str, Any]) -> AttemptNetwork:
    """The network that a living supervisor holds, by its own description."""
    taken = []
    try:
        for number in (described["namespace"], described["owner"]):
            taken.append(system.copy_descriptor(pid, number) if number >= 0 else -1)
        doors = []
        for kind, number in described["doors"]:
            taken.append(system.copy_descriptor(pid, number))
            doors.append(NetworkDoor(str(kind), socket.socket(fileno=taken[-1])))
    except BaseException:
        close_all([fd for fd in taken if fd >= 0])
        raise
    return AttemptNetwork(taken[0], taken[1], doors)


def _make_here(wish: NetworkWish) -> AttemptNetwork:
    home = system.own_network()
    try:
        system.unshare(system.CLONE_NEWNET)
        try:
            return AttemptNetwork(system.own_network(), -1, _furnish(wish))
        finally:
            system.enter(home, system.CLONE_NEWNET)
    finally:
        os.close(home)


def _make_in_child(wish: NetworkWish, own_users: bool) -> AttemptNetwork:
    """By somebody who need not come back. An ordinary user owns what they make in a user namespace of its own."""
    uid, gid = os.geteuid(), os.getegid()
    kinds = [kind for kind, *_ in _plan(wish)]

    def make() -> list[int]:
        system.unshare(system.CLONE_NEWNET | (system.CLONE_NEWUSER if own_users else 0))
        if own_users:
            system.be_same_user(uid, gid)
        doors = _furnish(wish)
        owner = os.open("/proc/self/ns/user", os.O_RDONLY | os.O_CLOEXEC)
        return [system.own_network(), owner, *(door.listener.detach() for door in doors)]

    namespace, owner, *doors = _in_child(make)
    if not own_users:
        os.close(owner)
        owner = -1
    return AttemptNetwork(
        namespace, owner, [NetworkDoor(kind, socket.socket(fileno=fd)) for kind, fd in zip(kinds, doors)]
    )


def _comes_back(owner: int) -> bool:
    """Whether we may enter the machine's own network again once we left it."""
    return owner < 0 and not user_ids.is_among_subordinate_ids()


def _furnish(wish: NetworkWish) -> list[NetworkDoor]:
    """Raise the loopback interface of the namespace we are in, and open the doors."""
    doors: list[NetworkDoor] = []
    try:
        with Netlink() as netlink:
            netlink.raise_link(_LOOPBACK)
            for kind, address, port, way in _plan(wish):
                if not ipaddress.ip_address(address).is_loopback:
                    with contextlib.suppress(FileExistsError):
                        netlink.add_address(_LOOPBACK, address, 32)
                doors.append(NetworkDoor(kind, _open_door(address, port, way)))
    except BaseException:
        for door in doors:
            door.listener.close()
        raise
    return doors


def _plan(wish: NetworkWish) -> list[tuple[str, str, int, int]]:
    """Kind, address, port and type of each door."""
    planned: list[tuple[str, str, int, int]] = []
    if wish.danlu is not None:
        planned.append((DANLU, inside_address(wish.danlu[0]), wish.danlu[1], socket.SOCK_STREAM))
    if wish.proxy:
        planned.append((PROXY, PROXY_ADDRESS, wish.proxy, socket.SOCK_STREAM))
    if wish.nat:
        for server in resolver.unreachable_servers():
            planned += [(NAMES, server, 53, way) for way in (socket.SOCK_DGRAM, socket.SOCK_STREAM)]
    return planned


def inside_address(host: str) -> str:
    """Where inside a host is answered: at its own address if it has one that Danlu can set there, else at one that
    /etc/hosts names."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "127.0.0.1"
    return host if address.version == 4 or address.is_loopback else "127.0.0.1"


def _open_door(address: str, port: int, way: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    door = socket.socket(family, way | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK)
    try:
        door.bind((address, port))
        if way == socket.SOCK_STREAM:
            door.listen(_BACKLOG)
    except BaseException:
        door.close()
        raise
    return door


def _tcp_socket() -> socket.socket:
    return socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)


def _in_child(make: Callable[[], list[int]]) -> list[int]:
    """Descriptors that a child opens where we cannot go."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    with ours:
        pid = os.fork()
        if pid == 0:
            _send_made(theirs, make)
        theirs.close()
        said, made = receive_descriptors(ours, 64)
        os.waitpid(pid, 0)
    if not made:
        code = int(said or errno.EPERM)
        raise OSError(code, os.strerror(code))
    return made


def _send_made(connection: socket.socket, make: Callable[[], list[int]]) -> NoReturn:
    try:
        send_descriptors(connection, b"+", make())
    except OSError as error:
        connection.send(str(error.errno or errno.EPERM).encode())
    finally:
        os._exit(0)
