"""What every Danlu process has, whichever half it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from danlu import __version__
from danlu.bootstrap.clock import RandomIds, SystemClock
from danlu.bootstrap.look import FirstLook
from danlu.control.audit import Audit
from danlu.control.flavors.flavors import Flavors
from danlu.control.flavors.measured import Measurements
from danlu.control.flavors.offers import Offers
from danlu.control.jobs.admission import Admission
from danlu.control.jobs.jobs import Jobs
from danlu.control.jobs.metrics import TrainingMetrics
from danlu.control.jobs.proposals import Proposals
from danlu.control.jobs.reports import Reports
from danlu.control.jobs.stacks import TaskStacks
from danlu.control.jobs.starts import Starts
from danlu.control.jobs.visits import Visits
from danlu.control.machines.clusters import Clusters
from danlu.control.machines.node_moves import NodeMoves
from danlu.control.machines.nodes import Nodes
from danlu.control.machines.upkeep import Upkeep
from danlu.control.people.accounts import Accounts
from danlu.control.people.bulk_accounts import BulkAccounts
from danlu.control.people.groups import Groups
from danlu.control.people.leaving import Leaving
from danlu.control.people.passwords import Passwords
from danlu.control.people.provider_sign_in import ProviderSignIn
from danlu.control.people.rights import Rights
from danlu.control.people.sign_in import People
from danlu.control.people.ssh_keys import Keys
from danlu.control.people.task_tokens import TaskTokens
from danlu.control.plane.planner import Planner
from danlu.control.plane.view import ActiveView
from danlu.control.projects.members import Members
from danlu.control.projects.requests import Requests
from danlu.control.queue.queue import Outlook, Queue
from danlu.control.queue.standing import Standings
from danlu.control.quotas.budgets import Budgets
from danlu.control.quotas.quotas import Quotas
from danlu.control.rules.registry import Registry
from danlu.control.usage.panel import Panel
from danlu.control.usage.trends import Trends
from danlu.data.code import FileCode
from danlu.data.directory import DataDirectory
from danlu.data.examples import FolderExamples, find_examples
from danlu.data.secrets import FileClusterSecrets
from danlu.data.task_key import task_key
from danlu.domain.errors import FieldError, Invalid
from danlu.domain.job import Job
from danlu.files.settings import Settings
from danlu.ports.engine import Interactive
from danlu.server.app import Services
from danlu.store.sql import SqlStore
from danlu.telemetry.follow import SharedFollower
from danlu.telemetry.logs import FileLogs
from danlu.telemetry.reports import FileReports
from danlu.telemetry.series import FileMetrics
from danlu.telemetry.stacks import FileStacks
from danlu.telemetry.usage import FileUsage


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
        self.stacks = FileStacks(self.directory.logs)
        self.usage = FileUsage(self.directory.logs, self.directory.usage / "nodes", self.clock)
        self.code = FileCode(self.directory.code, settings.code_limit)
        self.secrets = FileClusterSecrets(self.directory.secrets)
        self.tasks = TaskTokens(task_key(self.directory.secrets), self.store)
        self.rights = Rights(self.store)
        self.passwords = Passwords()
        self.people = People(
            self.store, self.passwords, self.clock, self.ids, settings.session_life, self.tasks, self.rights
        )

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
        stacks: TaskStacks,
    ) -> Services:
        """What the API serves; `wake` is called after people's writes."""
        self.rights.follow(registry.groups)
        quotas = Quotas(registry, self.store, self.clock)
        budgets = Budgets(registry, self.store, view.live_of, self.clock)
        images = None if self.all_serve else {"host"}
        admission = Admission(planner.nodes, self.code, registry, images, self.policy)
        starts = Starts(registry, quotas, budgets)
        jobs = self._jobs(admission, starts, wake, lambda job: queue.outlook(job))
        queue = Queue(self.store, view, planner, jobs.get, self.clock, wake)
        nodes = Nodes(planner.nodes, view, self.store, registry.node_rules)
        leaving = Leaving(self.store, lambda caller, job: jobs.act(caller, job, "stop"))
        accounts = self._accounts(leaving, registry)
        offers = Offers(registry, planner, admission.idle)
        measured = Measurements(self.store, self.usage)
        return Services(
            audit=Audit(self.store, self.clock),
            visits=Visits(self.store, self.clock),
            clock=self.clock,
            jobs=jobs,
            people=self.people,
            accounts=accounts,
            bulk_accounts=BulkAccounts(self.store, accounts, leaving, self.clock),
            groups=Groups(registry, self.store, self.clock),
            keys=Keys(self.store, self.clock, self.ids),
            provider_sign_in=ProviderSignIn(self.store, self.people, self.clock),
            journey_key=task_key(self.directory.secrets),
            nodes=nodes,
            moves=NodeMoves(planner, view, registry),
            upkeep=Upkeep(planner.nodes, view, registry, self.clock),
            clusters=self._clusters(registry, nodes),
            queue=queue,
            panel=Panel(planner.nodes, view, self.clock),
            trends=Trends(self.store, self.clock),
            registry=registry,
            flavors=Flavors(registry, offers, measured, planner.nodes, lambda: active_jobs(view), jobs.get),
            proposals=Proposals(registry, planner, admission.idle),
            members=Members(self.store, registry, self.clock),
            requests=Requests(self.store, registry, quotas.raise_for, self.clock, self.ids),
            standings=Standings(planner, registry, self.store),
            quotas=quotas,
            budgets=budgets,
            store=self.store,
            logs=self.logs,
            follower=SharedFollower(self.logs),
            usage=self.usage,
            reports=Reports(self.store, FileReports(self.directory.logs), self.clock, wake),
            metrics=TrainingMetrics(FileMetrics(self.directory.logs), self.usage, self.clock),
            shells=shells,
            stacks=stacks,
            code=self.code,
            examples=FolderExamples(find_examples(), self.code),
            settings=self.settings,
            version=__version__,
            half=half,
            decisions=planner.decisions if half == "up" else None,
        )

    def _jobs(
        self,
        admission: Admission,
        starts: Starts,
        wake: Callable[[], None],
        outlook: Callable[[Job], Outlook],
    ) -> Jobs:
        return Jobs(self.store, admission, self.clock, self.ids, wake, outlook, self.logs.remove, starts)

    def _accounts(self, leaving: Leaving, registry: Registry) -> Accounts:
        return Accounts(
            self.store,
            self.people,
            self.passwords,
            self.clock,
            leaving,
            registry.groups,
            self.settings.link_life,
        )

    def _clusters(self, registry: Registry, nodes: Nodes) -> Clusters:
        return Clusters(
            registry,
            self.secrets,
            FirstLook(),
            nodes.uses,
            self.clock,
            programs=self.settings.cluster_programs,
            url=self.url,
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
