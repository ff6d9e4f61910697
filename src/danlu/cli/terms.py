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
    "cancelled": "已取消",
    "waiting": "等待中",
    "pending": "待启动",
    "succeeded": "成功",
    "lost": "失联",
    "ready": "就绪",
    "occupied": "已占满",
    "cordoned": "已停止调度",
    "unreachable": "失联",
    "off": "已关机",
    "open": "可提交",
    "closed": "已关闭",
    "open|request": "待处理",
    "approved": "已批准",
    "refused": "已拒绝",
    "withdrawn": "已撤回",
    "disabled": "已停用",
    "invited": "尚未设置密码",
    "planned": "计划中",
    "now": "进行中",
    "past": "已结束",
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
    # Where data comes from, and who reads it.
    "place": "位置",
    "version|lineage": "版本",
    "job|lineage": "任务",
    "made": "生成",
    "read|lineage": "读取",
    # What can be done with a job.
    "start": "启动",
    "stop": "停止",
    "restart": "重启",
    "reset": "重置",
    "edit": "修改",
    "clone": "克隆",
    "delete": "删除",
    "exec": "进入",
    "pin": "置顶",
    "unpin": "取消置顶",
    "order": "调整顺序",
    # How tasks are kept apart.
    "sandbox": "沙箱",
    "process": "普通进程",
    "blocked": "无法启动",
    "pod": "Pod",
    "cgroup": "控制组",
    "network": "独立网络",
    "own_users": "独立用户",
    "simulated": "模拟",
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
