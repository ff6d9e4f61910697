"""When the logs of failed attempts are read, and what is told of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from danlu.control.plane import failures
from danlu.control.plane.failures import FailureReader
from danlu.domain import reasons as why
from danlu.domain.events import FailureRead, StateChanged
from danlu.domain.job import Attempt, Code, Job, JobState, Task, TaskState
from danlu.domain.reasons import Reason
from danlu.ports.logs import LogChunk, LogKey
from danlu.ports.store import JobChange, JobPage, JobRow
from tests.fakes import builders
from tests.fakes.clock import FakeClock


def failed(name: str = "some-job", reason: Reason | None = None, run: int = 0) -> Job:
    told = reason or why.ExitCode("worker-0", 1, "n1")
    task = Task("worker", 0, "n1", "", state=TaskState.FAILED, reason=told, ended_at=5, tries=run)
    attempt = Attempt(1, (task,), 0, ended_at=5, reason=told)
    return replace(
        builders.job(name),
        state=JobState.FAILED,
        reason=told,
        attempt=attempt,
        attempts=1,
        ended_at=FakeClock().now(),
    )


class Desk:
    """A reader over logs and jobs that are said."""

    def __init__(self) -> None:
        self.clock, self.logs, self.jobs = FakeClock(), dict[LogKey, bytes](), dict[str, Job]()
        self.told: list[tuple[str, FailureRead]] = []
        self.reads = 0
        self.reader = FailureReader(self, self, self._tell, self.clock)  # type: ignore[arg-type]

    def _tell(self, job_id: str, event: Any) -> None:
        self.told.append((job_id, event))

    def ends(self, *jobs: Job) -> None:
        self.reader.noticed(
            [JobChange(job, (StateChanged("running", "failed", job.reason),)) for job in jobs]
        )

    def writes(self, job: str, *lines: str, run: str = "worker-0") -> None:
        records = "".join(f"1700000000.{at:03d} e {line}\n" for at, line in enumerate(lines))
        self.logs[LogKey(job, 1, run)] = self.logs.get(LogKey(job, 1, run), b"") + records.encode()

    def looks(self, after: int = 0) -> list[str]:
        self.clock.advance(after)
        self.reader.look()
        return [event.reason.code for _, event in self.told]

    # ── as a log reader and a store ──

    def size(self, key: LogKey) -> int:
        return len(self.logs.get(key, b""))

    def read(self, key: LogKey, offset: int, limit: int) -> LogChunk:
        self.reads += 1
        data = self.logs.get(key, b"")[offset : offset + limit]
        return LogChunk(offset, offset + len(data), data)

    def page(self, query: object) -> JobPage:
        return JobPage(tuple(JobRow.of(job) for job in self.jobs.values()), None, len(self.jobs))

    def get(self, job_id: str) -> Job | None:
        return self.jobs.get(job_id)


@pytest.fixture
def desk() -> Desk:
    return Desk()


def codes(desk: Desk) -> Sequence[str]:
    return [event.reason.code for _, event in desk.told]


def test_the_log_of_a_failed_attempt_is_read_once(desk: Desk) -> None:
    desk.writes("some-job", "KeyError: 'x'")
    desk.ends(failed())
    assert desk.looks() == ["program_error"]
    for later in failures.LOOKS_MS:
        desk.looks(later)
    assert codes(desk) == ["program_error"]
    assert desk.reads == 1
    assert desk.told[0][1].attempt_id == "some-job-1"


def test_a_log_that_arrives_later_is_read_when_it_is_there(desk: Desk) -> None:
    desk.ends(failed())
    assert desk.looks() == []
    desk.writes("some-job", "ValueError: first")
    assert desk.looks(3_000) == ["program_error"]
    desk.writes("some-job", "ModuleNotFoundError: No module named 'x'")
    assert desk.looks(12_000) == ["program_error", "module_missing"]


def test_the_log_of_the_try_that_failed_is_read(desk: Desk) -> None:
    desk.writes("some-job", "KeyError: 'old'")
    desk.writes("some-job", "ValueError: new", run="worker-0-r2")
    desk.ends(failed(run=2))
    desk.looks()
    assert desk.told[0][1].reason.text().en.startswith("ValueError: new")


def test_noticing_reads_nothing_whatever_fails_at_once(desk: Desk) -> None:
    for at in range(1_000):
        desk.writes(f"job-{at}", "ValueError: no")
    desk.ends(*(failed(f"job-{at}") for at in range(1_000)))
    assert desk.reads == 0, "the controller's step waits for this"
    assert len(desk.looks()) == 1_000


@pytest.mark.parametrize(
    "reason", [why.StoppedBy("lin"), why.OutOfMemory("worker-0", 1), why.NodeLost("worker-0", "n1")]
)
def test_other_ends_are_left_alone(desk: Desk, reason: Reason) -> None:
    desk.writes("some-job", "ValueError: no")
    desk.ends(failed(reason=reason))
    assert desk.looks() == []


def test_what_failed_before_this_process_began_is_read_too_unless_it_was(desk: Desk) -> None:
    told = why.ProgramError("worker-0", "KeyError", "n1", kind="KeyError")
    for job in (failed("unread"), failed("was-read", told)):
        desk.jobs[job.id] = job
        desk.writes(job.id, "ValueError: no")
    desk.reader.catch_up()
    desk.looks()
    assert [job for job, _ in desk.told] == ["unread"]


def test_one_log_that_cannot_be_read_does_not_hide_the_others(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.writes("job-b", "ValueError: no")
    size = desk.size
    monkeypatch.setattr(desk, "size", lambda key: 1 // 0 if key.job_id == "job-a" else size(key))
    desk.ends(failed("job-a"), failed("job-b"))
    assert desk.looks() == ["program_error"]


def test_a_line_in_parts_is_one_line(desk: Desk) -> None:
    key = LogKey("some-job", 1, "worker-0")
    desk.logs[key] = (
        b"torn 1700000000.001 E Value\n1700000000.001 o step\n1700000000.001 E ValueErr\n1700000000.001 e or: x\n"
    )
    desk.ends(failed())
    desk.looks()
    assert desk.told[0][1].reason.line == "ValueError: x"


@pytest.mark.parametrize("command", ["python3 train.py --lr 1", ("bash", "-c", "cd x; python3 train.py")])
def test_a_file_that_only_code_would_have_brought_is_told_as_code_that_is_missing(
    desk: Desk, command: Any
) -> None:
    job = failed()
    role = replace(job.spec.roles[0], command=command)
    desk.ends(replace(job, spec=replace(job.spec, roles=(role,), code=None)))
    desk.writes(
        job.id, "python3: can't open file '/srv/runs/a1/worker-0/work/train.py': [Errno 2] No such file"
    )
    assert desk.looks() == ["no_code"]
    ((_, event),) = desk.told
    assert event.reason.text().en == "this job has no code, so train.py is not there (worker-0 on n1)"
    assert "code: ." in event.reason.told(event.reason.advice).zh


@pytest.mark.parametrize(
    ("code", "path"), [(Code(archive="a" * 64), "/srv/work/train.py"), (None, "/data/set/index.json")]
)
def test_other_files_that_are_missing_are_told_by_their_path(
    desk: Desk, code: Code | None, path: str
) -> None:
    job = failed()
    role = replace(job.spec.roles[0], command="python3 train.py")
    desk.ends(replace(job, spec=replace(job.spec, roles=(role,), code=code)))
    desk.writes(job.id, f"FileNotFoundError: [Errno 2] No such file or directory: '{path}'")
    assert desk.looks() == ["file_missing"]
