"""What happens to the sessions, tokens and jobs of somebody who is disabled or deleted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from danlu.domain.errors import FieldError, HasActiveJobs, Invalid, NotFound, WrongState
from danlu.domain.job import ACTIVE, JobState
from danlu.domain.permissions import Caller, Permission
from danlu.domain.words import Words, say
from danlu.ports.accounts import CredentialStore, TokenStore
from danlu.ports.store import JobQuery, JobRow, JobStore

KEEP, STOP = "keep", "stop"
"""What may happen to somebody's jobs: they continue, or they are stopped."""

_PAGE = 500


class SecretsAndJobs(CredentialStore, TokenStore, JobStore, Protocol):
    """What somebody leaves behind."""


class Leaving:
    """`stop` stops one job by its id, on behalf of the caller."""

    def __init__(self, store: SecretsAndJobs, stop: Callable[[Caller, str], object]) -> None:
        self._store, self._stop = store, stop

    def settle(self, caller: Caller, names: Collection[str], jobs: str | None) -> None:
        """HasActiveJobs unless it is decided what happens to active jobs; NotAllowed to stop jobs without the
        permission."""
        if jobs not in (None, KEEP, STOP):
            message = say(
                "'{jobs}' is not one of keep and stop: say whether to keep or stop their jobs",
                "“{jobs}”：任务可以继续（keep）或停止（stop）",
                jobs=jobs,
            )
            raise Invalid((FieldError(("jobs",), "bad_form", message, jobs, [KEEP, STOP]),))
        if jobs == STOP:
            for name in names:
                caller.require(Permission.JOB_STOP, name)
        for name, count in self.active(names).items() if jobs is None else ():
            raise HasActiveJobs(has_active(name, count))

    def active(self, names: Collection[str]) -> Counter[str]:
        """How many active jobs these people have, of those who have any."""
        return Counter(row.owner for row in self._rows(names, frozenset(ACTIVE)))

    def refuse_with_jobs(self, name: str) -> None:
        count = self.active([name])[name]
        if count:
            raise HasActiveJobs(
                say(
                    "{name} has {count} active job(s); stop them first, or disable the account",
                    "{name} 有 {count} 个未结束的任务，请先停止它们，或停用该账号",
                    name=name,
                    count=count,
                )
            )

    def shut_out(self, name: str, *, tokens: bool) -> None:
        """End sessions and links, and tokens too if asked."""
        self._store.end_sessions(name)
        if tokens:
            self._store.remove_tokens(name)

    def stop_jobs(self, caller: Caller, name: str) -> None:
        for row in list(self._rows([name], ACTIVE - {JobState.STOPPING})):
            with suppress(NotFound, WrongState):  # it ended meanwhile
                self._stop(caller, row.id)

    def _rows(self, names: Collection[str], states: Collection[JobState]) -> Iterator[JobRow]:
        query = JobQuery(owners=tuple(names), states=tuple(states), limit=_PAGE)
        while True:
            page = self._store.page(query)
            yield from page.rows
            if page.next_cursor is None:
                return
            query = replace(query, cursor=page.next_cursor)


def has_active(name: str, count: int) -> Words:
    return say(
        "{name} has {count} active job(s); choose whether they continue (jobs: keep) or are stopped (jobs: stop)",
        "{name} 有 {count} 个未结束的任务：请说明让它们继续（jobs: keep）还是停止（jobs: stop）",
        name=name,
        count=count,
    )
