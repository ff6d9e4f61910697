"""One's own environments: what jobs installed for their owner and keep for the next job."""

from __future__ import annotations

from collections.abc import Sequence

from danlu.domain.environments import Environment
from danlu.domain.errors import Conflict, NotFound
from danlu.domain.permissions import Caller, Permission
from danlu.domain.terms import no_such
from danlu.domain.words import say
from danlu.ports.clock import Clock
from danlu.ports.governance import AuditStore
from danlu.ports.storage import KeptEnvironments

P = Permission


class Environments:
    """The verbs on them. Any thread."""

    def __init__(self, kept: KeptEnvironments, store: AuditStore, clock: Clock) -> None:
        self._kept, self._store, self._clock = kept, store, clock

    def all(self, caller: Caller) -> Sequence[Environment]:
        """One's own, those used last first."""
        caller.require(P.JOB_READ, caller.name)
        return self._kept.of(caller.name)

    def get(self, caller: Caller, key: str) -> Environment:
        caller.require(P.JOB_READ, caller.name)
        found = self._kept.find(caller.name, key)
        if found is None:
            raise NotFound(no_such("environment", key))
        return found

    def remove(self, caller: Caller, key: str) -> None:
        """Delete one; the next job that wants the same packages installs them again."""
        caller.require(P.JOB_WRITE, caller.name)
        self.get(caller, key)
        if not self._kept.remove(caller.name, key):
            raise Conflict(
                say(
                    "a running job uses environment {key}; stop the job first, or delete it when the job has ended",
                    "环境 {key} 正被运行中的任务使用；请先停止该任务，或等任务结束后再删除",
                    key=key,
                )
            )
        self._store.note([caller.entry("deleted", f"environment:{caller.name}:{key}")], self._clock.now())
