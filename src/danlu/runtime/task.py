"""task.json as the supervisor uses it."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from danlu.ports import supervision
from danlu.ports.supervision import Git

_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class CannotStart(Exception):
    """The task cannot be started; the text is a sentence for the person who submitted it."""

    def __init__(self, text: str, reason: str = "start_failed") -> None:
        super().__init__(text)
        self.reason = reason


class Unpack(NamedTuple):
    """How large a code archive may become."""

    size: int = 64 << 30
    entries: int = 2_000_000


class Person(NamedTuple):
    """Whose the task's processes and files are. The ids are those that the supervisor sees."""

    uid: int
    gid: int
    name: str
    groups: tuple[int, ...] = ()


class SupervisedTask(NamedTuple):
    """One task to supervise, every default filled in."""

    name: str
    folder: str
    """Where its files are that Danlu writes."""
    argv: list[str]
    is_shell: bool
    env: dict[str, str]
    cwd: str
    log: str
    memory: int
    cpu_milli: int
    pids: int
    shm: int
    log_limit: int
    scratch_limit: int
    wants_sandbox: bool
    wants_cgroup: bool
    binds: list[list[str]]
    hidden: list[str]
    devices: list[str]
    gpus: list[int]
    hostname: str
    hosts: list[list[str]]
    grace_ms: int
    archive: str
    unpack: Unpack
    git: Git | None
    person: Person | None
    folders: list[tuple[str, str]]
    local: list[tuple[str, int]]


def read_task(data: Any, task_dir: str) -> SupervisedTask:
    """Raises CannotStart with a sentence when the file is not one that this version understands."""
    if not isinstance(data, dict):
        raise CannotStart("task.json is not a JSON object")
    if data.get("v") != supervision.VERSION:
        raise CannotStart(
            f"task.json has version {data.get('v')}; this supervisor expects {supervision.VERSION}"
        )
    try:
        return _read(data, task_dir)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise CannotStart(f"task.json is invalid: {type(error).__name__}: {error}") from error


def _read(data: dict[str, Any], task_dir: str) -> SupervisedTask:
    limits = data.get("limits") or {}
    wishes = data.get("isolation") or {}
    name = f"{data['attempt']}/{data['task']}"
    command = data.get("command")
    argv = [data.get("shell") or "/bin/sh", "-c", command] if command is not None else list(data["argv"])
    if not argv or not all(isinstance(word, str) for word in argv):
        raise ValueError("argv must be a list of at least one string")
    cwd = os.path.abspath(data.get("cwd") or os.path.join(task_dir, supervision.WORK_DIR))
    env = {
        "PATH": _PATH,
        "HOME": cwd,
        **(data.get("env") or {}),
        supervision.COOKIE: supervision.cookie(task_dir),
    }
    if any("\0" in word for word in (*argv, *env, *env.values())) or any(
        "=" in key or not key for key in env
    ):
        raise ValueError(
            "an argument or variable contains a NUL, or the name of a variable is empty or contains ="
        )
    return SupervisedTask(
        name=name,
        folder=os.path.abspath(task_dir),
        argv=argv,
        is_shell=command is not None,
        env=env,
        cwd=cwd,
        log=data["log"],
        memory=int(limits.get("memory") or 0),
        cpu_milli=int(limits.get("cpu_milli") or 0),
        pids=int(limits.get("pids") or 0),
        shm=int(limits.get("shm") or 0),
        log_limit=int(limits.get("log") or 0),
        scratch_limit=int(limits.get("scratch") or 0),
        wants_sandbox=bool(wishes.get("bubblewrap", True)),
        wants_cgroup=bool(wishes.get("cgroup", True)),
        binds=list(data.get("binds") or []),
        hidden=list(data.get("hidden") or []),
        devices=list(data.get("devices") or []),
        gpus=[int(index) for index in data.get("gpus") or []],
        hostname=data.get("hostname") or "",
        hosts=list(data.get("hosts") or []),
        grace_ms=int(data.get("grace_ms", 10_000)),
        archive=data.get("archive") or "",
        unpack=Unpack(
            int(limits.get("unpack_limit") or Unpack().size),
            int(limits.get("unpack_entries") or Unpack().entries),
        ),
        git=data.get("git"),
        person=_read_person(data.get("user")),
        folders=[(str(source), str(path)) for source, path in data.get("folders") or []],
        local=[(str(source), int(most)) for source, most in data.get("local") or []],
    )


def _read_person(data: Any) -> Person | None:
    if data is None:
        return None
    groups = tuple(int(gid) for gid in data.get("groups") or ())
    person = Person(int(data["uid"]), int(data["gid"]), str(data["name"]), groups)
    if min(person.uid, person.gid, *groups) <= 0:
        raise ValueError("user: tasks never run as user or group 0")
    if not person.name or any(letter in person.name for letter in ":\n\0"):
        raise ValueError("user: the name is empty or contains a colon or a line break")
    return person
