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
from danlu.runtime.code import code, repository
from danlu.runtime.isolation import linux, tree
from danlu.runtime.isolation.cgroups import CgroupLimits, ControlGroup, NoCgroups
from danlu.runtime.isolation.machine import Machine
from danlu.runtime.network.namespace import AttemptNetwork
from danlu.runtime.recording.log import Log
from danlu.runtime.recording.status import Status
from danlu.runtime.task import CannotStart, SupervisedTask, read_task
from danlu.runtime.training.training import open_training
from danlu.runtime.watching import command
from danlu.runtime.watching.child import Launch, launch, launch_sandbox
from danlu.runtime.watching.gauge import Gauge
from danlu.runtime.watching.orders import Orders, Stopped
from danlu.runtime.watching.watch import BwrapReport, Watch


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
    arguments: list[str] | None
    report: BwrapReport | None
    report_to: int
    lacks: list[str]
    network: AttemptNetwork | None

    def describe(self, task: SupervisedTask) -> dict[str, Any]:
        parts = ["sandbox"] if self.arguments is not None else []
        parts += ["cgroup"] if self.group is not None else []
        parts += ["network"] if self.network is not None else []
        memory = "none" if not task.memory else "enforced" if self.group is not None else "polled"
        return {"level": "+".join(parts) or "process", "memory": memory, "lacks": self.lacks}


class _Supervisor:
    def __init__(self, status: Status, machine: Machine, network: AttemptNetwork | None) -> None:
        self._status = status
        self._machine = machine
        self._network = network
        self._began = time.monotonic()
        self._launched = False

    def run(self, task_dir: str) -> None:
        group = None
        try:
            signals = _wake_on_signals()
            task = read_task(_read_file(), task_dir)
            orders = Orders(task.grace_ms / 1000)
            orders.refuse_to_start()
            log = Log(task.log)
            log.prepare()
            directory = self._bring_code(task, orders)
            program = command.find_program(task.argv[0], task.env, directory)
            isolation = self._isolate(task, directory, program)
            group = isolation.group
            orders.poke()
            orders.refuse_to_start()
            control = _listen_for_orders()
            watched = self._launch(task, orders, log, isolation, program, directory)
            watched.run(signals, control)
            self._record_end(task, watched, isolation, log)
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
        if not task.archive and task.git is None:
            return task.cwd
        self._status.record(supervision.STARTING, step="code")
        # Code is for the task to read, which need not run as the server's user.
        mask = os.umask(0o022)
        try:
            if task.archive:
                code.unpack(task.archive, task.cwd, orders.refuse_to_start, task.unpack)
            if task.git is not None:
                repository.clone(task.git, task.cwd, orders.refuse_to_start)
                return repository.enter_subdirectory(task.cwd, task.git.get("subdir") or ".")
        finally:
            os.umask(mask)
        return task.cwd

    def _isolate(self, task: SupervisedTask, directory: str, program: str) -> _Isolation:
        """As much of what is wished for as the machine can give."""
        group, report, arguments, report_to, lacks = None, None, None, -1, []
        sandbox = self._machine.sandbox if task.wants_sandbox else None
        if isinstance(sandbox, str):
            lacks.append(sandbox)
        elif sandbox is not None:
            sandbox.check_visible(program, task)
            report_from, report_to = os.pipe()
            report = BwrapReport(report_from)
            arguments = sandbox.arguments(task, directory, report_to)
        driver = self._machine.cgroups if task.wants_cgroup else None
        if isinstance(driver, str):
            lacks.append(driver)
        elif driver is not None:
            limits = CgroupLimits(task.memory, task.cpu_milli, task.pids)
            try:
                # A sandbox has a process namespace, which dies as a whole; else freezing is the sure way.
                group = driver.create(task.name.replace("/", "."), limits, freezable=arguments is None)
            except NoCgroups as error:
                lacks.append(str(error))
        return _Isolation(group, arguments, report, report_to, lacks, self._network)

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
        argv, env, keep, runs = task.argv, task.env, [], program
        if isolation.arguments is not None:
            arguments = _in_memory(isolation.arguments)
            runs = self._machine.sandbox_program
            keep = [arguments, isolation.report_to]
            argv = [runs, "--args", str(arguments), "--", *task.argv]
            env = {supervision.COOKIE: task.env[supervision.COOKIE]}
        start = launch if isolation.arguments is None else launch_sandbox
        try:
            main = start(
                Launch(argv, runs, env, directory, out_to, err_to, keep, isolation.group, self._network)
            )
        except OSError as error:
            raise CannotStart(command.explain_refusal(program, error)) from error
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
        watched.passes_on = supervision.PASSES_ON in task.env
        return watched

    def _record_end(self, task: SupervisedTask, watched: Watch, isolation: _Isolation, log: Log) -> None:
        group, report = isolation.group, isolation.report
        ending = _ending(watched.main_status or 0, sandboxed=report is not None)
        failed = ending["code"] != 0
        oom = failed and (watched.over_memory or (group is not None and group.oom_kills() > 0))
        peak = group.memory_peak() if group is not None else watched.memory_peak
        if oom:
            ending.update(reason="out_of_memory")
        elif report is not None and not report.has_exited and ending["code"] == 1:
            ending.update(
                reason="start_failed", text=command.last_line(task.log, "the sandbox could not be created")
            )
        elif task.is_shell and ending["code"] in (126, 127):
            ending.update(text=command.hint(ending["code"], task.argv, task.env, task.log))
        self._record(
            started=True,
            oom=oom,
            memory_peak=peak or tree.largest_reaped(),
            cpu_ms=tree.reaped_cpu_ms() + watched.unaccounted_ms,
            log_bytes=log.file.size,
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


def _in_memory(words: list[str]) -> int:
    """The words, NUL-separated, in a file that has no name."""
    if any("\0" in word for word in words):
        raise CannotStart("task.json is invalid: a path or name contains a NUL")
    fd = os.memfd_create("arguments")
    os.write(fd, b"".join(os.fsencode(word) + b"\0" for word in words))
    os.lseek(fd, 0, os.SEEK_SET)
    return fd
