"""All that is known of an installation when it is judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from danlu.domain.isolation import TaskIsolation
from danlu.domain.job import Time
from danlu.domain.people import Token, User
from danlu.ports.system import MachineFacts


@dataclass(frozen=True, slots=True)
class ServingFacts:
    """How people reach the server, and what it trusts, as the settings say."""

    host: str
    public_url: str | None
    trusted_proxies: tuple[str, ...] = ()
    cluster_programs: bool = False


@dataclass(frozen=True, slots=True)
class AccountFacts:
    """An account; `signed_in_at` is its last sign-in, None if it never signed in or nobody looked."""

    user: User
    tokens: tuple[Token, ...] = ()
    signed_in_at: Time | None = None

    @property
    def seen_at(self) -> Time | None:
        """The last sign of life: a sign-in, or the use of a token."""
        known = [at for at in (self.signed_in_at, *(token.last_used_at for token in self.tokens)) if at]
        return max(known, default=None)


@dataclass(frozen=True, slots=True)
class RecordFacts:
    """The audit log: where its chain is broken (0: nowhere, None: not verified), and the time of its last entry.
    `twins` are names of projects that differ in case alone."""

    broken_at: int | None
    last_at: Time | None
    twins: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class SystemFacts:
    """`nodes` is how tasks are kept apart, by node; `runs_tasks`: the machine of this server is one of them;
    `holds_volumes`: jobs that go on writing to a volume beyond its capacity are ended."""

    now: Time
    nodes: Mapping[str, TaskIsolation]
    machine: MachineFacts
    serving: ServingFacts
    accounts: tuple[AccountFacts, ...]
    records: RecordFacts
    runs_tasks: bool
    holds_volumes: bool = True
