"""A cluster that is there already: tests on it begin at once, where one of their own is compiled first.

Looked for by those alone who name the tier of the cluster: nobody's cluster is touched by a plain `./dev test`.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tools.dev.places import STATE

K3S = Path("/etc/rancher/k3s/k3s.yaml")
DECLINE = "KUBECONFIG= ./dev test kubernetes"
ANSWERS_WITHIN_S = 2.0
SAYS_WITHIN_S = 20.0


@dataclass(frozen=True)
class FoundCluster:
    """`kubeconfig` is what the tests are given as `KUBECONFIG`; its current context is the cluster."""

    name: str
    kubeconfig: Path

    def words(self) -> str:
        return f"The tests run on {self.name}; '{DECLINE}' starts a separate cluster for them."


def found_cluster(
    env: Mapping[str, str] = os.environ, k3s: Path = K3S, state: Path = STATE
) -> FoundCluster | None:
    """The one that `KUBECONFIG` names on purpose, else one of kind or k3s that answers. None where there is none, and
    where somebody declines: `KUBECONFIG` is set and empty, or `DANLU_TEST_CLUSTER` names a cluster of ours."""
    if env.get("DANLU_TEST_CLUSTER"):
        return None
    if (given := env.get("KUBECONFIG")) is not None:
        return FoundCluster(f"the cluster of KUBECONFIG={given}", Path(given)) if given else None
    for name, content in kind_clusters(env):
        if answers(content):
            return FoundCluster(f"the kind cluster '{name}'", kept(state / "kind.kubeconfig", content))
    try:
        usable = answers(k3s.read_text())
    except OSError:
        usable = False
    return FoundCluster("the k3s of this machine", k3s) if usable else None


def kind_clusters(env: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The name and kubeconfig of each, by kind itself, or by kubectl where only their contexts are known."""
    for name in said(env, "kind", "get", "clusters").split():
        yield name, said(env, "kind", "get", "kubeconfig", "--name", name)
    if shutil.which("kind", path=env.get("PATH")) is None:
        for context in said(env, "kubectl", "config", "get-contexts", "-o", "name").split():
            if context.startswith("kind-"):
                view = said(
                    env, "kubectl", "config", "view", "--raw", "--minify", "--flatten", "--context", context
                )
                yield context.removeprefix("kind-"), view


def said(env: Mapping[str, str], *command: str) -> str:
    """What a program prints; nothing where it is not there or fails."""
    program = shutil.which(command[0], path=env.get("PATH"))
    if program is None:
        return ""
    try:
        done = subprocess.run(
            [program, *command[1:]],
            env=dict(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SAYS_WITHIN_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "" if done.returncode else done.stdout


def answers(kubeconfig: str) -> bool:
    """Whether anything listens where the first server of a kubeconfig is: clusters are listed that were stopped."""
    server = re.search(r"^\s*(?:- )?server:\s*[\"']?(https?://[^\s\"']+)", kubeconfig, re.MULTILINE)
    if server is None:
        return False
    url = urlsplit(server[1])
    try:
        place = (url.hostname or "", url.port or 443)
        socket.create_connection(place, timeout=ANSWERS_WITHIN_S).close()
    except (OSError, ValueError):
        return False
    return True


def kept(path: Path, content: str) -> Path:
    """A file that nobody else may read: whoever has it rules the cluster."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(content)
    return path
