"""From a task's order to the task.json that its supervisor reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from danlu.domain.job import Code
from danlu.domain.node import Node
from danlu.engines.local.environment import HostEnvironment
from danlu.engines.local.isolation import Isolation
from danlu.ports import supervision
from danlu.ports.engine import AttemptOrder, TaskOrder
from danlu.ports.logs import LogKey
from danlu.ports.supervision import TaskFile

HOSTS_FILE = "tasks"
_HOSTS_INSIDE = "/run/danlu/hosts"
_MOST_PROCESSES = 32_768


@dataclass(frozen=True, slots=True)
class Places:
    """Where things are on this machine."""

    runs: Path
    volumes: Path
    hidden: tuple[Path, ...]
    log_path: Callable[[LogKey], Path]
    archive_path: Callable[[str], Path]

    def task(self, attempt_id: str, name: str) -> Path:
        return self.runs / attempt_id / name


def real_cards(nodes: Iterable[Node], task: TaskOrder) -> tuple[int, ...]:
    """Those of a task's cards that are there and not only declared, so that they can be measured."""
    node = next((node for node in nodes if node.name == task.node), None)
    real = {gpu.index for gpu in node.gpus if not gpu.declared} if node else set()
    return tuple(index for index in task.gpus if index in real)


def write_task(
    order: AttemptOrder,
    task: TaskOrder,
    places: Places,
    host: HostEnvironment,
    isolation: Isolation,
    measured: tuple[int, ...] = (),
) -> None:
    """Make the task's folder and everything its supervisor needs, which may measure these of its cards; safe to
    do again."""
    folder = places.task(order.attempt_id, task.name)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / HOSTS_FILE).write_text("".join(f"{peer.address} {peer.name}\n" for peer in order.tasks))
    log = places.log_path(LogKey(order.job_id, order.number, task.name))
    log.parent.mkdir(parents=True, exist_ok=True)
    personal = places.volumes / order.owner
    personal.mkdir(parents=True, exist_ok=True)
    inside = f"/mnt/{order.owner}" if isolation.bubblewrap else str(personal)
    file: TaskFile = {
        "v": supervision.VERSION,
        "attempt": order.attempt_id,
        "task": task.name,
        "env": {
            "PATH": host.path,
            "LANG": "C.UTF-8",
            "PYTHONUNBUFFERED": "1",
            "CUDA_VISIBLE_DEVICES": ",".join(map(str, task.gpus)),
            **task.env,
            "DANLU_HOSTS": _HOSTS_INSIDE if isolation.bubblewrap else str(folder / HOSTS_FILE),
            "DANLU_PERSONAL_DIR": inside,
        },
        "log": str(log),
        "limits": {
            "memory": task.resources.memory,
            "cpu_milli": task.resources.cpu_milli,
            "pids": _MOST_PROCESSES,
            "shm": task.resources.shm,
        },
        "isolation": {"bubblewrap": isolation.bubblewrap, "cgroup": isolation.cgroup},
        "binds": [
            *([path, path, "ro"] for path in host.folders),
            [str(folder / HOSTS_FILE), _HOSTS_INSIDE, "ro"],
            [str(personal), inside, "rw"],
        ],
        "gpus": list(measured),
        "hidden": [str(path) for path in places.hidden if path.exists()],
        "hostname": task.name,
        "hosts": [[peer.address, peer.name] for peer in order.tasks],
    }
    if isinstance(task.command, str):
        file["command"] = task.command
    else:
        file["argv"] = list(task.command)
    if order.code is not None:
        _add_code(file, order.code, places)
    supervision.write_json(str(folder / supervision.TASK_FILE), file)


def _add_code(file: TaskFile, code: Code, places: Places) -> None:
    if code.archive is not None:
        file["archive"] = str(places.archive_path(code.archive))
    elif code.git is not None:
        file["git"] = {"url": code.git}
        if code.ref is not None:
            file["git"]["ref"] = code.ref
        if code.subdir is not None:
            file["git"]["subdir"] = code.subdir
