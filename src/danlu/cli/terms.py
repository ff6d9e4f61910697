"""Words that stand in tables by themselves (states, classes, roles, yes and no), in the user's language."""

from __future__ import annotations

from typing import Iterable

from danlu.domain.words import Words, listed, same

# One English word that means several things has its context after a bar.
_CHINESE = {
    # States of jobs, tasks, nodes, projects, people and requests.
    "created": "已创建",
    "queued": "队列中",
    "starting": "启动中",
    "running": "运行中",
    "stopping": "停止中",
    "completed": "已完成",
    "failed": "失败",
    "stopped": "已停止",
    "pending": "待启动",
    "succeeded": "成功",
    "lost": "失联",
    "ready": "就绪",
    "occupied": "已占满",
    "cordoned": "停止调度",
    "unreachable": "失联",
    "off": "关机",
    "open": "开放",
    "closed": "已暂停",
    "open|request": "待处理",
    "approved": "已批准",
    "refused": "已拒绝",
    "withdrawn": "已撤回",
    "disabled": "已停用",
    "invited": "已邀请",
    "planned": "已安排",
    "now": "进行中",
    "over": "已结束",
    "exists": "已存在",
    "new": "新建",
    # What jobs are, and what they count as.
    "workspace": "工作台",
    "training": "训练",
    "service": "服务",
    "single": "单机训练",
    "distributed": "多机训练",
    # Who people are.
    "administrator": "管理员",
    "operator": "运维",
    "engineer": "工程师",
    "viewer": "访客",
    "creator": "创建者",
    "member": "成员",
    "viewer|member": "查看者",
    "everybody": "所有人",
    "you": "你",
    # What is counted.
    "gpus": "GPU",
    "cpus": "CPU",
    "CPUs": "CPU",
    "cpu": "CPU",
    "memory": "内存",
    "jobs": "任务",
    "tasks": "子任务",
    # What requests are for.
    "join": "加入项目组",
    "quota": "配额",
    # How tasks are kept apart.
    "sandbox": "沙箱",
    "process": "进程",
    # The rest.
    "all": "全部",
    "each": "每个",
    "none": "不限",
    "never": "从不",
    "never|expires": "永不",
    "yes": "是",
    "no": "否",
    "needed": "必填",
    "default": "默认",
    "auto": "自动",
}


def term(word: str, context: str = "") -> Words:
    """The word in both languages; one that is not known, such as a name, is the same in both."""
    chinese = _CHINESE.get(f"{word}|{context}") or _CHINESE.get(word)
    return Words(word, chinese) if chinese else same(word)


def terms(words: Iterable[str], context: str = "") -> Words:
    return listed(term(word, context) for word in words)
