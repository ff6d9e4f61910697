"""The event hub: one reader of the event table and many listeners, without a queue per listener.

Each listener remembers the last event it got and takes the next ones from a short shared buffer, or from the table if
it has fallen further behind.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool

from danlu.domain.errors import DanluError
from danlu.domain.events import MemberChanged, RequestChanged, RuleChanged
from danlu.domain.permissions import Caller, Permission
from danlu.domain.project_access import governs
from danlu.domain.quota import of_group, of_user
from danlu.domain.requests import RequestKind
from danlu.domain.rules import DEFAULT_QUOTA, Maintenance, NodeRule, Quota
from danlu.ports.store import EventStore, Recorded
from danlu.server.http.answering import as_json
from danlu.server.live.models import Event

log = logging.getLogger(__name__)

_KEEP = 2_000
_BATCH = 500
_POLL_S = 0.25
_QUEUE_KINDS = frozenset(
    {"state_changed", "placed", "nominated", "evicted", "pinned", "unpinned", "reordered"}
)
_NODE_KINDS = frozenset({"placed", "grown", "task_running", "task_ended"})


@dataclass(frozen=True, slots=True)
class PersonInProject:
    """Whom a membership or a request is about: a person, and the project they belong to or ask to join."""

    person: str
    project: str | None
    request: bool

    def concerns(self, caller: Caller) -> bool:
        """The person themselves; for a membership, those who may see the project's members; for a request, those who
        decide it."""
        if not self.request:
            own = self.person == caller.name and caller.may(Permission.PROJECT_READ)
            return own or caller.may(Permission.MEMBER_READ, self.person, self.project)
        if caller.may(Permission.REQUEST_READ, self.person):
            return True
        if self.project is None:
            return caller.may_everywhere(Permission.QUOTA_WRITE)
        return governs(caller, self.project)


@dataclass(frozen=True, slots=True)
class ShownEvent:
    """An event, prepared once for all listeners."""

    seq: int
    kind: str
    job_id: str | None
    owner: str | None
    json: str
    topics: tuple[str, ...]
    quota: str | None = None
    about: PersonInProject | None = None

    def visible_to(self, caller: Caller) -> bool:
        """Events of jobs that the caller may read. Events of rules are for everybody, except quotas, which are for
        those they apply to. Events about people are for administrators; memberships and requests also for those they
        concern."""
        if self.kind == RuleChanged.kind:
            return caller.may(Permission.PROJECT_READ) and _may_know(caller, self.quota)
        if self.job_id is None:
            return caller.may(Permission.USER_WRITE) or (
                self.about is not None and self.about.concerns(caller)
            )
        return self.owner is not None and caller.may(Permission.JOB_READ, self.owner)


class Subscriber:
    """One reader's place in the stream."""

    def __init__(self, hub: EventHub, after: int) -> None:
        self._hub = hub
        self.after = after
        self._news = asyncio.Event()

    def notify(self) -> None:
        self._news.set()

    async def take(self, timeout: float) -> tuple[ShownEvent, ...]:
        """The next events, as soon as there are any; nothing on a timeout, or after `stir`."""
        events = await self._hub.after(self.after)
        if not events:
            with suppress(TimeoutError):
                async with asyncio.timeout(timeout):
                    await self._news.wait()
            self._news.clear()
            events = await self._hub.after(self.after)
        if events:
            self.after = events[-1].seq
        return events


class EventHub:
    """Reads each event once and hands it to all listeners. All methods but `wake` and `stir` belong to one event
    loop."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._recent: deque[ShownEvent] = deque(maxlen=_KEEP)
        self._seq = 0
        self._looking = asyncio.Lock()
        self._listeners: set[Subscriber] = set()
        self._watchers: dict[str, set[Callable[[], None]]] = {}
        self._woken = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def listeners(self) -> int:
        return len(self._listeners) + sum(map(len, self._watchers.values()))

    @property
    def seq(self) -> int:
        """The latest event known."""
        return self._seq

    def wake(self) -> None:
        """Something may have been recorded. Cheap, from any thread."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop has just been closed
                loop.call_soon_threadsafe(self._woken.set)

    def stir(self) -> None:
        """Wake every listener, even if nothing happened. Cheap, from any thread."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop has just been closed
                loop.call_soon_threadsafe(self._notify)

    async def run(self) -> None:
        """Read until cancelled; errors of the store are retried."""
        self._loop = asyncio.get_running_loop()
        try:
            while True:
                try:
                    await self.look()
                except DanluError as error:
                    log.warning("could not read events, trying again: %s", error.detail)
                except Exception:
                    log.exception("could not read events; trying again")
                await self._rest()
        finally:
            self._loop = None

    async def now(self) -> int:
        """The latest event, for a listener that starts here."""
        return await run_in_threadpool(self._store.latest_seq)

    async def look(self) -> None:
        """Read the events recorded since the last look and wake the listeners."""
        async with self._looking:
            if not self._followed:
                # Nobody listens, so nobody misses anything: start again at the end.
                self._recent.clear()
                self._seq = await run_in_threadpool(self._store.latest_seq)
                return
            while events := await run_in_threadpool(self._store.events_after, self._seq, _BATCH):
                self._recent.extend(map(show, events))
                self._seq = events[-1].seq
                self._tell(events)
                if len(events) < _BATCH:
                    return

    @asynccontextmanager
    async def listen(self, after: int | None = None) -> AsyncIterator[Subscriber]:
        """Listen from an event on, or from now."""
        await self.look()
        listener = Subscriber(self, self._seq if after is None else after)
        self._listeners.add(listener)
        self._woken.set()
        try:
            yield listener
        finally:
            self._listeners.discard(listener)

    @contextmanager
    def watch(self, job_id: str, tell: Callable[[], None]) -> Iterator[None]:
        """Call back, on the loop, whenever something happened to one job."""
        self._watchers.setdefault(job_id, set()).add(tell)
        self._woken.set()
        try:
            yield
        finally:
            watchers = self._watchers[job_id]
            watchers.discard(tell)
            if not watchers:
                del self._watchers[job_id]

    async def after(self, seq: int) -> tuple[ShownEvent, ...]:
        """Some of the events after one: from memory if it reaches back that far, or from the table."""
        if seq >= self._seq:
            return ()
        if self._recent and self._recent[0].seq <= seq + 1:
            newest_first = itertools.takewhile(lambda shown: shown.seq > seq, reversed(self._recent))
            return tuple(newest_first)[::-1]
        events = await run_in_threadpool(self._store.events_after, seq, _BATCH)
        return tuple(map(show, events))

    @property
    def _followed(self) -> bool:
        return bool(self._listeners or self._watchers)

    def _tell(self, events: Sequence[Recorded]) -> None:
        self._notify()
        for job_id in {event.job_id for event in events} & self._watchers.keys():
            for tell in self._watchers[str(job_id)]:
                tell()

    def _notify(self) -> None:
        for listener in self._listeners:
            listener.notify()

    async def _rest(self) -> None:
        """Wait until woken; only briefly while somebody listens, because other processes write too."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_POLL_S if self._followed else None):
                await self._woken.wait()
        self._woken.clear()


def show(event: Recorded) -> ShownEvent:
    text = as_json(Event.render(event)).decode()
    quota = str(event.data.get("name")) if event.data.get("rule") == Quota.kind else None
    topics = tuple(_topics(event))
    return ShownEvent(event.seq, event.kind, event.job_id, event.owner, text, topics, quota, _about(event))


def _about(event: Recorded) -> PersonInProject | None:
    data = event.data
    if event.kind == MemberChanged.kind:
        return PersonInProject(data["user"], data["project"], request=False)
    if event.kind == RequestChanged.kind:
        joins = data["request"] == RequestKind.JOIN.value
        return PersonInProject(data["user"], data["subject"] if joins else None, request=True)
    return None


def _may_know(caller: Caller, quota: str | None) -> bool:
    """A quota may be seen by those it applies to, and by those who may read all quotas."""
    if quota in (None, DEFAULT_QUOTA) or caller.may_everywhere(Permission.QUOTA_READ):
        return True
    return quota in (of_user(caller.name), *map(of_group, caller.user.groups))


def _topics(event: Recorded) -> Iterator[str]:
    if event.kind == RuleChanged.kind:
        yield "rules"
        if event.data.get("rule") in (NodeRule.kind, Maintenance.kind):
            yield "nodes"
        return
    if event.job_id is None:
        yield "users"
        return
    yield "jobs"
    yield f"job:{event.job_id}"
    if event.kind in _QUEUE_KINDS:
        yield "queue"
    if event.kind in _NODE_KINDS:
        yield "nodes"
