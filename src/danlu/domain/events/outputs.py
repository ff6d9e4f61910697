"""What becomes of what jobs leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from danlu.domain.events.base import Event
from danlu.domain.outputs.problems import OutputProblem
from danlu.domain.quantity import show_size
from danlu.domain.words import Words


@dataclass(frozen=True, slots=True)
class OutputMade(Event):
    """An output of an attempt is where it was declared to go."""

    kind = "output_made"
    attempt_id: str
    path: str
    target: str
    files: int = 0
    bytes: int = 0

    def data(self) -> dict[str, Any]:
        told = {"path": self.path, "target": self.target, "files": self.files, "bytes": self.bytes}
        return {"attempt": self.attempt_id, **told}

    def text(self) -> Words:
        return Words("{path} is kept: {target} ({size})", "{path} 已保存为 {target}（{size}）").fill(
            path=self.path, target=self.target, size=show_size(self.bytes)
        )


@dataclass(frozen=True, slots=True)
class OutputFailed(Event):
    """An output of an attempt could not be kept; the job's own state stays as it is."""

    kind = "output_failed"
    attempt_id: str
    path: str
    target: str
    problem: OutputProblem

    def data(self) -> dict[str, Any]:
        told = {"path": self.path, "target": self.target, "code": self.problem.code}
        return {"attempt": self.attempt_id, **told, "params": dict(self.problem.params)}

    def text(self) -> Words:
        return Words("{path} could not be kept as {target}: {why}", "{path} 未能保存为 {target}：{why}").fill(
            path=self.path, target=self.target, why=self.problem.text
        )
