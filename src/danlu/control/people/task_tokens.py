"""Task tokens: a token for one attempt, valid for its own job and code while it runs."""

from __future__ import annotations

import hashlib
import hmac
from typing import Protocol

from danlu.domain.errors import NotSignedIn
from danlu.domain.job import job_id_of
from danlu.domain.permissions import Caller, Permission
from danlu.domain.words import Words
from danlu.ports.accounts import PeopleStore
from danlu.ports.store import JobStore

TASK_PREFIX = "danlu_task_"
_SCOPES = frozenset({Permission.JOB_READ.value})


class JobsAndPeople(JobStore, PeopleStore, Protocol):
    """Jobs, and whose they are."""


class TaskTokens:
    """Tokens are signed, not stored: every process with the same key can create and verify them."""

    def __init__(self, key: bytes, store: JobsAndPeople) -> None:
        self._key, self._store = key, store

    def token(self, attempt_id: str) -> str:
        """The attempt's token, always the same."""
        signed = hmac.new(self._key, f"task:{attempt_id}".encode(), hashlib.sha256).hexdigest()
        return f"{TASK_PREFIX}{attempt_id}_{signed}"

    def caller(self, token: str) -> Caller:
        """The job's owner, limited to what a task may do; NotSignedIn unless the token's attempt is the job's latest
        and has live tasks. Jobs of a disabled owner keep working."""
        attempt_id = token.removeprefix(TASK_PREFIX).rpartition("_")[0]
        if not hmac.compare_digest(token.encode(), self.token(attempt_id).encode()):
            raise NotSignedIn(Words("this is not a valid task token", "这不是丹炉发给子任务的令牌"))
        job = self._store.get(job_id_of(attempt_id))
        if job is None or job.attempt_id != attempt_id or not job.live_tasks:
            raise NotSignedIn(
                Words("the attempt that this token belongs to is over", "该令牌所属的运行已结束")
            )
        user = self._store.user(job.owner)
        if user is None:
            raise NotSignedIn(
                Words(
                    "the owner of this task's job no longer has an account",
                    "该子任务所属任务的所有者账号已不存在",
                )
            )
        return Caller(user, _SCOPES, job=job.id)
