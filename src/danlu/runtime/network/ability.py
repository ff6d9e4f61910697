"""Whether this machine lets jobs have networks of their own; really tried, for many forbid it."""

from __future__ import annotations

import os
import signal

from danlu.runtime.isolation.sandbox import Sandbox
from danlu.runtime.network import nat
from danlu.runtime.network.namespace import AttemptNetwork, make_network
from danlu.runtime.network.wish import NetworkWish

_NOTHING = NetworkWish("none", None, 0, (), False)
_PROBE_SECONDS = 5


def describe_network(sandbox: Sandbox | str) -> dict[str, object]:
    """Each ability is True or the sentence why it is missing."""
    trouble = _why_none(sandbox)
    return {"network": trouble or True, "nat": trouble or nat.why_not() or True}


def _why_none(sandbox: Sandbox | str) -> str:
    if isinstance(sandbox, str):
        return sandbox
    try:
        network = make_network(_NOTHING)
    except OSError as error:
        return f"network namespaces cannot be made: {error.strerror}"
    try:
        if network.owner >= 0 and not _works_inside(network, sandbox):
            return "bubblewrap does not work in a user namespace of ours"
    finally:
        network.close()
    return ""


def _works_inside(network: AttemptNetwork, sandbox: Sandbox) -> bool:
    pid = os.fork()
    if pid == 0:
        try:
            signal.alarm(_PROBE_SECONDS)
            network.enter()
            for fd in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), fd)
            os.execv(sandbox.program, [sandbox.program, *sandbox.shared, "--", "/bin/true"])
        finally:
            os._exit(1)
    return os.waitpid(pid, 0)[1] == 0
