"""Stands in for a cluster whose engine cannot be opened."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from danlu.domain.errors import Unavailable
from danlu.domain.events import TaskEvent
from danlu.domain.node import Node, unread
from danlu.domain.words import say
from danlu.ports.engine import AttemptOrder


class UnopenedEngine:
    """The Engine port with no node that can be used: what runs there is left alone, and what is asked is to be asked
    again. `remembered` are the nodes that there were before."""

    def __init__(self, cluster: str, why: str, remembered: Sequence[Node] = ()) -> None:
        self._cluster, self._why = cluster, why
        self._nodes = unread(remembered, f"the cluster cannot be opened: {why}")

    def inventory(self) -> Sequence[Node]:
        return self._nodes

    def start(self, order: AttemptOrder) -> None:
        raise self._trouble(order)

    def stop(self, order: AttemptOrder, grace_ms: int) -> None:  # noqa: ARG002 (as the port names it)
        raise self._trouble(order)

    def events(self) -> Sequence[TaskEvent]:
        return ()

    def listen(self, wake: Callable[[], None]) -> None:
        """Nothing will be seen."""

    def forget(self, attempt_id: str) -> None:
        """Whoever opens the cluster collects what is left there."""

    def sweep(self, keep: Collection[str]) -> None:
        """Whoever opens the cluster sweeps it."""

    def close(self) -> None:
        """Nothing is open."""

    def _trouble(self, order: AttemptOrder) -> Unavailable:
        return Unavailable(
            say(
                "{attempt_id}: cluster {cluster} cannot be opened: {why}",
                "{attempt_id}：无法打开集群 {cluster}：{why}",
                attempt_id=order.attempt_id,
                cluster=self._cluster,
                why=self._why,
            )
        )
