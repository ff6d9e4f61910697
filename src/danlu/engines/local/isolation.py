"""How far tasks are isolated on this machine: as far as it can, never less than asked for, and reported as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from danlu.domain.errors import Unavailable
from danlu.domain.job import NetworkPolicy
from danlu.domain.words import say
from danlu.engines.local.network import LocalNetworks, find_networks


@dataclass(frozen=True, slots=True)
class IsolationChoice:
    """What tasks must have, which is binding for supervisors; in words what they get; and whether each person's tasks
    run as a user of their own."""

    bubblewrap: bool
    cgroup: bool
    own_users: bool
    words: str
    networks: LocalNetworks


def choose_isolation(
    wish: str,
    machine: Mapping[str, object],
    network: NetworkPolicy = NetworkPolicy.ALL,
    registries: tuple[str, ...] = (),
) -> IsolationChoice:
    """`machine` is what the launcher says of it: an ability is True or the sentence why it is missing."""
    bubblewrap, cgroup, users = (machine.get(ability) for ability in ("bubblewrap", "cgroup", "users"))
    if wish == "process":
        networks = find_networks(network, registries, machine, sandboxed=False)
        return IsolationChoice(
            False, False, False, "plain processes, as the setting isolation says", networks
        )
    if wish == "sandbox" and bubblewrap is not True:
        raise Unavailable(
            say(
                "isolation: sandbox is not available on this machine: {bubblewrap}",
                "本机无法使用 isolation: sandbox：{bubblewrap}",
                bubblewrap=bubblewrap,
            )
        )
    # As root nothing less will do: a task without a sandbox would be root on the machine.
    sandboxed = bubblewrap is True or users is True
    networks = find_networks(network, registries, machine, sandboxed=sandboxed)
    able = [name for name, state in (("sandbox", bubblewrap), ("cgroup", cgroup)) if state is True]
    able += ["own users"] if sandboxed and users is True else []
    able += ["network"] if networks.usual else []
    lacking = [str(state) for state in (bubblewrap, cgroup, users) if state is not True]
    lacking += networks.lacks() if bubblewrap is True else []
    words = "+".join(able) or "plain processes"
    if sandboxed and bubblewrap is not True:
        words = "nothing yet: tasks cannot start"
    return IsolationChoice(
        sandboxed,
        cgroup is True,
        sandboxed and users is True,
        words + (f" ({'; '.join(lacking)})" if lacking else ""),
        networks,
    )
