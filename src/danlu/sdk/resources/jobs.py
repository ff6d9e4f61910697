"""Making jobs, their life, and looking at them."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence

from danlu.domain.words import Words, say
from danlu.sdk import models
from danlu.sdk.http.errors import BadCode, Invalid, NotFound, TimedOut
from danlu.sdk.http.paths import segment
from danlu.sdk.models.reading import read

if TYPE_CHECKING:
    # Loaded when a verb needs them: a client that only lists jobs should start fast.
    from danlu.sdk.code.archive import OnProgress
    from danlu.sdk.http.http import Http
    from danlu.sdk.models import Check, Event, Job, JobRow
    from danlu.sdk.resources.exec import Exec
    from danlu.sdk.resources.logs import LogLine


class Jobs:
    """A job is known by its id, or by its name if it is one's own: `bert` is its latest run, `bert#2` the second."""

    http: Http

    # ── making jobs ──────────────────────────────────────────────────────────────────────────────────

    def submit(self, job: Mapping[str, object] | str, **more: Any) -> Job:
        """Create a job from a dict or a job file, and start it. Takes what `create` takes."""
        return self.create(job, start=True, **more)

    def create(
        self,
        job: Mapping[str, object] | str,
        start: bool = False,
        folder: str = "",
        key: str = "",
        progress: OnProgress | None = None,
        replace: bool = False,
    ) -> Job:
        """Create a job: the next run of its name, if there is one already. With `replace`, earlier runs that are
        queued or run are stopped first. A file without a name gets one from its own name or its command. A
        `code: {path: …}` in it is uploaded first, relative to the job file or to `folder`.

        `key` makes the request repeatable by hand; one is made up otherwise."""
        data, folder = loaded(job, folder, naming=True)
        body = self.prepared(data, folder, progress)
        return self._held(self.post_job(body, start, key, replace))

    def sweep(
        self,
        job: Mapping[str, object] | str,
        over: Mapping[str, Sequence[object]],
        folder: str = "",
        progress: OnProgress | None = None,
    ) -> Iterator[Job]:
        """Submit a job once for each combination of values, such as `{"lr": [0.1, 0.01]}`: runs of one name, each made
        when the iterator gets to it. The values are environment variables, and stand in the command for {lr}."""
        from danlu.sdk.code.sweep import swept

        data, folder = loaded(job, folder, naming=True)
        made = swept(data, over)
        body = self.prepared(data, folder, progress)
        code = {key: body[key] for key in ("code",) if key in body}
        return (self._held(self.post_job({**one, **code}, True)) for _, one in made)

    def check(self, job: Mapping[str, object] | str) -> Check:
        """What the server thinks of a job file; nothing is stored or uploaded."""
        return read(models.Check, self.post_check(job))

    def edit(
        self, job: str, spec: Mapping[str, object] | str, folder: str = "", version: int | None = None
    ) -> Job:
        """Replace the job file of a job that is not active or only waits; with a version, only if nobody changed it
        since."""
        query = {"version": version}
        return read(
            models.Job, self.http.json("PUT", _job(job, "spec"), query, body=self.prepared(spec, folder))
        )

    def change(self, job: str, **changes: object) -> Job:
        """Change some of what a job that is not active or only waits asks for: `gpus`, `gpu`, `cpus`, `memory`,
        `tasks`, `flavor`, `project`, `priority`, `justification`, `expected_time`, `max_time`; `without` lists what
        to take out. A job that waits keeps its place unless it asks for more."""
        return read(models.Job, self.http.json("PATCH", _job(job, "spec"), body=changes))

    def prepared(
        self, job: Mapping[str, object] | str, folder: str = "", progress: OnProgress | None = None
    ) -> dict[str, Any]:
        """The job as it is sent: its code folder uploaded and named by its digest."""
        data, folder = loaded(job, folder)
        code = data.get("code")
        if isinstance(code, str):
            data["code"] = code = {"path": code}
        if not isinstance(code, dict) or not isinstance(code.get("path"), str):
            return data
        # An upload takes long, so mistakes come first.
        mistakes = self.check(data).errors
        if mistakes:
            raise Invalid(Words("the job file is not valid", "任务文件有误"), mistakes)
        digest = self.upload_code(os.path.join(folder, code["path"]), progress=progress)
        return {**data, "code": {**{key: code[key] for key in code if key != "path"}, "archive": digest}}

    def upload_code(self, path: str, max_bytes: int | None = None, progress: OnProgress | None = None) -> str:
        """Pack a folder as Git would see it and upload it unless the server has it; its digest."""
        from danlu.sdk.code import archive

        packed = archive.pack(os.path.expanduser(path), max_bytes or archive.MAX_BYTES, progress)
        with packed.body as body:
            if not self._has_code(packed.digest):
                if progress:
                    progress("upload", 0, packed.size)
                headers = {"Content-Type": "application/gzip", "Content-Length": str(packed.size)}
                counted = archive.CountedBody(body, packed.size, progress)
                self.http.send("PUT", f"code/{packed.digest}", None, counted, headers)  # type: ignore[arg-type]
        return packed.digest

    # ── a job's life ─────────────────────────────────────────────────────────────────────────────────

    def start(self, job: str, fresh: bool = False) -> Job:
        """Queue a job. It goes on from its last checkpoint, or from the beginning if `fresh`."""
        return self._held(self.post(_job(job, "start"), {"fresh": True} if fresh else None))

    def stop(self, job: str) -> Job:
        return self._held(self.post(_job(job, "stop")))

    def restart(self, job: str, fresh: bool = False) -> Job:
        """End what runs and queue it again, to go on from its last checkpoint, or from the beginning if `fresh`."""
        return self._held(self.post(_job(job, "restart"), {"fresh": True} if fresh else None))

    def reset(self, job: str) -> Job:
        return self._held(self.post(_job(job, "reset")))

    def clone(self, job: str, name: str | None = None, start: bool = False) -> Job:
        body: dict[str, object] = {"start": start}
        if name:
            body["name"] = name
        return self._held(self.post(_job(job, "clone"), body))

    def delete(self, job: str) -> None:
        self.http.json("DELETE", _job(job))

    # ── looking ──────────────────────────────────────────────────────────────────────────────────────

    def get(self, job: str) -> Job:
        """A job by its id, or by its name if it is one's own."""
        return self._held(self.http.json("GET", _job(job)))

    def jobs(self, limit: int | None = None, **filters: object) -> Iterator[JobRow]:
        """Jobs, page after page; filter by `state`, `kind`, `owner`, `project`, `search`; `sort`."""
        return (read(models.JobRow, row) for row in self.http.pages("jobs", limit, filters))

    def runs(self, job: str) -> list[JobRow]:
        """The runs of a job's name, the latest first; at most 100."""
        return [read(models.JobRow, row) for row in self.http.json("GET", _job(job, "runs"))["items"]]

    def events(self, job: str) -> Iterator[Event]:
        """What happened to a job so far, oldest first."""
        return (read(models.Event, one) for one in self.http.pages(_job(job, "events")))

    def stream_events(self, after: int | None = None) -> Iterator[Event]:
        """Everything that happens from now on, or after an event's `seq`; broken connections resume."""
        from danlu.sdk.resources import logs

        return (read(models.Event, one) for one in logs.stream_json(self.http, "events", after))

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
        from danlu.sdk.resources import logs

        query: dict[str, object] = {
            "task": task, "try": try_, "attempt": attempt, "tail": tail, "offset": offset, "search": search,
        }  # fmt: skip
        return (logs.follow if follow else logs.read)(self.http, _job(job, "logs"), query)

    def all_logs(
        self,
        job: str,
        attempt: int | None = None,
        follow: bool = False,
        tail: int | None = None,
        search: str | None = None,
    ) -> Iterator[LogLine]:
        """Lines of all tasks, merged by time; `line.task` says whose each is. `tail` counts for each task; `follow`
        goes on until all have ended, for the first 32 tasks."""
        from danlu.sdk.resources import all_logs

        found = self.get(job)
        if follow and not found.tasks:
            found = next(one for one in self.watch(job) if one.tasks or not one.active)
        tasks = [task.name for task in found.tasks]
        query: dict[str, object] = {"attempt": attempt, "tail": tail, "search": search}
        return (all_logs.follow if follow else all_logs.read)(self.http, _job(job, "logs"), tasks, query)

    def watch(self, job: str) -> Iterator[Job]:
        """The job now, and again after every change."""
        from danlu.sdk.resources import watch

        job_id = self.get(job).id
        found = watch.changes(self.http, job_id, lambda: self.http.json("GET", _job(job_id)))
        return map(self._held, found)

    def wait(
        self,
        job: str,
        timeout: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        progress: Callable[[Job], object] | None = None,
    ) -> Job:
        """The job once it has ended (or was never started); TimedOut after `timeout` seconds. `progress` is called with
        the job now, and whenever it is seen to have changed."""
        from danlu.sdk.resources import watch

        until, version = None if timeout is None else clock() + timeout, -1
        for found in watch.until(lambda: self.get(job), until, clock):
            if progress is not None and found.version != version:
                version = found.version
                progress(found)
            if not found.active:
                return found
        limit = f"{timeout:g}"
        raise TimedOut(
            say(
                "the job {job} has not ended within {limit} s",
                "任务 {job} 未在 {limit} 秒内结束",
                job=job,
                limit=limit,
            )
        )

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
        from danlu.sdk.resources.exec import open_exec

        return open_exec(self.http, _job(job, "exec"), list(command), task, tty, cols, rows)

    # ── below the verbs ──────────────────────────────────────────────────────────────────────────────

    def post_job(self, body: object, start: bool, key: str = "", replace: bool = False) -> dict[str, Any]:
        """Create a job that is `prepared`, as plain JSON. The only POST that the server does once per key, and
        so the only one that is sent again when the connection drops."""
        key = key or os.urandom(16).hex()
        query: dict[str, object] = {"start": start, **({"replace": True} if replace else {})}
        found: dict[str, Any] = self.http.json("POST", "jobs", query, body, key)
        return found

    def post_check(self, job: Mapping[str, object] | str) -> dict[str, Any]:
        """The server's check of a job file, as plain JSON."""
        data, _ = loaded(job, "", naming=True)
        found: dict[str, Any] = self.http.json("POST", "jobs/check", body=data, harmless=True)
        # A folder that is not uploaded yet is not an error: `create` uploads it.
        errors = [one for one in found.get("errors") or () if one.get("code") != "not_uploaded"]
        return {**found, "errors": errors, "valid": not errors}

    def post(self, path: str, body: object = None) -> dict[str, Any]:
        found: dict[str, Any] = self.http.json("POST", path, body=body)
        return found

    def _held(self, data: Mapping[str, Any]) -> Job:
        """A job that can be asked for more itself."""
        return read(models.Job, data).held_by(self)

    def _has_code(self, digest: str) -> bool:
        try:
            self.http.send("HEAD", f"code/{digest}")
        except NotFound:
            return False
        return True


def _job(job: str, *rest: str) -> str:
    return "/".join(["jobs", segment(job), *rest])


def loaded(job: Mapping[str, object] | str, folder: str, naming: bool = False) -> tuple[dict[str, Any], str]:
    """A job's data and what its code path is relative to; with `naming`, a file without a name gets one."""
    if isinstance(job, str) or hasattr(job, "__fspath__"):
        from danlu.sdk.code import jobfile

        found = jobfile.read(os.fspath(job))
        return (jobfile.named(found) if naming else found).data, folder or found.folder
    if not isinstance(job, Mapping):
        raise BadCode(Words("a job is a dict or the path of a job file", "任务应为字典或任务文件的路径"))
    return dict(job), folder
