"""What this machine has: processors, memory and GPUs."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Callable

import psutil

from danlu.domain.node import Gpu, Node
from danlu.domain.quantity import MIB

_VENDOR = re.compile(r"(nvidia|geforce|tesla|graphics|device)\s*", re.IGNORECASE)
_QUERY = "--query-gpu=index,uuid,name,memory.total"


def discover() -> Node:
    """This machine as one node."""
    gpus = find_gpus()
    return Node(
        name=_name(socket.gethostname()),
        address="127.0.0.1",
        cpu_milli=1000 * _cpus(),
        memory=_memory(),
        gpus=gpus,
        labels={"gpu": gpus[0].model} if gpus else {},
    )


def find_gpus() -> tuple[Gpu, ...]:
    """By NVML, else by nvidia-smi, else none."""
    for look in (_by_nvml, _by_nvidia_smi):
        gpus = look()
        if gpus:
            return gpus
    return ()


def short_model(name: str) -> str:
    """`NVIDIA A100-SXM4-80GB` → `A100-SXM4-80GB`, `NVIDIA GeForce RTX 3090` → `RTX3090`."""
    return _VENDOR.sub("", name).replace(" ", "")


def _by_nvml() -> tuple[Gpu, ...]:
    try:
        import pynvml
    except ImportError:
        return ()
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        return ()
    try:
        return tuple(_card(pynvml, index) for index in range(pynvml.nvmlDeviceGetCount()))
    except pynvml.NVMLError:
        return ()
    finally:
        pynvml.nvmlShutdown()


def _card(nvml: object, index: int) -> Gpu:
    get: Callable[..., object] = lambda name, *args: getattr(nvml, name)(*args)  # noqa: E731
    handle = get("nvmlDeviceGetHandleByIndex", index)
    memory = get("nvmlDeviceGetMemoryInfo", handle)
    name, uuid = str(get("nvmlDeviceGetName", handle)), str(get("nvmlDeviceGetUUID", handle))
    return Gpu(index, uuid, short_model(name), int(getattr(memory, "total", 0)))


def _by_nvidia_smi() -> tuple[Gpu, ...]:
    program = shutil.which("nvidia-smi")
    if program is None:
        return ()
    command = [program, _QUERY, "--format=csv,noheader,nounits"]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(_row(line) for line in asked.stdout.splitlines() if line.count(",") >= 3)


def _row(line: str) -> Gpu:
    index, uuid, name, memory = (part.strip() for part in line.split(",", 3))
    return Gpu(int(index), uuid, short_model(name), int(float(memory)) * MIB)


def _cpus() -> int:
    return len(os.sched_getaffinity(0))


def _memory() -> int:
    """All but a part for the system itself."""
    total = psutil.virtual_memory().total
    return int(total - min(total // 10, 2 * 2**30))


def _name(host: str) -> str:
    return re.sub(r"[^a-z0-9-]+", "-", host.lower()).strip("-") or "this-machine"
