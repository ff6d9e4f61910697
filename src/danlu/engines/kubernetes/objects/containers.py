"""What all containers of a pod have in common."""

from __future__ import annotations

from danlu.engines.kubernetes.objects.objects import Json
from danlu.ports.engine import TaskOrder

UNPRIVILEGED: Json = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}


def processor_and_memory(task: TaskOrder) -> dict[str, str]:
    return {"cpu": f"{task.resources.cpu_milli}m", "memory": str(task.resources.memory)}


def both(amounts: dict[str, str]) -> Json:
    """Guaranteed and never more: requests equal limits."""
    return {"requests": amounts, "limits": amounts}


def written(env: dict[str, str]) -> list[Json]:
    return [{"name": name, "value": literally(env[name])} for name in sorted(env)]


def literally(text: str) -> str:
    """Kubernetes puts variables in for `$(NAME)` in commands and values, and reads `$$` as `$`; people mean what they
    write."""
    return text.replace("$", "$$")
