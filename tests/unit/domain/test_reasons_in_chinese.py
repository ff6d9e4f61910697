"""What reasons carry in English reads as Chinese in a Chinese sentence."""

from __future__ import annotations

import pytest

from danlu.domain import reasons as why
from danlu.domain.events import TaskDelayed, TaskStarting

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
    (
        why.BucketNotCopied("worker-0", "too_large", 3 << 30, 2 << 30, node="n1"),
        "worker-0 在 n1 上未启动：存储卷还需要 3GiB，而该节点为所有存储桶和导出目录共保留 2GiB（bucket_cache）",
    ),
    (
        why.BucketNotCopied("worker-0", "too_many", bound=2_000_000),
        "worker-0 未启动：存储卷的文件超过 2,000,000 个",
    ),
    (
        why.BucketNotCopied("worker-0", "over_bound", 3 << 30, 2 << 30),
        "worker-0 未启动：所挂载的存储桶内容有 3GiB，而一个容器组最多可有 2GiB（bucket_cache）",
    ),
    (
        why.DatasetNotCopied("worker-0", "lin:x@v1", "damaged", said="'a'", node="n1"),
        "worker-0 在 n1 上未启动：数据集 lin:x@v1 已损坏：'a'",
    ),
    (
        why.DatasetNotCopied("worker-0", "lin:x@v1", "too_large", 3 << 30, 2 << 30),
        "worker-0 未启动：数据集 lin:x@v1 放不下：挂载的内容需要 3GiB，而节点磁盘总共只有 2GiB",
    ),
    (
        why.DatasetNotCopied("worker-0", "lin:x@v1", "unreachable", said="broke", said_zh="连接中断"),
        "worker-0 未启动：数据集 lin:x@v1 未能复制到容器组：连接中断",
    ),
    (
        why.BucketNotCopied("worker-0", "told", said="{s3} refused", said_zh="{s3} 拒绝了登录"),
        "worker-0 未启动：外部存储：{s3} 拒绝了登录",
    ),
    (why.CommandNotFound("worker-0", "sh: x: weird"), "worker-0 找不到命令（退出码 127）：sh: x: weird"),
]


@pytest.mark.parametrize(("reason", "chinese"), CASES, ids=[chinese for _, chinese in CASES])
def test_a_reason_is_chinese_throughout(reason: why.Reason, chinese: str) -> None:
    assert reason.text().zh == chinese


def test_a_wait_for_a_bucket_is_chinese_throughout() -> None:
    wait = TaskDelayed("j-1", "worker-0", "bucket_fetched", percent=30, size=2 << 30)
    assert wait.text().zh == "worker-0 正在等待：正在获取所挂载的外部存储：2GiB 的 30%"
    assert wait.text().en == "worker-0 is waiting: what it mounts from outside is being fetched: 30 % of 2GiB"
    step = TaskStarting("j-1", "worker-0", "dataset_copied", 40, 2 << 30, "lin:x@v1")
    assert step.text().zh == "worker-0：正在获取数据集 lin:x@v1：2GiB 的 40%"
    assert step.text().en == "worker-0: fetching dataset lin:x@v1: 40 % of 2GiB"
    assert (
        TaskDelayed("j-1", "worker-0", "the disk is full", "磁盘已满").text().zh
        == "worker-0 正在等待：磁盘已满"
    )
