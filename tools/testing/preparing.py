"""What tiers need, had in the background while others run; each tier waits for its own needs only."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import partial

from tools.cluster.lifecycle import ensure_cluster_parts
from tools.dev.console import ensure_console, ensure_packages
from tools.dev.environments import environment
from tools.dev.steps import ProgressLine, StepFailed, Stop, end_steps
from tools.dev.system import can_install, ensure_needs, missing_needs, missing_sentence
from tools.testing.tiers import CONSOLE_TIER, Tier

_POLITE = 5
"""Beside tests, a build is niced: their clocks run on."""


@dataclass(frozen=True)
class Preparation:
    """Something to be had; those of one kind are had one after the other."""

    kind: str
    name: str
    act: Callable[[], object] = field(compare=False)


def refuse_what_cannot_be_had(tiers: Iterable[Tier]) -> None:
    """Say what is missing before anything runs, where nothing can be installed."""
    missing = missing_needs(need for tier in tiers for need in tier.needs)
    if missing and not can_install():
        raise Stop(missing_sentence(missing))


class Preparations:
    """One worker for each kind of thing, so that the compiler holds up neither npm nor apt."""

    def __init__(self, tiers: Sequence[Tier], *, own_cluster: bool) -> None:
        ProgressLine.spins = False  # tests print meanwhile
        self._workers: dict[str, ThreadPoolExecutor] = {}
        self._done: dict[Preparation, Future[object]] = {}
        self._needs: dict[str, list[Future[object]]] = {}
        for tier in tiers:
            wanted = preparations(tier, own_cluster=own_cluster)
            self._needs[tier.name] = [self._begin(one) for one in wanted]

    def first_ready(self, tiers: Sequence[Tier]) -> Tier:
        """The first of the tiers that can run, or never will, once there is one."""
        while True:
            for tier in tiers:
                if all(one.done() for one in self._needs[tier.name]):
                    return tier
            pending = [one for tier in tiers for one in self._needs[tier.name] if not one.done()]
            wait(pending, return_when=FIRST_COMPLETED)

    def trouble(self, tier: Tier) -> str:
        """Why a tier cannot run though nothing is awaited any more; empty when it can."""
        for one in self._needs[tier.name]:
            why = one.exception() if not one.cancelled() else StepFailed("interrupted")
            if isinstance(why, StepFailed):
                return f"not prepared: '{why}' failed"
            if why is not None:
                return f"not prepared: {why}"
        return ""

    def stop(self) -> None:
        """Whoever waits is let go: what has not begun never will, what has is ended."""
        for worker in self._workers.values():
            worker.shutdown(wait=False, cancel_futures=True)
        end_steps()

    def _begin(self, one: Preparation) -> Future[object]:
        if one not in self._done:
            if one.kind not in self._workers:
                self._workers[one.kind] = ThreadPoolExecutor(1, one.kind, _be_polite)
            self._done[one] = self._workers[one.kind].submit(one.act)
        return self._done[one]


def preparations(tier: Tier, *, own_cluster: bool) -> list[Preparation]:
    """All of them are quick when what they bring is there already."""
    wanted = []
    if missing_needs(tier.needs):
        wanted.append(Preparation("apt", tier.name, partial(ensure_needs, tier.needs)))
    if tier is CONSOLE_TIER:
        wanted.append(Preparation("console", "packages", ensure_packages))
    if tier.console:
        wanted.append(Preparation("console", "pages", ensure_console))
    if tier.cluster and own_cluster:
        wanted.append(Preparation("cluster", "parts", ensure_cluster_parts))
    wanted += [Preparation("pip", name, partial(environment, name)) for name in tier.environments]
    return wanted


def _be_polite() -> None:
    """For this thread and what it starts; Linux counts niceness by thread."""
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _POLITE)
