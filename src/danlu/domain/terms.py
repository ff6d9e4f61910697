"""The words that sentences are put together from, as the glossary has them."""

from __future__ import annotations

from collections.abc import Mapping

from danlu.domain.job import JobClass, Kind
from danlu.domain.members import MemberRole
from danlu.domain.people import UserRole
from danlu.domain.quantity import show_amount
from danlu.domain.reasons.base import amount_in_chinese
from danlu.domain.words import Words, same, say

STATES: Mapping[str, Words] = {
    "created": Words("created", "已创建"),
    "queued": Words("queued", "队列中"),
    "starting": Words("starting", "启动中"),
    "running": Words("running", "运行中"),
    "stopping": Words("stopping", "停止中"),
    "completed": Words("completed", "已完成"),
    "failed": Words("failed", "失败"),
    "stopped": Words("stopped", "已停止"),
}
_CLASSES: Mapping[str, Words] = {
    JobClass.WORKSPACE.value: Words("workspace", "工作台"),
    JobClass.SINGLE.value: Words("single", "单机训练"),
    JobClass.DISTRIBUTED.value: Words("distributed", "多机训练"),
    JobClass.SERVICE.value: Words("service", "服务"),
}
_KINDS: Mapping[str, Words] = {
    Kind.WORKSPACE.value: Words("workspace", "工作台"),
    Kind.TRAINING.value: Words("training", "训练"),
    Kind.SERVICE.value: Words("service", "服务"),
}
_ROLES: Mapping[str, Words] = {
    UserRole.ADMINISTRATOR.value: Words("administrator", "管理员"),
    UserRole.OPERATOR.value: Words("operator", "运维"),
    UserRole.ENGINEER.value: Words("engineer", "工程师"),
    UserRole.VIEWER.value: Words("viewer", "访客"),
}
_MEMBERS: Mapping[str, Words] = {
    MemberRole.CREATOR.value: Words("creator", "创建者"),
    MemberRole.MEMBER.value: Words("member", "成员"),
    MemberRole.VIEWER.value: Words("viewer", "查看者"),
}
THINGS: Mapping[str, Words] = {
    "cluster": Words("cluster", "集群"),
    "dataset": Words("dataset", "数据集"),
    "environment": Words("environment", "环境"),
    "flavor": Words("flavor", "套餐"),
    "group": Words("group", "用户组"),
    "job": Words("job", "任务"),
    "limit": Words("limit", "限额"),
    "maintenance": Words("maintenance", "维护窗口"),
    "node": Words("node", "节点"),
    "pool": Words("pool", "资源池"),
    "priority": Words("priority class", "优先级"),
    "project": Words("project", "项目组"),
    "quota": Words("quota", "配额"),
    "task": Words("task", "子任务"),
    "schedule": Words("schedule", "定时传输"),
    "template": Words("template", "模板"),
    "transfer": Words("transfer", "传输"),
    "user": Words("user", "用户"),
    "version": Words("version", "版本"),
    "volume": Words("volume", "存储卷"),
}


def thing(kind: str) -> Words:
    """What a kind of thing is called."""
    return THINGS.get(kind) or same(kind)


def no_such(kind: str, name: str) -> Words:
    return say("there is no {kind} '{name}'", "没有名为“{name}”的{kind}", kind=thing(kind), name=name)


def role_said(role: str) -> Words:
    return _ROLES.get(str(role)) or same(str(role))


def member_said(role: str) -> Words:
    return _MEMBERS.get(str(role)) or same(str(role))


def kind_said(kind: str) -> Words:
    return _KINDS.get(str(kind)) or same(str(kind))


def class_said(job_class: str) -> Words:
    return _CLASSES.get(str(job_class)) or same(str(job_class))


def amount_said(resource: str, amount: int) -> Words:
    """`8 gpus`, `8 卡`."""
    return Words(show_amount(resource, amount), amount_in_chinese(resource, amount))
