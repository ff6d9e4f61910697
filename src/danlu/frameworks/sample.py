"""A small gang of any strategy, to see what a framework gives to its tasks."""

from __future__ import annotations

from danlu.frameworks.base import Command, Framework, Gang, Seat, Strategy

_PORT = 20_000


def variables(framework: Framework, strategy: Strategy) -> tuple[str, ...]:
    """The names of the variables that tasks of the strategy get, in the order of their first mention."""
    gang = sample(strategy)
    return tuple(dict.fromkeys(name for seat in gang.seats for name in framework.given(gang, seat).env))


def sample(strategy: Strategy, command: Command = "python train.py") -> Gang:
    """Two tasks of every role, or as many as it may have, on hosts of their names; the first has a GPU if it may."""
    seats: list[Seat] = []
    for shape in strategy.roles:
        for index in range(max(shape.least, min(2, shape.most or 2))):
            rank, name = len(seats), f"{shape.name}-{index}"
            gpus = int(shape.gpus and index == 0)
            seats.append(Seat(name, shape.name, index, rank, name, _PORT + rank, gpus, 1, command))
    return Gang("sample-1", strategy.name, tuple(seats), len(seats), len(seats), strategy.restarts)
