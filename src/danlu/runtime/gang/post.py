"""What every task of an MPI gang has: a folder of its own, an agent that listens, and news of its ranks."""

from __future__ import annotations

import os
import queue
import shutil
import signal
import sys
import tempfile
import threading
import time
from typing import Any, Callable, NamedTuple

import danlu
from danlu.runtime.gang import agents, listener, open_mpi, ssh
from danlu.runtime.gang.gang import GangSeats
from danlu.runtime.isolation import tree

STOP, RANK, ENDED, WATCHED, OVER, GONE = range(6)
"""What happens: SIGTERM, a rank began or ended, the command ended, the lead came, said it is over, or vanished."""

_ENTRY = """\
import sys
sys.path.insert(0, {sources!r})
from {package} import {module}
sys.exit({call})
"""
_PATIENCE, _LOOK = 5.0, 0.02


class GangEvent(NamedTuple):
    what: int
    task: str = ""
    rank: str = ""
    code: int | None = None
    data: Any = None


class Unfit(Exception):
    """The task cannot take part; the text is a sentence for people."""


class Post:
    """To be closed, after which nothing that was started here is left. Unfit says what is missing."""

    def __init__(self, gang: GangSeats, secret: bytes) -> None:
        self.gang, self.secret = gang, secret
        self.events: queue.SimpleQueue[GangEvent] = queue.SimpleQueue()
        try:
            self.folder = tempfile.mkdtemp(prefix="danlu-")
        except OSError as error:
            raise Unfit(f"a temporary directory cannot be created: {error.strerror}") from error
        self.ranks = os.path.join(self.folder, "ranks")
        os.mkfifo(self.ranks, 0o600)
        self._pipe = os.open(
            self.ranks, os.O_RDWR | os.O_CLOEXEC
        )  # for writing too: it never comes to an end then
        self._write_entry("agent", "danlu.runtime", "remote", "remote.main(sys.argv[1:])")
        self._write_entry("login", ssh.__package__, "ssh", f"ssh.as_account({self.folder!r}, sys.argv[1:])")
        usual, needed = open_mpi.variables(gang, self.folder)
        self.env = {**usual, **os.environ, **needed}
        self._files = ssh.settle(gang, self.folder, os.environ)
        if self._files is not None:
            self.env["PATH"] = os.pathsep.join([self._files.programs, self.env.get("PATH", os.defpath)])
        signal.signal(signal.SIGTERM, lambda *_: self.events.put(GangEvent(STOP)))
        threading.Thread(target=self._hear_ranks, daemon=True).start()
        self._listener: listener.GangListener | None = None

    def listen(self, watch: Callable[[agents.TrustedConnection, dict[str, Any]], None] | None = None) -> None:
        """Take the gang's requests from now on; `watch` is for the one who leads it. Unfit when the port is taken."""
        doings: dict[str, Callable[[agents.TrustedConnection, dict[str, Any]], None]] = {
            "ssh": lambda line, _: ssh.serve(line, self._files)
        }
        if watch is not None:
            doings["watch"] = watch
            doings["run"] = lambda line, request: listener.run(line, request, self.env)
        mine = self.gang.mine
        try:
            self._listener = listener.GangListener(mine, self.secret, doings)
        except OSError as error:
            why = os.strerror(error.errno or 0)
            raise Unfit(f"the agent cannot listen at {mine.host}:{mine.port}: {why}") from error

    def lead_directory(self, path: str) -> None:
        """Ranks that mpirun would start in this directory are started in this task's own."""
        open_mpi.write_rank_script(os.path.join(self.folder, "rank"), self.ranks, path)

    def ask_to_leave(self) -> None:
        """SIGTERM for all that runs here, so that ranks save and leave. mpirun and its daemons would kill them, and
        end with them by themselves."""
        members = tree.descendants(os.getpid())
        tree.signal_all(
            [pid for pid in members if tree.name_of(pid) not in open_mpi.LAUNCHERS], signal.SIGTERM
        )

    def await_launchers(self) -> None:
        """Until no mpirun is left here, which a script around it that ended on SIGTERM may have left to its ranks."""
        while any(
            tree.name_of(pid) in open_mpi.LAUNCHERS and not tree.is_zombie(pid)
            for pid in tree.descendants(os.getpid())
        ):
            time.sleep(_LOOK)

    def clear(self, patience: float) -> None:
        """Until nothing runs that was started here: what has not gone by itself after so many seconds is killed."""
        began = time.monotonic()
        while True:
            living = [pid for pid in tree.descendants(os.getpid()) if not tree.is_zombie(pid)]
            passed = time.monotonic() - began
            if not living or passed > patience + _PATIENCE:
                return
            if passed >= patience:
                tree.signal_all(living, signal.SIGKILL)
            time.sleep(_LOOK)

    def close(self) -> None:
        if self._listener is not None:
            self._listener.close()
        self.clear(0)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _hear_ranks(self) -> None:
        with open(self._pipe, encoding="utf-8", errors="replace") as pipe:
            for line in pipe:
                words = line.split()
                if words[:1] == ["+"] and len(words) == 2:
                    self.events.put(GangEvent(RANK, self.gang.mine.name, words[1]))
                elif words[:1] == ["-"] and len(words) == 3 and words[2].isdigit():
                    self.events.put(GangEvent(RANK, self.gang.mine.name, words[1], int(words[2])))

    def _write_entry(self, name: str, package: str, module: str, call: str) -> None:
        """A program that finds Danlu wherever it is started; the task's directory may hold anything."""
        sources = os.path.dirname(os.path.dirname(os.path.abspath(danlu.__file__)))
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(_ENTRY.format(sources=sources, package=package, module=module, call=call))


def say(sentence: str) -> None:
    print(f"danlu: {sentence}", file=sys.stderr, flush=True)
