"""The rest of the world for a job's own network: a wire to the machine, whose address is translated on the way out.

Needs root, iptables and a machine that forwards packets; Danlu never turns forwarding on by itself, for that makes a
router of the machine. Tasks reach neither the machine's own addresses nor other jobs that way, nor its links' services
such as a cloud's metadata."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil

from danlu.ports import user_ids
from danlu.runtime.network import system
from danlu.runtime.network.netlink import Netlink

_FORWARDS = "/proc/sys/net/ipv4/ip_forward"
_PREFIX = "danlu"
_INSIDE = "eth0"
# Set aside for measurements (RFC 2544): no site routes it. Four addresses for each wire.
_RANGE, _BASE, _WIRES = "198.18.0.0/15", (198 << 24) + (18 << 16), 1 << 15
_LINKS = "169.254.0.0/16"
_PATIENCE = 30
_ANY = f"{_PREFIX}+"
_FORWARD_RULES = (
    f"-i {_ANY} -o {_ANY} -j REJECT",
    f"-i {_ANY} -d {_LINKS} -j REJECT",
    f"-i {_ANY} -j ACCEPT",
    f"-o {_ANY} -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT",
    f"-o {_ANY} -j REJECT",
)
_RULES = {
    "FORWARD": _FORWARD_RULES,
    "INPUT": (f"-i {_ANY} -j REJECT",),
    "OUTPUT": (f"-o {_ANY} -m conntrack --ctstate NEW -j REJECT",),
}
_MASQUERADE = f"-s {_RANGE} ! -o {_ANY} -j MASQUERADE"
_numbers = itertools.count()
_ready: list[bool] = []


def why_not() -> str:
    """The empty string where it works, else a code, or what iptables says."""
    if os.geteuid() != 0 or user_ids.is_among_subordinate_ids():
        return "not_root"
    if shutil.which("iptables") is None:
        return "no_iptables"
    with contextlib.suppress(OSError), open(_FORWARDS, encoding="ascii") as file:
        if file.read().strip() != "1":
            return "no_forwarding"
    try:
        _iptables("-t nat -S POSTROUTING")
    except OSError as error:
        return f"iptables: {error.strerror}"
    return ""


def connect(namespace: int) -> None:
    """Give the namespace a wire to the machine, from that where we are; it goes with the namespace."""
    if not _ready:
        _write_rules()
        _ready.append(True)
    number = _lay_wire(namespace)
    host, inside = _address(number, 1), _address(number, 2)
    name = f"{_PREFIX}{number}"
    # Neither end is to have addresses of its own making: the machine may listen on all of them.
    with contextlib.suppress(OSError), open(f"/proc/sys/net/ipv6/conf/{name}/disable_ipv6", "w") as file:
        file.write("1")
    with Netlink() as netlink:
        netlink.add_address(name, host, 30)
        netlink.raise_link(name)
    home = system.own_network()
    try:
        system.enter(namespace, system.CLONE_NEWNET)
        with Netlink() as netlink:
            netlink.add_address(_INSIDE, inside, 30)
            netlink.raise_link(_INSIDE)
            netlink.add_default_route(host)
    finally:
        system.enter(home, system.CLONE_NEWNET)
        os.close(home)


def _lay_wire(namespace: int) -> int:
    """Its number, which nobody else on this machine has: the kernel refuses a name twice."""
    with Netlink() as netlink:
        for number in itertools.islice(_numbers, _WIRES):
            try:
                netlink.add_pair(f"{_PREFIX}{number % _WIRES}", _INSIDE, namespace)
                return number % _WIRES
            except FileExistsError:
                continue
    raise OSError(0, f"all {_WIRES} networks with a way out are in use")


def _address(number: int, which: int) -> str:
    value = _BASE + 4 * number + which
    return ".".join(str(value >> shift & 255) for shift in (24, 16, 8, 0))


def _write_rules() -> None:
    """Chains of our own, filled before anything leads to them; safe to do again, also at the same time."""
    for chain, rules in _RULES.items():
        ours = f"DANLU-{chain}"
        with contextlib.suppress(OSError):
            _iptables(f"-N {ours}")
        for rule in rules:
            _ensure("-A", ours, rule)
        _ensure("-I", chain, f"-j {ours}")
    _ensure("-A", "POSTROUTING", _MASQUERADE, "-t nat ")


def _ensure(add: str, chain: str, rule: str, table: str = "") -> None:
    try:
        _iptables(f"{table}-C {chain} {rule}")
    except OSError:
        _iptables(f"{table}{add} {chain} {rule}")


def _iptables(words: str) -> None:
    import subprocess  # most launchers never need it

    # Waits for whoever else changes the rules.
    command = ["iptables", "-w", *words.split()]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE)
    except subprocess.SubprocessError as error:
        raise OSError(0, str(error)) from error
    if done.returncode:
        raise OSError(0, done.stderr.strip() or f"iptables {words} fails")
