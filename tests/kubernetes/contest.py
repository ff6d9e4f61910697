"""Controllers that contend for one cluster, each in a network of its own and with a line of its own to the database."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from danlu.sdk import Client
from tests.halves import Half, Halves
from tests.kubernetes.account import make_account, remove_account
from tests.kubernetes.kube import Kube
from tests.kubernetes.places import Place
from tests.lines import Line
from tests.live import eventually
from tools.cluster.cluster import Cluster
from tools.cluster.guests import Guest

NAME = "lab"
SMALL = {"cpus": 0.05, "memory": "32MiB"}
_POSTGRES = ".s.PGSQL.5432"


@dataclass
class Contender:
    """A controller and whoever takes its place after its death. `guest` is cut from the cluster, `line` from the
    database."""

    contest: Contest
    who: str
    guest: Guest
    folder: Path
    line: Line
    lives: int = 0
    half: Half | None = None

    @property
    def now(self) -> Half:
        assert self.half is not None, f"{self.who} was never started"
        return self.half

    def start(self) -> None:
        """Another life, with another name: what the former one wrote late is told apart."""
        self.lives += 1
        self.half = self.contest.start_controller(self)

    def heal(self) -> None:
        self.guest.mend()
        self.line.mend()
        if self.now.process.poll() is None:
            self.now.go_on()

    def leave(self) -> None:
        self.line.close()
        shutil.rmtree(self.folder)
        self.guest.leave()


@dataclass(frozen=True)
class Seen:
    """What the API server itself noted: who created each pod, by address, and which of that name came to a node."""

    creations: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    bound: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def bound_twice(self) -> dict[str, list[str]]:
        return {name: uids for name, uids in self.bound.items() if len(uids) > 1}

    def created_twice(self) -> dict[str, list[str]]:
        return {name: makers for name, makers in self.creations.items() if len(makers) > 1}

    def attempts(self) -> Counter[str]:
        """How many tasks of each attempt came to a node."""
        return Counter(name.rpartition("-worker-")[0] for name in self.bound)


class Contest(Halves):
    """One server, and contenders for the lead over one cluster."""

    def __init__(self, root: Path, database: str, cluster: Cluster, kube: Kube) -> None:
        super().__init__(root, database)
        self.cluster, self.kube = cluster, kube
        self.contenders: list[Contender] = []

    def open(self, place: Place, contenders: int, **settings: str) -> Half:
        """One server that has been given the cluster, and so many contenders."""
        server = self.server("server_1", "--engine", "none")
        for number in range(contenders):
            self.contender(f"controller_{number + 1}")
        self.add_cluster(server, place, **settings)
        return server

    def contender(self, who: str) -> Contender:
        """Start a controller as a guest of the cluster."""
        folder = Path(tempfile.mkdtemp(prefix="danlu-line-"))
        line = Line(str(folder / _POSTGRES), str(self._postgres / _POSTGRES))
        worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
        guest = self.cluster.guest(f"{who.replace('_', '-')}-{worker}")
        made = Contender(self, who, guest, folder, line)
        self.contenders.append(made)
        made.start()
        return made

    def start_controller(self, contender: Contender) -> Half:
        half = self._start(
            f"{contender.who}_{contender.lives}",
            ("controller", "--controller-port", "0", "--engine", "none"),
            inside=contender.guest.inside,
            database=self.database.replace(str(self._postgres), str(contender.folder)),
        )
        self._await(half, r"health\s+(\S+)/readyz")
        return half

    def add_cluster(self, server: Half, place: Place, **settings: str) -> None:
        """Give Danlu the cluster, with the least of accounts."""
        access = make_account(self.kube)
        options: dict[str, Any] = {
            "namespace": self.kube.namespace,
            "image": place.busybox,
            "helper": place.python,
            **settings,
        }
        self.client(server).machines.clusters.create(NAME, access.kubeconfig, dns=False, **options)

    def wait_for_nodes(self, client: Client) -> None:
        eventually(
            lambda: sum(node.name.endswith(f".{NAME}") for node in client.machines.nodes.list()) == 2, 60
        )

    def holder(self) -> Contender | None:
        """Whoever leads by the word of the database; None while nobody does."""
        with self._connected() as connection:
            row: Any = connection.execute(
                "SELECT holder FROM leases WHERE until > extract(epoch FROM clock_timestamp()) * 1000"
            ).fetchone()
        pid = int(row[0].split(":")[2]) if row else 0
        return next((one for one in self.contenders if one.now.process.pid == pid), None)

    def leading(self) -> Contender:
        found: Contender = eventually(self.holder, 60)
        return found

    def seen(self) -> Seen:
        """What has happened to the pods in this namespace so far."""
        seen = Seen()
        for one in self.cluster.audit():
            thing, answer = one["objectRef"], one["responseStatus"]["code"]
            asked = urlsplit(one["requestURI"])
            mine = thing.get("namespace") == self.kube.namespace and thing["resource"] == "pods"
            if not mine or one["verb"] != "create" or answer != 201 or "dryRun" in parse_qs(asked.query):
                continue
            if thing.get("subresource") == "binding":
                seen.bound[thing["name"]].append(thing["uid"])
            elif "subresource" not in thing:
                seen.creations[thing["name"]].append(one["sourceIPs"][0])
        return seen

    def pods(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.kube.get(
            self.kube.path("pods"), labelSelector="app.kubernetes.io/managed-by=danlu"
        )["items"]
        return found

    def clean_up(self) -> None:
        for contender in self.contenders:
            contender.heal()
        super().clean_up()
        for contender in self.contenders:
            contender.leave()
        remove_account(self.kube)

    @property
    def _postgres(self) -> Path:
        """Where the server's socket is."""
        return Path(parse_qs(urlsplit(self.database).query)["host"][0])


@contextlib.contextmanager
def contest_on(root: Path, database: str, cluster: Cluster, kube: Kube) -> Iterator[Contest]:
    contest = Contest(root, database, cluster, kube)
    try:
        contest.prepare()
        yield contest
    finally:
        contest.clean_up()
