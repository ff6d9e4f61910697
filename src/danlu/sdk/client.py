"""The client: the verbs of jobs, and a room for each other capability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence

from danlu.sdk import models
from danlu.sdk.copying.facade import Copies
from danlu.sdk.http import config
from danlu.sdk.http.http import Http
from danlu.sdk.models.reading import read
from danlu.sdk.resources.frameworks import Frameworks
from danlu.sdk.resources.jobs import Jobs
from danlu.sdk.resources.metrics import Metrics
from danlu.sdk.resources.queue import Turns
from danlu.sdk.resources.stacks import Stacks

if TYPE_CHECKING:
    from danlu.sdk.models import Me, Version
    from danlu.sdk.resources.audit import Audit
    from danlu.sdk.resources.compare import Comparison
    from danlu.sdk.resources.datasets.datasets import Datasets
    from danlu.sdk.resources.environments import Environments
    from danlu.sdk.resources.files import Files
    from danlu.sdk.resources.flavors import Flavors
    from danlu.sdk.resources.machines import Machines
    from danlu.sdk.resources.outputs import Outputs
    from danlu.sdk.resources.people import People
    from danlu.sdk.resources.projects import Projects
    from danlu.sdk.resources.quotas import Quotas
    from danlu.sdk.resources.rules import Rules
    from danlu.sdk.resources.system import System
    from danlu.sdk.resources.templates import Templates
    from danlu.sdk.resources.transfers import Transfers
    from danlu.sdk.resources.usage import Usage
    from danlu.sdk.resources.volumes.volumes import Volumes


class Client(Jobs, Turns, Metrics, Stacks, Frameworks, Copies):
    """A connection to one Danlu. Arguments win over DANLU_URL and DANLU_TOKEN, and these over the contexts
    that `danlu login` and `danlu up` keep. `http` gives the same answers as plain JSON."""

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        context: str | None = None,
        timeout: float = 30,
    ) -> None:
        self.http = Http(config.resolve(url, token, context), timeout)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *why: object) -> None:
        self.close()

    def close(self) -> None:
        self.http.close()

    def compare(self, jobs: Sequence[str]) -> Comparison:
        """Jobs beside each other: their parameters, those that differ first, and the last values of their metrics."""
        from danlu.sdk.resources.compare import compared  # seldom needed

        found = [self.get(job) for job in jobs]
        return compared(found, [self.metrics(job.id, points=10) for job in found])

    def me(self) -> Me:
        """Who one is, what one may do, and where one belongs."""
        return read(models.Me, self.http.json("GET", "me"))

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the job file."""
        found: dict[str, Any] = self.http.json("GET", "schema/job")
        return found

    def version(self) -> Version:
        return read(models.Version, self.http.json("GET", "version"))

    def pages(self, path: str, limit: int | None, filters: Mapping[str, object]) -> Iterator[dict[str, Any]]:
        """The items of a list as plain JSON, page after page."""
        return self.http.pages(path, limit, filters)

    # ── rooms: each is loaded when first entered ─────────────────────────────────────────────────────

    @property
    def files(self) -> Files:
        """Files of jobs, while they run and as long as their results are kept."""
        from danlu.sdk.resources.files import Files

        return Files(self.http)

    @property
    def outputs(self) -> Outputs:
        """What is kept of what jobs leave."""
        from danlu.sdk.resources.outputs import Outputs

        return Outputs(self.http)

    @property
    def people(self) -> People:
        """Accounts, and in rooms of their own `groups`, `keys` and `tokens`."""
        from danlu.sdk.resources.people import People

        return People(self.http)

    @property
    def projects(self) -> Projects:
        """Projects and their members, and `requests` to join one or for more quota."""
        from danlu.sdk.resources.projects import Projects

        return Projects(self.http)

    @property
    def rules(self) -> Rules:
        """`priorities`, `pools` and `limits`."""
        from danlu.sdk.resources.rules import Rules

        return Rules(self.http)

    @property
    def environments(self) -> Environments:
        """Packages that your jobs installed."""
        from danlu.sdk.resources.environments import Environments

        return Environments(self.http)

    @property
    def quotas(self) -> Quotas:
        """What people and groups may hold at once."""
        from danlu.sdk.resources.quotas import Quotas

        return Quotas(self.http)

    @property
    def flavors(self) -> Flavors:
        """Named sizes of tasks."""
        from danlu.sdk.resources.flavors import Flavors

        return Flavors(self.http)

    @property
    def templates(self) -> Templates:
        """Job files to start from."""
        from danlu.sdk.resources.templates import Templates

        return Templates(self.http)

    @property
    def transfers(self) -> Transfers:
        """Data on its way into volumes, and `schedules` of it."""
        from danlu.sdk.resources.transfers import Transfers

        return Transfers(self.http)

    @property
    def volumes(self) -> Volumes:
        """Places for data that stay after a job."""
        from danlu.sdk.resources.volumes.volumes import Volumes

        return Volumes(self.http)

    @property
    def datasets(self) -> Datasets:
        """Versions of data that never change."""
        from danlu.sdk.resources.datasets.datasets import Datasets

        return Datasets(self.http)

    @property
    def machines(self) -> Machines:
        """`nodes`, `clusters` and `maintenance`."""
        from danlu.sdk.resources.machines import Machines

        return Machines(self.http)

    @property
    def usage(self) -> Usage:
        """`usage(job)` is what a job's tasks used; also of a node, of everything now, and over days and weeks."""
        from danlu.sdk.resources.usage import Usage

        return Usage(self.http)

    @property
    def audit(self) -> Audit:
        """Who did what."""
        from danlu.sdk.resources.audit import Audit

        return Audit(self.http)

    @property
    def system(self) -> System:
        """What is weak about the installation."""
        from danlu.sdk.resources.system import System

        return System(self.http)

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            """Verbs by the names that they had before there were rooms."""
            from danlu.sdk.resources.former import moved

            return moved(self, name)
