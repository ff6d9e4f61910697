"""The audit log in words: what was done to what, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from danlu.domain.audit import Entry
from danlu.domain.terms import THINGS
from danlu.domain.words import Words

ACTS: Mapping[str, Words] = {
    "added": Words("{by} added {it}", "{by} 添加了{it}"),
    "created": Words("{by} created {it}", "{by} 创建了{it}"),
    "edited": Words("{by} changed {it}", "{by} 修改了{it}"),
    "removed": Words("{by} removed {it}", "{by} 移除了{it}"),
    "deleted": Words("{by} deleted {it}", "{by} 删除了{it}"),
    "invited": Words("{by} invited {it}", "{by} 邀请了{it}"),
    "reset": Words("{by} reset {it}", "{by} 重置了{it}"),
    "disabled": Words("{by} disabled {it}", "{by} 停用了{it}"),
    "enabled": Words("{by} enabled {it}", "{by} 启用了{it}"),
    "signed_in": Words("{by} signed in", "{by} 登录"),
    "signed_out": Words("{by} signed {it} out elsewhere", "{by} 结束了{it} 的其他会话"),
    "sign_in_failed": Words("somebody failed to sign in as {by}", "有人以 {by} 的身份登录失败"),
    "password_set": Words("{by} set the password of {it}", "{by} 设置了{it} 的密码"),
    "token_made": Words("{by} created a token for {it}", "{by} 为{it} 创建了令牌"),
    "token_revoked": Words("{by} revoked a token of {it}", "{by} 吊销了{it} 的令牌"),
    "key_added": Words("{by} added an SSH key to {it}", "{by} 为{it} 添加了 SSH 密钥"),
    "key_removed": Words("{by} removed an SSH key of {it}", "{by} 移除了{it} 的 SSH 密钥"),
    "joined": Words("{by} added a member to {it}", "{by} 批准成员加入{it}"),
    "left": Words("{by} left {it}", "{by} 退出了{it}"),
    "member_set": Words("{by} changed who belongs to {it}", "{by} 修改了{it} 的成员"),
    "request_approved": Words("{by} approved {it}", "{by} 批准了{it}"),
    "request_refused": Words("{by} refused {it}", "{by} 拒绝了{it}"),
    "request_reopened": Words(
        "{by} approved {it}, but carrying it out failed; it is open again",
        "{by} 批准了{it}，但执行失败，已重新打开",
    ),
    "cordoned": Words("{by} cordoned {it}", "{by} 停止调度{it}"),
    "put_aside": Words("{by} put {it} aside", "{by} 隔离了{it}"),
    "uncordoned": Words("{by} uncordoned {it}", "{by} 恢复调度{it}"),
    "drained": Words("{by} drained {it}", "{by} 排空了{it}"),
    "moved": Words("{by} moved {it}", "{by} 移动了{it}"),
    "pinned": Words("{by} pinned {it}", "{by} 置顶了{it}"),
    "unpinned": Words("{by} unpinned {it}", "{by} 取消了{it} 的置顶"),
    "started": Words("{by} started {it}", "{by} 启动了{it}"),
    "restarted": Words("{by} restarted {it}", "{by} 重启了{it}"),
    "replaced": Words("{by} stopped {it} for its next run", "{by} 停止了{it}，改为运行新的一轮"),
    "stopped": Words("{by} stopped {it}", "{by} 停止了{it}"),
    "shared": Words("{by} changed whom {it} is shared with", "{by} 修改了{it} 的共享对象"),
    "trashed": Words("{by} moved {it} to the trash", "{by} 将{it} 移入了回收站"),
    "restored": Words("{by} restored {it} from the trash", "{by} 从回收站恢复了{it}"),
    "raised": Words("{by} raised {it} temporarily", "{by} 临时提高了{it}"),
    "exec": Words("{by} opened a shell in {it}", "{by} 打开了{it} 的终端"),
    "read": Words("{by} read {it}", "{by} 查看了{it}"),
    "exported": Words("{by} exported {it}", "{by} 导出了{it}"),
}
"""Every act there is, with its sentence."""

NOUNS: Mapping[str, Words] = {
    **{kind: Words(f"{one.en} {{name}}", f"{one.zh} {{name}}") for kind, one in THINGS.items()},
    "quota": Words("the quota of {name}", "配额 {name}"),
    "maintenance": Words("maintenance {name}", "维护窗口 {name}"),
    "request": Words("request {name}", "申请 {name}"),
    "audit": Words("the audit log", "审计日志"),
}


def sentence(entry: Entry) -> Words:
    """An entry in words; an act or a subject this Danlu has no word for is shown as it is kept."""
    kind, _, name = entry.subject.partition(":")
    noun = NOUNS[kind].fill(name=name) if kind in NOUNS else Words(entry.subject, f" {entry.subject}")
    said = ACTS.get(entry.act, Words(f"{{by}} {entry.act} {{it}}", f"{{by}} {entry.act} {{it}}"))
    return Words(said.en.format(by=entry.by, it=noun.en), said.zh.format(by=entry.by, it=noun.zh))
