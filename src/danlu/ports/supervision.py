"""What server and supervisors agree on: a task's files, their shapes, and how each side reads them."""

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

from danlu.ports import descriptors, reports, samples

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
"""Variable in every task's environment that names it: what a dead supervisor left behind is found by it."""
PASSES_ON = "DANLU_PASSES_ON"
"""Variable in the environment of a command that alone hears of SIGTERM, and tells the rest."""


class TaskLimits(TypedDict, total=False):
    memory: int  # bytes
    cpu_milli: int
    pids: int
    shm: int  # bytes of /dev/shm in the sandbox
    unpack_limit: int  # bytes an archive may unpack to; default 64 GiB
    unpack_entries: int  # files, directories and links it may hold; default 2,000,000


class Git(TypedDict, total=False):
    url: str
    ref: str  # branch, tag or commit; default HEAD
    subdir: str
    protocols: list[str]  # default https, http, ssh, git


class Isolation(TypedDict, total=False):
    """What is wished for; each is used where the machine can and its lack is reported."""

    bubblewrap: bool
    cgroup: bool


class NetworkFields(TypedDict, total=False):
    """A network that the tasks of an attempt have for themselves; binding."""

    policy: str  # none | registries | all
    danlu: list[Any]  # [host, port]: where Danlu listens, reached at the same place from inside
    proxy: int  # port at 127.0.0.1 inside, of a proxy for HTTP; default: none
    allow: list[str]  # hosts that it reaches: pypi.org, *.example.org, host:8080, * for all
    nat: bool  # whether all but this machine and other jobs is reached directly


class TaskFile(TypedDict, total=False):
    """task.json, written whole by the engine before it asks for the start. Needed: v, attempt, task, log, and
    one of argv and command."""

    v: int
    attempt: str
    task: str
    argv: list[str]
    command: str  # for `shell -c`
    shell: str  # default /bin/sh
    env: dict[str, str]
    cwd: str  # where code goes and the command runs; default work/ in the task's directory
    log: str
    limits: TaskLimits
    isolation: Isolation
    binds: list[list[str]]  # [source, target, "ro" | "rw" | "dev"]
    hidden: list[str]  # paths covered by an empty directory, before the working directory is shown
    devices: list[str]  # device nodes to show; default: every GPU and RDMA device
    gpus: list[int]  # cards to measure, by NVML's numbers; default none
    network: str | NetworkFields  # host (default): the machine's
    hostname: str
    hosts: list[list[str]]  # [address, name]: added to /etc/hosts in the sandbox
    grace_ms: int  # when the supervisor itself is told to leave
    archive: str  # path of a tar.gz to unpack into cwd
    git: Git


class StatusRecord(TypedDict, total=False):
    """One line of status.jsonl; which keys it has depends on `event`, see docs/reference/supervisor.md."""

    v: int
    seq: int
    time: int  # milliseconds since 1970
    event: str
    # starting
    step: Any  # starting: a word; checkpoint: how far it was, or null
    boot: str
    supervisor: int
    network: dict[str, Any]  # descriptors by which the supervisor holds its job's network
    # running
    pid: int
    isolation: dict[str, Any]
    cgroup: list[str]
    # checkpoint
    path: str
    at: int  # when it was saved, milliseconds since 1970
    # stopping
    grace_ms: int
    # warning
    code: Any  # warning: a word; exited: the exit code or null
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


def write_json(path: str, value: Any) -> None:
    """Write the file whole or not at all."""
    draft = f"{path}.{os.getpid()}-{threading.get_ident()}"
    try:
        with open(draft, "w", encoding="utf-8") as file:
            json.dump(value, file, ensure_ascii=False, separators=(",", ":"))
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise


def read_json(path: str) -> Any:
    """The file's content; None when it does not exist."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (FileNotFoundError, NotADirectoryError):
        return None


def read_status(task_dir: str, offset: int = 0) -> tuple[list[StatusRecord], int]:
    """The records after `offset` and the offset to go on from.

    A torn last line waits for its rest; a line that is no record is skipped."""
    try:
        with open(os.path.join(task_dir, STATUS_FILE), "rb") as file:
            file.seek(offset)
            data = file.read()
    except (FileNotFoundError, NotADirectoryError):
        return [], offset
    end = data.rfind(b"\n") + 1
    records: list[StatusRecord] = []
    for line in data[:end].splitlines():
        with contextlib.suppress(ValueError):
            record = json.loads(line.decode("utf-8"))
            if isinstance(record, dict) and "event" in record:
                records.append(record)  # type: ignore[arg-type]
    return records, offset + end


def split_record(line: bytes) -> LogRecord | None:
    """Read one line of a log (without its newline); None when it is torn."""
    parts = line.split(b" ", 2)
    if len(parts) != 3 or parts[1] not in (b"o", b"e", b"O", b"E"):
        return None
    seconds, dot, millis = parts[0].partition(b".")
    if not dot or not seconds.isdigit() or not millis.isdigit():
        return None
    letter = parts[1].decode()
    return LogRecord(int(seconds) * 1000 + int(millis), letter.lower(), letter.islower(), parts[2])


def name_of(task_dir: str) -> str:
    """ATTEMPT/TASK, as the launcher and the notifications call it."""
    return "/".join(os.path.abspath(task_dir).split(os.sep)[-2:])


def cookie(task_dir: str) -> str:
    """The value of COOKIE: names the task, and its very directory, for names may be alike in two of them."""
    stat = os.stat(task_dir)
    return f"{name_of(task_dir)}@{stat.st_dev:x}-{stat.st_ino:x}"


def boot_id() -> str:
    """Tells one run of this machine from the next; empty when the system does not say."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


# ── locks: held as long as the holder lives, whatever becomes of its pid ──────────────────────────────

# Open-file-description locks can be tested without being taken, so a look never disturbs a supervisor that is
# just about to take its lock. Python 3.8 does not name the two calls.
_OFD_GETLK, _OFD_SETLK = 36, 37
_FLOCK = "hhqqi4x"


def hold(path: str) -> int | None:
    """Take the lock and return the descriptor that keeps it; None when somebody else has it."""
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
    """Whether somebody has the lock; never takes it."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return False
    try:
        query = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
        answer = struct.unpack(_FLOCK, fcntl.fcntl(fd, _OFD_GETLK, query))
    finally:
        os.close(fd)
    return bool(answer[0] != fcntl.F_UNLCK)


def is_alive(task_dir: str) -> bool:
    """Whether the task's supervisor lives."""
    return held(os.path.join(task_dir, LOCK_FILE))


# ── messages ─────────────────────────────────────────────────────────────────────────────────────────


@contextlib.contextmanager
def short_address(path: str) -> Iterator[str]:
    """A name for a Unix socket that fits the 107 bytes the kernel allows, however deep its directory is."""
    directory, name = os.path.split(os.path.abspath(path))
    fd = os.open(directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{fd}/{name}"
    finally:
        os.close(fd)


def request_stop(task_dir: str, grace_ms: int, reason: str) -> None:
    """Ask the supervisor to end its task: SIGTERM, the grace, SIGKILL.

    May be asked again; the earlier end counts. A task not yet started will never run its command."""
    stop: Stop = {"grace_ms": grace_ms, "reason": reason}
    write_json(os.path.join(task_dir, STOP_FILE), stop)
    # No supervisor listens (yet, or any more): the file is enough.
    with contextlib.suppress(OSError), short_address(os.path.join(task_dir, CONTROL_SOCKET)) as address:
        send_datagram(address, b"stop")


def send_datagram(address: str, data: bytes) -> None:
    """Send without ever waiting; OSError when nobody listens or the listener's queue is full."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as sender:
        sender.sendto(data, address)


def ask_launcher(runs_dir: str, *messages: Any, timeout: float = 10.0) -> list[dict[str, Any]]:
    """Send the messages together and return their answers in order; a sweep's comes when it is over.

    OSError when there is no launcher."""
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
    """Changes when the runtime's code does: a launcher that answers another one is out of date."""
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
            os.path.abspath(descriptors.__file__),
        ]
        stamps = [os.stat(file).st_mtime_ns for file in files]
        return f"{VERSION}-{len(stamps)}-{max(stamps):x}"
    return str(VERSION)


def character_end(data: bytes, end: int) -> int:
    """The last position up to `end` that splits no UTF-8 character; `end` itself where there is none."""
    for back in range(1, min(4, end) + 1):
        byte = data[end - back]
        if byte < 0x80:
            return end
        if byte >= 0xC0:
            length = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return end - back if length > back else end
    return end
