"""Reports what a task in a container writes for TensorBoard: `python3 -m danlu.runtime.report_files PID`.

Runs beside the task, the process of that number, from its working directory, until SIGUSR1 says that the task is over.
SIGTERM asks the task to leave, and only makes this look at once. Whatever goes wrong must not affect
the task."""

from __future__ import annotations

import http.client
import json
import os
import signal
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import deque
from typing import Any, Mapping

from danlu.ports import reports
from danlu.ports.reports import ReportedPoint
from danlu.runtime.training.event_files import EventFiles

_EVERY_S = 5.0
_TIMEOUT_S = 10.0
_LAST_TIMEOUT_S = 2.0
_AT_ONCE = 256 << 10
_AT_THE_END = 8 << 20
_MOST_WAITING = 20_000
_BATCH = 500
_FOR_GOOD = frozenset({401, 403, 404})


def main(argv: list[str]) -> int:
    """What a task without a way to Danlu, or with no folder of its own, writes stays where it is."""
    folders, way = _folders(os.environ, os.getcwd()), ReportSender.of(os.environ)
    if not folders or way is None:
        return 0
    over, woken = threading.Event(), threading.Event()

    def told(number: int, _: object) -> None:
        if number == signal.SIGUSR1:
            over.set()
        woken.set()

    signal.signal(signal.SIGUSR1, told)
    signal.signal(signal.SIGTERM, told)
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # they are meant for the task, which may still write
    # Some file systems round times down.
    files = EventFiles(folders, time.time() - 2.0)
    if not os.path.exists(f"/proc/{argv[0]}"):
        over.set()  # nobody may say so any more
    while not over.is_set():
        woken.wait(_EVERY_S)
        woken.clear()
        if not over.is_set():
            way.send(files.look(_AT_ONCE), _TIMEOUT_S)
    way.send(files.look(_AT_THE_END), _LAST_TIMEOUT_S)
    return 0


class ReportSender:
    """To Danlu. Points that could not be sent are kept, the newest if they are many, and sent with the next ones."""

    def __init__(self, url: str, token: str, run: str, attempt: int) -> None:
        self._url = f"{url.rstrip('/')}/api/v1/task/reports"
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._head = {"task": run, "attempt": attempt}
        self._waiting: deque[list[Any]] = deque(maxlen=_MOST_WAITING)
        self._shut = False

    @classmethod
    def of(cls, env: Mapping[str, str]) -> ReportSender | None:
        url, token, run = (env.get(name, "") for name in ("DANLU_URL", "DANLU_TASK_TOKEN", "DANLU_RUN"))
        return cls(url, token, run, int(env.get("DANLU_ATTEMPT") or 1)) if url and token and run else None

    def send(self, points: list[ReportedPoint], timeout_s: float) -> None:
        for point in points:
            values = {name: reports.told(value) for name, value in point.values.items()}
            self._waiting.append([point.time, point.step, values])
        while self._waiting and not self._shut:
            batch = [self._waiting[at] for at in range(min(_BATCH, len(self._waiting)))]
            if not self._post({**self._head, "metrics": batch, "checkpoints": []}, timeout_s):
                return
            for _ in batch:
                self._waiting.popleft()

    def _post(self, body: dict[str, Any], timeout_s: float) -> bool:
        """Whether these need not be sent again."""
        request = urllib.request.Request(self._url, json.dumps(body).encode(), self._headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=timeout_s):
                return True
        except urllib.error.HTTPError as refused:
            with refused:
                self._shut = refused.code in _FOR_GOOD
                return 400 <= refused.code < 500 and refused.code not in (408, 429)
        except (OSError, http.client.HTTPException):
            return False


def _folders(env: Mapping[str, str], directory: str) -> list[str]:
    """Where TensorBoard's files may come: the working directory, unless it is all there is, and that of checkpoints."""
    kept = env.get("DANLU_CHECKPOINT_DIR", "")
    places = [directory, kept] if kept.startswith("/") else [directory]
    return [place for place in places if os.path.realpath(place) != "/"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
