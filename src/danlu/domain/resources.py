"""What a task requests and what a node has."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Resources:
    """CPUs and GPUs in thousandths, memory in bytes; `gpu_model` None accepts any model, `A|B` either."""

    cpu_milli: int = 1000
    memory: int = 2**30
    gpu_milli: int = 0
    gpu_model: str | None = None
    shm: int = 0
    rdma: bool = False

    def times(self, count: int) -> Resources:
        return replace(
            self,
            cpu_milli=self.cpu_milli * count,
            memory=self.memory * count,
            gpu_milli=self.gpu_milli * count,
        )

    def at_least(self, cpu_milli: int, memory: int) -> Resources:
        """This, or more where it is less."""
        if self.cpu_milli >= cpu_milli and self.memory >= memory:
            return self
        return replace(self, cpu_milli=max(self.cpu_milli, cpu_milli), memory=max(self.memory, memory))

    def with_gpus(self, gpu_milli: int) -> Resources:
        """The same with another number of GPUs; fewer take their part of the CPUs and the memory with them."""
        if not 0 < gpu_milli < self.gpu_milli:
            return replace(self, gpu_milli=gpu_milli)
        return replace(
            self,
            gpu_milli=gpu_milli,
            cpu_milli=-(-self.cpu_milli * gpu_milli // self.gpu_milli),
            memory=-(-self.memory * gpu_milli // self.gpu_milli),
        )

    def split(self, parts: int) -> Resources:
        """An equal part of this, rounded up where it does not divide."""
        return replace(
            self,
            cpu_milli=-(-self.cpu_milli // parts),
            memory=-(-self.memory // parts),
            gpu_milli=-(-self.gpu_milli // parts),
            shm=-(-self.shm // parts),
        )

    @property
    def models(self) -> tuple[str, ...]:
        """The GPU models it accepts; none named means any."""
        return tuple(self.gpu_model.split("|")) if self.gpu_model else ()

    @property
    def whole_gpus(self) -> int:
        """How many whole GPUs a task has; a share of one GPU counts as none."""
        return self.gpu_milli // 1000


@dataclass(frozen=True, slots=True)
class GpuGrant:
    """A GPU of a node allocated to a task, whole (1000) or in part."""

    index: int
    milli: int = 1000
