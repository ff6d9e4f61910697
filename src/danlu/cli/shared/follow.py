"""Following a job: its output and its states, until it has ended."""

from __future__ import annotations

import queue
import signal
import sys
import threading
import time
from itertools import groupby
from typing import TYPE_CHECKING, Any, Callable, Iterator

from danlu.cli.session import CliSession, note
from danlu.cli.shared.prefixes import Prefixes
from danlu.cli.shared.show import earlier_tries, log_text, reason
from danlu.cli.terms import term
from danlu.cli.words import speak
from danlu.domain.words import say
from danlu.sdk.http.errors import NotFound
from danlu.sdk.models import Job, Reason
from danlu.sdk.resources import logs
from danlu.sdk.resources.logs import LogLine

if TYPE_CHECKING:
    from danlu.sdk.client import Client

MANY_TASKS = 16
# A lost task's log may have no end; the job's own end is then enough.
LAST_LINES = 5.0
EXPLAINED = 1.0
UNEXPLAINED = frozenset({"exit_code", "signal"})


class Follower:
    """One thread listens for the job's states, one for each task's lines; they meet in a queue."""

    def __init__(self, session: CliSession, job: str, say: Callable[..., None] = note) -> None:
        self._session = session
        self._job = job
        self._say = say
        self._arrived: queue.Queue[tuple[str, Any, Any]] = queue.Queue(maxsize=100)
        self._followed = 0
        self._open = 0
        self._final: Job | None = None
        self._last_said = ""
        self._prefixes: Prefixes | None = None

    def run(self) -> Job:
        """Print until the job has ended and all its output is printed; returns the ended job."""
        self._spawn(self._listen_to_states)
        while self._final is None or self._open:
            try:
                what, first, second = self._arrived.get(timeout=LAST_LINES if self._final else None)
            except queue.Empty:
                break
            if what == "lines":
                self._print(first, second)
            elif what == "job":
                self._changed(first)
            elif what == "end":
                self._open -= 1
            else:
                raise first
            if self._arrived.empty():
                sys.stdout.flush()
        sys.stdout.flush()
        assert self._final is not None
        self._final = self._explained(self._final)
        self._say_state(self._final)
        again = next((task.name for task in self._final.tasks if task.tries), None)
        if again is not None and self._final.state == "failed":
            self._say(earlier_tries(self._final.title, again))
        return self._final

    def _explained(self, job: Job) -> Job:
        """With what its log tells, which takes the server a moment."""
        until = time.monotonic() + EXPLAINED
        while job.reason is not None and job.reason.code in UNEXPLAINED and time.monotonic() < until:
            time.sleep(EXPLAINED / 5)
            job = self._session.client.get(job.id)
        return job if job.ended else self._final or job

    def _say_state(self, job: Job) -> None:
        said = state_sentence(job)
        if said != self._last_said:
            self._last_said = said
            self._say(said, dim=True)

    def _changed(self, job: Job) -> None:
        if not job.ended:
            self._say_state(job)  # the end is said when the last lines are out
        if job.attempt > self._followed and job.tasks:
            self._followed = job.attempt
            self._prefixes = Prefixes([task.name for task in job.tasks]) if len(job.tasks) > 1 else None
            for task in job.tasks[:MANY_TASKS]:
                self._open += 1
                self._spawn(self._listen_to_lines, task.name, job.attempt)
            if len(job.tasks) > MANY_TASKS:
                self._say(
                    speak(
                        "Showing {many_tasks} of {tasks} tasks; 'danlu logs --task TASK' shows any.",
                        "显示 {tasks} 个子任务中的 {many_tasks} 个；danlu logs --task TASK 可查看任意一个。",
                        many_tasks=MANY_TASKS,
                        tasks=len(job.tasks),
                    )
                )
        if job.ended:
            self._final = job

    def _print(self, task: str, lines: list[LogLine]) -> None:
        """Write each stream to its own; consecutive lines of a stream are written together."""
        prefix = self._prefixes.of(task) if self._prefixes else ""
        for stream, group in groupby(lines, key=lambda line: line.stream):
            sys.stdout.flush()
            out = sys.stderr if stream == "e" else sys.stdout
            fit = log_text if out.isatty() else str
            out.write("".join([f"{prefix}{fit(line.text)}\n" for line in group]))

    def _listen_to_states(self) -> None:
        with self._session.new_client() as client:
            for job in client.watch(self._job):
                self._arrived.put(("job", job, None))
                if job.ended:
                    return

    def _listen_to_lines(self, task: str, attempt: int) -> None:
        try:
            with self._session.new_client() as client:
                for lines in _lines(client, self._job, task, attempt):
                    self._arrived.put(("lines", task, lines))
        finally:
            self._arrived.put(("end", None, None))

    def _spawn(self, listen: Callable[..., None], *args: object) -> None:
        def guarded() -> None:
            try:
                listen(*args)
            except Exception as error:
                self._arrived.put(("error", error, None))

        threading.Thread(target=guarded, daemon=True).start()


def _lines(client: Client, job: str, task: str, attempt: int) -> Iterator[list[LogLine]]:
    try:
        yield from logs.batches(client.http, f"jobs/{job}/logs", {"task": task, "attempt": attempt})
    except NotFound:
        # A task that never wrote anything, or never began, has no log.
        return


def state_sentence(job: Job) -> str:
    """A sentence on a job's state: `train-1 is queued: 4 GPUs wanted, 3 free`."""
    cause = job.waiting if job.state == "queued" else job.reason
    nodes = sorted({task.node for task in job.tasks if task.node}) if job.state == "running" else []
    some = f"{', '.join(nodes[:4])}{' …' if len(nodes) > 4 else ''}"
    return speak(
        "{name} is {state}{where}{why}",
        "{name} {state}{where}{why}",
        name=job.title,
        state=term(job.state),
        where=say(" on {nodes}", "（{nodes}）", nodes=some) if nodes else "",
        why=say(": {cause}", "：{cause}", cause=reason(cause)) if cause is not None else "",
    )


def exit_code(job: Job) -> int:
    """The exit code for how a job ended, as a shell would report it."""
    if job.state == "completed":
        return 0
    codes = {"out_of_memory": 137, "command_not_found": 127}
    if job.reason is not None and job.reason.code in codes:
        return codes[job.reason.code]
    return (
        _from_reason(job.reason) or next((task.exit_code for task in job.tasks if task.exit_code), None) or 1
    )


def _from_reason(reason: Reason | None) -> int | None:
    if reason is None:
        return None
    code = reason.params.get("exit_code")
    if isinstance(code, int) and 0 < code < 256:
        return code
    name = str(reason.params.get("signal", ""))
    if name.isdigit():
        return 128 + int(name)
    number = getattr(signal, name, None)
    return 128 + int(number) if number is not None else None
