"""Who on the machine can read what is secret, and change what Danlu and tasks run."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator

from danlu.control.system.facts import SystemFacts
from danlu.control.system.tasks import shortened
from danlu.domain.people import FIRST_UID
from danlu.domain.quantity import show_size
from danlu.domain.weakness import Severity, WeakArea, Weakness
from danlu.domain.words import Words, listed, say
from danlu.ports.system import DiskSpace, MachineFacts, PlaceFact, PlaceKind

SPARE, SPARE_PART, SPARE_ENOUGH = 2 * 2**30, 20, 50 * 2**30
"""A disk is nearly full with less than this many bytes or twice the reserve, or less than a 20th of it unless that is
50 GiB."""


def file_weaknesses(facts: SystemFacts) -> Iterator[Weakness]:
    machine = facts.machine
    yield from _readable(machine)
    yield from _writable(machine)
    if facts.runs_tasks or machine.uid == 0:
        yield from _of_somebody_else(machine)
    yield from disk_weaknesses(machine.disk)
    if facts.runs_tasks and not facts.holds_volumes:
        yield Weakness("volumes_only_measured", WeakArea.FILES, Severity.LOW, _ONLY_MEASURED, _HOLD_VOLUMES)


def disk_weaknesses(disk: DiskSpace) -> Iterator[Weakness]:
    free, total = disk.free, disk.total
    if free < disk.reserve:
        text = say(
            "no task starts on the machine of the data directory: its disk has {free} left, and {reserve} are kept "
            "free (disk_reserve)",
            "数据目录所在机器上无法启动任务：磁盘仅剩 {free}，须保留 {reserve}（disk_reserve）",
            free=show_size(free),
            reserve=show_size(disk.reserve),
        )
        yield Weakness("disk_below_reserve", WeakArea.FILES, Severity.MEDIUM, text, _MAKE_ROOM)
    elif free < max(SPARE, 2 * disk.reserve) or (free < SPARE_ENOUGH and free * SPARE_PART < total):
        text = say(
            "the disk of the data directory is nearly full: {free} of {total} are free",
            "数据目录所在磁盘将满：共 {total}，仅剩 {free}",
            free=show_size(free),
            total=show_size(total),
        )
        yield Weakness("disk_nearly_full", WeakArea.FILES, Severity.MEDIUM, text, _MAKE_ROOM)


def _readable(machine: MachineFacts) -> Iterator[Weakness]:
    data = _found(machine, (PlaceKind.DATA,), _open_to_others)
    if data:
        yield _weak("data_readable", Severity.HIGH, _DATA_TEXT, data, "chmod -R go-rwx")
    secrets = _found(machine, (PlaceKind.SECRET,), _open_to_others)
    if secrets:
        yield _weak("secrets_readable", Severity.HIGH, _SECRETS_TEXT, secrets, "chmod -R go-rwx")
    settings = _found(machine, (PlaceKind.SETTINGS,), _open_to_others)
    if settings and machine.settings_secrets:
        text = _SETTINGS_TEXT.fill(keys=listed(machine.settings_secrets))
        yield _weak("settings_readable", Severity.HIGH, text, settings, "chmod 600")


def _writable(machine: MachineFacts) -> Iterator[Weakness]:
    for kind, code, text in (
        (PlaceKind.SETTINGS, "settings_writable", _SETTINGS_CHANGED),
        (PlaceKind.CODE, "code_writable", _CODE_CHANGED),
        (PlaceKind.PYTHON, "python_writable", _PYTHON_CHANGED),
    ):
        found = _found(machine, (kind,), _changeable_by_others)
        if found:
            yield _weak(code, Severity.HIGH, text, found, "chmod o-w")


def _of_somebody_else(machine: MachineFacts) -> Iterator[Weakness]:
    """As root, whoever owns the code can become root; whoever runs a task must never own it."""
    kinds = (PlaceKind.CODE, PlaceKind.PYTHON, PlaceKind.SETTINGS)
    tasks = _found(machine, kinds, lambda place: place.uid >= FIRST_UID)
    if tasks:
        yield _weak("code_of_tasks", Severity.HIGH, _TASKS_CODE, tasks, "chown -R root:root")
    others = _found(machine, kinds, lambda place: 0 < place.uid < FIRST_UID) if machine.uid == 0 else ()
    if others:
        yield _weak("code_of_others", Severity.MEDIUM, _OTHERS_CODE, others, "chown -R root:root")


def _found(
    machine: MachineFacts, kinds: tuple[PlaceKind, ...], holds: Callable[[PlaceFact], bool]
) -> tuple[str, ...]:
    """Where it holds; what lies in a folder of which it holds too is left out."""
    found: list[str] = []
    for place in sorted((one for one in machine.places if one.kind in kinds), key=lambda one: one.path):
        if holds(place) and not any(place.path.startswith(path.rstrip("/") + "/") for path in found):
            found.append(place.path)
    return tuple(found)


def _open_to_others(place: PlaceFact) -> bool:
    return bool(stat.S_IMODE(place.mode) & 0o077)


def _changeable_by_others(place: PlaceFact) -> bool:
    """In a folder with the sticky bit, such as /tmp, nobody can touch what is not theirs."""
    return bool(place.mode & stat.S_IWOTH) and not (stat.S_ISDIR(place.mode) and place.mode & stat.S_ISVTX)


def _weak(code: str, severity: Severity, text: Words, paths: tuple[str, ...], command: str) -> Weakness:
    told = say("{text}: {paths}", "{text}：{paths}", text=text, paths=listed(shortened(paths, 3)))
    fix = say("{command} {path}", "{command} {path}", command=command, path=paths[0])
    return Weakness(code, WeakArea.FILES, severity, told, fix, paths[:100])


_DATA_TEXT = Words(
    "other users of the machine can look into the data directory, which holds the database, logs and code",
    "本机其他用户可以查看数据目录，其中有数据库、日志和代码",
)
_SECRETS_TEXT = Words(
    "other users of the machine can read Danlu's secrets, and with them act as any task or cluster",
    "本机其他用户可以读取丹炉的密钥，从而冒充任意任务或操作集群",
)
_SETTINGS_TEXT = Words(
    "the settings file contains passwords ({keys}), and other users of the machine can read it",
    "设置文件中有密码（{keys}），而本机其他用户可以读取它",
)
_SETTINGS_CHANGED = Words(
    "other users of the machine can change Danlu's settings", "本机其他用户可以修改丹炉的设置"
)
_CODE_CHANGED = Words(
    "other users of the machine can change Danlu's own code, and so act as Danlu",
    "本机其他用户可以修改丹炉自身的代码，从而以丹炉的身份行事",
)
_PYTHON_CHANGED = Words(
    "other users of the machine can change the Python environment of tasks, and so what everybody's jobs do",
    "本机其他用户可以修改任务使用的 Python 环境，从而影响所有人的任务",
)
_TASKS_CODE = Words(
    "a user that tasks run as owns what Danlu or all tasks run",
    "任务所用的系统用户拥有丹炉或所有任务要运行的文件",
)
_OTHERS_CODE = Words(
    "Danlu runs as root, but another user owns what it runs and could become root by changing it",
    "丹炉以 root 运行，但它运行的文件属于其他用户，该用户修改后即可成为 root",
)
_ONLY_MEASURED = Words(
    "capacities of volumes are only measured: a job can fill the disk of the data directory through one volume",
    "存储卷的容量仅作统计：任务可通过一个存储卷写满数据目录所在磁盘",
)
_HOLD_VOLUMES = Words(
    "set volume_tolerance, for example to 10%: jobs that go on writing beyond that are ended",
    "设置 volume_tolerance（如 10%）：超出后仍在写入的任务会被终止",
)
_MAKE_ROOM = Words(
    "remove jobs that nobody needs (their logs go with them), or move the data directory to a larger disk",
    "删除不再需要的任务（日志一并删除），或将数据目录移到更大的磁盘",
)
