"""A cluster for as long as a test run lasts; those of runs that were killed are ended by the next."""

from __future__ import annotations

import json
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.cluster.cluster import Cluster
from tools.cluster.lifecycle import down, up
from tools.cluster.processes import start_time

PREFIX = "danlu-kube-"
OWNER = "owner.json"


@contextmanager
def temporary_cluster() -> Iterator[Cluster]:
    end_abandoned()
    state = Path(tempfile.mkdtemp(prefix=PREFIX))
    (state / OWNER).write_text(json.dumps({"pid": os.getpid(), "started": start_time(os.getpid())}))
    try:
        with polite_end():
            yield up(state)[0]
    finally:
        remove(state)


@contextmanager
def polite_end() -> Iterator[None]:
    """Whoever is asked to end does it as after Ctrl-C, and takes the cluster along."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def end_abandoned() -> None:
    for owner in Path(tempfile.gettempdir()).glob(f"{PREFIX}*/{OWNER}"):
        if is_abandoned(owner):
            remove(owner.parent)


def is_abandoned(owner: Path) -> bool:
    try:
        content = json.loads(owner.read_text())
    except (OSError, ValueError):
        return False  # it is being made or taken away right now
    return start_time(int(content["pid"])) != int(content["started"])


def remove(state: Path) -> None:
    down(state)
    shutil.rmtree(state, ignore_errors=True)
