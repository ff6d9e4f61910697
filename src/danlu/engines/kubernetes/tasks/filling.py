"""How far a pod is with what it mounts, and why it could not be had: as its container for that says."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

from danlu.domain.events import TaskStarting
from danlu.domain.reasons import (
    BucketNotCopied,
    DatasetNotAvailable,
    DatasetNotCopied,
    Reason,
    StartFailed,
    VolumeNotAvailable,
)
from danlu.engines.kubernetes.api.api import Api, ApiError, ApiUnreachable, pods
from danlu.engines.kubernetes.objects.filling import FILL_CONTAINER
from danlu.engines.kubernetes.objects.objects import Json
from danlu.ports.filling import BUCKET, DATASET, FAILED, PROGRESS, REVOKED

log = logging.getLogger(__name__)

_PACE_S = 2.0
_LONGEST, _LONGEST_WORD, _MOST = 1000, 200, 1 << 62
_TAIL = 2000
_STEPS = {DATASET: "dataset_copied", BUCKET: "bucket_copied"}


def fill_reason(task: str, terminated: Json, node: str, owner: str) -> Reason:
    """Why the container that fetches datasets and buckets failed: in its own last words if it had any."""
    said = [line.strip() for line in (terminated.get("message") or "").splitlines() if line.strip()]
    told = next((_told(line, FAILED) for line in reversed(said) if line.startswith(FAILED)), {})
    title, why = _word(told, "title"), _word(told, "why")
    words = (_number(told, "size"), _number(told, "bound"), _text(told, "said"), _text(told, "said_zh"))
    if told.get("kind") == DATASET and title:
        if why == REVOKED:
            return DatasetNotAvailable(task, title, owner, node)
        return DatasetNotCopied(task, title, why, *words, node=node)
    if told.get("kind") == BUCKET and title:
        if why == REVOKED:
            return VolumeNotAvailable(task, title, owner, node)
        return BucketNotCopied(task, why, *words, node=node)
    if terminated.get("reason") == "OOMKilled":
        return StartFailed(task, "it takes more memory to fetch what is mounted than the task asks for")
    how = said[-1][:_LONGEST] if said else f"exit code {terminated.get('exitCode')}"
    return StartFailed(task, f"what it mounts could not be fetched: {how}")


class FillProgress:
    """Looks every few seconds at what the container printed last."""

    def __init__(self, api: Api, namespace: str, report: Callable[[list[Any]], None]) -> None:
        self._api, self._namespace, self._report = api, namespace, report

    async def watch(self, pod: str, attempt_id: str, task: str, goes_on: Callable[[], bool]) -> None:
        """Until it is over; each tenth is told once."""
        last: TaskStarting | None = None
        while goes_on():
            try:
                event = progress_of(await self._printed(pod), attempt_id, task)
            except (ApiError, ApiUnreachable, OSError) as error:
                log.debug("how far %s is cannot be read now: %s", pod, error)
                event = None
            if event is not None and event != last and goes_on():
                last = event
                self._report([event])
            await asyncio.sleep(_PACE_S)

    async def _printed(self, pod: str) -> str:
        path, data = pods(self._namespace, pod, "log"), b""
        tail = self._api.stream(path, container=FILL_CONTAINER, tailLines="4", limitBytes=str(_TAIL))
        async with tail as read:
            while len(data) <= _TAIL and (piece := await read()):
                data += piece
        return data[:_TAIL].decode("utf-8", "replace")


def progress_of(printed: str, attempt_id: str, task: str) -> TaskStarting | None:
    """The last line that tells."""
    told = next(
        (_told(line, PROGRESS) for line in reversed(printed.splitlines()) if line.startswith(PROGRESS)), {}
    )
    step, title = _STEPS.get(_word(told, "kind")), _word(told, "title")
    if step is None or not title:
        return None
    percent = min(100, _number(told, "percent"))
    return TaskStarting(attempt_id, task, step, percent, _number(told, "size"), title)


def _told(line: str, word: str) -> dict[str, Any]:
    try:
        told = json.loads(line[len(word) :])
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _word(told: dict[str, Any], name: str) -> str:
    said = told.get(name)
    return said[:_LONGEST_WORD] if isinstance(said, str) else ""


def _text(told: dict[str, Any], name: str) -> str:
    said = told.get(name)
    return " ".join(said[:_LONGEST].split()) if isinstance(said, str) else ""


def _number(told: dict[str, Any], name: str) -> int:
    said = told.get(name)
    return max(0, min(_MOST, said)) if isinstance(said, int) else 0
