"""What every Danlu process has, whichever half it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from danlu import __version__
from danlu.bootstrap.look import FirstLook
from danlu.control.admission import Admission
from danlu.control.clock import RandomIds, SystemClock
from danlu.control.clusters import Clusters
from danlu.control.jobs import Jobs
from danlu.control.nodes import Nodes
from danlu.control.passwords import Passwords
from danlu.control.people import People
from danlu.control.planner import Planner
from danlu.control.queue import Queue
from danlu.control.registry import Registry
from danlu.control.resources import Panel
from danlu.control.task_tokens import TaskTokens
from danlu.control.view import ActiveView
from danlu.data.code import FileCode
from danlu.data.directory import DataDirectory
from danlu.data.secrets import FileClusterSecrets
from danlu.data.task_key import task_key
from danlu.domain.errors import FieldError, Invalid
from danlu.domain.job import Job
from danlu.ports.engine import Interactive
from danlu.server.app import Services
from danlu.store.sql import SqlStore
from danlu.telemetry.follow import SharedFollower
from danlu.telemetry.logs import FileLogs
from danlu.telemetry.usage import FileUsage
from danlu.wire.settings import Settings


class Parts:
    """The store, the data directory and what reads them. With `shared`, others may use both at the same time."""

    def __init__(self, settings: Settings, *, shared: bool) -> None:
        if shared:
            _must_be_shareable(settings)
        self.settings, self.policy = settings, settings.policy()
        self.directory = DataDirectory(settings.data, shared=shared)
        self.store = SqlStore.open(settings.database or f"sqlite:///{self.directory.database}")
        self.clock = SystemClock()
        self.ids = RandomIds(self.clock)
        self.logs = FileLogs(self.directory.logs)
        self.usage = FileUsage(self.directory.logs, self.directory.usage / "nodes", self.clock)
        self.code = FileCode(self.directory.code, settings.code_limit)
        self.secrets = FileClusterSecrets(self.directory.secrets)
        self.tasks = TaskTokens(task_key(self.directory.secrets), self.store)
        self.people = People(self.store, Passwords(), self.clock, self.ids, settings.session_life, self.tasks)

    @property
    def all_serve(self) -> bool:
        """Whether every node runs any image: simulated ones do."""
        return self.settings.engine == "simulated"

    @property
    def url(self) -> str:
        """How this server is reached, as far as the settings tell."""
        return self.url_at(self.settings.port)

    def url_at(self, port: int) -> str:
        return self.settings.public_url or f"http://{_reachable(self.settings.host)}:{port}"

    def services(
        self,
        half: Literal["up", "server"],
        registry: Registry,
        view: ActiveView,
        planner: Planner,
        wake: Callable[[], None],
        shells: Interactive | None,
    ) -> Services:
        """What the API serves; `wake` is called after people's writes."""
        images = None if self.all_serve else {"host"}
        admission = Admission(planner.nodes, self.code, registry, images, self.policy)
        jobs = Jobs(
            self.store,
            admission,
            self.clock,
            self.ids,
            wake,
            lambda job: queue.outlook(job),
            self.logs.remove,
        )
        queue = Queue(self.store, view, planner, jobs.get, self.clock, wake)
        nodes = Nodes(planner.nodes, view, self.store)
        return Services(
            jobs=jobs,
            people=self.people,
            nodes=nodes,
            clusters=Clusters(
                registry,
                self.secrets,
                FirstLook(),
                nodes.uses,
                self.clock,
                programs=self.settings.cluster_programs,
                url=self.url,
            ),
            queue=queue,
            panel=Panel(planner.nodes, view, self.clock),
            registry=registry,
            store=self.store,
            logs=self.logs,
            follower=SharedFollower(self.logs),
            usage=self.usage,
            shells=shells,
            code=self.code,
            settings=self.settings,
            version=__version__,
            half=half,
        )

    def close(self) -> None:
        self.store.close()
        self.directory.release()


def active_jobs(view: ActiveView) -> Iterable[Job]:
    """The jobs that a rule must not be taken away from."""
    return (*view.queued(), *view.live())


def _must_be_shareable(settings: Settings) -> None:
    if settings.database is None or settings.database.startswith("sqlite"):
        message = "several processes can share a PostgreSQL database only"
        hint = "name one (postgresql://USER:PASSWORD@HOST/NAME), or run all in one process: danlu up"
        raise Invalid((FieldError(("database",), "bad_form", message, settings.database, hint=hint),))


def _reachable(host: str) -> str:
    return "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
