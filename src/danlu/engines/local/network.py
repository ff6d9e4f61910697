"""Which network a job's tasks get on this machine, and how they find what they reach."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from danlu.domain.job import NetworkPolicy
from danlu.ports.engine import AttemptOrder, TaskOrder
from danlu.ports.supervision import NetworkFields

_PROXY_PORT = 919
"""Below 1024, so that no program of a task, which has no privileges, is in its way."""
_EVERYTHING = ("*",)
_HERE = "127.0.0.1"
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class GivenNetwork:
    """What stands in task.json about it."""

    fields: str | NetworkFields = "host"
    env: Mapping[str, str] = field(default_factory=dict)
    hosts: tuple[tuple[str, str], ...] = ()
    """Addresses and names."""


@dataclass(frozen=True, slots=True)
class LocalNetworks:
    """`trouble`: why jobs cannot have networks of their own here; `no_nat`: why they do not reach the Internet but by
    a proxy. Both are empty where all is well."""

    policy: NetworkPolicy
    registries: tuple[str, ...]
    trouble: str
    no_nat: str

    def refusal(self, asked: NetworkPolicy | None) -> str:
        """Why a job cannot have what it or the settings ask for; empty if it can. `all` in the settings is no demand
        but the usual: without a network of its own a job shares the machine's."""
        binding = asked or (self.policy if self.policy is not NetworkPolicy.ALL else NetworkPolicy.SHARED)
        if binding is NetworkPolicy.SHARED or not self.trouble:
            return ""
        return f"network: {binding} is not available on this machine: {self.trouble}"

    def of(self, order: AttemptOrder, task: TaskOrder) -> GivenNetwork:
        policy = order.network or self.policy
        if policy is NetworkPolicy.SHARED or self.trouble:
            return GivenNetwork()
        fields: NetworkFields = {"policy": policy.value}
        hosts: tuple[tuple[str, str], ...] = ()
        danlu = _address(task.env.get("DANLU_URL", ""))
        if danlu is not None:
            fields["danlu"] = list(danlu)
            hosts = () if _is_address(danlu[0]) or danlu[0] == "localhost" else ((_HERE, danlu[0]),)
        allow = self._allowed(policy)
        if policy is NetworkPolicy.ALL and not allow:
            fields["nat"] = True
        if not allow:
            return GivenNetwork(fields, {}, hosts)
        fields["proxy"], fields["allow"] = _PROXY_PORT, list(allow)
        return GivenNetwork(fields, _proxied(order.tasks, danlu), hosts)

    def _allowed(self, policy: NetworkPolicy) -> tuple[str, ...]:
        """What the proxy lets through; nothing where there is none."""
        if policy is NetworkPolicy.REGISTRIES:
            return self.registries
        return _EVERYTHING if policy is NetworkPolicy.ALL and self.no_nat else ()


def find_networks(
    policy: NetworkPolicy, registries: tuple[str, ...], machine: Mapping[str, object], sandboxed: bool
) -> LocalNetworks:
    """`machine` is what the launcher says of it: an ability is True or the sentence why it is missing."""
    trouble = "tasks are plain processes" if not sandboxed else _missing(machine, "network")
    return LocalNetworks(policy, registries, trouble, _missing(machine, "nat"))


def _missing(machine: Mapping[str, object], ability: str) -> str:
    state = machine.get(ability, f"this launcher knows nothing of {ability}")
    return "" if state is True else str(state)


def _address(url: str) -> tuple[str, int] | None:
    try:
        parts = urlsplit(url)
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme, 0)
    except ValueError:
        return None
    return (parts.hostname, port) if parts.hostname and port else None


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _proxied(tasks: Iterable[TaskOrder], danlu: tuple[str, int] | None) -> dict[str, str]:
    """The variables by which programs know of a proxy, in both spellings, and for what they need none."""
    near = ["localhost", _HERE, "127.0.0.0/8", "::1", *((danlu[0],) if danlu else ())]
    for task in tasks:
        near += [task.hostname, task.address]
    proxy, without = f"http://{_HERE}:{_PROXY_PORT}", ",".join(dict.fromkeys(near))
    told = {"http_proxy": proxy, "https_proxy": proxy, "no_proxy": without}
    return {**told, **{name.upper(): value for name, value in told.items()}}
