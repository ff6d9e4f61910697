"""Shells in tasks that need no task."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from danlu.domain.job import Task


class Silence:
    """A shell that says nothing and goes on until it is closed."""

    async def read(self) -> bytes:
        await asyncio.Event().wait()
        return b""

    async def write(self, data: bytes) -> None:
        pass

    def resize(self, columns: int, rows: int) -> None:
        pass

    async def wait(self) -> int:
        return 0

    async def close(self) -> None:
        pass


class Shells:
    """Implements ports.engine.Interactive and Inspectable."""

    async def exec(
        self, attempt_id: str, task: Task, argv: Sequence[str], tty: tuple[int, int] | None
    ) -> Silence:
        return Silence()

    def stacks(self, attempt_id: str, task: Task) -> str:
        return f"{task.name} of {attempt_id} waits for its peers\n"
