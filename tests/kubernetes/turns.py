"""Turns on one cluster: workers share it, but for what breaks it, counts all of it, or wants every card."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.kubernetes.places import running_cluster

MARKERS = (
    "own_cluster: breaks nodes, or counts on the pretended GPUs and images",
    "alone: breaks the cluster, or counts what is in all of it; nothing else runs there meanwhile",
    "cards: wants so many of the pretended GPUs that only one such test has room",
)


@contextmanager
def turn(item: pytest.Item) -> Iterator[None]:
    """Until nobody who runs on the same cluster is in this test's way; they wait until it is over."""
    running = running_cluster(os.environ)
    with ExitStack() as held:
        if running is not None:
            folder = running.layout.turns
            folder.mkdir(exist_ok=True)
            alone = item.get_closest_marker("alone") is not None
            if item.get_closest_marker("cards"):
                held.enter_context(lock(folder / "cards", fcntl.LOCK_EX))
            held.enter_context(lock(folder / "cluster", fcntl.LOCK_EX if alone else fcntl.LOCK_SH))
        yield


@contextmanager
def lock(file: Path, how: int) -> Iterator[None]:
    with file.open("w") as opened:
        fcntl.flock(opened, how)
        yield
