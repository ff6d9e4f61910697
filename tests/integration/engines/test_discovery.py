"""GPUs are found through the real NVML binding and the real nvidia-smi route; only the hardware is pretended."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from danlu.engines.local.inventory import discover, find_gpus

NVML = r"""
#include <string.h>
typedef struct { unsigned long long total, free, used; } memory_t;
int nvmlInitWithFlags(unsigned flags) { return 0; }
int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
const char *nvmlErrorString(int code) { return "trouble"; }
int nvmlDeviceGetCount_v2(unsigned *count) { *count = 2; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) { *device = (void *)(long)(index + 1); return 0; }
int nvmlDeviceGetName(void *device, char *name, unsigned size) { strncpy(name, "NVIDIA A100-SXM4-80GB", size); return 0; }
int nvmlDeviceGetUUID(void *device, char *uuid, unsigned size) {
    strncpy(uuid, (long)device == 1 ? "GPU-aaaa" : "GPU-bbbb", size); return 0; }
int nvmlDeviceGetMemoryInfo(void *device, memory_t *memory) { memory->total = 80ull << 30; return 0; }
"""
ASK = "from danlu.engines.local.inventory import find_gpus; print(find_gpus())"
SMI = """#!/bin/sh
echo "0, GPU-cccc, NVIDIA GeForce RTX 3090, 24576"
echo "1, GPU-dddd, NVIDIA GeForce RTX 3090, 24576"
"""


def test_cards_are_found_by_nvml(tmp_path: Path) -> None:
    source, library = tmp_path / "nvml.c", tmp_path / "libnvidia-ml.so.1"
    source.write_text(NVML)
    subprocess.run(["gcc", "-shared", "-fPIC", "-w", "-o", library, source], check=True)
    env = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path)}
    said = subprocess.run(
        [sys.executable, "-c", ASK], env=env, check=True, capture_output=True, text=True
    ).stdout
    assert said.count("A100-SXM4-80GB") == 2
    assert "GPU-aaaa" in said
    assert str(80 << 30) in said


def test_cards_are_found_by_nvidia_smi_where_nvml_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "nvidia-smi"
    program.write_text(SMI)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    cards = find_gpus()
    assert [(card.index, card.uuid, card.model) for card in cards] == [
        (0, "GPU-cccc", "RTX3090"),
        (1, "GPU-dddd", "RTX3090"),
    ]


def test_a_machine_without_cards_is_a_node_all_the_same() -> None:
    node = discover()
    assert (node.gpus, node.virtual) == ((), False)
    assert node.cpu_milli == 1000 * len(os.sched_getaffinity(0))
    assert 0 < node.memory < os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
