"""How a container ended, as Danlu's reasons."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterable

from danlu.domain.reasons import (
    CodeFailed,
    CommandNotFound,
    EnvironmentFailed,
    EvictedByNode,
    ExitCode,
    NodeLost,
    OutOfMemory,
    PreemptedElsewhere,
    Reason,
    Signal,
    StartFailed,
)
from danlu.engines.kubernetes.objects.objects import Json
from danlu.engines.kubernetes.objects.packages import FAILED

_NOT_FOUND = re.compile(r"(?:^|[\s:])([^\s:]+): (?:command )?not found$")
_COMMAND_NOT_FOUND = 127
_LONGEST = 1000
_NEVER_RAN = frozenset({"StartError", "ContainerCannotRun"})
_END_NOT_SEEN = "ContainerStatusUnknown"
_EVICTED = frozenset({"Evicted", "Shutdown", "NodeShutdown", "Terminated"})
_PREEMPTED_BY_KUBELET = "Preempting"
_NODE_GONE = "DeletionByPodGC"
_PREEMPTED_BY_SCHEDULER = "PreemptionByScheduler"
_MADE_ROOM, _TAINTED = "Preempted", "TaintManagerEviction"


def exit_reason(task: str, terminated: Json, memory_limit: int, node: str) -> Reason | None:
    """Why the task's container ended; None when all went well."""
    code, word = terminated.get("exitCode", 0), terminated.get("reason")
    message = (terminated.get("message") or "").strip()
    if word == _END_NOT_SEEN:
        return NodeLost(task, node)
    if word in _NEVER_RAN:
        return StartFailed(task, message or "its container could not be started")
    if code == 0:
        return None
    if word == "OOMKilled":
        return OutOfMemory(task, memory_limit)
    if message.startswith(f"{FAILED}:"):
        _, problem, said = message.split(":", 2) if message.count(":") > 1 else ("", "", message)
        return EnvironmentFailed(task, problem, said[:_LONGEST])
    if code == _COMMAND_NOT_FOUND:
        return CommandNotFound(task, _missing_program(message))
    number = _signal_of(terminated)
    return Signal(task, _signal_name(number)) if number else ExitCode(task, code)


def exit_code_of(terminated: Json) -> int | None:
    """The code of a command that ended by itself; None for one that was ended, or whose end nobody saw."""
    if terminated.get("reason") in (*_NEVER_RAN, _END_NOT_SEEN) or _signal_of(terminated):
        return None
    return int(terminated.get("exitCode", 0))


def code_reason(task: str, terminated: Json) -> Reason:
    """Why the container that fetches the code failed: in its own last words if it had any."""
    said = [line.strip() for line in (terminated.get("message") or "").splitlines() if line.strip()]
    if terminated.get("reason") == "OOMKilled":
        return CodeFailed(task, "it takes more memory to unpack than the task asks for")
    if said:
        return CodeFailed(task, said[-1])
    number = _signal_of(terminated)
    how = f"signal {_signal_name(number)}" if number else f"exit code {terminated.get('exitCode')}"
    return CodeFailed(task, f"what fetches it ended with {how}")


def disruption_of(
    pod: Json, task: str, events: Iterable[Json] = (), qualify: Callable[[str], str] = str
) -> Reason | None:
    """Who other than Danlu and the task itself ended a pod, as far as it or events about it tell."""
    status: Json = pod.get("status") or {}
    node = qualify(pod["spec"].get("nodeName") or "")
    word, message = status.get("reason"), str(status.get("message") or "")
    if word in _EVICTED:
        return EvictedByNode(task, node, message or str(word))
    if word == _PREEMPTED_BY_KUBELET:
        return PreemptedElsewhere(task, node, message or str(word))
    for condition in status.get("conditions") or ():
        if condition["type"] == "DisruptionTarget" and condition["status"] == "True":
            return _disrupted(task, node, condition)
    for event in events:
        said = str(event.get("message") or event.get("reason"))
        if event.get("reason") == _MADE_ROOM:
            return PreemptedElsewhere(task, node, said)
        if event.get("reason") == "Evicted":
            return EvictedByNode(task, node, said)
        if event.get("reason") == _TAINTED and not said.startswith("Cancelling"):
            return EvictedByNode(task, node, said)
    return None


def _disrupted(task: str, node: str, condition: Json) -> Reason:
    word = str(condition.get("reason", ""))
    said = str(condition.get("message") or word)
    if word == _NODE_GONE:
        return NodeLost(task, node)
    if word == _PREEMPTED_BY_SCHEDULER:
        return PreemptedElsewhere(task, node, said)
    return EvictedByNode(task, node, said)


def _missing_program(message: str) -> str:
    for line in reversed(message.splitlines()):
        match = _NOT_FOUND.search(line.strip())
        if match:
            return f"command not found: {match[1]}"
    return "command not found"


def _signal_of(terminated: Json) -> int:
    """The number of the signal that ended it, by itself or as shells pass it on; 0 for none."""
    code = int(terminated.get("exitCode", 0))
    return int(terminated.get("signal") or 0) or (code - 128 if 128 < code < 128 + signal.NSIG else 0)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
