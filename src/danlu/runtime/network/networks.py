"""The networks of all attempts that a launcher started, or found running."""

from __future__ import annotations

import contextlib
import functools
import os
import select
import signal
from typing import Any, Callable, NamedTuple

from danlu.ports import supervision
from danlu.runtime.network.forwarder import attempt_lives, forward
from danlu.runtime.network.namespace import AttemptNetwork, adopt_network, make_network
from danlu.runtime.network.wish import NetworkWish, read_wish
from danlu.runtime.task import CannotStart


class _KeptNetwork(NamedTuple):
    network: AttemptNetwork
    wish: NetworkWish


class Networks:
    """One for each attempt with a living supervisor, by the attempt's name. The current directory is runs/.

    `fileno` becomes readable when somebody knocks at a door: `serve` then starts the process that answers."""

    def __init__(self) -> None:
        self._kept: dict[str, _KeptNetwork] = {}
        self._users: dict[str, set[str]] = {}
        self._forwarders: dict[int, str] = {}
        self._knocks = select.epoll()

    def fileno(self) -> int:
        return self._knocks.fileno()

    def join(self, name: str) -> AttemptNetwork | None:
        """The network of a task that is about to start: that of its attempt, made now if it is the first; None if it
        shares the machine's. OSError and CannotStart when it cannot be had: nothing wider is given instead."""
        attempt = name.partition("/")[0]
        wish = _wish_of(name)
        if wish is None:
            return None
        kept = self._find(attempt)
        if kept is None:
            if attempt_lives(attempt):
                raise CannotStart(
                    "other tasks of this run have another network, from before Danlu was updated; restart the job"
                )
            kept = self._keep(attempt, _KeptNetwork(make_network(wish), wish))
        # Until its supervisor holds its lock, nothing else tells that somebody needs it.
        self._users.setdefault(attempt, set()).add(name)
        return kept.network

    def of(self, name: str) -> AttemptNetwork | None:
        """That of a running task; None if it shares the machine's."""
        kept = self._find(name.partition("/")[0])
        return kept.network if kept is not None else None

    def find_all(self) -> None:
        """Adopt what an earlier launcher left."""
        for attempt in os.listdir("."):
            if os.path.isdir(attempt) and attempt_lives(attempt):
                with contextlib.suppress(OSError):
                    self._find(attempt)

    def look(self) -> None:
        """Let go of what no supervisor needs any more."""
        for attempt in list(self._kept):
            self._let_go(attempt)

    def left(self, name: str) -> None:
        """A supervisor has ended."""
        attempt = name.partition("/")[0]
        self._users.get(attempt, set()).discard(name)
        self._let_go(attempt)

    def serve(self, fork: Callable[[Callable[[], None], str], tuple[int, str]]) -> None:
        for fd, _ in self._knocks.poll(0):
            attempt = next(
                (
                    attempt
                    for attempt, kept in self._kept.items()
                    if any(door.listener.fileno() == fd for door in kept.network.doors)
                ),
                None,
            )
            if attempt is None or attempt in self._forwarders.values():
                continue
            kept = self._kept[attempt]
            pid, trouble = fork(functools.partial(self._forward, attempt), attempt)
            if not trouble:
                self._forwarders[pid] = attempt
                self._listen(kept.network, False)

    def saw_off(self, pid: int) -> bool:
        """Whether the process that ended was one behind doors: the next visitor gets another."""
        attempt = self._forwarders.pop(pid, None)
        if attempt is None:
            return False
        if attempt in self._kept:
            self._listen(self._kept[attempt].network, True)
        return True

    def keep_only(self, name: str) -> None:
        """In a child: leave to the launcher what is not this task's. All is left if the name is empty."""
        self._knocks.close()
        for attempt, kept in self._kept.items():
            if attempt != name.partition("/")[0]:
                kept.network.close()

    def _forward(self, attempt: str) -> None:
        kept = self._kept[attempt]
        forward(kept.network.doors, kept.wish, os.path.abspath(attempt))

    def _find(self, attempt: str) -> _KeptNetwork | None:
        if attempt in self._kept:
            return self._kept[attempt]
        for task in _living(attempt):
            found = _adopt(task)
            if found is not None:
                return self._keep(attempt, found)
        return None

    def _keep(self, attempt: str, kept: _KeptNetwork) -> _KeptNetwork:
        self._kept[attempt] = kept
        for door in kept.network.doors:
            self._knocks.register(door.listener, select.EPOLLIN)
        return kept

    def _listen(self, network: AttemptNetwork, wanted: bool) -> None:
        for door in network.doors:
            self._knocks.modify(door.listener, select.EPOLLIN if wanted else 0)

    def _let_go(self, attempt: str) -> None:
        if attempt not in self._kept or self._users.get(attempt) or attempt_lives(attempt):
            return
        kept = self._kept.pop(attempt)
        self._users.pop(attempt, None)
        for door in kept.network.doors:
            # Supervisors that are just leaving may still hold the same socket: closing alone would not do.
            self._knocks.unregister(door.listener)
        kept.network.close()
        for pid in [pid for pid, whose in self._forwarders.items() if whose == attempt]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)


def _wish_of(task: str) -> NetworkWish | None:
    """None also for a file that cannot be read: its supervisor will tell, and start nothing."""
    try:
        file = supervision.read_json(f"{task}/{supervision.TASK_FILE}")
    except (OSError, ValueError, RecursionError):
        return None
    return read_wish(file.get("network") if isinstance(file, dict) else None)


def _living(attempt: str) -> list[str]:
    try:
        tasks = [os.path.join(attempt, name) for name in os.listdir(attempt)]
    except OSError:
        return []
    return [task for task in tasks if supervision.is_alive(task)]


def _adopt(task: str) -> _KeptNetwork | None:
    """From a living supervisor; it is the one that wrote the record as long as its lock is held."""
    first: Any = next(iter(supervision.read_status(task)[0]), {})
    try:
        described, wish = first.get("network"), _wish_of(task)
        if not described or wish is None:
            return None
        network = adopt_network(first["supervisor"], described)
    except (CannotStart, KeyError, TypeError, ValueError):
        return None  # of a Danlu that wrote them otherwise
    if not supervision.is_alive(task):
        network.close()
        return None
    return _KeptNetwork(network, wish)
