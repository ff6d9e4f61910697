"""`danlu quota`: what people and groups may use at once."""

from __future__ import annotations

import json
from typing import Callable, Mapping, Sequence, TypeVar

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.asking import surely, yes_option
from danlu.cli.shared.crud import address, renamed
from danlu.cli.shared.options import WordParam, json_option
from danlu.cli.shared.values import CLASSES, AmountsParam, split_pairs
from danlu.cli.terms import term, terms
from danlu.cli.words import speak, spoken
from danlu.domain.words import Words, listed, say
from danlu.sdk import models
from danlu.sdk.http.errors import NotAllowed

F = TypeVar("F", bound=Callable[..., object])
PATH = "quotas"
COLUMNS = ("NAME", "CLASS", "BOUNDS", "RAISED UNTIL", "DESCRIPTION")
ROWS = ("OF", "CLASS", "RESOURCE", "USED", "LIMIT", "FROM", "UNTIL")
NONE, DEFAULT = "none", "default"
_AT_ONCE = 2000


class BoundParam(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A number, `none` for unlimited, or empty to remove the value."""

    name = "bound"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        if value in ("", NONE):
            return value
        try:
            return int(str(value)) if str(value).isdigit() else float(str(value))
        except ValueError:
            return self.fail(
                speak(
                    "'{value}' is neither a number nor '{none}'.",
                    "“{value}”既不是数字，也不是“{none}”。",
                    value=value,
                    none=NONE,
                ),
                param,
                ctx,
            )


class SizesParam(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """`block=1TiB,bucket=none`; empty means none."""

    name = "sizes"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        if not isinstance(value, str):
            return value
        return {kind: None if size == NONE else size for kind, size in split_pairs(value, param, ctx)}


@click.group(cls=HelpfulGroup)
def quota() -> None:
    """Quotas: what people and groups may use at once, waiting jobs included."""


@quota.command("ls")
@click.option("--search", metavar="TEXT", help="Only those whose name or description contains this.")
@json_option
@pass_session
def quota_ls(session: CliSession, search: str | None, as_json: bool) -> None:
    """List quotas."""
    try:
        items = session.pages(models.Quota, PATH, None, {"search": search} if search else {})
    except NotAllowed:
        note(
            speak(
                "Only those who set quotas see everybody's. Your own: danlu quota show",
                "只有可设置配额的人能查看所有人的配额。查看自己的配额：danlu quota show",
            )
        )
        raise
    if as_json:
        print_json({"items": [one.raw for one in items]})
    elif not items:
        note(
            speak(
                "No quotas match. Create a default for everyone with: danlu quota edit default --gpus 8",
                "没有匹配的配额。可为所有人设置默认配额：danlu quota edit default --gpus 8",
            )
        )
    else:
        show.table(COLUMNS, [row for one in items for row in _lines(one.told)])


@quota.command("show")
@click.argument("name", required=False)
@json_option
@pass_session
def quota_show(session: CliSession, name: str | None, as_json: bool) -> None:
    """Show the quota and usage of USER (default: yourself) or group:NAME, or the default quota."""
    if name == DEFAULT:
        default = session.ask(models.Quota, "GET", address(PATH, DEFAULT))
        print_json(default.raw) if as_json else show.table(COLUMNS, _lines(default.told))
        return
    whose = name or session.myself()
    kind, _, short = whose.rpartition(":")
    path = address("groups" if kind == "group" else "users", short) + "/quota"
    found = session.ask(models.QuotaStanding, "GET", path)
    if as_json:
        print_json(found.raw)
        return
    told = found.told
    if told.items:
        show.table(ROWS, [_row(one) for one in told.items], right=("USED", "LIMIT"))
    else:
        note(speak("There is no quota on the jobs of {whose}.", "{whose} 的任务没有配额限制。", whose=whose))
    for kept in told.storage:
        show.echo(_kept(kept))
    for budget in told.budgets:
        show.echo(
            speak(
                "{priority}: {spent} of {budget} GPU-hours this month; renews {renews}",
                "{priority}：本月 {spent} / {budget} 卡时；{renews} 重新计算",
                priority=budget.priority,
                spent=show.number(budget.spent),
                budget=show.number(budget.budget),
                renews=show.local(budget.renews)[:10],
            )
        )
    for limit in told.limits:
        show.echo(_limit_said(limit))
    for cap in told.caps:
        show.echo(
            speak(
                "cap of project {project}: its running jobs use {used} of {limit} {resource}",
                "项目组 {project} 的上限：运行中的任务已用 {used} / {limit} {resource}",
                project=cap.project,
                used=_said(cap.resource, cap.used),
                limit=_said(cap.resource, cap.limit),
                resource=term(cap.resource),
            )
        )


def _options(command: F) -> F:
    what = "; 'none' is unlimited, '' removes the value"
    for option in reversed(
        (
            click.option(
                "--class", "job_class", type=WordParam((*CLASSES, "all")), default="all", show_default=True,
                help="The class of jobs, or all classes together.",
            ),
            click.option("--gpus", type=BoundParam(), help=f"GPUs of all models{what}."),
            click.option("--models", "models_", type=AmountsParam(), metavar="A100=4,…", help="GPUs of single models."),
            click.option("--cpus", type=BoundParam(), help="CPUs."),
            click.option("--memory", metavar="SIZE", help="Memory, such as 512GiB."),
            click.option("--jobs", type=BoundParam(), help="How many jobs."),
            click.option("--tasks", type=BoundParam(), help="How many tasks."),
        )
    ):  # fmt: skip
        command = option(command)
    return command


@quota.command("edit")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@_options
@click.option("--storage", type=SizesParam(), metavar="block=1TiB,…", help="Storage by type.")
@click.option("--description", metavar="TEXT", help="What it is for.")
@json_option
@pass_session
def quota_edit(
    session: CliSession,
    /,
    names: tuple[str, ...],
    storage: object,
    description: str | None,
    as_json: bool,
    job_class: str,
    models_: Mapping[str, object] | None,
    **options: object,
) -> None:
    """Set quotas of people, group:NAME or default; other values stay. Running jobs beyond a new quota continue."""
    said = _counted(models_, options)
    if not said and storage is None and description is None:
        raise click.UsageError(
            speak(
                "nothing to change: give --gpus, --models, --cpus, --memory, --jobs, --tasks, --storage "
                "or --description.",
                "没有要修改的内容：请给出 --gpus、--models、--cpus、--memory、--jobs、--tasks、--storage 或 "
                "--description。",
            )
        )
    known = {one.name: one.amounts for one in session.client.quotas.list()}
    more = {
        key: value for key, value in (("storage", storage), ("description", description)) if value is not None
    }
    alike: dict[str, list[str]] = {}
    for name in map(_full, names):
        amounts = _merged(known.get(name, {}), job_class, said)
        alike.setdefault(json.dumps({"amounts": amounts, **more}, sort_keys=True), []).append(name)
    made: list[object] = []
    for body, same in alike.items():
        for start in range(0, len(same), _AT_ONCE):
            sent = {"names": same[start : start + _AT_ONCE], **json.loads(body)}
            done = session.listing(models.Quota, f"{PATH}/bulk", method="POST", body=sent)
            made += [one.raw for one in done.items]
    _tell(made, speak("Set the quota of {names}.", "已设置 {names} 的配额。", names=_several(names)), as_json)


renamed(quota, set="edit")


@quota.command("raise")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@_options
@click.option(
    "--for", "life", metavar="TIME", required=True, help="How long, such as 7d; then it ends by itself."
)
@click.option("--reason", metavar="TEXT", default="", help="The reason, kept in the audit log.")
@json_option
@pass_session
def quota_raise(
    session: CliSession,
    /,
    names: tuple[str, ...],
    life: str,
    reason: str,
    as_json: bool,
    job_class: str,
    models_: Mapping[str, object] | None,
    **options: object,
) -> None:
    """Raise the quotas of people, group:NAME or default for a limited time."""
    said = _counted(models_, options)
    if not said:
        raise click.UsageError(
            speak(
                "nothing to raise: give --gpus, --models, --cpus, --memory, --jobs or --tasks.",
                "没有要提高的配额：请给出 --gpus、--models、--cpus、--memory、--jobs 或 --tasks。",
            )
        )
    body = {"amounts": _merged({}, job_class, said), "life": life, "reason": reason}
    made = [session.do("POST", f"{address(PATH, _full(name))}/raises", body=body) for name in names]
    _tell(
        made,
        speak(
            "Raised the quota of {names} for {life}.",
            "已临时提高 {names} 的配额，有效期 {life}。",
            names=_several(names),
            life=show.length(life),
        ),
        as_json,
    )


@quota.command("rm")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--raises", is_flag=True, help="End only temporary raises.")
@yes_option
@pass_session
def quota_rm(session: CliSession, names: tuple[str, ...], raises: bool, yes: bool) -> None:
    """Remove quotas; the default then applies."""
    what = Words("the raises of", "临时提额：") if raises else Words("the quota of", "配额：")
    surely(
        speak(
            "Remove {what} {names}? The default then applies.",
            "移除{what}{names}？之后适用默认配额。",
            what=what,
            names=_several(names),
        ),
        yes,
    )
    for name in names:
        session.do("DELETE", address(PATH, _full(name)) + ("/raises" if raises else ""))
    note(speak("Removed {what} {names}.", "已移除{what}{names}。", what=what, names=_several(names)))


def _full(name: str) -> str:
    """`lin` is short for `user:lin`."""
    return name if ":" in name or name == DEFAULT else f"user:{name}"


def _counted(by_model: Mapping[str, object] | None, options: Mapping[str, object]) -> dict[str, object]:
    return {**(by_model or {}), **{key: value for key, value in options.items() if value is not None}}


def _merged(
    amounts: Mapping[str, Mapping[str, object]], within: str, said: Mapping[str, object]
) -> dict[str, Mapping[str, object]]:
    """Amounts, with those of one class merged in."""
    counted = {**amounts.get(within, {}), **said}
    kept = {key: None if value == NONE else value for key, value in counted.items() if value != ""}
    return {**amounts, within: kept}


def _several(names: Sequence[str]) -> str:
    return (
        spoken(listed(names))
        if len(names) <= 5
        else speak("{count} people and groups", "{count} 个用户和用户组", count=len(names))
    )


def _tell(made: Sequence[object], sentence: str, as_json: bool) -> None:
    if as_json:
        print_json({"items": list(made)})
    else:
        note(sentence)


def _lines(one: models.Quota) -> list[show.Cells]:
    """One line for each class in a quota."""
    until = max((each.until for each in one.raises), default=None)
    shared = [show.local(until), one.description]
    classes: Mapping[str, Mapping[str, float | None]] = one.amounts or {"-": {}}
    return [
        [
            one.name if not at else "",
            show.word(within),
            _bounds(counted) or "-",
            *(shared if not at else ["", ""]),
        ]
        for at, (within, counted) in enumerate(classes.items())
    ]


def _bounds(counted: Mapping[str, float | None]) -> str:
    return spoken(listed(f"{_said(key, amount)} {show.word(key)}" for key, amount in counted.items()))


def _row(one: models.QuotaRow) -> show.Cells:
    full = one.limit is not None and one.used >= one.limit
    used = _said(one.resource, one.used)
    return [
        one.quota,
        show.word(one.job_class),
        show.word(one.resource),
        show.Cell(used, "yellow") if full else used,
        _said(one.resource, one.limit),
        show.word(one.source),
        show.local(one.until),
    ]


_STORAGE = {
    "local": Words("personal directory", "个人目录"),
    "block": Words("block volumes", "块存储卷"),
    "code": Words("uploaded code", "上传的代码"),
    "filesystem": Words("filesystem volumes", "文件存储卷"),
    "dataset": Words("datasets", "数据集"),
    "results": Words("results of jobs", "任务结果"),
}


def _limit_said(one: models.LimitUse) -> str:
    where = terms(filter(None, (one.job_class, one.project)))
    name = say("{name} ({where})", "{name}（{where}）", name=one.name, where=where) if where.en else one.name
    parts = []
    if one.gpus is not None:
        used, most = show.number(one.used), show.number(one.gpus)
        all_of = speak(" by everybody together", "（所有人合计）") if one.shared else ""
        parts.append(
            speak(
                "{used} of {most} GPUs in use{all_of}",
                "已用 {used} / {most} 卡{all_of}",
                used=used,
                most=most,
                all_of=all_of,
            )
        )
    if one.max_time is not None:
        parts.append(
            speak("jobs run for at most {time}", "任务最长运行 {time}", time=show.length(one.max_time))
        )
    return speak(
        "limit {name}: {parts}", "限额 {name}：{parts}", name=name, parts=speak("; ", "；").join(parts)
    )


def _kept(kept: models.StorageRow) -> str:
    what = _STORAGE.get(kept.type) or say("storage {type}", "存储 {type}", type=kept.type)
    amount = show.part(_said("memory", kept.used), _said("memory", kept.limit))
    if not kept.counted_at:
        return speak("{what}: {amount}", "{what}：{amount}", what=what, amount=amount)
    return speak(
        "{what}: {amount}, counted {when}",
        "{what}：{amount}，{when}统计",
        what=what,
        amount=amount,
        when=show.when(kept.counted_at),
    )


def _said(resource: str, amount: float | None) -> str:
    if amount is None:
        return show.word(NONE)
    return show.size(amount) if resource == "memory" else show.number(amount)
