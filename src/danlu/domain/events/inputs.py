"""What becomes of a job's inputs while it is queued."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from danlu.domain.events.base import Event
from danlu.domain.reasons import InputFailed, encode
from danlu.domain.words import Words


@dataclass(frozen=True, slots=True)
class InputsFetched(Event):
    """All are there, for the stay in the queue that began at `since`: later ones fetch anew."""

    kind = "inputs_fetched"
    sentence = Words("all inputs are there ({count}): it may start", "输入已全部就绪（{count} 项），可以启动")
    count: int
    since: int

    def data(self) -> dict[str, Any]:
        return {"count": self.count}


@dataclass(frozen=True, slots=True)
class InputLost(Event):
    """One cannot be fetched, for the stay in the queue that began at `since`."""

    kind = "input_lost"
    reason: InputFailed
    since: int

    def data(self) -> dict[str, Any]:
        return {"reason": encode(self.reason)}

    def text(self) -> Words:
        return self.reason.text()
