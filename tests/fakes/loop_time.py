"""Time for event loops: it stands still while anybody is at work, and leaps to the next timer when nobody is.

Loops on several threads share it, with real sockets between them: so seconds of silence cost nothing, and a machine
that is slow makes nobody late. The thread of the test drives it, either by a loop of its own or with `until`."""

from __future__ import annotations

import asyncio
import selectors
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

_Events = list[tuple[selectors.SelectorKey, int]]

_UNDER_WAY_S = 0.001
"""What was sent to a socket on this machine has arrived after this long."""
_FULL_S, _FULL_ROUNDS = 0.005, 40
"""How often, and how many times, a socket is looked at that takes no more for now."""
_STUCK_S = 60.0


class LoopTime:
    """Seconds, as its loops tell them; also a `Clock`."""

    def __init__(self) -> None:
        self.seconds = time.monotonic()
        self._epoch = time.time() - self.seconds
        self._loops: list[LeapingLoop] = []
        self._errands = 0
        self._changed = threading.Condition()

    def now(self) -> int:
        return int((self._epoch + self.seconds) * 1000)

    def loop(self) -> asyncio.AbstractEventLoop:
        """One that runs on a thread of its own."""
        return LeapingLoop(self, drives=False)

    def driving_loop(self) -> asyncio.AbstractEventLoop:
        """The one that the test runs on."""
        return LeapingLoop(self, drives=True)

    def until(self, holds: Callable[[], object], at_most: float = float("inf")) -> bool:
        """Let time pass until something holds, or for so many seconds; whether it holds."""
        ends = self.seconds + at_most
        while True:
            self._settle()
            if holds():
                return True
            if self.seconds >= ends:
                return False
            self._leap(ends)

    def goes_by(self, seconds: float) -> None:
        self.until(lambda: False, seconds)

    # ── for its loops ────────────────────────────────────────────────────────────────────────────────

    def take_in(self, loop: LeapingLoop) -> None:
        with self._changed:
            self._loops.append(loop)

    def let_go(self, loop: LeapingLoop) -> None:
        with self._changed:
            self._loops.remove(loop)
            self._changed.notify_all()

    def rests(self, loop: LeapingLoop, timeout: float | None) -> None:
        with self._changed:
            loop.due = float("inf") if timeout is None else self.seconds + timeout
            self._changed.notify_all()

    def errands(self, change: int) -> None:
        with self._changed:
            self._errands += change
            self._changed.notify_all()

    def drive(self, loop: LeapingLoop, timeout: float | None) -> _Events:
        due = float("inf") if timeout is None else self.seconds + timeout
        while not (events := self._settle(loop.waiting)):
            if self.seconds >= due:
                break
            self._leap(due)
        return events

    # ── leaps ────────────────────────────────────────────────────────────────────────────────────────

    def _settle(self, waiting: Callable[[], _Events] = list) -> _Events:
        """Until all are at rest, or something waits for the loop that drives."""
        quiet = full = 0
        with self._changed:
            while not (events := waiting()) and quiet < 2:
                rest = self._errands == 0 and all(
                    loop.due is not None and not loop.waiting() for loop in self._loops
                )
                if not rest:
                    quiet = 0
                    done = self._changed.wait(0.002 if self._errands else _STUCK_S)
                    assert done or self._errands, "a loop has been at work for a minute"
                elif full < _FULL_ROUNDS and any(loop.is_full() for loop in self._loops):
                    full += 1
                    self._changed.wait(_FULL_S)
                else:
                    quiet += 1
                    self._changed.wait(_UNDER_WAY_S)
        return events

    def _leap(self, ends: float) -> None:
        with self._changed:
            to = min([ends, *(loop.due for loop in self._loops if loop.due is not None)])
            if to == float("inf"):  # nothing is planned any more: somebody else may still do something
                self._changed.wait(_FULL_S)
                return
            self.seconds = max(self.seconds, to)
            for loop in self._loops:
                if loop.due is not None and loop.due <= self.seconds:
                    loop.due = None
                    loop.call_soon_threadsafe(lambda: None)


class _Selector(selectors.DefaultSelector):
    loop: LeapingLoop

    def select(self, timeout: float | None = None) -> _Events:
        events = super().select(0)
        if events or (timeout is not None and timeout <= 0):
            return events
        return self.loop.rest(timeout)

    def look(self, timeout: float | None) -> _Events:
        return super().select(timeout)


class LeapingLoop(asyncio.SelectorEventLoop):
    """`due` is when its next timer is, and None while it works."""

    def __init__(self, shared: LoopTime, *, drives: bool) -> None:
        self._shared, self._drives = shared, drives
        self._selected = _Selector()
        self._selected.loop = self
        self.due: float | None = None
        super().__init__(self._selected)
        if not drives:
            shared.take_in(self)

    def time(self) -> float:
        return self._shared.seconds

    def rest(self, timeout: float | None) -> _Events:
        if self._drives:
            return self._shared.drive(self, timeout)
        self._shared.rests(self, timeout)
        events = self._selected.look(None)
        self.due = None
        return events

    def waiting(self) -> _Events:
        return self._selected.look(0)

    def is_full(self) -> bool:
        return any(key.events & selectors.EVENT_WRITE for key in list(self._selected.get_map().values()))

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        self._shared.errands(1)
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(lambda _: self._shared.errands(-1))
        return future

    def close(self) -> None:
        if not self.is_closed() and not self._drives:
            self._shared.let_go(self)
        super().close()
