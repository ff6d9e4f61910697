"""Lines of all tasks of a job, merged by their times: those that are there, or as they are written."""

from __future__ import annotations

import queue
import threading
import time
from heapq import merge
from typing import Iterator, Sequence

from danlu.sdk.http.errors import NotFound
from danlu.sdk.http.http import Http
from danlu.sdk.resources import logs
from danlu.sdk.resources.logs import LogLine

MOST_FOLLOWED = 32
"""Each task that is followed takes a connection."""
_LEAST_BYTES = 1 << 16
_HELD_S, _HELD_LONGEST_S, _HELD_MOST = 0.2, 1.0, 5_000
"""How long lines wait for earlier ones of other tasks, and how many do."""


def read(http: Http, path: str, tasks: Sequence[str], query: dict[str, object]) -> Iterator[LogLine]:
    """Every line there is now, the earliest first."""
    size = max(_LEAST_BYTES, logs.PAGE_BYTES // max(1, len(tasks)))
    each = [_of_task(http, path, task, {**query, "limit_bytes": size}) for task in tasks]
    return merge(*each, key=lambda line: line.time)


def follow(http: Http, path: str, tasks: Sequence[str], query: dict[str, object]) -> Iterator[LogLine]:
    """Every line until all tasks have ended. Lines of the same moment are put in order; a task that is heard of later
    than a second is not waited for."""
    arrived: queue.Queue[tuple[list[LogLine], Exception | None, bool]] = queue.Queue(maxsize=100)
    left = threading.Event()
    for task in tasks[:MOST_FOLLOWED]:
        threading.Thread(target=_listen, args=(http, path, task, query, arrived, left), daemon=True).start()
    held: list[LogLine] = []
    since, open_ones = 0.0, min(len(tasks), MOST_FOLLOWED)
    try:
        while open_ones or held:
            quiet = False
            try:
                lines, error, over = arrived.get(timeout=_HELD_S if held else None)
            except queue.Empty:
                lines, error, over, quiet = [], None, False, True
            if error is not None:
                raise error
            since = since if held else time.monotonic()
            held += lines
            open_ones -= over
            waited = time.monotonic() - since
            if quiet or not open_ones or len(held) > _HELD_MOST or waited > _HELD_LONGEST_S:
                yield from sorted(held, key=lambda line: line.time)
                held = []
    finally:
        left.set()


def _listen(
    http: Http,
    path: str,
    task: str,
    query: dict[str, object],
    arrived: queue.Queue[tuple[list[LogLine], Exception | None, bool]],
    left: threading.Event,
) -> None:
    error: Exception | None = None
    try:
        for lines in logs.batches(http, path, {**query, "task": task}):
            for line in lines:
                line.task = task
            if not _put(arrived, (lines, None, False), left):
                return
    except NotFound:
        pass  # it never began
    except Exception as found:
        error = found
    _put(arrived, ([], error, True), left)


def _put(
    arrived: queue.Queue[tuple[list[LogLine], Exception | None, bool]],
    one: tuple[list[LogLine], Exception | None, bool],
    left: threading.Event,
) -> bool:
    """Whether anybody still listens."""
    while not left.is_set():
        try:
            arrived.put(one, timeout=1.0)
        except queue.Full:
            continue
        return True
    return False


def _of_task(http: Http, path: str, task: str, query: dict[str, object]) -> Iterator[LogLine]:
    try:
        for line in logs.read(http, path, {**query, "task": task}):
            line.task = task
            yield line
    except NotFound:  # an elastic job has fewer tasks at times
        return
