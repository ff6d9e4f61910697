"""An engine that acts only while this process leads: a former leader neither starts nor stops anything."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from danlu.domain.errors import NotLeader
from danlu.domain.events import TaskEvent
from danlu.domain.node import Node
from danlu.domain.words import Words
from danlu.ports.engine import AttemptOrder, Engine


class Guarded:
    """The Engine port over another; NotLeader instead of any act while `may_act` says no."""

    def __init__(self, engine: Engine, may_act: Callable[[], bool]) -> None:
        self._engine, self._may_act = engine, may_act

    def inventory(self) -> Sequence[Node]:
        return self._engine.inventory()

    def start(self, order: AttemptOrder) -> None:
        self._check()
        self._engine.start(order)

    def stop(self, order: AttemptOrder, grace_ms: int) -> None:
        self._check()
        self._engine.stop(order, grace_ms)

    def events(self) -> Sequence[TaskEvent]:
        # Reading events acts too: silent tasks are queried again.
        self._check()
        return self._engine.events()

    def listen(self, wake: Callable[[], None]) -> None:
        self._engine.listen(wake)

    def forget(self, attempt_id: str) -> None:
        self._check()
        self._engine.forget(attempt_id)

    def sweep(self, keep: Collection[str]) -> None:
        self._check()
        self._engine.sweep(keep)

    def close(self) -> None:
        self._engine.close()

    def _check(self) -> None:
        if not self._may_act():
            raise NotLeader(
                Words(
                    "this controller is not sure whether it is still the leader, so it did nothing",
                    "该控制端不确定自己是否仍为主控，因此未执行任何操作",
                )
            )
