"""Leader election: of several controllers one acts; the others stand by, and a former leader does nothing any more."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Protocol

from danlu.domain.errors import Conflict, DanluError, NotLeader
from danlu.ports.store import TAKEN, Lease, LeaseStore

log = logging.getLogger(__name__)

LIFE_MS = 10_000
_RENEW_S = 2.5
_MARGIN_S = 2.0
"""A leader considers its lease expired this much earlier than the database does, since clocks differ slightly."""
_STANDBY_S = 0.5
_LOOK_S = 0.25
_LEAVE_S = 10.0


def steady_clock() -> float:
    """Seconds that also pass while the machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Acting(Protocol):
    """What a leader does: engines, plans and all that writes."""

    def run(self, stop: threading.Event) -> None:
        """Act until told to stop; NotLeader if a write was refused. May be called again."""

    def wake(self) -> None:
        """There may be something to do, or to stop. Cheap, from any thread."""

    def close(self) -> None: ...


class Leadership:
    """One process's part in leader election. `valid`, `epoch` and `wake` from any thread."""

    def __init__(
        self,
        store: LeaseStore,
        holder: str,
        *,
        life_ms: int = LIFE_MS,
        clock: Callable[[], float] = steady_clock,
    ) -> None:
        self._store, self._holder, self._life_ms, self._clock = store, holder, life_ms, clock
        self._lock = threading.Lock()
        self._lease: Lease | None = None
        self._until = 0.0
        self._acting: Acting | None = None

    @property
    def epoch(self) -> int | None:
        """The epoch in which this process leads, as far as it knows."""
        lease = self._lease
        return None if lease is None else lease.epoch

    def valid(self, epoch: int | None = None) -> bool:
        """Whether this process may act: while this is true, no other process can be the leader.

        It becomes false automatically, even in a process that was paused or disconnected. With an epoch it applies to
        that term only: leftovers of one term stay inactive in the next."""
        lease = self._lease
        return lease is not None and epoch in (None, lease.epoch) and self._clock() < self._until

    def wake(self) -> None:
        if (acting := self._acting) is not None:
            acting.wake()

    # ── the lease ────────────────────────────────────────────────────────────────────────────────────

    def take(self) -> int | None:
        """Try to become the leader; the epoch if so."""
        return self._hold(lambda: self._store.take_lease(self._holder, self._life_ms))

    def renew(self) -> bool:
        """Renew the lease; False if another process has taken over."""
        lease = self._lease
        if lease is None:
            return False
        return self._hold(lambda: self._store.renew_lease(lease, self._life_ms)) is not None

    def end(self) -> None:
        """Release the lease, so that a standby takes over at once."""
        with self._lock:
            lease, self._lease = self._lease, None
        if lease is not None:
            self._store.end_lease(lease)

    def insist(self, pause: Callable[[float], None] = time.sleep) -> int:
        """Become the leader or raise Conflict; waits for the lease of a dead leader to expire, but not for a live
        one."""
        first: Lease | None = None
        while (epoch := self.take()) is None:
            known = self._store.lease()
            if first is not None and known is not None and known != first:
                raise Conflict(TAKEN)  # it was renewed or taken over in the meantime
            first = known
            pause(_STANDBY_S)
        return epoch

    def _hold(self, ask: Callable[[], Lease | None]) -> int | None:
        with self._lock:
            # Counted from the request: however long the answer takes, the lease cannot have started before.
            asked = self._clock()
            lease = ask()
            self._lease = lease
            self._until = asked + self._life_ms / 1000 - _MARGIN_S
            return None if lease is None else lease.epoch

    # ── acting ───────────────────────────────────────────────────────────────────────────────────────

    def run(self, begin: Callable[[int], Acting], stop: threading.Event) -> None:
        """Stand by; lead once the lease is taken; after losing it stand by again; until told to stop."""
        while not stop.is_set():
            try:
                epoch = self.take()
                if epoch is not None:
                    log.warning("this controller is now the leader, epoch %d", epoch)
                    self.lead(begin, stop)
                    log.warning("this controller is no longer the leader, epoch %d", epoch)
            except DanluError as error:
                log.warning("could not find out who the leader is, trying again: %s", error.detail)
            except Exception:
                log.exception("could not find out who the leader is; trying again")
            stop.wait(_STANDBY_S)

    def lead(self, begin: Callable[[int], Acting], stop: threading.Event) -> None:
        """Act and keep the lease until told to stop or the lease is lost; then close everything."""
        assert self._lease is not None
        over = threading.Event()
        reign = threading.Thread(
            target=self._reign, args=(begin, self._lease.epoch, over), name="leader", daemon=True
        )
        reign.start()
        kept = self._keep(reign, stop)
        over.set()
        self.wake()
        reign.join(_LEAVE_S if stop.is_set() else None)
        if kept and not reign.is_alive():  # if it cannot stop, it keeps the lease until it expires
            self._end_quietly()

    def _keep(self, reign: threading.Thread, stop: threading.Event) -> bool:
        """Renew until the term ends or must end; returns whether the lease is still held."""
        due = self._clock()
        while reign.is_alive() and not stop.is_set():
            if self._clock() >= due:
                due = self._clock() + _RENEW_S
                if not self._renewed():
                    return False
            stop.wait(_LOOK_S)
        return self._lease is not None

    def _renewed(self) -> bool:
        """False only if the database says so; while it does not answer, `valid` decides what may be done."""
        try:
            return self.renew()
        except DanluError as error:
            log.warning("could not renew the lease, trying again: %s", error.detail)
        except Exception:
            log.exception("could not renew the lease; trying again")
        return True

    def _reign(self, begin: Callable[[int], Acting], epoch: int, over: threading.Event) -> None:
        try:
            self._acting = acting = begin(epoch)
        except Exception:
            log.exception("this controller could not start as leader")
            return
        try:
            while not over.is_set():
                try:
                    acting.run(over)
                except NotLeader as error:
                    log.warning("an action was refused: %s", error.detail)
                    # The lease may only have been renewed late; the database decides.
                    if not self._renewed():
                        return
                    over.wait(_LOOK_S)
        except Exception:
            log.exception("the leader failed and gives up its lease")
        finally:
            self._acting = None
            over.set()
            acting.wake()
            acting.close()

    def _end_quietly(self) -> None:
        try:
            self.end()
        except DanluError as error:
            log.warning("could not release the lease; it expires by itself: %s", error.detail)
