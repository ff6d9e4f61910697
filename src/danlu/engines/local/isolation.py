"""How far tasks are isolated on this machine: as far as it can, never less than asked for, and reported as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from danlu.domain.errors import Unavailable
from danlu.domain.isolation import Ability, IsolationForm, Lack, LackCause, TaskIsolation
from danlu.domain.words import say

_BY_PROCESS = (Ability.SANDBOX, Ability.CGROUP, Ability.OWN_USERS)
_NAMES = ("bubblewrap", "cgroup", "users", "network")


@dataclass(frozen=True, slots=True)
class IsolationChoice:
    """What tasks must have, which is binding for supervisors; whether each person's tasks run as a user of their own;
    and what nodes say of it."""

    bubblewrap: bool
    cgroup: bool
    own_users: bool
    told: TaskIsolation


def choose_isolation(wish: str, machine: Mapping[str, object]) -> IsolationChoice:
    """`machine` is what the launcher says of it: an ability is True or the sentence why it is missing."""
    bubblewrap, cgroup, users = (machine.get(ability) for ability in ("bubblewrap", "cgroup", "users"))
    root = users is True
    if wish == "process":
        off = tuple(Lack(one, LackCause.BY_SETTING) for one in _BY_PROCESS)
        return IsolationChoice(False, False, False, TaskIsolation(IsolationForm.PROCESS, (), off, root))
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
    lacking = tuple(_lacking(machine))
    missing = {lack.ability for lack in lacking}
    states = (Ability.SANDBOX, Ability.CGROUP, Ability.OWN_USERS, *_networks(machine))
    able = tuple(one for one in states if one not in missing)
    form = IsolationForm.SANDBOX if bubblewrap is True else IsolationForm.PROCESS
    form = IsolationForm.BLOCKED if root and bubblewrap is not True else form
    return IsolationChoice(sandboxed, cgroup is True, root, TaskIsolation(form, able, lacking))


def _lacking(machine: Mapping[str, object]) -> Iterator[Lack]:
    bubblewrap, cgroup, users, network = (machine.get(name) for name in _NAMES)
    if bubblewrap is not True:
        there = machine.get("bubblewrap_installed")
        cause = LackCause.NOT_WORKING if there else LackCause.NOT_INSTALLED
        yield Lack(Ability.SANDBOX, cause, str(bubblewrap))
    if cgroup is not True:
        yield Lack(Ability.CGROUP, LackCause.NOT_WORKING, str(cgroup))
    if users is not True:
        yield Lack(Ability.OWN_USERS, LackCause.NOT_ROOT, str(users))
    if isinstance(network, str):
        yield Lack(Ability.NETWORK, LackCause.NOT_WORKING, network)


def _networks(machine: Mapping[str, object]) -> tuple[Ability, ...]:
    """A launcher that makes no networks says nothing of them."""
    return (Ability.NETWORK,) if "network" in machine else ()
