"""How far tasks are isolated on this machine: as far as it can, and reported as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from danlu.domain.errors import Unavailable
from danlu.domain.job import NetworkPolicy
from danlu.domain.words import say
from danlu.engines.local.network import LocalNetworks, find_networks


@dataclass(frozen=True, slots=True)
class IsolationChoice:
    """What to ask supervisors for, and in words what tasks get."""

    bubblewrap: bool
    cgroup: bool
    words: str
    networks: LocalNetworks


def choose_isolation(
    wish: str,
    machine: Mapping[str, object],
    network: NetworkPolicy = NetworkPolicy.ALL,
    registries: tuple[str, ...] = (),
) -> IsolationChoice:
    """`machine` is what the launcher says of it: an ability is True or the sentence why it is missing."""
    if wish == "process":
        networks = find_networks(network, registries, machine, sandboxed=False)
        return IsolationChoice(False, False, "plain processes, as the setting isolation says", networks)
    bubblewrap, cgroup = machine.get("bubblewrap"), machine.get("cgroup")
    if wish == "sandbox" and bubblewrap is not True:
        raise Unavailable(
            say(
                "isolation: sandbox is not available on this machine: {bubblewrap}",
                "本机无法使用 isolation: sandbox：{bubblewrap}",
                bubblewrap=bubblewrap,
            )
        )
    networks = find_networks(network, registries, machine, sandboxed=bubblewrap is True)
    able = [name for name, state in (("sandbox", bubblewrap), ("cgroup", cgroup)) if state is True]
    able += ["network"] if networks.usual else []
    lacking = [str(state) for state in (bubblewrap, cgroup) if state is not True]
    lacking += networks.lacks() if bubblewrap is True else []
    words = "+".join(able) or "plain processes"
    words += f" ({'; '.join(lacking)})" if lacking else ""
    return IsolationChoice(bubblewrap is True, cgroup is True, words, networks)
