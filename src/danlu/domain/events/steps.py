"""Words of steps, of what a task does or waits for before it runs, and of the grounds on which a job was placed."""

from __future__ import annotations

from collections.abc import Mapping

from danlu.domain.quantity import show_size
from danlu.domain.words import Words

STEPS: Mapping[str, Words] = {
    "prepare": Words("preparing", "准备环境"),
    "code": Words("fetching the code", "获取代码"),
    "dataset": Words("its dataset is being prepared on this machine", "正在本机准备其数据集"),
    "packages": Words("looking at the packages", "检查软件包"),
    "packages_wait": Words("waiting for a task that installs the same", "等待另一个子任务安装相同的软件包"),
    "packages_install": Words("installing packages", "安装软件包"),
    "bucket_listed": Words("what it mounts from outside is being listed", "正在列出所挂载外部存储的内容"),
    "bucket_fetched": Words(
        "what it mounts from outside is being fetched: {percent} % of {size}",
        "正在获取所挂载的外部存储：{size} 的 {percent}%",
    ),
    "mounts": Words("fetching what it mounts", "获取所挂载的数据"),
    "dataset_copied": Words(
        "fetching dataset {title}: {percent} % of {size}", "正在获取数据集 {title}：{size} 的 {percent}%"
    ),
    "bucket_copied": Words(
        "fetching bucket {title}: {percent} % of {size}", "正在获取存储桶 {title}：{size} 的 {percent}%"
    ),
    "files": Words("giving older files to their owner", "将旧文件交还给其所有者"),
}

GROUNDS: Mapping[str, Words] = {
    "turn": Words(
        "it was next in the queue (priority {priority}, score {score}; its project uses {level} of its share)",
        "轮到该任务（优先级 {priority}，积分 {score}，项目组已用其份额的 {level}）",
    ),
    "pinned": Words("pinned by an administrator", "由管理员置顶"),
    "passing": Words(
        "backfilled: it starts before jobs ahead of it without delaying them (priority {priority}, score {score})",
        "回填：在不推迟前面任务的情况下先启动（优先级 {priority}，积分 {score}）",
    ),
    "promised": Words("the nodes it was nominated for are now free", "为其腾出的资源已可用"),
}


def step_said(step: str, zh: str = "", *, percent: int = 0, size: int = 0, title: str = "") -> Words:
    """A step by its name, with how far it is; or what was said in words, in Chinese too where that is known."""
    if step not in STEPS:
        return Words(step, zh or step)
    return STEPS[step].fill(percent=percent, size=show_size(size), title=title)


def step_mark(step: str, percent: int) -> str:
    """As a task keeps it: what differs is news."""
    return f"{step} {percent}" if percent else step
