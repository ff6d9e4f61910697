"""How far tasks are isolated on this machine: as far as it can, never less than asked for, and reported as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from danlu.domain.errors import Unavailable
from danlu.domain.isolation import Ability, IsolationForm, Lack, LackCause, TaskIsolation
from danlu.domain.job import NetworkPolicy
from danlu.domain.words import say
from danlu.engines.local.network import LocalNetworks, find_networks

_BY_PROCESS = (Ability.SANDBOX, Ability.CGROUP, Ability.OWN_USERS)
_NAMES = ("bubblewrap", "cgroup", "users")
_TOLD = (Ability.SANDBOX, Ability.CGROUP, Ability.OWN_USERS, Ability.NETWORK)


@dataclass(frozen=True, slots=True)
class IsolationChoice:
    """What tasks must have, which is binding for supervisors; whether each person's tasks run as a user of their own;
    and what nodes say of it."""

    bubblewrap: bool
    cgroup: bool
    own_users: bool
    told: TaskIsolation
    networks: LocalNetworks


def choose_isolation(
    wish: str,
    machine: Mapping[str, object],
    network: NetworkPolicy = NetworkPolicy.ALL,
    registries: tuple[str, ...] = (),
) -> IsolationChoice:
    """`machine` is what the launcher says of it: an ability is True or the sentence why it is missing."""
    bubblewrap, cgroup, users = (machine.get(ability) for ability in ("bubblewrap", "cgroup", "users"))
    root = users is True
    if wish == "process":
        off = tuple(Lack(one, LackCause.BY_SETTING) for one in _BY_PROCESS)
        networks = find_networks(network, registries, machine, sandboxed=False)
        told = TaskIsolation(IsolationForm.PROCESS, (), off, root)
        return IsolationChoice(False, False, False, told, networks)
    if wish == "sandbox" and bubblewrap is not True:
        raise Unavailable(
            say(
                "isolation: sandbox is not available on this machine: {bubblewrap}",
                "本机无法使用 isolation: sandbox：{bubblewrap}",
                bubblewrap=bubblewrap,
            )
        )
    # As root nothing less will do: a task without a sandbox would be root on the machine.
    sandboxed = bubblewrap is True or root
    networks = find_networks(network, registries, machine, sandboxed=sandboxed)
    lacking = (*_lacking(machine), *_lacking_network(networks, bubblewrap is True))
    missing = {lack.ability for lack in lacking}
    able = tuple(one for one in _TOLD if one not in missing and (bubblewrap is True or one is Ability.CGROUP))
    ids = int(str(machine.get("ids") or 0))
    form = IsolationForm.SANDBOX if bubblewrap is True else IsolationForm.PROCESS
    form = IsolationForm.BLOCKED if root and bubblewrap is not True else form
    return IsolationChoice(
        sandboxed, cgroup is True, root, TaskIsolation(form, able, lacking, subordinate_ids=ids), networks
    )


def _lacking(machine: Mapping[str, object]) -> Iterator[Lack]:
    bubblewrap, cgroup, users = (machine.get(name) for name in _NAMES)
    if bubblewrap is not True:
        there = machine.get("bubblewrap_installed")
        cause = LackCause.NOT_WORKING if there else LackCause.NOT_INSTALLED
        yield Lack(Ability.SANDBOX, cause, str(bubblewrap))
    if cgroup is not True:
        yield Lack(Ability.CGROUP, LackCause.NOT_WORKING, str(cgroup))
    if users is not True:
        cause = LackCause(str(machine.get("users_cause") or LackCause.NOT_WORKING))
        yield Lack(Ability.OWN_USERS, cause, str(users))


def _lacking_network(networks: LocalNetworks, sandboxed: bool) -> Iterator[Lack]:
    """Of tasks that ask for nothing; without a sandbox there is worse to tell."""
    if not sandboxed:
        return
    if networks.policy is NetworkPolicy.SHARED:
        yield Lack(Ability.NETWORK, LackCause.BY_SETTING)
    elif networks.trouble:
        yield Lack(Ability.NETWORK, LackCause.NOT_WORKING, networks.trouble)
    elif networks.policy is NetworkPolicy.ALL and networks.no_nat:
        yield Lack(Ability.INTERNET, LackCause.NOT_WORKING, networks.no_nat)
