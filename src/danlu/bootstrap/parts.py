"""What every Danlu process has, whichever half it is."""

from __future__ import annotations

from collections.abc import Callable

from danlu.bootstrap.clock import RandomIds, SystemClock
from danlu.bootstrap.look import FirstLook
from danlu.bootstrap.volumes import outside_of, places_on_disk, volumes_on_disk
from danlu.control.foundation import Foundation
from danlu.control.jobs import Kept
from danlu.control.people.passwords import Passwords
from danlu.control.people.rights import Rights
from danlu.control.people.sign_in import Authentication
from danlu.control.people.task_tokens import TaskTokens
from danlu.control.plane.planner import Planner
from danlu.control.plane.view import ActiveView
from danlu.control.rules.registry import Registry
from danlu.control.volumes.attached import Attached
from danlu.data.audit_key import audit_key
from danlu.data.code import FileCode
from danlu.data.counting import FileFigures
from danlu.data.datasets.contents import DiskContents
from danlu.data.datasets.reading import VersionFiles
from danlu.data.datasets.trees import DiskTrees
from danlu.data.directory import DataDirectory
from danlu.data.environments import FileEnvironments
from danlu.data.examples import FolderExamples, find_examples
from danlu.data.logins import TransferLogins
from danlu.data.results.figures import FileResults
from danlu.data.results.shelf import Shelf
from danlu.data.secrets import FileClusterSecrets
from danlu.data.task_key import task_key
from danlu.domain.errors import FieldError, Invalid
from danlu.domain.words import Words
from danlu.files.settings import Settings
from danlu.ports.clusters import ClusterInspector
from danlu.store.sql import SqlStore
from danlu.telemetry.follow import SharedFollower
from danlu.telemetry.logs import FileLogs
from danlu.telemetry.reports import FileReports
from danlu.telemetry.series import FileMetrics
from danlu.telemetry.stacks import FileStacks
from danlu.telemetry.usage import FileUsage


class Parts:
    """The store, the data directory and what reads them. With `shared`, others may use both at the same time."""

    def __init__(
        self,
        settings: Settings,
        *,
        shared: bool,
        passwords: Passwords | None = None,
        inspector: ClusterInspector | None = None,
    ) -> None:
        if shared:
            _must_be_shareable(settings)
        self.settings, self.policy = settings, settings.policy()
        self.directory = DataDirectory(settings.data, shared=shared)
        self.store = SqlStore.open(settings.database or f"sqlite:///{self.directory.database}")
        self.seal_key = audit_key(self.directory.secrets, self._last_noted)
        self.store.sign_with(self.seal_key)
        self.clock = SystemClock()
        self.ids = RandomIds(self.clock)
        self.logs = FileLogs(self.directory.logs)
        self.follower = SharedFollower(self.logs)
        self.stacks = FileStacks(self.directory.logs)
        self.usage = FileUsage(self.directory.logs, self.directory.usage / "nodes", self.clock)
        self.code = FileCode(self.directory.code, settings.code_limit)
        self.personal = FileFigures(self.directory.personal_use)
        self.volumes = volumes_on_disk(settings, self.directory, self.store.uid)
        self.places = places_on_disk(settings, self.directory, self.store.uid)
        self.attached = Attached(self.store, outside_of(settings, self.directory))
        self.contents = DiskContents(self.directory.datasets)
        self.trees = DiskTrees(
            self.contents,
            settings.dataset_cache or None,
            self.store.version_roots_in_use,
            self.store.version_roots,
        )
        self.environments = FileEnvironments(self.directory.volumes)
        self.shelf = Shelf(self.directory.results, self.directory.runs, self.directory.volumes)
        self.results = FileResults(self.shelf, self.directory.result_figures)
        self.examples = FolderExamples(find_examples(), self.code)
        self.kept = Kept(
            code=self.code,
            reports=FileReports(self.directory.logs),
            metrics=FileMetrics(self.directory.logs),
            usage=self.usage,
            results=self.results,
            remove=self._remove_kept,
            volume_figure=self.volumes.figure,
            contents=VersionFiles(self.contents.objects),
            open_bucket=self.attached.open,
        )
        self.secrets = FileClusterSecrets(self.directory.secrets)
        self.inspector = inspector or FirstLook()
        self.logins = TransferLogins(self.directory.secrets)
        self.key = task_key(self.directory.secrets)
        self.tasks = TaskTokens(self.key, self.store)
        self.rights = Rights(self.store)
        self.passwords = passwords or Passwords()
        self.people = Authentication(
            self.store,
            self.passwords,
            self.clock,
            self.ids,
            settings.session_life,
            self.tasks,
            self.rights,
            settings.token_life,
        )

    def foundation(
        self, registry: Registry, view: ActiveView, planner: Planner, wake: Callable[[], None]
    ) -> Foundation:
        return Foundation(self.store, self.clock, self.ids, registry, view, planner, wake)

    def _remove_kept(self, job_id: str) -> None:
        self.logs.remove(job_id)
        self.results.remove(job_id)

    def _last_noted(self) -> int:
        last = self.store.last_noted()
        return last.seq if last else 0

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

    def close(self) -> None:
        self.store.close()
        self.directory.release()


def _must_be_shareable(settings: Settings) -> None:
    if settings.database is None or settings.database.startswith("sqlite"):
        message = Words("separate processes need a PostgreSQL database", "多个进程只能共用 PostgreSQL 数据库")
        hint = Words(
            "set one (postgresql://USER:PASSWORD@HOST/NAME), or run everything in one process: danlu up",
            "请指定一个（postgresql://USER:PASSWORD@HOST/NAME），或在一个进程中运行全部：danlu up",
        )
        raise Invalid((FieldError(("database",), "bad_form", message, settings.database, hint=hint),))


def _reachable(host: str) -> str:
    return "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
