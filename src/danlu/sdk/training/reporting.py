"""How a task's reports reach Danlu: collected in the program, sent by a background thread."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections import deque
from typing import Callable, Iterable, Iterator, Mapping, TypeVar

from danlu.ports import reports
from danlu.ports.reports import ReportedPoint, Save
from danlu.sdk.training.remarks import warn_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Outlet(Protocol):
        """Where reports go. Its errors never reach the training."""

        prompt: bool
        """Whether sending is quick enough for a training to wait for it."""
        gather: float
        """How many seconds of reports are sent together."""

        def send(self, points: list[ReportedPoint], saves: list[Save]) -> bool:
            """Hand them on; True when some are kept for later, which a further call tries again."""

        def close(self, points: list[ReportedPoint], saves: list[Save], seconds: float) -> None:
            """The program ends: these and what was kept, for so long at most."""


_Report = TypeVar("_Report", ReportedPoint, Save)
_MANY = 500
_MOST_WAITING = 100_000
_LAST_WORD = 2.0


class Reporter:
    """Gathers what is reported and hands it on now and then. Safe in threads, and in children made by fork."""

    def __init__(self, outlet: Callable[[], Outlet]) -> None:
        self._make_outlet = outlet
        self._points: deque[ReportedPoint] = deque(maxlen=_MOST_WAITING)
        self._saves: deque[Save] = deque(maxlen=_MOST_WAITING)
        self._begin()
        os.register_at_fork(after_in_child=self._begin_as_child)

    def point(self, point: ReportedPoint) -> None:
        self._points.append(point)
        if not self._some.is_set():
            self._wake()
        if len(self._points) >= _MANY and not self._soon.is_set():
            self._soon.set()

    def save(self, save: Save) -> None:
        """Report a checkpoint at once, after everything that was reported before it."""
        self._saves.append(save)
        if self._outlet.prompt:
            self.flush()
        else:
            self._soon.set()
            self._wake()

    def flush(self) -> None:
        """Hand on what was reported so far, in this thread."""
        with self._sending:
            if self._outlet.send(_taken(self._points), _taken(self._saves)):
                self._some.set()

    def close(self) -> None:
        """At the program's end: what is still here goes out, if it can soon."""
        if not self._sending.acquire(timeout=_LAST_WORD):
            return
        try:
            self._outlet.close(_taken(self._points), _taken(self._saves), _LAST_WORD)
        finally:
            self._sending.release()

    def _begin(self) -> None:
        self._outlet = self._make_outlet()
        self._sending = threading.Lock()
        self._some, self._soon = threading.Event(), threading.Event()
        self._started = False

    def _begin_as_child(self) -> None:
        """What the parent had gathered is the parent's to hand on, over a connection that is the parent's too."""
        self._points.clear()
        self._saves.clear()
        self._begin()

    def _wake(self) -> None:
        self._some.set()
        if self._started:
            return
        self._started = True
        threading.Thread(target=self._hand_on, name="danlu-reports", daemon=True).start()
        atexit.register(self.close)
        # Children of multiprocessing leave without `atexit`; they have an end of their own.
        util = sys.modules.get("multiprocessing.util")
        if util is not None:
            util.Finalize(None, self.close, exitpriority=0)

    def _hand_on(self) -> None:
        while True:
            self._some.wait()
            self._soon.wait(self._outlet.gather)
            self._some.clear()
            self._soon.clear()
            self.flush()


class FolderReports:
    """Reports into the folder that Danlu made for the task."""

    prompt = True
    gather = 0.5

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def send(self, points: list[ReportedPoint], saves: list[Save]) -> bool:
        self._append(reports.METRICS_FILE, list(_point_lines(points)))
        self._append(reports.CHECKPOINTS_FILE, [reports.save_line(save) for save in saves])
        return False

    def close(self, points: list[ReportedPoint], saves: list[Save], seconds: float) -> None:  # noqa: ARG002
        self.send(points, saves)

    def _append(self, name: str, lines: list[bytes]) -> None:
        if not lines:
            return
        try:
            reports.append(self._folder, name, b"".join(lines))
        except OSError as error:
            warn_once(f"metrics and checkpoints cannot be reported: {error}")


class Nowhere:
    """Outside Danlu there is nobody to report to."""

    prompt = True
    gather = 0.5

    def send(self, points: list[ReportedPoint], saves: list[Save]) -> bool:  # noqa: ARG002
        return False

    def close(self, points: list[ReportedPoint], saves: list[Save], seconds: float) -> None:
        """There is nothing to do."""


def outlet_for(env: Mapping[str, str]) -> Outlet:
    """The way that a task with these variables has to Danlu."""
    if env.get("DANLU_REPORTS"):
        return FolderReports(env["DANLU_REPORTS"])
    url, token, run = (env.get(name, "") for name in ("DANLU_URL", "DANLU_TASK_TOKEN", "DANLU_RUN"))
    if url and token and run:
        # Only here: what speaks HTTP takes longer to load than all the rest.
        from danlu.sdk.training.report_post import Network

        return Network(url, token, run, int(env.get("DANLU_ATTEMPT") or 1))
    return Nowhere()


def _taken(waiting: deque[_Report]) -> list[_Report]:
    """All that waits now, and from now on no longer does."""
    return [waiting.popleft() for _ in range(len(waiting))]


def _point_lines(points: Iterable[ReportedPoint]) -> Iterator[bytes]:
    for point in points:
        try:
            yield reports.point_line(point)
        except ValueError as error:
            warn_once(f"metrics of step {point.step} are not reported: {error}")
