"""How well tasks are kept apart, and whether the machine can do it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from danlu.control.system.facts import SystemFacts
from danlu.domain.isolation import Ability, IsolationForm, Lack, LackCause, TaskIsolation
from danlu.domain.weakness import Severity, WeakArea, Weakness
from danlu.domain.words import Words, listed, say

OLDEST_BUBBLEWRAP, OLDEST_KERNEL = (0, 8, 0), (4, 15, 0)
"""The first with `--disable-userns`; the first with all controllers in control groups of the second version."""
_SEVERITIES = {
    Ability.SANDBOX: Severity.HIGH,
    Ability.OWN_USERS: Severity.HIGH,
    Ability.CGROUP: Severity.MEDIUM,
    Ability.NETWORK: Severity.MEDIUM,
    Ability.INTERNET: Severity.LOW,
}
"""Of every ability: the doctor tells all that `danlu up` says is missing."""


def isolation_weaknesses(nodes: Mapping[str, TaskIsolation], people: int) -> Iterator[Weakness]:
    """Of all nodes together: the same lack on many nodes is one weakness. To a single person nobody is a neighbour."""
    rooted = _named(nodes, lambda told: told.root)
    if rooted:
        yield _task("tasks_as_root", Severity.HIGH, _ROOT_TEXT, _ROOT_FIX, rooted)
    blocked = _named(nodes, lambda told: told.form is IsolationForm.BLOCKED)
    if blocked:
        yield _task("tasks_blocked", Severity.HIGH, _BLOCKED_TEXT, Lack(*_NO_BUBBLEWRAP).fix, blocked)
    lacks: dict[tuple[Ability, LackCause], list[tuple[str, Lack]]] = {}
    for node, told in nodes.items():
        for lack in told.lacking:
            lacks.setdefault((lack.ability, lack.cause), []).append((node, lack))
    for (ability, _), found in lacks.items():
        lack = found[0][1]
        alone = ability is Ability.OWN_USERS and people < 2
        severity = Severity.LOW if alone else _SEVERITIES[ability]
        yield _task(f"isolation_{lack.code}", severity, lack.text, lack.fix, [node for node, _ in found])


def task_weaknesses(facts: SystemFacts) -> Iterator[Weakness]:
    yield from isolation_weaknesses(facts.nodes, _people(facts))
    if facts.runs_tasks:
        yield from _too_old(facts)


def _people(facts: SystemFacts) -> int:
    return sum(not account.user.disabled for account in facts.accounts)


def _too_old(facts: SystemFacts) -> Iterator[Weakness]:
    sandboxed = any(told.form is IsolationForm.SANDBOX for told in facts.nodes.values())
    found = facts.machine.bubblewrap
    if sandboxed and found is not None and found < OLDEST_BUBBLEWRAP:
        text = say(
            "bubblewrap {found} cannot forbid user namespaces inside a sandbox; only the system call filter does",
            "bubblewrap {found} 无法禁止在沙箱内创建用户命名空间，只有系统调用过滤器在阻止",
            found=_dotted(found),
        )
        yield _task("bubblewrap_old", Severity.LOW, text, _newer("bubblewrap", OLDEST_BUBBLEWRAP))
    kernel = facts.machine.kernel
    if kernel is not None and kernel < OLDEST_KERNEL:
        text = say(
            "Linux {found} does not have all that limits tasks: CPU control in cgroup v2, limits of user namespaces",
            "Linux {found} 缺少限制任务所需的功能：cgroup v2 的 CPU 控制、用户命名空间上限",
            found=_dotted(kernel),
        )
        yield _task("kernel_old", Severity.MEDIUM, text, _newer("Linux", OLDEST_KERNEL))


def _task(
    code: str, severity: Severity, text: Words, fix: Words, subjects: list[str] | None = None
) -> Weakness:
    nodes = tuple(subjects or ())
    where = say(
        "{text} (nodes: {nodes})", "{text}（节点：{nodes}）", text=text, nodes=listed(shortened(nodes))
    )
    return Weakness(code, WeakArea.TASKS, severity, where if nodes else text, fix, nodes)


def shortened(names: tuple[str, ...], most: int = 10) -> list[object]:
    """The first few of many, and how many more there are."""
    more = say("{more} more", "另有 {more} 个", more=len(names) - most)
    return [*names] if len(names) <= most else [*names[:most], more]


def _named(nodes: Mapping[str, TaskIsolation], holds: Callable[[TaskIsolation], bool]) -> list[str]:
    return [name for name, told in nodes.items() if holds(told)]


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _newer(program: str, least: tuple[int, ...]) -> Words:
    return say(
        "update {program} to {least}", "将 {program} 更新到 {least}", program=program, least=_dotted(least)
    )


_NO_BUBBLEWRAP = (Ability.SANDBOX, LackCause.NOT_INSTALLED)
_ROOT_TEXT = Words(
    "tasks run as root without a sandbox: any job controls the machine, its data and everybody's jobs",
    "任务以 root 运行且没有沙箱：任何任务都能控制整台机器、全部数据和所有人的任务",
)
_ROOT_FIX = Words(
    'remove isolation = "process" from the settings, install bubblewrap, and restart Danlu',
    '从设置中去掉 isolation = "process"，安装 bubblewrap，然后重启丹炉',
)
_BLOCKED_TEXT = Words(
    "tasks cannot start: without a sandbox they would have Danlu's own privileges, over the machine or all people",
    "任务无法启动：没有沙箱时，任务会拥有丹炉自身的权限，可以控制本机或所有人的任务",
)
