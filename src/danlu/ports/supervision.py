"""The files of a task that the server and its supervisor share: names, formats, and how to read and write them."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import socket
import struct
import threading
from typing import Any, Iterator, NamedTuple, TypedDict

from danlu.ports import beneath, cutting, descriptors, disk_use, environments, reports, samples, user_ids

VERSION = 1

# In the directory of one task, runs/<attempt>/<task>/
TASK_FILE = "task.json"
STATUS_FILE = "status.jsonl"
LOCK_FILE = "lock"
STOP_FILE = "stop"
CONTROL_SOCKET = "control.sock"
WORK_DIR = "work"

# In runs/
NOTIFY_SOCKET = "notify.sock"
LAUNCHER_SOCKET = "launcher.sock"
LAUNCHER_LOCK = "launcher.lock"
LAUNCHER_LOG = "launcher.log"

# Events of status.jsonl
STARTING = "starting"
RUNNING = "running"
CHECKPOINT = "checkpoint"
STOPPING = "stopping"
WARNING = "warning"
EXITED = "exited"

COOKIE = "DANLU_SUPERVISED"
"""Environment variable that names the task of a process. It finds processes that a dead supervisor left behind."""
PASSES_ON = "DANLU_PASSES_ON"
"""Environment variable of a command that receives SIGTERM alone and passes it on to the other processes of its task."""

PACKAGES = "DANLU_PACKAGES"
"""Environment variable that says what a task wants installed before its command runs, as JSON."""
STEPS = "DANLU_STEPS"
"""Environment variable with the descriptor on which the program that installs it tells how far it is."""
LONGEST_STEP = 4096

LARGEST_JSON = 16 << 20
STATUS_AT_ONCE = 4 << 20
"""Bytes that one look at the records of a task reads; the first records tell how it was started."""


class TaskLimits(TypedDict, total=False):
    memory: int  # bytes
    cpu_milli: int
    pids: int
    shm: int  # bytes of /dev/shm in the sandbox
    log: int  # bytes that the log may take; beyond, it loses its middle
    scratch: int  # bytes that the working directory and reports may take; beyond, the task is ended
    unpack_limit: int  # bytes an archive may unpack to; default 64 GiB
    unpack_entries: int  # files, directories and links it may hold; default 2,000,000


class Git(TypedDict, total=False):
    url: str
    ref: str  # branch, tag or commit; default HEAD
    subdir: str
    protocols: list[str]  # default https, http, ssh, git


class Isolation(TypedDict, total=False):
    """What the task must have: where the machine cannot give it, the task does not start. Default: both."""

    bubblewrap: bool
    cgroup: bool


class _NamedUser(TypedDict):
    uid: int
    gid: int
    name: str


class TaskUser(_NamedUser, total=False):
    """Whose the task's processes and files are, on a launcher that may choose."""

    groups: list[int]  # those of the volumes that it mounts; default none


class NetworkFields(TypedDict, total=False):
    """A network that the tasks of an attempt have for themselves; binding."""

    policy: str  # none | registries | all
    danlu: list[Any]  # [host, port]: where Danlu listens, reached at the same place from inside
    proxy: int  # port at 127.0.0.1 inside, of a proxy for HTTP; default: none
    allow: list[str]  # hosts that it reaches: pypi.org, *.example.org, host:8080, * for all
    nat: bool  # whether all but this machine and other jobs is reached directly


class TaskFile(TypedDict, total=False):
    """task.json, which the engine writes before it asks for the start. Required: v, attempt, task, log, and either argv
    or command."""

    v: int
    attempt: str
    task: str
    owner: str  # whose job it is: what is kept of its working directory is theirs
    argv: list[str]
    command: str  # for `shell -c`
    shell: str  # default /bin/sh
    env: dict[str, str]
    cwd: str  # where code goes and the command runs; default work/ in the task's directory
    log: str
    limits: TaskLimits
    isolation: Isolation
    user: TaskUser  # needed for a sandbox where the launcher is root, and never user 0
    binds: list[list[str]]  # [source, target, "ro" | "rw" (given to the user) | "shared" (as it is) | "dev"]
    local: list[list[Any]]  # [source of a bind, bytes]: counted with the scratch; 0: no bound of its own
    hidden: list[str]  # paths covered by an empty directory, before the working directory is shown
    folders: list[list[str]]  # [source of a bind, path in it]: made as the task's user before it starts
    devices: list[str]  # device nodes to show; default: none
    gpus: list[int]  # GPUs to measure, by NVML index; default none
    network: str | NetworkFields  # host (default): the machine's
    hostname: str
    hosts: list[list[str]]  # [address, name]: added to /etc/hosts in the sandbox
    grace_ms: int  # the grace of the task when the supervisor itself receives SIGTERM
    archive: str  # path of a tar.gz to unpack into cwd
    git: Git


class StatusRecord(TypedDict, total=False):
    """One line of status.jsonl. Which keys it has depends on `event`, see docs/reference/supervisor.md."""

    v: int
    seq: int
    time: int  # milliseconds since 1970
    event: str
    # starting
    step: Any  # starting: the name of the step; checkpoint: the training step, or null
    boot: str
    supervisor: int
    network: dict[str, Any]  # descriptors by which the supervisor holds its job's network
    # running
    pid: int
    isolation: dict[str, Any]
    cgroup: list[str]
    environment: str  # where the packages of the task are, as it sees them
    # checkpoint
    path: str
    at: int  # when it was saved, milliseconds since 1970
    # stopping
    grace_ms: int
    # warning
    code: Any  # warning: its code; exited: the exit code, or null
    text: str  # warning and exited: a sentence
    # exited
    reason: str | None
    signal: int | None
    started: bool
    stopped: bool
    oom: bool
    memory_peak: int | None
    cpu_ms: int
    wall_ms: int
    log_bytes: int
    log_cut: int  # bytes of them that were cut
    problem: str  # environment_failed: what kind of trouble there was with its packages
    disk_used: int  # evicted_disk: what its scratch took, or 0 if it could not be counted
    memory_used: int  # evicted_disk: how much more it had in shared memory
    disk_limit: int


class Stop(TypedDict):
    grace_ms: int
    reason: str


class LogRecord(NamedTuple):
    """One line of a log. Unless `whole`, the line continues in the next record of the same stream."""

    time_ms: int
    stream: str  # "o" or "e"
    whole: bool
    text: bytes


# ── files ────────────────────────────────────────────────────────────────────────────────────────────


def write_json(path: str, value: Any, mode: int = 0o666) -> None:
    """Write the file atomically."""
    draft = f"{path}.{os.getpid()}-{threading.get_ident()}"
    try:
        fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, mode)
        with open(fd, "w", encoding="utf-8") as file:
            json.dump(value, file, ensure_ascii=False, separators=(",", ":"))
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise


def read_json(path: str) -> Any:
    """The content of the file; None if it does not exist. OSError for anything but a plain file of bounded size."""
    folder, name = os.path.split(path)
    try:
        return json.loads(beneath.read_file(folder, name, LARGEST_JSON).decode("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None


def read_status(task_dir: str, offset: int = 0) -> tuple[list[StatusRecord], int]:
    """The records after `offset`, of a bounded piece, and the offset for the next call; the same offset: nothing new.

    An incomplete last line is left for the next call; a line that is not a record is skipped. Records that were cut off
    or replaced are read from the beginning."""
    try:
        fd = beneath.open_file(task_dir, STATUS_FILE)
    except (FileNotFoundError, NotADirectoryError):
        return [], offset
    try:
        if os.fstat(fd).st_size < offset:
            offset = 0
        data, begin = beneath.read_from(fd, offset, STATUS_AT_ONCE)
    finally:
        os.close(fd)
    end = data.rfind(b"\n") + 1
    if not end and len(data) == STATUS_AT_ONCE:
        end = len(data)  # longer than any record
    records: list[StatusRecord] = []
    for line in data[:end].splitlines():
        with contextlib.suppress(ValueError, RecursionError):
            record = json.loads(line.lstrip(b"\0").decode("utf-8"))
            if isinstance(record, dict) and "event" in record:
                records.append(record)  # type: ignore[arg-type]
    return records, begin + end


def split_record(line: bytes) -> LogRecord | None:
    """Parse one line of a log (without its newline); None if it is incomplete."""
    parts = line.split(b" ", 2)
    if len(parts) != 3 or parts[1] not in (b"o", b"e", b"O", b"E"):
        return None
    seconds, dot, millis = parts[0].partition(b".")
    if not dot or not seconds.isdigit() or not millis.isdigit():
        return None
    letter = parts[1].decode()
    return LogRecord(int(seconds) * 1000 + int(millis), letter.lower(), letter.islower(), parts[2])


def name_of(task_dir: str) -> str:
    """ATTEMPT/TASK: the name of a task in messages to the launcher and in notifications."""
    return "/".join(os.path.abspath(task_dir).split(os.sep)[-2:])


def cookie(task_dir: str) -> str:
    """The value of COOKIE: the task and the identity of its directory: two data directories may hold equal names."""
    stat = os.stat(task_dir)
    return f"{name_of(task_dir)}@{stat.st_dev:x}-{stat.st_ino:x}"


def boot_id() -> str:
    """An id that changes with every boot of this machine; empty if the system has none."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


# ── locks: the kernel releases them when their holder exits ───────────────────────────────────────────

# Open-file-description locks can be tested without taking them, so a test never disturbs a supervisor that is
# about to take its lock. Python 3.8 has no names for the two calls.
_OFD_GETLK, _OFD_SETLK = 36, 37
_FLOCK = "hhqqi4x"


def hold(path: str) -> int | None:
    """Take the lock and return the file descriptor that holds it; None if another process holds it."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.fcntl(fd, _OFD_SETLK, struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
    except OSError as error:
        os.close(fd)
        if error.errno in (errno.EAGAIN, errno.EACCES):
            return None
        raise
    return fd


def held(path: str) -> bool:
    """Whether a process holds the lock; does not take it."""
    try:
        fd = beneath.open_file(*os.path.split(path))
    except (FileNotFoundError, NotADirectoryError):
        return False
    try:
        query = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
        answer = struct.unpack(_FLOCK, fcntl.fcntl(fd, _OFD_GETLK, query))
    finally:
        os.close(fd)
    return bool(answer[0] != fcntl.F_UNLCK)


def is_alive(task_dir: str) -> bool:
    """Whether the supervisor of the task is running."""
    return held(os.path.join(task_dir, LOCK_FILE))


# ── messages ─────────────────────────────────────────────────────────────────────────────────────────


@contextlib.contextmanager
def short_address(path: str) -> Iterator[str]:
    """An address of a Unix socket within the 107 bytes that the kernel allows, however long its path is."""
    directory, name = os.path.split(os.path.abspath(path))
    fd = os.open(directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{fd}/{name}"
    finally:
        os.close(fd)


def request_stop(task_dir: str, grace_ms: int, reason: str) -> None:
    """Ask the supervisor to end its task: SIGTERM, then SIGKILL after the grace.

    Of several requests the earliest end counts. A task that has not started yet never runs its command."""
    stop: Stop = {"grace_ms": grace_ms, "reason": reason}
    write_json(os.path.join(task_dir, STOP_FILE), stop)
    # If no supervisor listens, because it has not started or has exited, the file is enough.
    with contextlib.suppress(OSError), short_address(os.path.join(task_dir, CONTROL_SOCKET)) as address:
        send_datagram(address, b"stop")


def send_datagram(address: str, data: bytes) -> None:
    """Send without blocking; OSError if nobody listens or the queue of the listener is full."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as sender:
        sender.sendto(data, address)


def ask_launcher(runs_dir: str, *messages: Any, timeout: float = 10.0) -> list[dict[str, Any]]:
    """Send all messages and return their answers in order; a sweep is answered when it has finished.

    OSError if no launcher is running."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(timeout)
        with short_address(os.path.join(runs_dir, LAUNCHER_SOCKET)) as address:
            client.connect(address)
        client.sendall(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
        with client.makefile("rb") as lines:
            answers = [json.loads(lines.readline() or b"null") for _ in messages]
    if None in answers:
        raise ConnectionError("the launcher exited before it answered")
    return answers


def fingerprint() -> str:
    """A value that changes with the code of the runtime: a launcher with another fingerprint is out of date."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    runtime = os.path.join(package, "runtime")
    with contextlib.suppress(OSError):
        files = [
            os.path.join(folder, name)
            for folder, _, names in os.walk(runtime)
            for name in names
            if name.endswith(".py")
        ]
        files += [
            os.path.abspath(__file__),
            os.path.abspath(samples.__file__),
            os.path.abspath(reports.__file__),
            os.path.abspath(beneath.__file__),
            os.path.abspath(cutting.__file__),
            os.path.abspath(disk_use.__file__),
            os.path.abspath(descriptors.__file__),
            os.path.abspath(user_ids.__file__),
            os.path.abspath(environments.__file__),
        ]
        stamps = [os.stat(file).st_mtime_ns for file in files]
        return f"{VERSION}-{len(stamps)}-{max(stamps):x}"
    return str(VERSION)


def character_end(data: bytes, end: int) -> int:
    """The last position up to `end` that does not split a UTF-8 character; `end` if there is none."""
    for back in range(1, min(4, end) + 1):
        byte = data[end - back]
        if byte < 0x80:
            return end
        if byte >= 0xC0:
            length = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return end - back if length > back else end
    return end
