"""Watches over a launched task until nothing of it is left: output, orders, limits, its end."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import time
from typing import Any

from danlu.ports import supervision
from danlu.runtime.isolation import tree
from danlu.runtime.isolation.cgroups import ControlGroup
from danlu.runtime.recording.log import Log
from danlu.runtime.recording.status import Status
from danlu.runtime.training.training import Training
from danlu.runtime.watching.gauge import Gauge
from danlu.runtime.watching.orders import Orders
from danlu.runtime.watching.preparing import Preparing
from danlu.runtime.watching.scratch import Scratch

_RETRY_DISK = 1.0
_MEMORY_EVERY = 0.2
_LINGER = 1.0
_SLOWEST = 0.2
_EVICTION_GRACE = 5.0
EVICTED_DISK = "evicted_disk"


class BwrapReport:
    """What bubblewrap says of its child on the status descriptor."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.child = 0
        self.has_exited = False
        self._text = b""
        os.set_blocking(fd, False)

    def read(self) -> bool:
        """Take what is there; False when there will be no more."""
        try:
            data = os.read(self.fd, 4096)
        except BlockingIOError:
            return True
        self._text += data
        *lines, self._text = self._text.split(b"\n")
        for line in lines:
            with contextlib.suppress(ValueError):
                said = json.loads(line)
                self.child = said.get("child-pid", self.child)
                self.has_exited = self.has_exited or "exit-code" in said
        return bool(data)


class Watch:
    """One task, from launch to the last byte. All time is monotonic."""

    def __init__(self, main: int, status: Status, orders: Orders, log: Log, limit: int) -> None:
        self.main = main
        self.passes_on = False
        self.scratch: list[Scratch] = []
        self.preparing: Preparing | None = None
        self.over_scratch = ""
        self.scratch_used = self.scratch_memory = self.scratch_limit = 0
        self.main_status: int | None = None
        self.stop_reason: str | None = None
        self.over_memory = False
        self.memory_peak: int | None = None
        self.unaccounted_ms = 0
        self._status = status
        self._orders = orders
        self._log = log
        self._memory_limit = limit
        self._group: ControlGroup | None = None
        self._report: BwrapReport | None = None
        self._running: dict[str, Any] = {}
        self._gauge: Gauge | None = None
        self._training: Training | None = None
        self._poller = select.poll()
        self._listening: set[int] = set()
        self._asked = False
        self._kill_at: float | None = None
        self._next_look = self._next_retry = self._next_memory = 0.0
        self._pause = 0.01
        self._gone_since: float | None = None
        self._disk_full_since: float | None = None

    def use(
        self,
        group: ControlGroup | None,
        report: BwrapReport | None,
        running: dict[str, Any],
        gauge: Gauge | None = None,
        training: Training | None = None,
    ) -> None:
        """The control group to keep to, the sandbox's reports, what the running record should say, what measures the
        task, and what listens to it."""
        self._group, self._report, self._running = group, report, running
        self._gauge, self._training = gauge, training

    def run(self, signals: int, control: socket.socket | None) -> None:
        self._poller.register(signals, select.POLLIN)
        if control is not None:
            self._poller.register(control, select.POLLIN)
        if self.preparing is not None:
            self._poller.register(self.preparing.fd, select.POLLIN)
        if self._report is not None:
            self._poller.register(self._report.fd, select.POLLIN)
        self._say_running()
        while not self._finished():
            self._listen_to_output()
            for fd, event in self._poller.poll(self._wait_ms()):
                self._serve(fd, event, signals, control)
            self._reap()
            self._advance(time.monotonic())
        if self._training is not None:
            self._training.finish()

    # ── what comes in ────────────────────────────────────────────────────────────────────────────────

    def _serve(self, fd: int, event: int, signals: int, control: socket.socket | None) -> None:
        if fd in self._listening:
            self._log.read(fd, event)
        elif self._report is not None and fd == self._report.fd:
            if not self._report.read():
                self._poller.unregister(fd)
            self._say_running()
        elif self.preparing is not None and fd == self.preparing.fd:
            self._hear_preparing(self.preparing)
        elif fd == signals:
            os.read(signals, 512)
        elif control is not None:
            control.recv(64)
            self._orders.poke()

    def _hear_preparing(self, preparing: Preparing) -> None:
        for step in preparing.read():
            self._status.record(supervision.STARTING, step=step)
        if preparing.done:
            self._poller.unregister(preparing.fd)
            self._say_running()

    def _say_running(self) -> None:
        """Once it has a process, and its packages: then the command runs."""
        pid = self.main if self._report is None else self._report.child
        preparing = self.preparing
        if not pid or not self._running or (preparing is not None and not preparing.ready):
            return
        if preparing is not None and preparing.environment:
            self._running["environment"] = preparing.environment
        self._status.record(supervision.RUNNING, pid=pid, **self._running)
        self._running = {}

    def _listen_to_output(self) -> None:
        """Back-pressure: nothing is read while the log cannot be written."""
        wanted = set() if self._log.file.blocked else set(self._log.fds)
        for fd in self._listening - wanted:
            # A pipe that was closed may have given its number to another file already.
            with contextlib.suppress(KeyError, OSError):
                self._poller.unregister(fd)
        for fd in wanted - self._listening:
            self._poller.register(fd, select.POLLIN)
        self._listening = wanted

    def _reap(self) -> None:
        try:
            while True:
                pid, status, _ = os.wait4(-1, os.WNOHANG)
                if pid == 0:
                    self._gone_since = None
                    return
                if pid == self.main:
                    self.main_status = status
                    if self._report is not None:
                        self._report.read()
                        # The sandbox's own init ends by itself in a moment; only then is there cause to kill.
                        self._next_look = time.monotonic() + 0.005
        except ChildProcessError:
            # We adopt every orphan, so no child left means no descendant left: only visitors may be.
            if self._group is not None and self._group.pids():
                self._group.kill()
                self._gone_since = None
            elif self._gone_since is None:
                self._gone_since = time.monotonic()

    # ── what is due ──────────────────────────────────────────────────────────────────────────────────

    def _advance(self, now: float) -> None:
        order = self._orders.look()
        if order is not None:
            self._begin_to_stop(now + order.grace, order.reason)
        due = self._log.next_flush()
        if due is not None and now >= due and not self._log.file.blocked:
            self._log.flush_unfinished(now)
        if self._status.next_announcement() is not None:
            self._status.announce()
        self._retry_disk(now)
        if self._memory_limit and now >= self._next_memory and self.main_status is None:
            self._next_memory = now + _MEMORY_EVERY
            self._check_memory()
        if self._gauge is not None and self.main_status is None:
            self._gauge.look(now)
        for scratch in self.scratch if self.main_status is None else ():
            if scratch.look(now):
                self._evict(now, scratch)
        if self._training is not None:
            self._training.look(now)
        if self._gone_since is None and now >= self._next_look:
            self._see_to_the_end(now)

    def _begin_to_stop(self, deadline: float, reason: str) -> None:
        if self.stop_reason is None:
            self.stop_reason = reason
            self._status.record(
                supervision.STOPPING, reason=reason, grace_ms=int((deadline - time.monotonic()) * 1000)
            )
            self._next_look = 0.0
        self._kill_at = deadline if self._kill_at is None else min(self._kill_at, deadline)

    def _see_to_the_end(self, now: float) -> None:
        """Until the grace is over, let the tree empty itself; then, or after the command, kill the rest."""
        if self._kill_at is not None and now < self._kill_at:
            self._ask_to_leave()
        elif self.main_status is not None or self._kill_at is not None:
            self._kill()
        self._next_look = now + self._pause
        if self._kill_at is not None or self.main_status is not None:
            self._pause = min(self._pause * 1.5, _SLOWEST)

    def _ask_to_leave(self) -> None:
        """SIGTERM once to all there are: what they start in order to save their work must not be hit."""
        if self._asked:
            # The sandbox's init adopts every orphan: nobody is left once it has no child.
            if self._report is not None and not tree.has_children(self._report.child):
                tree.signal_all([self.main], signal.SIGCONT)
            return
        members = self._members()
        if members:
            self._asked = True
            if self._report is not None:
                # bubblewrap ends the whole sandbox as soon as the command itself ends; held, it lets the
                # others have their grace, and tells the exit code afterwards.
                tree.signal_all([self.main], signal.SIGSTOP)
            tree.signal_all(self._told(members), signal.SIGTERM)

    def _told(self, members: list[int]) -> list[int]:
        """All of them, or the command alone where it says that it passes on what it hears."""
        if not self.passes_on:
            return members
        return members[:1] if self._report is not None else [self.main]

    def _members(self) -> list[int]:
        """The task's processes, without those of the sandbox itself and those that people let in later."""
        if self._report is None:
            return tree.descendants(os.getpid())
        if not self._report.child:
            return []  # the sandbox is still being made
        inside = tree.descendants(self._report.child)
        return [pid for pid in inside if not tree.is_zombie(pid)]

    def _kill(self) -> None:
        if self._report is not None and not self.unaccounted_ms:
            # A sandbox killed as a whole takes the accounts of its processes with it.
            self.unaccounted_ms = tree.cpu_ms(self._members())
        if self._group is not None:
            with contextlib.suppress(OSError):
                self._group.kill()
        tree.signal_all(tree.descendants(os.getpid()), signal.SIGKILL)

    def _check_memory(self) -> None:
        used = tree.memory_of(tree.descendants(os.getpid()), self._memory_limit)
        self.memory_peak = max(self.memory_peak or 0, used)
        if used > self._memory_limit:
            self.over_memory = True
            self._kill()

    def _evict(self, now: float, scratch: Scratch) -> None:
        """It takes more of the disk than it may: a moment to leave by itself, then it is killed."""
        if not self.over_scratch:
            self.over_scratch = scratch.said()
            self.scratch_used = 0 if scratch.too_deep else scratch.used
            self.scratch_memory = 0 if scratch.too_deep else scratch.memory
            self.scratch_limit = scratch.limit
            self._begin_to_stop(now + _EVICTION_GRACE, EVICTED_DISK)

    def _retry_disk(self, now: float) -> None:
        files = (self._log.file, self._status.file)
        if not any(file.blocked for file in files):
            return
        if self._disk_full_since is None:
            self._disk_full_since = now
            self._next_retry = now + _RETRY_DISK
            trouble = next(file.trouble for file in files if file.blocked)
            text = f"output cannot be written ({trouble}); the task is paused until there is space"
            self._status.record(supervision.WARNING, code="disk_full", text=text)
        if now < self._next_retry:
            return
        self._next_retry = now + _RETRY_DISK
        written = [file.flush() for file in files]
        if all(written):
            waited = round(now - self._disk_full_since)
            self._disk_full_since = None
            text = f"there is space again after {waited} s; no output was lost"
            self._status.record(supervision.WARNING, code="disk_has_room", text=text)

    # ── when to wake, and when all is over ───────────────────────────────────────────────────────────

    def _wait_ms(self) -> int:
        now = time.monotonic()
        due = [self._orders.next_look(), self._log.next_flush()]
        if self._disk_full_since is not None or self._log.file.blocked or self._status.file.blocked:
            due.append(self._next_retry)
        if self._memory_limit and self.main_status is None:
            due.append(self._next_memory)
        if self._gauge is not None and self.main_status is None:
            due.append(self._gauge.next_look)
        if self.main_status is None:
            due += [scratch.next_look for scratch in self.scratch]
        if self._training is not None:
            due.append(self._training.next_look)
        if self._gone_since is None and (self._kill_at is not None or self.main_status is not None):
            due.append(self._next_look)
        if self._gone_since is not None:
            due.append(self._drain_until())
        again = self._status.next_announcement()
        if again is not None:
            due.append(now + again)
        first = min(moment for moment in due if moment is not None)
        return max(0, int((first - now) * 1000) + 1) if first > now else 0

    def _finished(self) -> bool:
        """Nothing lives and all output is read; a pipe that a stranger keeps open is given up in time."""
        if self._gone_since is None or self._log.file.blocked:
            return False
        if self._log.fds and time.monotonic() < self._drain_until():
            return False
        if self._log.fds:
            text = "another process kept the task's output open after its end; the log ends here"
            self._status.record(supervision.WARNING, code="output_open", text=text)
            for fd in self._log.fds:
                self._log.close(fd)
        return not self._log.file.blocked

    def _drain_until(self) -> float:
        """Time spent waiting for the disk does not count."""
        return max(self._gone_since or 0.0, self._next_retry) + _LINGER
