"""The task that runs the command: it gathers the others' agents, starts mpirun, and says when the run is over."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time

from danlu.runtime.gang import agents, open_mpi
from danlu.runtime.gang.following import LONGEST_WAIT
from danlu.runtime.gang.gang import AgentSeat
from danlu.runtime.gang.post import ENDED, GONE, RANK, STOP, GangEvent, Post, say

_TERMINATED = 128 + signal.SIGTERM
_AGAIN = 0.1
# One failing rank makes mpirun end the others: the first report need not be the cause.
_UNTIL_BLAMED = 0.3
# The task where it happened ends first, so that the job's story names it; then this one, if it still has to.
_UNTIL_GIVEN_UP = 3.0
_UNTIL_GONE = 1.0


class Lead:
    """One run of the command, from its agents to its exit code."""

    def __init__(self, post: Post) -> None:
        self._post = post
        self._lines: dict[str, agents.TrustedConnection] = {}
        self._running: set[tuple[str, str]] = set()
        self._codes: list[int] = []
        self._failures: list[GangEvent] = []
        self._stopping = False
        self._code: int | None = None
        """What there is to exit with once the deadline has passed."""
        self._deadline: float | None = None

    def run(self, command: list[str]) -> int:
        """The task's exit code: the command's own, or that of a rank that failed."""
        post = self._post
        post.listen()
        post.lead_directory(os.getcwd())
        open_mpi.write_host_file(post.env["DANLU_HOSTFILE"], post.gang)
        for seat in post.gang.others:
            if not self._gather(seat):
                return _TERMINATED if self._stopping else 1
        try:
            process = subprocess.Popen(command, env=post.env)
        except OSError as error:
            say(f"{command[0]} cannot be run: {error.strerror}")
            return 127
        threading.Thread(target=self._await_end, args=(process,), daemon=True).start()
        code = self._watch()
        post.clear(0)
        self._tell_all({"now": code != 0 or self._stopping})
        return code

    # ── gathering ────────────────────────────────────────────────────────────────────────────────────

    def _gather(self, seat: AgentSeat) -> bool:
        """A line to the task's agent; False when it did not come up in time, or the task is to stop."""
        deadline = time.monotonic() + LONGEST_WAIT
        request = {"do": "watch", "directory": os.getcwd()}
        while True:
            try:
                line = agents.ask(seat.host, seat.port, self._post.secret, request)
                line.receive()
                break
            except (agents.Gone, agents.UntrustedPeer) as error:
                trouble = error
            if time.monotonic() > deadline:
                say(f"the agent of {seat.name} did not answer within {LONGEST_WAIT:.0f} s: {trouble}")
                return False
            with contextlib.suppress(queue.Empty):
                self._stopping = self._post.events.get(timeout=_AGAIN).what == STOP
            if self._stopping:
                return False
        self._lines[seat.name] = line
        threading.Thread(target=self._hear, args=(seat.name, line), daemon=True).start()
        return True

    def _hear(self, task: str, line: agents.TrustedConnection) -> None:
        try:
            while True:
                frame = line.receive()
                if frame.kind == agents.RANK:
                    rank, code = frame.json()
                    self._post.events.put(GangEvent(RANK, task, rank, code))
        except (agents.Gone, agents.UntrustedPeer, ValueError):
            self._post.events.put(GangEvent(GONE, task))

    def _await_end(self, process: subprocess.Popen[bytes]) -> None:
        code = process.wait()
        self._post.events.put(GangEvent(ENDED, code=code if code >= 0 else 128 - code))

    # ── watching ─────────────────────────────────────────────────────────────────────────────────────

    def _watch(self) -> int:
        while True:
            left = None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
            try:
                event = self._post.events.get(timeout=left)
            except queue.Empty:
                self._deadline = None
                if self._code is not None:
                    return self._code
                self._blame()
                continue
            if event.what == RANK:
                self._note(event)
            elif event.what == STOP:
                if self._code is not None:
                    return self._code  # it was only waited for this
                self._stopping = True
                self._post.ask_to_leave()
            elif event.what == GONE:
                self._miss(event.task)
            elif event.what == ENDED:
                assert event.code is not None
                if event.code == 0 or (self._stopping and not self._running):
                    if self._stopping:
                        self._post.await_launchers()
                    return self._worst() if self._stopping and self._codes else event.code
                if not self._stopping and not self._failures and self._code is None:
                    self._failures.append(event)
                    self._wait(_UNTIL_BLAMED)

    def _note(self, event: GangEvent) -> None:
        """A rank began or ended."""
        if event.code is None:
            self._running.add((event.task, event.rank))
            return
        self._running.discard((event.task, event.rank))
        self._codes.append(event.code)
        if self._stopping:
            self._leave_when_empty()
        elif event.code and self._code is None:
            self._failures.append(event)
            self._wait(_UNTIL_BLAMED)

    def _miss(self, task: str) -> None:
        """An agent is gone, so the run ends."""
        self._lines.pop(task, None)
        self._running = {one for one in self._running if one[0] != task}
        if self._stopping:
            self._leave_when_empty()
        elif self._code is None:
            say(f"{task} is gone; the run ends")
            self._code, self._deadline = 1, None
            self._wait(_UNTIL_GIVEN_UP)

    def _blame(self) -> None:
        """Name the rank that failed first. mpirun ends the others by SIGTERM, so such an end is hardly the cause."""
        causes = [one for one in self._failures if one.what == RANK and one.code != _TERMINATED]
        cause = (causes or [one for one in self._failures if one.what == RANK] or self._failures)[0]
        self._code = cause.code or 1
        if cause.what == ENDED:
            self._wait(0)
            return
        say(f"rank {cause.rank} in {cause.task} ended with exit code {cause.code}; the run ends")
        line = self._lines.get(cause.task)
        if line is not None:
            with contextlib.suppress(agents.Gone):
                line.tell(agents.OVER, {"blamed": True})
        self._wait(0 if line is None else _UNTIL_GIVEN_UP)

    def _leave_when_empty(self) -> None:
        if not self._running:
            self._code = self._worst()
            self._wait(_UNTIL_GONE)

    def _worst(self) -> int:
        return next((code for code in self._codes if code), 0)

    def _wait(self, seconds: float) -> None:
        if self._deadline is None:
            self._deadline = time.monotonic() + seconds

    def _tell_all(self, how: dict[str, bool]) -> None:
        for line in self._lines.values():
            with contextlib.suppress(agents.Gone):
                line.tell(agents.OVER, how)
