"""How far the tasks of a node are kept apart: from the machine, from each other, and from other people's."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from danlu.domain.words import Words


class IsolationForm(StrEnum):
    """What a task is on its node. `blocked`: nothing starts, because a task without a sandbox would be what Danlu is:
    root there, or among the users of all people."""

    SANDBOX = "sandbox"
    PROCESS = "process"
    BLOCKED = "blocked"
    POD = "pod"
    SIMULATED = "simulated"


class Ability(StrEnum):
    """What keeps tasks apart on a machine."""

    SANDBOX = "sandbox"
    CGROUP = "cgroup"
    OWN_USERS = "own_users"
    NETWORK = "network"
    INTERNET = "internet"


class LackCause(StrEnum):
    """Why an ability is missing: not installed, does not work there, no user ids for it, or turned off by a setting."""

    NOT_INSTALLED = "not_installed"
    NOT_WORKING = "not_working"
    NO_RANGE = "no_range"
    BY_SETTING = "by_setting"


@dataclass(frozen=True, slots=True)
class Lack:
    """An ability that is missing; `detail` is what the machine says of it: a code, or its own words."""

    ability: Ability
    cause: LackCause
    detail: str = ""

    @property
    def code(self) -> str:
        return f"{self.ability.value}_{self.cause.value}"

    @property
    def text(self) -> Words:
        words = _CAUSES.get((self.ability, self.cause)) or _OFF[self.ability]
        return words.fill(detail=_DETAILS.get(self.detail) or self.detail or self.cause.value)

    @property
    def fix(self) -> Words:
        if self.cause is LackCause.BY_SETTING:
            return _BY_SETTING[self.ability]
        words = _FIXES.get((self.ability, self.cause)) or _FIX[self.ability]
        return words.fill(detail=self.detail)


@dataclass(frozen=True, slots=True)
class TaskIsolation:
    """`abilities` are those that tasks have, `lacking` those that they could have on a better machine. `root`: tasks
    have the privileges of root. `subordinate_ids`: how many people can have a user of their own where these are the
    subordinate ids of an ordinary user; 0 where Danlu runs as root, or all are one user."""

    form: IsolationForm
    abilities: tuple[Ability, ...] = ()
    lacking: tuple[Lack, ...] = ()
    root: bool = False
    subordinate_ids: int = 0

    @property
    def one_user(self) -> bool:
        """Whether tasks of different people are one user to the machine."""
        own = Ability.OWN_USERS in self.abilities
        return self.form in (IsolationForm.SANDBOX, IsolationForm.PROCESS) and not own

    @property
    def text(self) -> Words:
        """What tasks are, in a few words."""
        parts = [_ROOT if self.root else _FORMS[self.form]]
        told = {**_WITH, Ability.OWN_USERS: _SUBORDINATE} if self.subordinate_ids else _WITH
        parts += [told[ability] for ability in self.abilities if ability in told]
        return Words(", ".join(one.en for one in parts), "，".join(one.zh for one in parts))


PODS = TaskIsolation(IsolationForm.POD)
SIMULATED = TaskIsolation(IsolationForm.SIMULATED)

_FORMS = {
    IsolationForm.SANDBOX: Words("in a sandbox", "在沙箱中运行"),
    IsolationForm.PROCESS: Words("as plain processes", "作为普通进程运行"),
    IsolationForm.BLOCKED: Words("not at all: they cannot start", "目前无法启动"),
    IsolationForm.POD: Words("as pods", "以 Pod 运行"),
    IsolationForm.SIMULATED: Words("only in simulation", "仅模拟运行"),
}
_ROOT = Words("as plain processes with the privileges of root", "作为拥有 root 权限的普通进程运行")
_WITH = {
    Ability.CGROUP: Words("limited by control groups", "受控制组限制"),
    Ability.OWN_USERS: Words("as a user per person", "每人使用各自的系统用户"),
    Ability.NETWORK: Words("in a network per job", "每个任务使用独立网络"),
}
_SUBORDINATE = Words("as a user per person (subordinate ids)", "每人使用各自的系统用户（从属 uid）")
_CAUSES = {
    (Ability.SANDBOX, LackCause.NOT_INSTALLED): Words(
        "bubblewrap is not installed, so tasks have no sandbox", "未安装 bubblewrap，任务没有沙箱"
    ),
    (Ability.SANDBOX, LackCause.NOT_WORKING): Words(
        "tasks have no sandbox: {detail}", "任务没有沙箱：{detail}"
    ),
    (Ability.CGROUP, LackCause.NOT_WORKING): Words(
        "memory and CPUs of tasks are watched, but not limited by the kernel: {detail}",
        "任务的内存和 CPU 只被监视，内核不加限制：{detail}",
    ),
    (Ability.OWN_USERS, LackCause.NO_RANGE): Words(
        "tasks of all people run as one user: Danlu does not run as root, and {detail} has no subordinate user ids",
        "所有人的任务使用同一个系统用户：丹炉不以 root 运行，且 {detail} 没有从属 uid",
    ),
    (Ability.OWN_USERS, LackCause.NOT_INSTALLED): Words(
        "tasks of all people run as one user: Danlu does not run as root, and newuidmap is not installed",
        "所有人的任务使用同一个系统用户：丹炉不以 root 运行，且未安装 newuidmap",
    ),
    (Ability.OWN_USERS, LackCause.NOT_WORKING): Words(
        "tasks of all people run as one user: Danlu does not run as root, and subordinate user ids cannot be used: "
        "{detail}",
        "所有人的任务使用同一个系统用户：丹炉不以 root 运行，且从属 uid 无法使用：{detail}",
    ),
    (Ability.NETWORK, LackCause.NOT_WORKING): Words(
        "tasks share the machine's network: {detail}", "任务共用本机网络：{detail}"
    ),
    (Ability.INTERNET, LackCause.NOT_WORKING): Words(
        "tasks reach the Internet by HTTP alone, through a proxy: {detail}",
        "任务只能通过代理以 HTTP 访问互联网：{detail}",
    ),
}
_DETAILS = {
    "not_root": Words("Danlu does not run as root", "丹炉未以 root 运行"),
    "no_iptables": Words("iptables is not installed", "未安装 iptables"),
    "no_forwarding": Words("the machine does not forward packets", "本机未开启数据包转发"),
}
_OFF = {
    Ability.SANDBOX: Words("tasks have no sandbox, as a setting says", "按设置，任务没有沙箱"),
    Ability.CGROUP: Words("tasks have no control groups, as a setting says", "按设置，任务不使用控制组"),
    Ability.OWN_USERS: Words(
        "tasks of all people run as one user, as a setting says", "按设置，所有人的任务使用同一个系统用户"
    ),
    Ability.NETWORK: Words(
        "tasks share the machine's network, as a setting says", "按设置，任务共用本机网络"
    ),
    Ability.INTERNET: Words(
        "tasks do not reach the Internet directly, as a setting says", "按设置，任务不能直接访问互联网"
    ),
}
_BY_SETTING = {
    **dict.fromkeys(
        (Ability.SANDBOX, Ability.CGROUP, Ability.OWN_USERS),
        Words(
            'remove isolation = "process" from the settings and restart Danlu',
            '从设置中去掉 isolation = "process"，然后重启丹炉',
        ),
    ),
    Ability.NETWORK: Words(
        'remove network = "shared" from the settings and restart Danlu',
        '从设置中去掉 network = "shared"，然后重启丹炉',
    ),
    Ability.INTERNET: Words(
        'set network = "all" and restart Danlu', '将设置 network 改为 "all"，然后重启丹炉'
    ),
}
_FIXES = {
    (Ability.SANDBOX, LackCause.NOT_INSTALLED): Words(
        "install it (apt install bubblewrap, dnf install bubblewrap) and restart Danlu",
        "安装（apt install bubblewrap 或 dnf install bubblewrap），然后重启丹炉",
    ),
    (Ability.OWN_USERS, LackCause.NO_RANGE): Words(
        "give {detail} a range that nobody else has (usermod --add-subuids 300000-365535 --add-subgids 300000-365535 "
        "{detail}) and restart Danlu, or run it as root",
        "为 {detail} 分配一段他人未使用的从属 uid（usermod --add-subuids 300000-365535 --add-subgids 300000-365535 "
        "{detail}），然后重启丹炉；或以 root 运行丹炉",
    ),
    (Ability.OWN_USERS, LackCause.NOT_INSTALLED): Words(
        "install it (apt install uidmap, dnf install shadow-utils-subid) and restart Danlu",
        "安装（apt install uidmap 或 dnf install shadow-utils-subid），然后重启丹炉",
    ),
}
_FIX = {
    Ability.SANDBOX: Words(
        "allow user namespaces: sysctl kernel.unprivileged_userns_clone=1, on Ubuntu 24.04 and later also an AppArmor "
        "profile for bwrap; in a container, a seccomp profile that lets it make them",
        "允许用户命名空间：sysctl kernel.unprivileged_userns_clone=1；Ubuntu 24.04 及更新版本还需为 bwrap "
        "配置 AppArmor；在容器中需允许创建命名空间的 seccomp 配置",
    ),
    Ability.CGROUP: Words(
        "start Danlu from a systemd service with Delegate=yes, or as root",
        "通过带 Delegate=yes 的 systemd 服务启动丹炉，或以 root 运行",
    ),
    Ability.OWN_USERS: Words(
        "run Danlu as root with bubblewrap, or as an ordinary user for one person alone",
        "安装 bubblewrap 后以 root 运行丹炉，或只供一人以普通用户运行",
    ),
    Ability.NETWORK: Words(
        "run Danlu as root on a kernel with network namespaces", "在支持网络命名空间的内核上以 root 运行丹炉"
    ),
    Ability.INTERNET: Words(
        "put that right, then restart Danlu (it needs root, iptables and net.ipv4.ip_forward=1)",
        "解决该问题后重启丹炉（需要 root 权限、iptables 和 net.ipv4.ip_forward=1）",
    ),
}
