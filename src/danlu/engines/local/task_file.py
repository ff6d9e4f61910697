"""From a task's order to the task.json that its supervisor reads."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import danlu
from danlu.domain.job import Code
from danlu.domain.node import Gpu, Node
from danlu.engines.local.bounds import UNBOUNDED, DiskBounds
from danlu.engines.local.devices import devices_of
from danlu.engines.local.environment import HostEnvironment
from danlu.engines.local.isolation import IsolationChoice
from danlu.ports import supervision
from danlu.ports.engine import AttemptOrder, TaskOrder, addressed
from danlu.ports.environments import FOLDER
from danlu.ports.logs import LogKey
from danlu.ports.reports import reports_folder
from danlu.ports.supervision import NetworkFields, TaskFile, TaskLimits, TaskUser

HOSTS_FILE = "tasks"
_PACKAGE = Path(danlu.__file__).parent
_HOSTS_INSIDE = "/run/danlu/hosts"
_REPORTS_INSIDE = "/run/danlu/reports"
_PYTHON_INSIDE = "/run/danlu/python"
_MOST_PROCESSES = 32_768


@dataclass(frozen=True, slots=True)
class Places:
    """Where things are on this machine."""

    runs: Path
    volumes: Path
    archives: Path
    hidden: tuple[Path, ...]
    log_path: Callable[[LogKey], Path]
    archive_path: Callable[[str], Path]
    bounds: DiskBounds = UNBOUNDED

    def task(self, attempt_id: str, name: str) -> Path:
        return self.runs / attempt_id / name


def real_cards(nodes: Iterable[Node], task: TaskOrder) -> tuple[Gpu, ...]:
    """Those of a task's cards that are there and not only declared: they are shown to it and measured."""
    node = next((node for node in nodes if node.name == task.node), None)
    real = {gpu.index: gpu for gpu in node.gpus if not gpu.declared} if node else {}
    return tuple(real[index] for index in task.gpus if index in real)


def write_task(
    order: AttemptOrder,
    task: TaskOrder,
    places: Places,
    host: HostEnvironment,
    isolation: IsolationChoice,
    user: TaskUser | None,
    cards: tuple[Gpu, ...] = (),
    mounts: Sequence[list[str]] = (),
) -> None:
    """Make the task's folder and everything its supervisor needs; `cards` are those that really exist,
    `mounts` what it asked to be shown besides. Safe to do again."""
    folders = _make_folders(order, task, places, isolation.bubblewrap)
    network = isolation.networks.of(order, task)
    addresses = {peer.hostname: peer.address for peer in order.tasks}
    folders.hosts.write_text("".join(f"{address} {host}\n" for host, address in addresses.items()))
    folders.hosts.chmod(0o644)
    file: TaskFile = {
        "v": supervision.VERSION,
        "attempt": order.attempt_id,
        "task": task.name,
        "owner": order.owner,
        "env": {
            "PATH": host.path,
            "LANG": "C.UTF-8",
            "PYTHONUNBUFFERED": "1",
            "CUDA_VISIBLE_DEVICES": _visible(task, cards, isolation.bubblewrap),
            **({"USER": user["name"], "LOGNAME": user["name"]} if user else {}),
            **network.env,
            **_checkpoints(order, task, folders),
            **{name: addressed(value, addresses) for name, value in task.env.items()},
            **_paths(task, folders, isolation.bubblewrap),
            **_datasets(order),
            **_packages(order, folders, network.fields),
        },
        "log": str(folders.log),
        "limits": _limits(task, places.bounds),
        "isolation": {"bubblewrap": isolation.bubblewrap, "cgroup": isolation.cgroup},
        "binds": [*_binds(host, folders), *mounts],
        "local": [
            [source, most] for (source, _, _), most in zip(mounts, _sizes(order), strict=False) if most >= 0
        ],
        "folders": [[str(folders.personal), path] for path in _checkpoint_folders(order, task)],
        "devices": devices_of(cards, task.resources.rdma),
        "gpus": [card.index for card in cards],
        "hidden": [str(path) for path in places.hidden if path.exists()],
        "hostname": task.hostname,
        # Its own name first: tasks on one node share an address, which must lead back to the one that asks.
        "hosts": [
            *sorted(
                ([address, host] for host, address in addresses.items()),
                key=lambda at: at[1] != task.hostname,
            ),
            *map(list, network.hosts),
        ],
        "network": network.fields,
    }
    if isinstance(task.command, str):
        file["command"] = addressed(task.command, addresses)
    else:
        file["argv"] = [addressed(word, addresses) for word in task.command]
    if user is not None:
        file["user"] = user
    if order.code is not None:
        _add_code(file, order.code, places)
    supervision.write_json(str(folders.task / supervision.TASK_FILE), file, mode=0o600)


@dataclass(frozen=True, slots=True)
class _Folders:
    """Where a task's things are on this machine, and where the task itself finds its owner's folder."""

    task: Path
    log: Path
    reports: Path
    personal: Path
    personal_inside: str
    archive: Path
    archive_inside: str

    @property
    def hosts(self) -> Path:
        return self.task / HOSTS_FILE


def _make_folders(order: AttemptOrder, task: TaskOrder, places: Places, sandboxed: bool) -> _Folders:
    log = places.log_path(LogKey(order.job_id, order.number, task.name))
    personal = places.volumes / order.owner
    archive = places.archives / order.owner
    inside = f"/mnt/{order.owner}" if sandboxed else str(personal)
    archived = f"/archives/{order.owner}" if sandboxed else str(archive)
    folder = places.task(order.attempt_id, task.name)
    made = _Folders(folder, log, Path(reports_folder(str(log))), personal, inside, archive, archived)
    for one in (made.task, log.parent, made.personal, made.archive, made.reports):
        one.mkdir(parents=True, exist_ok=True)
    return made


def _limits(task: TaskOrder, bounds: DiskBounds) -> TaskLimits:
    return {
        "memory": task.resources.memory,
        "cpu_milli": task.resources.cpu_milli,
        "pids": _MOST_PROCESSES,
        "shm": task.resources.shm,
        "log": bounds.log,
        "scratch": bounds.scratch,
        "unpack_limit": bounds.unpack,
        "unpack_entries": bounds.unpack_entries,
    }


def _binds(host: HostEnvironment, folders: _Folders) -> list[list[str]]:
    """What a sandbox shows besides the system: the Python environment, what Danlu keeps for the task, and its owner's
    folder."""
    return [
        *([path, path, "ro"] for path in host.folders),
        [str(folders.hosts), _HOSTS_INSIDE, "ro"],
        [str(_PACKAGE), f"{_PYTHON_INSIDE}/{_PACKAGE.name}", "ro"],
        [str(folders.reports), _REPORTS_INSIDE, "rw"],
        [str(folders.personal), folders.personal_inside, "rw"],
        [str(folders.archive), folders.archive_inside, "rw"],
    ]


def _sizes(order: AttemptOrder) -> list[int]:
    """Of each mount, the bound of a folder of the task's own; negative for volumes."""
    return [-1 if mount.local is None else mount.local for mount in order.mounts]


def shown_to(order: AttemptOrder, task: TaskOrder, places: Places, host: HostEnvironment) -> list[str]:
    """Where a sandbox shows what every task has, the system aside."""
    own = (f"/mnt/{order.owner}", f"/archives/{order.owner}", _REPORTS_INSIDE, _HOSTS_INSIDE, _PYTHON_INSIDE)
    work = places.task(order.attempt_id, task.name) / supervision.WORK_DIR
    return [*host.folders, *own, str(work)]


def _paths(task: TaskOrder, folders: _Folders, sandboxed: bool) -> dict[str, str]:
    """The variables that lead a task to what Danlu keeps for it; its job file cannot change them."""
    return {
        "PYTHONPATH": _python_path(task, _PYTHON_INSIDE if sandboxed else _linked(folders.task)),
        "DANLU_REPORTS": _REPORTS_INSIDE if sandboxed else str(folders.reports),
        "DANLU_HOSTS": _HOSTS_INSIDE if sandboxed else str(folders.hosts),
        "DANLU_PERSONAL_DIR": folders.personal_inside,
        "DANLU_ARCHIVE_DIR": folders.archive_inside,
    }


def _datasets(order: AttemptOrder) -> dict[str, str]:
    """Where the task finds versions of datasets, by their names: for `danlu.dataset`."""
    found = {mount.title: mount.path for mount in order.mounts if mount.tree}
    return {"DANLU_DATASETS": json.dumps(found)} if found else {}


def _packages(order: AttemptOrder, folders: _Folders, network: str | NetworkFields) -> dict[str, str]:
    """What its supervisor is to install first, and where all jobs of its owner keep that."""
    if order.packages is None:
        return {}
    told = {name: value for name, value in asdict(order.packages).items() if value}
    told |= {"keep": f"{folders.personal_inside}/{FOLDER}", "job": order.job_name}
    told |= {"network": network if isinstance(network, str) else network.get("policy", "")}
    return {supervision.PACKAGES: json.dumps(told)}


def _checkpoints(order: AttemptOrder, task: TaskOrder, folders: _Folders) -> dict[str, str]:
    """Where the job keeps its checkpoints unless its file says so: all its attempts in one folder that stays."""
    own = _checkpoint_folders(order, task)
    return {"DANLU_CHECKPOINT_DIR": f"{folders.personal_inside}/{own[0]}"} if own else {}


def _checkpoint_folders(order: AttemptOrder, task: TaskOrder) -> list[str]:
    """In the owner's folder. The supervisor makes it as that person: the task can write there, links included."""
    if "DANLU_CHECKPOINT_DIR" in task.env:
        return []
    return [f"checkpoints/{order.job_name}-{order.job_id}"]


def _visible(task: TaskOrder, cards: tuple[Gpu, ...], sandboxed: bool) -> str:
    """Real cards that are shown to a task alone are numbered from 0 by the driver, as in containers."""
    return ",".join(map(str, range(len(cards)) if cards and sandboxed else task.gpus))


def _python_path(task: TaskOrder, ours: str) -> str:
    """So that `import danlu` works in whatever environment the task runs."""
    return os.pathsep.join(filter(None, (task.env.get("PYTHONPATH"), ours)))


def _linked(folder: Path) -> str:
    """A folder that holds the package and nothing else: what lies beside the installed one must not leak."""
    python = folder / "python"
    python.mkdir(exist_ok=True)
    link = python / _PACKAGE.name
    if not link.is_symlink():
        link.symlink_to(_PACKAGE)
    return str(python)


def _add_code(file: TaskFile, code: Code, places: Places) -> None:
    if code.archive is not None:
        file["archive"] = str(places.archive_path(code.archive))
    elif code.git is not None:
        file["git"] = {"url": code.git}
        if code.ref is not None:
            file["git"]["ref"] = code.ref
        if code.subdir is not None:
            file["git"]["subdir"] = code.subdir
