"""Reports over the network, for tasks that share no disk with Danlu."""

from __future__ import annotations

import json
import time
from collections import deque
from typing import Any

from danlu.domain.words import same
from danlu.ports import reports
from danlu.ports.reports import ReportedPoint, Save
from danlu.sdk.http.config import Target
from danlu.sdk.http.errors import (
    DanluError,
    NotSignedIn,
    ServerFailed,
    TooMany,
    Unavailable,
    Unreachable,
)
from danlu.sdk.http.http import Http
from danlu.sdk.training.remarks import warn_once

_MOST_POINTS = 50_000
_MOST_SAVES = 100
_LARGEST_BODY = 256 << 10
_LARGEST_BATCH = 2_000
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0
_PASSING = (Unreachable, Unavailable, ServerFailed, TooMany)


class Network:
    """Posts reports in batches. While Danlu cannot be reached they are kept, the newest of them if they are many."""

    prompt = False
    gather = 1.0

    def __init__(self, url: str, token: str, run: str, attempt: int, timeout: float = 10) -> None:
        self._http = Http(Target(url, token, same("DANLU_URL")), timeout)
        self._head = {"task": run, "attempt": attempt}
        self._points: deque[ReportedPoint] = deque(maxlen=_MOST_POINTS)
        self._saves: deque[Save] = deque(maxlen=_MOST_SAVES)
        self._wait, self._not_before = _FIRST_WAIT, 0.0
        self._over = False

    def send(self, points: list[ReportedPoint], saves: list[Save]) -> bool:
        self._points.extend(points)
        self._saves.extend(saves)
        while (self._points or self._saves) and not self._over:
            if time.monotonic() < self._not_before or not self._post():
                return True
        return False

    def close(self, points: list[ReportedPoint], saves: list[Save], seconds: float) -> None:
        self._http.close()
        self._http.timeout, self._not_before = seconds, 0.0
        deadline = time.monotonic() + seconds
        self._points.extend(points)
        self._saves.extend(saves)
        while (self._points or self._saves) and not self._over and time.monotonic() < deadline:
            if not self._post():
                break
        self._http.close()

    def _post(self) -> bool:
        """Send the next batch; whether it is done with."""
        metrics, saves = self._batch(), list(self._saves)
        body = {**self._head, "metrics": metrics, "checkpoints": saves}
        try:
            self._http.json("POST", "task/reports", body=body)
        except _PASSING:
            self._not_before = time.monotonic() + self._wait
            self._wait = min(2 * self._wait, _LONGEST_WAIT)
            return False
        except DanluError as refused:
            self._over = isinstance(refused, NotSignedIn)
            warn_once(f"Danlu refused metrics or checkpoints: {refused}")
        self._wait = _FIRST_WAIT
        for _ in metrics:
            self._points.popleft()
        for _ in saves:
            self._saves.popleft()
        return True

    def _batch(self) -> list[Any]:
        batch: list[Any] = []
        size = 0
        for point in self._points:
            told = [
                point.time,
                point.step,
                {name: reports.told(value) for name, value in point.values.items()},
            ]
            size += len(json.dumps(told))
            if batch and (size > _LARGEST_BODY or len(batch) >= _LARGEST_BATCH):
                break
            batch.append(told)
        return batch
