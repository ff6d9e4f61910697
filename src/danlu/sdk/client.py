"""The client: every verb of Danlu as a method."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence, TypeVar

from danlu.sdk import config, models
from danlu.sdk.audit import Audit
from danlu.sdk.clusters import Clusters
from danlu.sdk.errors import BadCode, NotFound, TimedOut, from_problem
from danlu.sdk.examples import Examples
from danlu.sdk.flavors import Flavors
from danlu.sdk.frameworks import Frameworks
from danlu.sdk.http import Http, segment
from danlu.sdk.metrics import Metrics
from danlu.sdk.models import Check, Event, Job, JobRow, LogLine, Node, Resources, Version
from danlu.sdk.people import People
from danlu.sdk.projects import Projects
from danlu.sdk.queue import Turns
from danlu.sdk.quotas import Quotas
from danlu.sdk.rules import Rules
from danlu.sdk.stacks import Stacks
from danlu.sdk.trends import Trends
from danlu.sdk.upkeep import Upkeep
from danlu.sdk.usage import Measured

if TYPE_CHECKING:
    # Loaded when a verb needs them: a client that only lists jobs should start fast.
    from danlu.sdk.archive import Progress
    from danlu.sdk.exec import Exec

T = TypeVar("T")
PAGE = 200


class Client(
    Rules,
    Flavors,
    Frameworks,
    Examples,
    Clusters,
    Projects,
    People,
    Quotas,
    Audit,
    Turns,
    Measured,
    Metrics,
    Stacks,
    Trends,
    Upkeep,
):
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

    # ── making jobs ──────────────────────────────────────────────────────────────────────────────────

    def submit(self, job: Mapping[str, Any] | str, **more: Any) -> Job:
        """Create a job from a dict or a job file, and start it. Takes what `create` takes."""
        return self.create(job, start=True, **more)

    def create(
        self,
        job: Mapping[str, Any] | str,
        start: bool = False,
        folder: str = "",
        key: str = "",
        progress: Progress | None = None,
    ) -> Job:
        """Create a job. A `code: {path: …}` in it is uploaded first, relative to the job file or to `folder`.

        `key` makes the request repeatable by hand; one is made up otherwise."""
        body = self.prepared(job, folder, progress)
        return models.read(Job, self.post_job(body, start, key))

    def check(self, job: Mapping[str, Any] | str) -> Check:
        """What the server thinks of a job file; nothing is stored or uploaded."""
        data, _ = _loaded(job, "")
        found: dict[str, Any] = self.http.json("POST", "jobs/check", body=data, harmless=True)
        # That a folder is not uploaded yet is no mistake: `create` does it.
        errors = [one for one in found.get("errors") or () if one.get("code") != "not_uploaded"]
        return models.read(Check, {**found, "errors": errors, "valid": not errors})

    def edit(
        self, job: str, spec: Mapping[str, Any] | str, folder: str = "", version: int | None = None
    ) -> Job:
        """Replace the job file of a job that is not active; with a version, only if nobody changed it since."""
        query = {"version": version}
        return models.read(
            Job, self.http.json("PUT", _job(job, "spec"), query, body=self.prepared(spec, folder))
        )

    def prepared(
        self, job: Mapping[str, Any] | str, folder: str = "", progress: Progress | None = None
    ) -> dict[str, Any]:
        """The job as it is sent: its code folder uploaded and named by its digest."""
        data, folder = _loaded(job, folder)
        code = data.get("code")
        if not isinstance(code, dict) or not isinstance(code.get("path"), str):
            return data
        # An upload takes long, so mistakes come first.
        mistakes = self.check(data).errors
        if mistakes:
            raise from_problem(422, {"detail": "the job file is not valid", "errors": mistakes})
        digest = self.upload_code(os.path.join(folder, code["path"]), progress=progress)
        return {**data, "code": {**{key: code[key] for key in code if key != "path"}, "archive": digest}}

    def upload_code(self, path: str, max_bytes: int | None = None, progress: Progress | None = None) -> str:
        """Pack a folder as Git would see it and upload it unless the server has it; its digest."""
        from danlu.sdk import archive

        packed = archive.pack(os.path.expanduser(path), max_bytes or archive.MAX_BYTES, progress)
        with packed.body as body:
            if not self._has_code(packed.digest):
                if progress:
                    progress("upload", 0, packed.size)
                headers = {"Content-Type": "application/gzip", "Content-Length": str(packed.size)}
                counted = archive.Counted(body, packed.size, progress)
                self.http.send("PUT", f"code/{packed.digest}", None, counted, headers)  # type: ignore[arg-type]
        return packed.digest

    # ── a job's life ─────────────────────────────────────────────────────────────────────────────────

    def start(self, job: str, fresh: bool = False) -> Job:
        """Queue a job. It goes on from its last checkpoint, or from the beginning if `fresh`."""
        return models.read(Job, self.post(_job(job, "start"), {"fresh": True} if fresh else None))

    def stop(self, job: str) -> Job:
        return models.read(Job, self.post(_job(job, "stop")))

    def restart(self, job: str, fresh: bool = False) -> Job:
        """End what runs and queue it again, to go on from its last checkpoint, or from the beginning if `fresh`."""
        return models.read(Job, self.post(_job(job, "restart"), {"fresh": True} if fresh else None))

    def reset(self, job: str) -> Job:
        return models.read(Job, self.post(_job(job, "reset")))

    def clone(self, job: str, name: str | None = None, start: bool = False) -> Job:
        body: dict[str, Any] = {"start": start}
        if name:
            body["name"] = name
        return models.read(Job, self.post(_job(job, "clone"), body))

    def delete(self, job: str) -> None:
        self.http.json("DELETE", _job(job))

    # ── looking ──────────────────────────────────────────────────────────────────────────────────────

    def get(self, job: str) -> Job:
        """A job by its id, or by its name if it is one's own."""
        return models.read(Job, self.http.json("GET", _job(job)))

    def jobs(self, limit: int | None = None, **filters: Any) -> Iterator[JobRow]:
        """Jobs, page after page; filter by `state`, `kind`, `owner`, `project`, `search`; `sort`."""
        return (models.read(JobRow, row) for row in self.pages("jobs", limit, filters))

    def events(self, job: str) -> Iterator[Event]:
        """What happened to a job so far, oldest first."""
        return (models.read(Event, one) for one in self.pages(_job(job, "events"), None, {}))

    def stream_events(self, after: int | None = None) -> Iterator[Event]:
        """Everything that happens from now on, or after an event's `seq`; broken connections resume."""
        from danlu.sdk import logs

        return (models.read(Event, one) for one in logs.stream_json(self.http, "events", after))

    def logs(
        self,
        job: str,
        task: str | None = None,
        attempt: int | None = None,
        follow: bool = False,
        tail: int | None = None,
        offset: int | None = None,
        search: str | None = None,
        try_: int | None = None,
    ) -> Iterator[LogLine]:
        """Lines of one task, the first of the latest attempt by default; `follow` goes on until it ends. Of a task that
        was started again, its present try or the one of that number, the first being 0."""
        from danlu.sdk import logs

        query = {
            "task": task, "try": try_, "attempt": attempt, "tail": tail, "offset": offset, "search": search,
        }  # fmt: skip
        return (logs.follow if follow else logs.read)(self.http, _job(job, "logs"), query)

    def watch(self, job: str) -> Iterator[Job]:
        """The job now, and again after every change."""
        from danlu.sdk import watch

        job_id = self.get(job).id
        found = watch.changes(self.http, job_id, lambda: self.http.json("GET", _job(job_id)))
        return (models.read(Job, one) for one in found)

    def wait(
        self, job: str, timeout: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> Job:
        """The job once it has ended (or was never started); TimedOut after `timeout` seconds."""
        from danlu.sdk import watch

        until = None if timeout is None else clock() + timeout
        for found in watch.until(self, job, until, clock):
            if not found.active:
                return found
        raise TimedOut(f"the job {job} has not ended within {timeout:g} s")

    def exec(
        self,
        job: str,
        command: Sequence[str],
        task: str | None = None,
        tty: bool = False,
        cols: int = 80,
        rows: int = 24,
    ) -> Exec:
        """Run a command inside a running task, a shell if none is named.

        Iterate the answer for its output, then read its `exit_code`."""
        from danlu.sdk.exec import open_exec

        return open_exec(self.http, _job(job, "exec"), list(command), task, tty, cols, rows)

    # ── machines ─────────────────────────────────────────────────────────────────────────────────────

    def nodes(self) -> list[Node]:
        return [models.read(Node, one) for one in self.http.json("GET", "nodes")["items"]]

    def node(self, name: str) -> Node:
        return models.read(Node, self.http.json("GET", _node(name)))

    def resources(self) -> Resources:
        """What there is, what is used, free and wanted: one's own and everybody's."""
        return models.read(Resources, self.http.json("GET", "resources"))

    def node_events(self, name: str, limit: int | None = None) -> Iterator[Event]:
        """What happened on a node, the latest first; of jobs, those one may read."""
        return (models.read(Event, one) for one in self.pages(_node(name, "events"), limit, {}))

    def edit_node(self, name: str, **changes: Any) -> Node:
        """`pool`, `cordoned`, `labels` (a label that is None goes)."""
        return models.read(Node, self.http.json("PATCH", _node(name), body=changes))

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the job file."""
        found: dict[str, Any] = self.http.json("GET", "schema/job")
        return found

    def version(self) -> Version:
        return models.read(Version, self.http.json("GET", "version"))

    # ── below the verbs ──────────────────────────────────────────────────────────────────────────────

    def pages(self, path: str, limit: int | None, filters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """The items of a list as plain JSON, page after page."""
        query = dict(filters)
        while limit is None or limit > 0:
            query["limit"] = PAGE if limit is None else min(limit, PAGE)
            page = self.http.json("GET", path, query)
            yield from page["items"]
            if not page.get("next_cursor") or not page["items"]:
                return
            limit = None if limit is None else limit - len(page["items"])
            query["cursor"] = page["next_cursor"]

    def post_job(self, body: Any, start: bool, key: str = "") -> dict[str, Any]:
        """Create a job that is `prepared`, as plain JSON. The only POST that the server does once per key, and
        so the only one that is sent again when the connection drops."""
        key = key or os.urandom(16).hex()
        found: dict[str, Any] = self.http.json("POST", "jobs", {"start": start}, body, key)
        return found

    def post(self, path: str, body: Any = None) -> dict[str, Any]:
        found: dict[str, Any] = self.http.json("POST", path, body=body)
        return found

    def _has_code(self, digest: str) -> bool:
        try:
            self.http.send("HEAD", f"code/{digest}")
        except NotFound:
            return False
        return True


def _job(job: str, *rest: str) -> str:
    return "/".join(["jobs", segment(job), *rest])


def _node(name: str, *rest: str) -> str:
    return "/".join(["nodes", segment(name), *rest])


def _loaded(job: Mapping[str, Any] | str, folder: str) -> tuple[dict[str, Any], str]:
    """A job's data and what its code path is relative to."""
    if isinstance(job, str) or hasattr(job, "__fspath__"):
        from danlu.sdk import jobfile

        found = jobfile.read(os.fspath(job))
        return found.data, folder or found.folder
    if not isinstance(job, Mapping):
        raise BadCode("a job is a dict or the path of a job file")
    return dict(job), folder
