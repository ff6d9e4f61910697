"""Why a task or a job ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from danlu.domain.quantity import show_amount, show_size, time_said
from danlu.domain.reasons.base import AtNode, Reason, amount_in_chinese
from danlu.domain.reasons.parts import missing_in_chinese
from danlu.domain.words import Words


@dataclass(frozen=True, slots=True)
class ExitCode(AtNode):
    code = "exit_code"
    sentence = Words("{task} ended with exit code {exit_code}{on}", "{task} {on}以退出码 {exit_code} 结束")
    meaning = Words(
        "The command itself reported a failure.",
        "命令执行失败，返回了非零退出码。",
    )
    advice = Words(
        "Read the last lines of the log of {task}, fix the cause, then restart the job.",
        "请查看 {task} 日志的最后几行，排除原因后重启任务。",
    )
    task: str
    exit_code: int
    node: str = ""


@dataclass(frozen=True, slots=True)
class CommandNotFound(Reason):
    code = "command_not_found"
    sentence = Words("{task}: {message} (exit code 127)", "{task} 找不到命令{message}")
    meaning = Words(
        "The shell could not find a program that the command names.",
        "Shell 找不到命令中的程序。",
    )
    advice = Words(
        "Check the spelling of the command. If it is right, name the package that contains the program in `packages`, "
        "or use an image that has it.",
        "请检查命令的拼写；若拼写无误，请在 `packages` 中添加包含该程序的软件包，或使用含有它的镜像。",
    )
    task: str
    message: str

    def shown_in_chinese(self) -> dict[str, Any]:
        return {**self.params(), "message": missing_in_chinese(self.message)}


@dataclass(frozen=True, slots=True)
class Signal(AtNode):
    code = "signal"
    sentence = Words("{task} was killed by signal {signal}{on}", "{task} {on}被信号 {signal} 终止")
    meaning = Words(
        "The process was killed from outside, or crashed (SIGSEGV, SIGABRT).",
        "进程被外部终止，或自身崩溃（SIGSEGV、SIGABRT）。",
    )
    advice = Words(
        "After a crash, look for a native library in the log; after SIGKILL, check how much memory the task used.",
        "若为崩溃，请在日志中查找相关的原生库；若为 SIGKILL，请检查子任务的内存用量。",
    )
    task: str
    signal: str
    node: str = ""


@dataclass(frozen=True, slots=True)
class OutOfMemory(AtNode):
    code = "out_of_memory"
    sentence = Words("{task} ran out of memory{on} (limit {limit})", "{task} {on}内存不足（上限 {limit}）")
    meaning = Words(
        "The task used more memory than it requested and was killed.",
        "子任务使用的内存超过申请量，已被终止。",
    )
    advice = Words(
        "Raise resources.memory, or use less: a smaller batch, fewer data-loader workers.",
        "请增大 resources.memory，或减少用量：减小 batch size、减少数据加载进程。",
    )
    task: str
    limit: int
    node: str = ""

    def shown(self) -> dict[str, Any]:
        return {**AtNode.shown(self), "limit": show_size(self.limit)}


@dataclass(frozen=True, slots=True)
class EvictedDisk(AtNode):
    """`used` is what was counted on disk when it was ended, which may be less than all there was; 0 if it cannot be
    counted. `memory` is what it had in shared memory, which counts too."""

    code = "evicted_disk"
    sentence = Words("{task} was ended{on}: {how}", "{task} {on}被终止：{how}")
    meaning = Words(
        "The task's working directory, its reports, the deleted files that it kept open and its shared memory took "
        "more space than a task may (setting `scratch_limit`), or were nested too deeply to be counted; Danlu ended "
        "it.",
        "子任务的工作目录、上报文件、已删除但仍打开的文件以及共享内存合计超过了每个子任务可占用的空间"
        "（设置 `scratch_limit`），"
        "或目录嵌套过深无法统计，因此被丹炉终止。",
    )
    advice = Words(
        "Write large files to your personal directory ($DANLU_PERSONAL_DIR) or a volume, and delete what is no longer "
        "needed; an administrator can raise the setting.",
        "请将大文件写入个人目录（$DANLU_PERSONAL_DIR）或存储卷，并删除不再需要的文件；管理员可调大该设置。",
    )
    task: str
    used: int
    limit: int
    node: str = ""
    memory: int = 0

    def shown(self) -> dict[str, Any]:
        disk, memory, limit = show_size(self.used), show_size(self.memory), show_size(self.limit)
        how = f"it takes {disk} of disk space, and may take {limit}"
        if self.memory:
            how = (
                f"it takes {disk} of disk space and {memory} of shared memory, and may take {limit} together"
            )
        return {
            **AtNode.shown(self),
            "how": how if self.used or self.memory else "its folders are nested too deeply to be counted",
        }

    def shown_in_chinese(self) -> dict[str, Any]:
        disk, memory, limit = show_size(self.used), show_size(self.memory), show_size(self.limit)
        how = f"占用磁盘 {disk}，上限为 {limit}"
        if self.memory:
            how = f"占用磁盘 {disk}、共享内存 {memory}，合计上限为 {limit}"
        return {
            **AtNode.shown_in_chinese(self),
            "how": how if self.used or self.memory else "目录嵌套过深，无法统计",
        }


@dataclass(frozen=True, slots=True)
class StartFailed(AtNode):
    code = "start_failed"
    sentence = Words("{task} could not start{on}: {message}", "{task} {on}无法启动：{message}")
    meaning = Words(
        "The node could not prepare or start the command.",
        "节点未能完成准备工作，或未能启动命令。",
    )
    advice = Words(
        "Fix what the message names, then start the job again.",
        "请按提示修正，然后重新启动任务。",
    )
    task: str
    message: str
    node: str = ""


@dataclass(frozen=True, slots=True)
class NotIsolated(AtNode):
    code = "not_isolated"
    sentence = Words("{task} was not started{on}: {message}", "{task} {on}未启动：{message}")
    meaning = Words(
        "The node cannot isolate tasks from each other as required, so it runs none.",
        "节点无法按要求隔离任务，因此不运行任何任务。",
    )
    advice = Words(
        "An administrator installs bubblewrap on the node (Debian, Ubuntu: apt install bubblewrap) or mends what the "
        "message names; no restart is needed. Then start the job again.",
        "请管理员在节点上安装 bubblewrap（Debian、Ubuntu：apt install bubblewrap），或排除提示中的原因，"
        "无需重启丹炉；然后重新启动任务。",
    )
    task: str
    message: str
    node: str = ""


@dataclass(frozen=True, slots=True)
class SharedUser(AtNode):
    code = "shared_user"
    sentence = Words(
        "{task} was not started{on}: tasks of {owner} and {other} would run as the same user of the machine",
        "{task} {on}未启动：{owner} 与 {other} 的任务会以同一个系统用户身份运行",
    )
    meaning = Words(
        "Danlu does not run as root here and has no subordinate user ids, so it cannot give each person a user of "
        "their own: tasks of two people could read and stop each other.",
        "丹炉既不以 root 身份运行，也没有从属 uid，无法为每个人分配各自的系统用户：两个人的任务可以互相读取和终止。",
    )
    advice = Words(
        "An administrator runs Danlu as root, gives its user subordinate user ids, or accepts this with the setting "
        "share_user.",
        "请管理员以 root 身份运行丹炉，或为丹炉的用户分配从属 uid，或通过设置 share_user 接受这一点。",
    )
    task: str
    owner: str
    other: str
    node: str = ""


@dataclass(frozen=True, slots=True)
class NoUserId(AtNode):
    code = "no_user_id"
    sentence = Words(
        "{task} was not started{on}: there are {ids} subordinate user ids, and {owner} would need number {number}",
        "{task} {on}未启动：从属 uid 只有 {ids} 个，而 {owner} 需要第 {number} 个",
    )
    meaning = Words(
        "Danlu does not run as root here. It gives each account one of its subordinate user ids, in the order in which "
        "accounts were made, and there are none left for this one.",
        "丹炉不以 root 身份运行，按账号创建的先后为每个账号分配一个从属 uid，现已没有可供该账号使用的。",
    )
    advice = Words(
        "An administrator widens the range in /etc/subuid and /etc/subgid and restarts Danlu while no task runs, or "
        "runs it as root.",
        "请管理员扩大 /etc/subuid 和 /etc/subgid 中的范围，在没有任务运行时重启丹炉，或以 root 身份运行丹炉。",
    )
    task: str
    owner: str
    number: int
    ids: int
    node: str = ""


@dataclass(frozen=True, slots=True)
class CodeFailed(Reason):
    code = "code_failed"
    sentence = Words("{task}: the code could not be fetched: {message}", "{task} 无法获取代码：{message}")
    meaning = Words(
        "The code folder or Git repository named by the job could not be read.",
        "无法读取任务指定的代码目录或 Git 仓库。",
    )
    advice = Words(
        "Check code.git, code.ref and that the node can read the repository; or submit the folder again.",
        "请检查 code.git、code.ref 以及节点是否有权读取仓库；或重新提交代码目录。",
    )
    task: str
    message: str


@dataclass(frozen=True, slots=True)
class NodeLost(Reason):
    code = "node_lost"
    sentence = Words("{task} was lost with node {node}", "{task} 随节点 {node} 失联")
    meaning = Words(
        "The node restarted or became unreachable, or the task's supervisor was killed, so how the task ended is "
        "unknown.",
        "节点重启或失联，或子任务的看护进程被终止，因此无法得知其结束状态。",
    )
    advice = Words(
        "Start the job again; with `on: {{node_lost: requeue}}` it is requeued automatically.",
        "请重新启动任务；设置 `on: {{node_lost: requeue}}` 后将自动重新排队。",
    )
    task: str
    node: str


@dataclass(frozen=True, slots=True)
class LeftWhenAsked(Reason):
    code = "left_when_asked"
    sentence = Words("{task} exited when told to", "{task} 已按要求退出")
    meaning = Words(
        "The task was told to save and exit, and did; whether its work was finished is unknown.",
        "子任务收到保存并退出的通知后正常退出；其工作是否已完成未知。",
    )
    advice = Words("Nothing to do.", "无需操作。")
    task: str


@dataclass(frozen=True, slots=True)
class Hung(Reason):
    code = "hung"
    sentence = Words(
        "no sign of progress for {quiet}: no step, no output, no GPU use",
        "已 {quiet}无任何进展：无步数、无输出、GPU 空闲",
    )
    meaning = Words(
        "None of the job's tasks showed progress for longer than hang_after.",
        "任务的所有子任务均无进展，且时间已超过 hang_after。",
    )
    advice = Words(
        "See where each task was stuck with `danlu stacks`; raise hang_after if long silence is normal for this job.",
        "用 `danlu stacks` 查看各子任务停在何处；如任务本来就长时间无输出，请增大 hang_after。",
    )
    quiet: int

    def shown(self) -> dict[str, Any]:
        return {"quiet": time_said(self.quiet)}


@dataclass(frozen=True, slots=True)
class NeverStarted(Reason):
    code = "never_started"
    sentence = Words("{task} was stopped before it started", "{task} 在启动前被停止")
    meaning = Words("The job was stopped before this task was launched.", "该子任务启动之前，任务已被停止。")
    advice = Words("Nothing to do.", "无需操作。")
    task: str


@dataclass(frozen=True, slots=True)
class OverTime(Reason):
    code = "over_time"
    sentence = Words("ran longer than its max_time of {limit}", "超过最长运行时间（{limit}）")
    meaning = Words(
        "The job reached the maximum duration it was given.",
        "任务达到了设定的最长运行时间。",
    )
    advice = Words(
        "Raise max_time, or save checkpoints so that the next start continues.",
        "请增大 max_time，或保存检查点，以便下次启动后继续。",
    )
    limit: int

    def shown(self) -> dict[str, Any]:
        return {"limit": time_said(self.limit)}


@dataclass(frozen=True, slots=True)
class StoppedBy(Reason):
    code = "stopped_by"
    sentence = Words("stopped by {user}{newer}", "由 {user} 停止{newer}")
    meaning = Words("A person stopped the job.", "任务由用户停止。")
    advice = Words("You can start it again at any time.", "可随时重新启动。")
    user: str
    replaced: bool = False

    def shown(self) -> dict[str, Any]:
        return {**self.params(), "newer": ": a newer run replaced it" if self.replaced else ""}

    def shown_in_chinese(self) -> dict[str, Any]:
        return {**self.params(), "newer": "，已被新的轮次替换" if self.replaced else ""}


@dataclass(frozen=True, slots=True)
class ResetBy(Reason):
    code = "reset_by"
    sentence = Words("reset by {user}", "由 {user} 重置")
    meaning = Words(
        "The job is back in its initial state; tasks that were still running are being ended.",
        "任务已回到初始状态；仍在运行的部分正在终止。",
    )
    advice = Words("You can start it again at any time.", "可随时重新启动。")
    user: str


@dataclass(frozen=True, slots=True)
class RestartedBy(Reason):
    code = "restarted_by"
    sentence = Words("restarted by {user}", "由 {user} 重启")
    meaning = Words("A person restarted the job; it gets a new attempt.", "用户重启了任务，将重新运行。")
    advice = Words("Nothing to do: it queues automatically.", "无需操作：任务将自动排队。")
    user: str


@dataclass(frozen=True, slots=True)
class StopHangs(Reason):
    code = "stop_hangs"
    sentence = Words("still ending after {waited}: {tasks}", "已等待 {waited}仍未结束：{tasks}")
    meaning = Words(
        "The tasks were told to end, but Danlu has not seen them end yet.",
        "已通知子任务结束，但尚未确认其结束。",
    )
    advice = Words(
        "Wait, check that the node is reachable, or reset the job.",
        "请继续等待，检查节点是否在线，或重置任务。",
    )
    tasks: str
    waited: int

    def shown(self) -> dict[str, Any]:
        return {"tasks": self.tasks, "waited": time_said(self.waited)}

    def shown_in_chinese(self) -> dict[str, Any]:
        return {**self.shown(), "tasks": self.tasks.replace(", ", "、")}


@dataclass(frozen=True, slots=True)
class Preempted(Reason):
    code = "preempted"
    sentence = Words(
        "preempted by a job of higher priority in project {project} ({priority} over {own})",
        "被项目组 {project} 中优先级更高的任务抢占（{priority} 高于 {own}）",
    )
    meaning = Words(
        "Jobs of a higher priority class can preempt lower ones in the same project.",
        "同一项目组中，高优先级任务可以抢占低优先级任务。",
    )
    advice = Words(
        "It is requeued automatically and keeps its place in the queue; save checkpoints to lose less work.",
        "任务会自动重新排队并保留原有顺序；请保存检查点以减少损失。",
    )
    project: str
    priority: str
    own: str


@dataclass(frozen=True, slots=True)
class Reclaimed(Reason):
    code = "reclaimed"
    sentence = Words(
        "project {project} reclaimed its share: {own} held {held} but deserves {deserved}",
        "项目组 {project} 收回其份额：{own} 占用 {held}，应得 {deserved}",
    )
    meaning = Words(
        "Resources that a project does not use are lent to other projects until its own jobs need them.",
        "项目组闲置的资源会借给其他项目组，直到自己有任务排队。",
    )
    advice = Words(
        "It is requeued automatically and keeps its place in the queue; save checkpoints to lose less work.",
        "任务会自动重新排队并保留原有顺序；请保存检查点以减少损失。",
    )
    project: str
    own: str
    resource: str
    held: int
    deserved: int

    def shown(self) -> dict[str, Any]:
        held, deserved = show_amount(self.resource, self.held), show_amount(self.resource, self.deserved)
        return {**self.params(), "held": held, "deserved": deserved}

    def shown_in_chinese(self) -> dict[str, Any]:
        amounts = {
            name: amount_in_chinese(self.resource, getattr(self, name)) for name in ("held", "deserved")
        }
        return {**self.params(), **amounts}
