"""What this machine has: processors, memory and GPUs."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import socket
import subprocess

import psutil

from danlu.domain.node import Gpu, Node
from danlu.domain.quantity import MIB
from danlu.engines.local.programs import bare_environment

_VENDOR = re.compile(r"(nvidia|geforce|tesla|graphics|device)\s*", re.IGNORECASE)
_NVML = "libnvidia-ml.so.1"
_LONGEST = 96
"""Bytes of a card's name or id, as NVML sets it."""
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
    """Through the driver's own library: its Python package takes 16 MB for these few calls."""
    try:
        nvml = ctypes.CDLL(_NVML)
        if nvml.nvmlInit_v2() != 0:
            return ()
    except (OSError, AttributeError):
        return ()
    try:
        count = ctypes.c_uint()
        _must(nvml.nvmlDeviceGetCount_v2(ctypes.byref(count)))
        return tuple(_card(nvml, index) for index in range(count.value))
    except (OSError, AttributeError):
        return ()
    finally:
        nvml.nvmlShutdown()


def _card(nvml: ctypes.CDLL, index: int) -> Gpu:
    card, memory = ctypes.c_void_p(), _NvmlMemory()
    name, uuid = (ctypes.create_string_buffer(_LONGEST) for _ in range(2))
    size = ctypes.c_uint(_LONGEST)
    _must(nvml.nvmlDeviceGetHandleByIndex_v2(ctypes.c_uint(index), ctypes.byref(card)))
    _must(nvml.nvmlDeviceGetMemoryInfo(card, ctypes.byref(memory)))
    _must(nvml.nvmlDeviceGetName(card, name, size))
    _must(nvml.nvmlDeviceGetUUID(card, uuid, size))
    return Gpu(index, uuid.value.decode(), short_model(name.value.decode()), int(memory.total))


def _must(code: int) -> None:
    if code != 0:
        raise OSError(f"NVML answers {code}")


class _NvmlMemory(ctypes.Structure):
    _fields_ = (("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong))


def _by_nvidia_smi() -> tuple[Gpu, ...]:
    program = shutil.which("nvidia-smi")
    if program is None:
        return ()
    command = [program, _QUERY, "--format=csv,noheader,nounits"]
    try:
        asked = subprocess.run(
            command, env=bare_environment(), capture_output=True, text=True, timeout=20, check=True
        )
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
