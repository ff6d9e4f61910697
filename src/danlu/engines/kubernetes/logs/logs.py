"""Follows what pods print into our own logs, which outlive them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from danlu.engines.kubernetes.api.api import Api, ApiError, ApiUnreachable, pods
from danlu.engines.kubernetes.logs.log_file import LogFile, WrittenElsewhere
from danlu.engines.kubernetes.logs.printed import Mark, Printed
from danlu.engines.kubernetes.objects.pods import TASK_CONTAINER
from danlu.ports.logs import LogKey

log = logging.getLogger(__name__)

_PACE_S = 0.05
_MUCH = 64 * 1024
_SHOWN_AFTER_S = 0.3
_SLACK_S = 1
"""Stdout and stderr get their timestamps separately: of two lines, the later one may have the earlier time."""
_SILENT_S = 60.0
"""A kubelet begins to answer only when the container has printed something."""
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.25, 8.0
_PATIENCE_S = 20.0
"""How long the end of a pod waits for its log: kubelets of busy nodes take seconds to answer."""
_LATE_S = 300.0
"""How long what is missing then is still asked for: the pod stays in the cluster for a while."""

Read = Callable[[], Awaitable[bytes]]


@dataclass(slots=True)
class _Followed:
    """A pod whose log we keep, the task that follows it, and the last error."""

    name: str
    file: LogFile
    work: asyncio.Task[None] | None = None
    ended: bool = False
    trouble: str = ""
    stirred: asyncio.Event = field(default_factory=asyncio.Event)
    complete: asyncio.Event = field(default_factory=asyncio.Event)


class PodLogFollower:
    """Every line once and in order, whatever is restarted or cut: Danlu, the API server, the connection.

    Nothing is kept but the logs themselves, which say how far they are written. Belongs to one event loop."""

    def __init__(
        self, api: Api, namespace: str, log_path: Callable[[LogKey], Path], log_limit: int = 0
    ) -> None:
        self._api, self._namespace, self._log_path, self._limit = api, namespace, log_path, log_limit
        self._pods: dict[str, _Followed] = {}
        self._late: set[asyncio.Task[None]] = set()

    def follow(self, pod_name: str, key: LogKey) -> None:
        """Begin, or go on where the log ends; for a pod that is followed already, look at once."""
        pod = self._pods.get(pod_name)
        if pod is None:
            pod = self._pods[pod_name] = _Followed(pod_name, LogFile(self._log_path(key), self._limit))
            pod.work = asyncio.create_task(self._keep(pod))
        pod.stirred.set()

    async def finished(self, pod_name: str, timeout_s: float = _PATIENCE_S) -> None:
        """Return once everything that an ended pod printed is written, or the time is up; the rest is still tried for a
        while, also after `drop`. A pod that nobody followed has nothing to wait for."""
        pod = self._pods.get(pod_name)
        if pod is None:
            return
        if not pod.ended:
            # A kubelet takes seconds to notice that a stream is over: read the rest as a whole instead.
            pod.ended = True
            pod.work = asyncio.create_task(self._keep(pod, pod.work))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await pod.complete.wait()

    def drop(self, pod_name: str) -> None:
        """Follow it no more, but for what an ended pod printed and is not written yet. The log stays."""
        pod = self._pods.pop(pod_name, None)
        if pod is None or pod.work is None:
            return
        if not pod.ended:
            pod.work.cancel()
        elif not pod.complete.is_set():
            late = asyncio.create_task(self._rest(pod, pod.work))
            self._late.add(late)
            late.add_done_callback(self._late.discard)

    async def _rest(self, pod: _Followed, work: asyncio.Task[None]) -> None:
        try:
            async with asyncio.timeout(_LATE_S):
                await pod.complete.wait()
        except TimeoutError:
            log.warning("the end of the log of %s is missing: %s", pod.name, pod.trouble or "no answer")
        finally:
            work.cancel()

    async def close(self) -> None:
        works = [pod.work for pod in self._pods.values() if pod.work is not None]
        self._pods.clear()
        await _cancelled(*works, *self._late)

    async def _keep(self, pod: _Followed, former: asyncio.Task[None] | None = None) -> None:
        """Until the pod has ended and nothing of what it printed is missing."""
        if former is not None:
            await _cancelled(former)
        wait = _FIRST_WAIT_S
        while True:
            pod.stirred.clear()
            before = pod.file.appended
            over, asked = await self._tried(pod)
            if over:
                break
            if pod.file.appended > before:
                wait = _FIRST_WAIT_S
                if pod.ended:
                    continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(asked, wait * random.uniform(0.5, 1.5))):
                    await pod.stirred.wait()
            wait = min(2 * wait, _LONGEST_WAIT_S)
        pod.complete.set()

    async def _tried(self, pod: _Followed) -> tuple[bool, float]:
        """Whether there is nothing more to come, else how long the API server asks to be left alone."""
        before, asked = pod.file.appended, 0.0
        try:
            caught_up = await self._read(pod)
        except ApiError as error:
            # No log, or the container never started: while the pod lives, it may still come.
            if error.status in (400, 404):
                return pod.ended, 0.0
            trouble, asked = error.message or error.reason, error.retry_after
        except OSError as error:
            trouble = str(error)
        except WrittenElsewhere:
            pod.file.reread()
            trouble = "another process writes to it"
        except ApiUnreachable:
            return False, 0.0
        except Exception as error:  # a bug of ours must not end the following
            trouble = repr(error)
        else:
            pod.trouble = ""
            return pod.ended and caught_up and pod.file.appended == before, 0.0
        if trouble != pod.trouble:
            pod.trouble = trouble
            log.warning("the log of %s cannot be followed at the moment: %s", pod.name, trouble)
        return False, asked

    async def _read(self, pod: _Followed) -> bool:
        """One answer of the kubelet to its end: all there is by now and, of a pod that lives, all that comes.

        Returns whether it got as far as we were before. An answer that breaks off on its way from the node to the API
        server looks like one that ends."""
        mark = pod.file.mark()
        printed = Printed(mark)
        path = pods(self._namespace, pod.name, "log")
        async with self._api.stream(path, _SILENT_S, **_query(mark, follow=not pod.ended)) as read:
            while data := await _next(read, pod.file, printed):
                records = printed.feed(data)
                if records:
                    pod.file.append(records, printed.mark)
                    if len(data) < _MUCH and not pod.ended:
                        await asyncio.sleep(_PACE_S)  # not once for every line of a chatty task
            # What a cut stream left of a line comes again; of a whole one it is all there is.
            if pod.ended and (rest := printed.flush(final=True)):
                pod.file.append(rest, printed.mark)
        return printed.caught_up


async def _next(read: Read, file: LogFile, printed: Printed) -> bytes:
    """The next bytes; if they take long, the beginning of a line is shown meanwhile."""
    if printed.unfinished:
        try:
            async with asyncio.timeout(_SHOWN_AFTER_S):
                return await read()
        except TimeoutError:
            if piece := printed.flush():
                file.append(piece, printed.mark)
    return await read()


def _query(mark: Mark, follow: bool) -> dict[str, str]:
    query = {"container": TASK_CONTAINER, "timestamps": "true"}
    if follow:
        query["follow"] = "true"
    if mark.time:
        since = datetime.fromtimestamp(max(0, mark.since - _SLACK_S), UTC)
        query["sinceTime"] = since.strftime("%Y-%m-%dT%H:%M:%SZ")
    return query


async def _cancelled(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
