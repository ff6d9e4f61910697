"""What reasons carry in English reads as Chinese in a Chinese sentence."""

from __future__ import annotations

import pytest

from danlu.domain import reasons as why

GPUS = 1000
CASES = [
    (why.NotEnoughGpus(GPUS, "A100", 1, 0), "需要 1 卡 A100；当前没有足够的空闲卡"),
    (why.NotEnoughGpus(16 * GPUS, "A100", 2, 1), "需要 16 卡 A100；当前只够 2 个子任务中的 1 个"),
    (
        why.NoSuchNode("1 × (8 H100, 32 CPU, 2GiB)"),
        "没有可用节点能容纳该任务：8 卡 H100、32 核 CPU、2GiB 内存",
    ),
    (
        why.ReservedFor("1 × (1 CPU, 1GiB) + 2 × (0.5 GPU, 4 CPU, 2GiB)"),
        "资源足够，但已为前面的任务预留，它需要 "
        "1 ×（1 核 CPU、1GiB 内存） + 2 ×（0.5 卡 GPU、4 核 CPU、2GiB 内存）",
    ),
    (
        why.CommandNotFound(
            "worker-0",
            "command not found: torchrun; it comes with torch: add `packages: {pip: [torch]}`",
        ),
        "worker-0 找不到命令 torchrun（退出码 127）；它随 torch 安装，请添加 `packages: {pip: [torch]}`",
    ),
    (
        why.CommandNotFound("worker-0", "command not found: pyhton; did you mean python?"),
        "worker-0 找不到命令 pyhton（退出码 127）；你是想写“python”吗？",
    ),
    (why.CommandNotFound("worker-0", "sh: x: weird"), "worker-0 找不到命令（退出码 127）：sh: x: weird"),
]


@pytest.mark.parametrize(("reason", "chinese"), CASES, ids=[chinese for _, chinese in CASES])
def test_a_reason_is_chinese_throughout(reason: why.Reason, chinese: str) -> None:
    assert reason.text().zh == chinese
