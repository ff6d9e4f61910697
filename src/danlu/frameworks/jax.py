"""JAX: one process per task, which uses all its GPUs and connects to the first task."""

from __future__ import annotations

from danlu.domain.words import Words
from danlu.frameworks.base import ON_LOSS, WORKERS, Framework, Gang, Given, Seat, Strategy


class Jax(Framework):
    """`jax.distributed.initialize` finds the coordinator's address by itself; count and number are given to it."""

    name = "jax"
    label = Words("JAX", "JAX")
    about = Words(
        "One process per task uses all its GPUs; jax.distributed.initialize takes JAX_COORDINATOR_ADDRESS, "
        "JAX_NUM_PROCESSES and JAX_PROCESS_ID.",
        "每个子任务一个进程，使用其全部 GPU；JAX_COORDINATOR_ADDRESS、JAX_NUM_PROCESSES 和 JAX_PROCESS_ID 供 "
        "jax.distributed.initialize 使用。",
    )
    strategies = (
        Strategy(
            "all-reduce",
            Words("All-reduce", "All-Reduce"),
            Words(
                "One program runs on the devices of all tasks and decides how arrays are sharded or replicated.",
                "一个程序使用所有子任务的设备，数组按程序的要求切分或复制。",
            ),
            (WORKERS,),
            on=ON_LOSS,
        ),
    )

    def given(self, gang: Gang, seat: Seat) -> Given:
        env = {
            "JAX_COORDINATOR_ADDRESS": f"{gang.first.host}:{gang.first.port}",
            "JAX_NUM_PROCESSES": str(len(gang.seats)),
            "JAX_PROCESS_ID": str(seat.rank),
        }
        return Given(env, seat.command)
