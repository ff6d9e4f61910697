"""Slurm's controller alone: it allocates cloud nodes that nobody ever starts, in namespaces of its own.

Set to Slurm's advantage. Measured at 1,000 nodes, one run each: one socket per node (a socket for each CPU costs three
times the CPU), and no `-n1` in the jobs' options, which costs more again. Taken from its manual for high throughput,
not measured: `defer`, a queue depth without bound, errors only in the log; and its state is on a tmpfs. Backfill
comes every thirty seconds, as it does by default."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from bench.workload import NODE_CPUS, NODE_GPUS, NODE_MEMORY_MIB, Request

_CONFIG = """\
ClusterName=bench
SlurmctldHost=controller(10.99.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
GresTypes=gpu
PriorityType=priority/basic
SchedulerType=sched/backfill
SchedulerParameters={scheduler}
StateSaveLocation={folder}/run/state
SlurmdSpoolDir={folder}/run/spool
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmctldDebug=error
MessageTimeout=100
MaxJobCount=200000
MinJobAge=300
SlurmdTimeout=0
OverTimeLimit=UNLIMITED
ResumeProgram=/bin/true
SuspendProgram=/bin/true
SuspendTime=36000
ResumeRate=0
SuspendRate=0
ResumeTimeout=36000
NodeName=n[1-{nodes}] NodeAddr=10.99.0.1 Sockets=1 CoresPerSocket={cpus} ThreadsPerCore=1 RealMemory={memory} \
Gres=gpu:{gpus} State=CLOUD
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=DOWN
"""
_SCHEDULER = (
    "defer,batch_sched_delay=0,sched_interval=1,sched_min_interval=1000,default_queue_depth=200000,"
    "partition_job_depth=0,bf_interval=30,bf_max_job_test=1000,bf_resolution=600,bf_window=2880,bf_continue"
)
_START = """\
set -e
hostname controller
ip link set lo up
ip address add 10.99.0.1/32 dev lo
mount -t tmpfs none "$1/run"
mkdir "$1/run/state"
exec slurmctld -D -c -f "$1/slurm.conf"
"""
# The threads that decide; the others answer clients, save state and talk to nodes.
_MAIN, _BACKFILL = "sched_agent", "bckfl"


@dataclass(frozen=True)
class Cpu:
    """CPU seconds so far: of the whole controller, and of its two deciding threads."""

    whole: float
    main: float
    backfill: float

    def __sub__(self, other: Cpu) -> Cpu:
        return Cpu(self.whole - other.whole, self.main - other.main, self.backfill - other.backfill)

    @property
    def deciding(self) -> float:
        return self.main + self.backfill


class Controller:
    """A running slurmctld; its partition begins closed, so that jobs can queue before anything is decided."""

    def __init__(self, folder: Path, nodes: int) -> None:
        self.nodes = nodes
        self._folder = folder
        self._counted = self._last = 0

    def start(self) -> None:
        (self._folder / "run").mkdir()
        text = _CONFIG.format(
            folder=self._folder, scheduler=_SCHEDULER, nodes=self.nodes, cpus=NODE_CPUS, gpus=NODE_GPUS,
            memory=NODE_MEMORY_MIB,
        )  # fmt: skip
        (self._folder / "slurm.conf").write_text(text)
        # It ends with this process, whatever happens here, and no later than after an hour of CPU.
        bounds = ["setpriv", "--pdeathsig", "KILL", "prlimit", "--cpu=3600"]
        alone = ["unshare", "--mount", "--uts", "--net", "sh", "-c", _START, "sh", str(self._folder)]
        with (self._folder / "out").open("wb") as out:
            # All of these replace one another: the process started here is slurmctld itself in the end.
            self._process = subprocess.Popen([*bounds, *alone], stdout=out, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + 60
        while self._inside("scontrol", "ping", check=False, timeout=30).find(" is UP") < 0:
            if self._process.poll() is not None or time.monotonic() > deadline:
                said = (self._folder / "out").read_text()[-2000:]
                raise AssertionError(f"slurmctld does not answer:\n{said}")
            time.sleep(0.1)

    def stop(self) -> None:
        # Asked first, because it then takes its own child with it; its state is thrown away.
        self._process.terminate()
        try:
            self._process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def open(self) -> None:
        self._inside("scontrol", "update", "PartitionName=all", "State=UP")

    def close(self) -> None:
        self._inside("scontrol", "update", "PartitionName=all", "State=DOWN")

    def submit(self, requests: list[Request], clients: int = 4) -> None:
        """One `sbatch` for each, `clients` of them at a time."""
        self._submit_lines([shlex.join(_options(request)) for request in requests], clients)

    def submit_whole_nodes(self, count: int) -> None:
        """Jobs that take `count` nodes in all, fifty at a time."""
        sizes = [50] * (count // 50) + ([count % 50] if count % 50 else [])
        whole = f"--gres=gpu:{NODE_GPUS} --exclusive --time=1440"
        self._submit_lines([f"--nodes={size} {whole}" for size in sizes], 1)

    def end_jobs_of_one_gpu(self, count: int) -> None:
        listed = self._inside("squeue", "-h", "-t", "CF,R", "-o", "%i %b").splitlines()
        ended = [line.split()[0] for line in listed if line.endswith("gpu:1")][:count]
        assert len(ended) == count, f"{len(ended)} running jobs of one GPU, not {count}"
        self._inside("scancel", *ended)

    def idle_nodes(self) -> int:
        listed = self._inside("squeue", "-h", "-t", "CF,R", "-o", "%N").split()
        return self.nodes - len(set(self._expand(listed)))

    def started(self) -> int:
        """Jobs that were given their nodes since the start of this controller."""
        count = self._counter("Jobs started")
        # Slurm counts from nought again each midnight.
        self._counted += count - self._last if count >= self._last else count
        self._last = count
        return self._counted

    def backfill_rounds(self) -> int:
        return self._counter("Total cycles", after="Backfilling stats")

    def backfilled(self) -> int:
        """Of the started, those that the main scheduler had left to backfill."""
        return self._counter("Total backfilled jobs (since last slurm start)")

    def await_started(self, count: int, seconds: float) -> int:
        """How many have started once they are `count`, or after so long."""
        deadline = time.monotonic() + seconds
        while (started := self.started()) < count and time.monotonic() < deadline:
            time.sleep(0.2)
        return started

    def await_rest(self, quiet: float, seconds: float) -> None:
        """Until nothing has started for `quiet` seconds."""
        deadline = time.monotonic() + seconds
        before = self.started()
        while time.monotonic() < deadline and self.await_started(before + 1, quiet) > before:
            before = self.started()

    def cpu(self) -> Cpu:
        whole = psutil.Process(self._process.pid).cpu_times()
        threads = {_MAIN: 0.0, _BACKFILL: 0.0}
        for task in Path(f"/proc/{self._process.pid}/task").iterdir():
            # A thread that serves a client may be gone by now.
            with contextlib.suppress(OSError):
                name = (task / "comm").read_text().strip()
                if name in threads:
                    threads[name] += int((task / "schedstat").read_text().split()[0]) / 1e9
        return Cpu(whole.user + whole.system, threads[_MAIN], threads[_BACKFILL])

    def _counter(self, name: str, after: str = "") -> int:
        said = self._inside("sdiag")
        found = re.search(rf"{re.escape(name)}:\s+(\d+)", said[said.index(after) :])
        assert found, f"sdiag does not show '{name}'"
        return int(found[1])

    def _submit_lines(self, lines: list[str], clients: int) -> None:
        listed = self._folder / "jobs"
        listed.write_text("".join(f"{line} --wrap=true\n" for line in lines))
        common = ["sbatch", "--quiet", "--output=/dev/null"]
        self._inside("xargs", "-a", str(listed), "-L", "1", "-P", str(clients), *common, timeout=1800)

    def _expand(self, listed: list[str]) -> list[str]:
        names: list[str] = []
        # One command line holds a few thousand names safely.
        for at in range(0, len(listed), 1000):
            names += self._inside("scontrol", "show", "hostnames", ",".join(listed[at : at + 1000])).split()
        return names

    def _inside(self, *command: str, check: bool = True, timeout: float = 120) -> str:
        enter = ["setpriv", "--pdeathsig", "KILL"]
        enter += ["nsenter", "-t", str(self._process.pid), "--mount", "--uts", "--net", "--"]
        env = {**os.environ, "SLURM_CONF": str(self._folder / "slurm.conf")}
        done = subprocess.run(
            [*enter, *command], env=env, capture_output=True, text=True, timeout=timeout, cwd="/"
        )
        if check and done.returncode:
            raise AssertionError(f"{shlex.join(command[:4])} failed:\n{done.stderr[-2000:]}")
        return done.stdout


def _options(request: Request) -> list[str]:
    return [
        f"--gres=gpu:{request.gpus}", f"--cpus-per-task={request.cpus}", f"--mem={request.memory_mib}",
        f"--time={request.minutes}",
    ]  # fmt: skip


@contextlib.contextmanager
def running(nodes: int) -> Iterator[Controller]:
    with tempfile.TemporaryDirectory(prefix="danlu-slurm-", ignore_cleanup_errors=True) as folder:
        controller = Controller(Path(folder), nodes)
        try:
            controller.start()
            yield controller
        finally:
            controller.stop()
