"""Events of people, projects and rules, recorded for listeners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from danlu.domain.events.base import Event
from danlu.domain.words import Words


@dataclass(frozen=True, slots=True)
class UserChanged(Event):
    """An administrator's act on a person; `change` is created, invited, edited, disabled, enabled, reset or
    deleted."""

    kind = "user_changed"
    sentence = Words("user {user} {change} by {by}", "{by} {change}用户 {user}")
    by: str
    user: str
    change: str

    def data(self) -> dict[str, Any]:
        return {"by": self.by, "user": self.user, "change": self.change}

    def text(self) -> Words:
        data, change = self.data(), USER_CHANGES.get(self.change, self.change)
        return Words(self.sentence.en.format(**data), self.sentence.zh.format(**{**data, "change": change}))


@dataclass(frozen=True, slots=True)
class RuleChanged(Event):
    """Somebody's act on a rule (a project, a priority class, a pool…); `change` is added, edited or removed, of a node
    edited, moved, cordoned, drained, uncordoned or put_aside."""

    kind = "rule_changed"
    by: str
    rule: str
    name: str
    change: str

    def data(self) -> dict[str, Any]:
        return {"by": self.by, "rule": self.rule, "name": self.name, "change": self.change}

    def text(self) -> Words:
        rule = _RULES.get(self.rule, Words(self.rule, self.rule))
        change = _CHANGES.get(self.change, _CHANGES["edited"])
        return Words(
            f"{rule.en} {self.name} {change.en} by {self.by}", f"{self.by} {change.zh}{rule.zh} {self.name}"
        )


@dataclass(frozen=True, slots=True)
class MemberChanged(Event):
    """Somebody joined a project, left it, or has another role there now; no role means they left."""

    kind = "member_changed"
    by: str
    project: str
    user: str
    role: str | None

    def data(self) -> dict[str, Any]:
        return {"by": self.by, "project": self.project, "user": self.user, "role": self.role}

    def text(self) -> Words:
        if self.role is None:
            return Words(
                f"{self.user} was removed from project {self.project} by {self.by}",
                f"{self.by} 将 {self.user} 移出项目组 {self.project}",
            )
        role = _MEMBER_ROLES[self.role]
        return Words(
            f"{self.user} is {role.en} of project {self.project}, by {self.by}",
            f"{self.by} 将 {self.user} 设为项目组 {self.project} 的{role.zh}",
        )


@dataclass(frozen=True, slots=True)
class RequestChanged(Event):
    """A request was made or decided; `state` is open, approved, refused or withdrawn."""

    kind = "request_changed"
    by: str
    id: str
    request: str
    user: str
    subject: str
    state: str

    def data(self) -> dict[str, Any]:
        return {
            "by": self.by, "id": self.id, "request": self.request, "user": self.user,
            "subject": self.subject, "state": self.state,
        }  # fmt: skip

    def text(self) -> Words:
        what = _REQUESTS[self.request].fill(user=self.user, subject=self.subject)
        done = _REQUEST_STATES[self.state].fill(by=self.by)
        return Words(f"{what.en}: {done.en}", f"{what.zh}：{done.zh}")


@dataclass(frozen=True, slots=True)
class SignedIn(Event):
    kind = "signed_in"
    sentence = Words("{by} signed in by {means}", "{by} 通过{means}登录")
    by: str
    means: str

    def data(self) -> dict[str, Any]:
        return {"by": self.by, "means": self.means}

    def text(self) -> Words:
        data, means = self.data(), _MEANS_ZH.get(self.means, f" {self.means} ")
        return Words(self.sentence.en.format(**data), self.sentence.zh.format(**{**data, "means": means}))


_RULES: Mapping[str, Words] = {
    "project": Words("project", "项目组"),
    "priority": Words("priority class", "优先级"),
    "pool": Words("pool", "资源池"),
    "flavor": Words("flavor", "套餐"),
    "limit": Words("limit", "限额"),
    "node": Words("node", "节点"),
    "cluster": Words("cluster", "集群"),
    "group": Words("group", "用户组"),
    "quota": Words("quota", "配额"),
    "maintenance": Words("maintenance", "维护窗口"),
}
_MEMBER_ROLES: Mapping[str, Words] = {
    "creator": Words("a creator", "创建者"),
    "member": Words("a member", "成员"),
    "viewer": Words("a viewer", "查看者"),
}
_REQUESTS: Mapping[str, Words] = {
    "join": Words("{user} asks to join project {subject}", "{user} 申请加入项目组 {subject}"),
    "quota": Words("{user} asks for more quota ({subject})", "{user} 申请提高配额（{subject}）"),
}
_REQUEST_STATES: Mapping[str, Words] = {
    "open": Words("waiting for a decision", "等待处理"),
    "approved": Words("approved by {by}", "由 {by} 批准"),
    "refused": Words("refused by {by}", "由 {by} 拒绝"),
    "withdrawn": Words("withdrawn", "已撤回"),
}
_CHANGES: Mapping[str, Words] = {
    "added": Words("added", "添加了"),
    "edited": Words("edited", "修改了"),
    "removed": Words("removed", "移除了"),
    "cordoned": Words("cordoned", "停止调度"),
    "put_aside": Words("put aside", "隔离了"),
    "uncordoned": Words("uncordoned", "恢复调度"),
    "drained": Words("set to drain", "开始排空"),
    "moved": Words("moved to another pool", "更换资源池："),
}
USER_CHANGES: Mapping[str, str] = {
    "created": "创建了",
    "invited": "邀请了",
    "edited": "修改了",
    "disabled": "停用了",
    "enabled": "启用了",
    "reset": "重置了",
    "deleted": "删除了",
}
"""What may be done to a person, with the Chinese word."""
_MEANS_ZH: Mapping[str, str] = {"password": "密码", "link": "登录链接", "provider": "统一认证"}
