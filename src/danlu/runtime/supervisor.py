"""One task from its file to its exit record."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time
import traceback
from typing import Any, NamedTuple

from danlu.ports import supervision
from danlu.ports.reports import reports_folder
from danlu.runtime.code.bring import bring_code
from danlu.runtime.isolation import linux, person, seccomp, tree
from danlu.runtime.isolation.cgroups import CgroupLimits, ControlGroup, NoCgroups
from danlu.runtime.isolation.machine import Machine
from danlu.runtime.isolation.person import Stage
from danlu.runtime.isolation.sandbox import Sandbox
from danlu.runtime.isolation.view import WHOLE_MACHINE
from danlu.runtime.network.namespace import AttemptNetwork
from danlu.runtime.packages.active import activated
from danlu.runtime.recording.log import Log
from danlu.runtime.recording.status import Status
from danlu.runtime.task import CannotStart, SupervisedTask, read_task
from danlu.runtime.training.training import open_training
from danlu.runtime.watching import command
from danlu.runtime.watching.child import Launch, launch, launch_sandbox
from danlu.runtime.watching.gauge import Gauge
from danlu.runtime.watching.orders import Orders, Stopped
from danlu.runtime.watching.preparing import Preparing
from danlu.runtime.watching.scratch import Scratch
from danlu.runtime.watching.watch import EVICTED_DISK, BwrapReport, Watch


def supervise(task_dir: str, machine: Machine, network: AttemptNetwork | None = None) -> None:
    """Run the task unless it was ever started, in its job's network or else in the machine's; return when its end is
    recorded. For a process of its own."""
    os.chdir(task_dir)
    lock = supervision.hold(supervision.LOCK_FILE)
    if lock is None or _was_started():
        return
    if not os.path.exists(supervision.TASK_FILE):
        return
    if os.getsid(0) != os.getpid():
        os.setsid()
    os.umask(0o077)
    linux.become_subreaper()
    status = Status(supervision.name_of(task_dir), f"../../{supervision.NOTIFY_SOCKET}")
    # The first record makes it known that the task was started: it is on disk before anything else is done.
    described = {"network": network.describe()} if network is not None else {}
    status.record(
        supervision.STARTING, step="prepare", boot=supervision.boot_id(), supervisor=os.getpid(), **described
    )
    while not status.file.flush():
        time.sleep(1.0)
    _Supervisor(status, machine, network).run(os.path.abspath(task_dir))


def _was_started() -> bool:
    try:
        return os.stat(supervision.STATUS_FILE).st_size > 0
    except OSError:
        return False


class _Isolation(NamedTuple):
    """What the task really gets."""

    group: ControlGroup | None
    stage: Stage
    arguments: list[str] | None
    report: BwrapReport | None
    keep: list[int]
    network: AttemptNetwork | None

    def describe(self, task: SupervisedTask) -> dict[str, Any]:
        parts = ["sandbox"] if self.arguments is not None else []
        parts += ["cgroup"] if self.group is not None else []
        parts += ["network"] if self.network is not None else []
        memory = "none" if not task.memory else "enforced" if self.group is not None else "polled"
        uid = self.stage.person.uid if parts[:1] == ["sandbox"] and self.stage.person else os.geteuid()
        return {"level": "+".join(parts) or "process", "memory": memory, "uid": uid}


class _Supervisor:
    def __init__(self, status: Status, machine: Machine, network: AttemptNetwork | None) -> None:
        self._status = status
        self._machine = machine
        self._network = network
        self._began = time.monotonic()
        self._launched = False
        self._preparing: Preparing | None = None

    def run(self, task_dir: str) -> None:
        group = None
        try:
            signals = _wake_on_signals()
            task = read_task(_read_file(), task_dir)
            orders = Orders(task.grace_ms / 1000)
            orders.refuse_to_start()
            log = Log(task.log, task.log_limit)
            log.prepare()
            directory = self._bring_code(task, orders)
            task = self._prepared(task)
            place = self._place(task, directory)
            program = command.find_program(task.argv[0], place)
            isolation = self._isolate(task, directory)
            group = isolation.group
            orders.poke()
            orders.refuse_to_start()
            control = _listen_for_orders()
            watched = self._launch(task, orders, log, isolation, program, directory)
            watched.run(signals, control)
            self._record_end(task, watched, isolation, log, place)
        except Stopped as stopped:
            self._record(reason="never_started", text="stopped before it started", stop_reason=str(stopped))
        except CannotStart as failure:
            self._record(reason=failure.reason, text=str(failure))
        except Exception as error:
            if self._launched:
                raise  # the task dies with us, and how it would have ended is unknown
            traceback.print_exc()
            self._record(
                reason="start_failed",
                text=f"the task could not be prepared: {type(error).__name__}: {error}",
            )
        finally:
            if group is not None:
                group.remove()
            with contextlib.suppress(OSError):
                os.unlink(supervision.CONTROL_SOCKET)

    def _bring_code(self, task: SupervisedTask, orders: Orders) -> str:
        """The directory to run in."""
        try:
            os.makedirs(task.cwd, mode=0o755, exist_ok=True)
        except OSError as error:
            raise CannotStart(f"the working directory cannot be created: {error}") from error
        owner = task.person._replace(groups=()) if task.person and task.wants_sandbox else None
        if owner is not None:
            os.chown(task.cwd, owner.uid, owner.gid)
        if not task.archive and task.git is None:
            return task.cwd
        self._status.record(supervision.STARTING, step="code")
        return bring_code(task, owner, self._network, orders.refuse_to_start)

    def _prepared(self, task: SupervisedTask) -> SupervisedTask:
        """With what installs its packages, where it wants any."""
        if supervision.PACKAGES not in task.env:
            return task
        self._preparing = Preparing()
        return self._preparing.wrapped(task)

    def _place(self, task: SupervisedTask, directory: str) -> command.CommandPlace:
        view = self._sandbox(task).view(task) if task.wants_sandbox else WHOLE_MACHINE
        return command.CommandPlace(view, task.env, directory)

    def _isolate(self, task: SupervisedTask, directory: str) -> _Isolation:
        """What the task asks for, and nothing less: what the machine cannot give is a start that fails."""
        stage = Stage(task.person)
        report, arguments, keep = None, None, []
        if task.wants_sandbox:
            sandbox = self._sandbox(task)
            self._give_files(task)
            report_from, report_to = os.pipe()
            report = BwrapReport(report_from)
            refused = seccomp.program()
            keep = [report_to] + ([_in_memory(refused)] if refused else [])
            arguments = sandbox.arguments(task, directory, stage, report_to, keep[1] if refused else -1)
        else:
            stage = Stage(None, task.folders)
            stage.make_folders()
        group = self._group(task, freezable=arguments is None) if task.wants_cgroup else None
        return _Isolation(group, stage, arguments, report, keep, self._network)

    def _sandbox(self, task: SupervisedTask) -> Sandbox:
        if isinstance(self._machine.sandbox, str):
            raise CannotStart(self._machine.sandbox, "no_sandbox")
        if task.person is None and os.geteuid() == 0:
            raise CannotStart("task.json names no user, and tasks of a root server never run as root")
        return self._machine.sandbox

    def _group(self, task: SupervisedTask, freezable: bool) -> ControlGroup:
        if isinstance(self._machine.cgroups, str):
            raise CannotStart(self._machine.cgroups, "no_cgroup")
        limits = CgroupLimits(task.memory, task.cpu_milli, task.pids)
        try:
            # A sandbox has a process namespace, which dies as a whole; else freezing is the sure way.
            return self._machine.cgroups.create(task.name.replace("/", "."), limits, freezable)
        except NoCgroups as error:
            raise CannotStart(str(error), "no_cgroup") from error

    def _give_files(self, task: SupervisedTask) -> None:
        """What the task may write belongs to its person, older data included."""
        for folder in [task.cwd, *(source for source, _, mode in task.binds if mode == "rw")]:
            if task.person is not None and person.is_strange(task.person, folder):
                if os.listdir(folder):
                    self._status.record(supervision.STARTING, step="files")
                person.give(task.person, folder)

    def _launch(
        self,
        task: SupervisedTask,
        orders: Orders,
        log: Log,
        isolation: _Isolation,
        program: str,
        directory: str,
    ) -> Watch:
        out, out_to = os.pipe()
        err, err_to = os.pipe()
        keep = list(isolation.keep)
        keep += [self._preparing.tells] if self._preparing is not None else []
        argv, env, runs = task.argv, task.env, program
        if isolation.arguments is not None:
            arguments, runs = _in_memory(_joined(isolation.arguments)), self._machine.sandbox_program
            keep.append(arguments)
            argv = [runs, "--args", str(arguments), "--", *task.argv]
            env = {supervision.COOKIE: task.env[supervision.COOKIE]}
        plan = Launch(argv, runs, env, directory, out_to, err_to, keep, isolation.group, isolation.network)
        try:
            main = launch(plan) if isolation.arguments is None else launch_sandbox(plan, isolation.stage)
        except OSError as error:
            raise CannotStart(command.explain_refusal(error.filename or program, error)) from error
        self._launched = True
        for fd in (out_to, err_to, *keep):
            os.close(fd)
        log.open(out, "o")
        log.open(err, "e")
        described = isolation.describe(task)
        watched = Watch(
            main, self._status, orders, log, task.memory if described["memory"] == "polled" else 0
        )
        directories = isolation.group.directories if isolation.group is not None else []
        running = {"isolation": described, "cgroup": directories}
        gauge = Gauge(task.log, isolation.group, task.memory, task.gpus)
        training = open_training(task, directory, self._status)
        watched.use(isolation.group, isolation.report, running, gauge, training)
        watched.preparing = self._preparing
        watched.passes_on = supervision.PASSES_ON in task.env
        watched.scratch = _scratch(task)
        return watched

    def _record_end(
        self,
        task: SupervisedTask,
        watched: Watch,
        isolation: _Isolation,
        log: Log,
        place: command.CommandPlace,
    ) -> None:
        group, report, preparing = isolation.group, isolation.report, self._preparing
        ending = _ending(watched.main_status or 0, sandboxed=report is not None)
        failed = ending["code"] != 0
        oom = failed and (watched.over_memory or (group is not None and group.oom_kills() > 0))
        peak = group.memory_peak() if group is not None else watched.memory_peak
        if watched.over_scratch:
            ending.update(reason=EVICTED_DISK, text=watched.over_scratch)
            ending.update(disk_used=watched.scratch_used, disk_limit=watched.scratch_limit)
            ending.update(memory_used=watched.scratch_memory)
        elif oom:
            ending.update(reason="out_of_memory")
        elif report is not None and not report.has_exited and ending["code"] == 1:
            ending.update(
                reason="start_failed", text=command.last_line(task.log, "the sandbox could not be created")
            )
        elif preparing is not None and not preparing.ready:
            ending.update(_unprepared(preparing, stopped=watched.stop_reason is not None, ending=ending))
        elif (task.is_shell or preparing is not None) and ending["code"] in (126, 127):
            if preparing is not None and preparing.environment:
                place = place._replace(env=activated(task.env, preparing.environment))
            ending.update(text=command.hint(ending["code"], task.argv, place, task.log))
        self._record(
            started=preparing is None or preparing.ready,
            oom=oom,
            memory_peak=peak or tree.largest_reaped(),
            cpu_ms=tree.reaped_cpu_ms() + watched.unaccounted_ms,
            log_bytes=log.file.size,
            log_cut=log.cutter.cut_bytes,
            stop_reason=watched.stop_reason,
            **ending,
        )

    def _record(self, stop_reason: str | None = None, **fields: Any) -> None:
        record: dict[str, Any] = {"code": None, "signal": None, "reason": None, "text": "", "started": False}
        record.update(oom=False, memory_peak=None, cpu_ms=0, log_bytes=0)
        record.update(wall_ms=int((time.monotonic() - self._began) * 1000))
        record.update(stopped=stop_reason is not None, stop_reason=stop_reason)
        record.update(fields)
        self._status.record_surely(supervision.EXITED, **record)
        self._status.say_last_word()


def _scratch(task: SupervisedTask) -> list[Scratch]:
    """All that it leaves on the node's disk together, and each folder that has a bound of its own."""
    own = [Scratch([folder], most, list) for folder, most in task.local if most]
    if not task.scratch_limit:
        return own
    folders = [task.cwd, reports_folder(task.log), *(folder for folder, _ in task.local)]
    return [Scratch(folders, task.scratch_limit, lambda: tree.descendants(os.getpid())), *own]


def _read_file() -> Any:
    try:
        return supervision.read_json(supervision.TASK_FILE)
    except (OSError, ValueError, RecursionError) as error:
        raise CannotStart(f"task.json cannot be read: {error}") from error


def _ending(status: int, sandboxed: bool) -> dict[str, Any]:
    """How the main process ended. bubblewrap passes on a signal as 128 + its number, as shells do."""
    if os.WIFSIGNALED(status):
        return {"code": None, "signal": os.WTERMSIG(status), "reason": "signal"}
    code = os.WEXITSTATUS(status)
    if sandboxed and 128 < code < 128 + signal.NSIG:
        return {"code": None, "signal": code - 128, "reason": "signal"}
    reason = None if code == 0 else "command_not_found" if code == 127 else "exit_code"
    return {"code": code, "signal": None, "reason": reason}


def _unprepared(preparing: Preparing, *, stopped: bool, ending: dict[str, Any]) -> dict[str, Any]:
    """How a task ended whose packages were not ready."""
    if preparing.failure is not None:
        problem, text = preparing.failure
        return {
            "reason": "environment_failed",
            "problem": problem,
            "text": text,
            "code": None,
            "signal": None,
        }
    if stopped:
        return {"reason": "never_started", "text": "stopped before it started", "code": None, "signal": None}
    how = f"signal {ending['signal']}" if ending["signal"] else f"exit code {ending['code']}"
    text = f"what installs them ended with {how}"
    return {"reason": "environment_failed", "problem": "install", "text": text}


def _wake_on_signals() -> int:
    """A descriptor that becomes readable when a signal comes."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in (signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    return reader


def _listen_for_orders() -> socket.socket | None:
    """A socket to be poked on; without it orders are seen a little later."""
    control = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
    try:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(supervision.CONTROL_SOCKET)
        control.bind(supervision.CONTROL_SOCKET)
    except OSError:
        control.close()
        return None
    return control


def _joined(words: list[str]) -> bytes:
    """NUL-separated, as bubblewrap reads them."""
    if any("\0" in word for word in words):
        raise CannotStart("task.json is invalid: a path or name contains a NUL")
    return b"".join(os.fsencode(word) + b"\0" for word in words)


def _in_memory(data: bytes) -> int:
    """A file that has no name."""
    fd = os.memfd_create("arguments")
    os.write(fd, data)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd
