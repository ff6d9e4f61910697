"""Slurm from Debian's packages, alone on loopback: one controller, one node, tuned to start jobs at once."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

_CONFIG = """\
ClusterName=bench
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmctldPort={port}
SlurmdPort={node_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=1000,default_queue_depth=1000
SlurmdParameters=config_overrides
MaxJobCount=50000
MinJobAge=300
NodeName={host} NodeAddr=127.0.0.1 CPUs=64 RealMemory=100 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:64
"""


def available() -> bool:
    return all(shutil.which(name) for name in ("slurmctld", "slurmd", "sbatch")) and os.geteuid() == 0


class Slurm:
    """A running Slurm; `submit` returns at once, `started` tells when the job's command began."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._env = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        (self._folder / "state").mkdir()
        (self._folder / "spool").mkdir()
        text = _CONFIG.format(
            folder=self._folder, host=socket.gethostname().split(".")[0], port=_free(), node_port=_free()
        )
        (self._folder / "slurm.conf").write_text(text)
        self._run("slurmctld", "-D", "-c")
        self._await(["sinfo", "-h"], "controller")
        self._run("slurmd", "-D", "-b")
        self._await_idle()

    def submit(self, name: str, command: str) -> None:
        script = self._folder / f"{name}.sh"
        script.write_text(f"#!/bin/sh\ndate +%s.%N > {self._folder}/{name}.started\n{command}\n")
        line = ["sbatch", "-o", "/dev/null", "-J", name, str(script)]
        subprocess.run(line, env=self._env, check=True, capture_output=True)

    def started(self, name: str) -> float:
        """When it began, by its own clock; waits for it."""
        mark = self._folder / f"{name}.started"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if mark.exists() and (text := mark.read_text().strip()):
                return float(text)
            time.sleep(0.002)
        raise AssertionError(f"Slurm did not start {name}")

    def count_started(self) -> int:
        return sum(1 for _ in self._folder.glob("*.started"))

    def stop(self) -> None:
        for process in reversed(self._processes):
            process.terminate()
        for process in self._processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=10)
            if process.poll() is None:
                process.kill()

    def _run(self, program: str, *options: str) -> None:
        quiet = subprocess.DEVNULL
        self._processes.append(
            subprocess.Popen([program, *options], env=self._env, stdout=quiet, stderr=quiet)
        )

    def _await(self, command: list[str], what: str) -> None:
        deadline = time.monotonic() + 30
        while subprocess.run(command, env=self._env, capture_output=True).returncode:
            if time.monotonic() > deadline:
                raise AssertionError(f"Slurm's {what} does not answer; see {self._folder}")
            time.sleep(0.1)

    def _await_idle(self) -> None:
        deadline = time.monotonic() + 30
        command = ["sinfo", "-h", "-o", "%T"]
        while True:
            said = subprocess.run(command, env=self._env, capture_output=True, text=True).stdout
            if "idle" in said:
                return
            if time.monotonic() > deadline:
                raise AssertionError(f"Slurm's node does not come up ({said.strip()}); see {self._folder}")
            time.sleep(0.1)


@contextlib.contextmanager
def running(folder: Path) -> Iterator[Slurm]:
    slurm = Slurm(folder)
    try:
        slurm.start()
        yield slurm
    finally:
        slurm.stop()


def _free() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
