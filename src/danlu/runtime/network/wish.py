"""What a task.json asks of its job's network."""

from __future__ import annotations

from typing import Any, NamedTuple

from danlu.runtime.task import CannotStart

PROXY_ADDRESS = "127.0.0.1"
_POLICIES = ("none", "registries", "all")


class NetworkWish(NamedTuple):
    """What can be reached from inside besides the job's own tasks."""

    policy: str
    danlu: tuple[str, int] | None
    """Where Danlu listens, seen from the machine; inside it is at the same place."""
    proxy: int
    """The port at which the proxy is found inside; 0: there is none."""
    allow: tuple[str, ...]
    """Hosts that the proxy lets through."""
    nat: bool
    """Whether the rest of the world is reached directly."""


def read_wish(data: Any) -> NetworkWish | None:
    """From the value of `network`; None when the task shares the machine's network. CannotStart if it is no such
    thing: a network that is not understood is not replaced by a wider one."""
    if data is None or data == "host":
        return None
    if isinstance(data, str):
        data = {"policy": data}
    try:
        if data["policy"] not in _POLICIES:
            raise ValueError(f"policy is {data['policy']!r}, not one of {', '.join(_POLICIES)}")
        danlu = data.get("danlu")
        return NetworkWish(
            data["policy"],
            None if danlu is None else (str(danlu[0]), _port(danlu[1])),
            _port(data["proxy"]) if data.get("proxy") else 0,
            tuple(str(host) for host in data.get("allow") or ()),
            bool(data.get("nat")),
        )
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise CannotStart(f"task.json is invalid: network: {error}") from error


def _port(value: Any) -> int:
    if not isinstance(value, int) or not 0 < value < 65536:
        raise ValueError(f"{value!r} is no port")
    return value
