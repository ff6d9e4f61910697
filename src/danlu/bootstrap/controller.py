"""`danlu controller`: the half that decides and acts; one leads, any number stand by."""

from __future__ import annotations

import functools
import os
import secrets
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from danlu.bootstrap.parts import Parts
from danlu.bootstrap.plane import ControlPlane
from danlu.control.plane.decisions import Decisions
from danlu.control.plane.leadership import Leadership
from danlu.files.settings import Settings
from danlu.server.figures.health import create_health_app
from danlu.server.http.serve import serve


@dataclass(frozen=True, slots=True)
class ControllerStarted:
    """What a person who just started a controller wants to know."""

    url: str
    data: Path


class ControllerProcess:
    """A candidate for the lead, with a small port that tells how it stands."""

    def __init__(self, settings: Settings) -> None:
        self._parts = Parts(settings, shared=True)
        # Unlike that of `danlu up`, a new name for every process: only the end of a lease proves the end of another.
        holder = f"controller:{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        self._leadership = Leadership(self._parts.store, holder)
        self._plane: ControlPlane | None = None

    def run(self, on_ready: Callable[[ControllerStarted], None]) -> None:
        """Stand by and lead until SIGINT or SIGTERM; jobs go on without us."""
        parts, stop = self._parts, threading.Event()
        app = create_health_app(parts.store, self._leadership, parts.clock, self._decisions)
        contest = threading.Thread(
            target=self._leadership.run, args=(self._begin, stop), name="leadership", daemon=True
        )
        try:
            parts.store.listen(self._leadership.wake)
            contest.start()
            serve(
                app,
                parts.settings.host,
                parts.settings.controller_port,
                on_ready=lambda port: on_ready(self._standing(port)),
            )
        finally:
            stop.set()
            if contest.ident is not None:
                contest.join(timeout=15)
            parts.close()

    def _begin(self, epoch: int) -> ControlPlane:
        may_act = functools.partial(self._leadership.valid, epoch)
        self._plane = ControlPlane(self._parts, self._parts.store.fenced(epoch), may_act)
        return self._plane

    def _decisions(self) -> Decisions | None:
        if self._plane is None or not self._leadership.valid():
            return None
        return self._plane.planner.decisions

    def _standing(self, port: int) -> ControllerStarted:
        host = self._parts.settings.host
        return ControllerStarted(f"http://{host}:{port}", self._parts.directory.root)
