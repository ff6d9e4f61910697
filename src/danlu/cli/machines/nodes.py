"""`danlu nodes`: the machines and who uses them; `cordon`, `uncordon` and `label` change them."""

from __future__ import annotations

from collections import Counter
from typing import Any, Callable, Mapping, Sequence

import click

from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.exit_codes import NOT_FOUND
from danlu.cli.shared.options import json_option
from danlu.cli.shared.show import Cells
from danlu.cli.shared.values import pairs
from danlu.cli.words import speak, spoken
from danlu.domain.words import Words, listed, say
from danlu.sdk import models
from danlu.sdk.http.paths import segment


@click.command()
@click.argument("name", required=False)
@json_option
@pass_session
def nodes(session: CliSession, name: str | None, as_json: bool) -> None:
    """List the nodes, or show one with its tasks."""
    if name is None:
        found = session.listing(models.Node, "nodes")
        if as_json:
            print_json(found.raw)
        elif not found.items:
            note(speak("There are no nodes.", "没有节点。"))
        else:
            _print_all(found.told)
        return
    node = session.ask(models.Node, "GET", f"nodes/{segment(name)}")
    if as_json:
        print_json(node.raw)
        return
    _print_one(node.told)


@click.command()
@click.argument("nodes", metavar="NODE...", nargs=-1, required=True)
@click.option("--note", "words", metavar="TEXT", help="The reason, shown to others.")
@json_option
@pass_session
def cordon(session: CliSession, nodes: tuple[str, ...], words: str | None, as_json: bool) -> None:
    """Start no more jobs on nodes; running jobs continue."""
    body = {"nodes": list(nodes), "cordoned": True, **({} if words is None else {"note": words})}
    _tell(
        session,
        body,
        Words("Cordoned {name}; running jobs continue.", "已停止向 {name} 调度；运行中的任务不受影响。"),
        as_json,
    )


@click.command()
@click.argument("nodes", metavar="NODE...", nargs=-1, required=True)
@json_option
@pass_session
def uncordon(session: CliSession, nodes: tuple[str, ...], as_json: bool) -> None:
    """Let jobs start on nodes again; this also ends a drain."""
    _tell(
        session,
        {"nodes": list(nodes), "cordoned": False},
        Words("Uncordoned {name}.", "已恢复向 {name} 调度。"),
        as_json,
    )


@click.command()
@click.argument("node", metavar="NODE")
@click.argument("labels", metavar="KEY=VALUE...", nargs=-1, required=True)
@json_option
@pass_session
def label(session: CliSession, node: str, labels: tuple[str, ...], as_json: bool) -> None:
    """Label a node, for node selectors; KEY- removes a label."""
    said: dict[str, str | None] = {}
    for word in labels:
        key, equals, value = word.partition("=")
        removed = word[:-1] if word.endswith("-") and not equals else ""
        if not (key if equals else removed):
            raise click.BadParameter(
                speak(
                    "'{word}' is neither KEY=VALUE nor KEY-, which removes a label.",
                    "“{word}”既不是 KEY=VALUE，也不是用于删除标签的 KEY-。",
                    word=word,
                )
            )
        said[key if equals else removed] = value if equals else None
    found = session.ask(models.Node, "PATCH", f"nodes/{segment(node)}", body={"labels": said})
    if as_json:
        print_json(found.raw)
    else:
        all_of = pairs(found.told.labels) or speak("no labels", "没有标签")
        note(speak("{node}: {labels}", "{node}：{labels}", node=node, labels=all_of))


def _tell(session: CliSession, body: Mapping[str, object], sentence: Words, as_json: bool) -> None:
    """Print the outcome of each; one failure does not stop the others."""
    done = session.listing(models.NodeOutcome, "nodes/cordon", method="POST", body=dict(body))
    if as_json:
        print_json(done.raw)
    for one in done.told:
        if not one.ok:
            note(f"danlu: {show.words(one.text) or one.error}")
        elif not as_json:
            note(spoken(sentence.fill(name=one.name)))
    if not all(one.ok for one in done.told):
        raise SystemExit(NOT_FOUND)


def _print_all(found: Sequence[models.Node]) -> None:
    """With their networks and clusters, where any node has one of its own."""
    networked = any(node.network and not node.network.shared for node in found)
    clustered = any(node.cluster for node in found)
    columns = ["NAME", "STATE", "GPUS", "CPUS", "MEMORY", *(["NETWORK"] if networked else []), "TASKS"]
    columns += ["ADDRESS|node", "POOL", "ISOLATION", *(["CLUSTER"] if clustered else [])]
    show.table(columns, [_row(node, networked, clustered) for node in found])
    for node in found:
        if node.state == "cordoned" and (why := node.why or node.note):
            note(speak("{name}: {why}", "{name}：{why}", name=node.name, why=why))
        if closes := _closes(node):
            note(speak("{name}: closes {when}", "{name}：关闭时间 {when}", name=node.name, when=closes))
    if any(_by_others(node) for node in found):
        note(speak("Amounts after + are used by others than Danlu.", "+ 之后为丹炉之外的负载所用。"))
    for line in _totals(found):
        note(line)
    shared = next((node.network for node in found if node.network and node.network.shared), None)
    if shared is not None:
        note(speak("network: {rates}", "网络：{rates}", rates=_shared(shared)))


def _totals(found: Sequence[models.Node]) -> list[str]:
    """`A100: 16 GPUs, 5 free, 8 on nodes that take no jobs`, counted as `danlu resources` does."""
    total: Counter[str] = Counter()
    free: Counter[str] = Counter()
    shut: Counter[str] = Counter()
    for node in found:
        if node.gpu_model and node.state != "off":
            total[node.gpu_model] += len(node.gpus)
            free[node.gpu_model] += node.free.get("gpus", 0)
            shut[node.gpu_model] += _closed(node)
    return [
        speak(
            "{model}: {many} GPUs, {free} free{shut}.",
            "{model}：{many} 卡，空闲 {free} 卡{shut}。",
            model=model,
            many=show.number(many),
            free=show.number(free[model]),
            shut=say(
                ", {shut} idle on nodes that take no jobs",
                "，{shut} 卡闲置于不接收任务的节点",
                shut=show.number(shut[model]),
            )
            if shut[model]
            else "",
        )
        for model, many in sorted(total.items())
    ]


def _closed(node: models.Node) -> int:
    """What nobody holds of the GPUs of a node that takes no jobs."""
    if node.state in ("ready", "occupied"):
        return 0
    held: int = node.used.get("gpus", 0) + node.foreign.get("gpus", 0)
    return max(0, len(node.gpus) - held)


def _row(node: models.Node, networked: bool, clustered: bool) -> Cells:
    return [
        _name(node),
        show.state(node.state),
        _gpus(node),
        _cpus(node),
        _memory(node),
        *([_rates(node.network) if node.network and not node.network.shared else "-"] if networked else []),
        str(len(node.tasks)),
        node.address,
        node.pool or "",
        _isolation(node),
        *([node.cluster or "local"] if clustered else []),
    ]


def _isolation(node: models.Node) -> str:
    """Its form, and how many abilities are missing."""
    if node.isolation is None:
        return ""
    form, missing = show.word(node.isolation.form), len(node.isolation.lacking)
    if not missing:
        return form
    return speak("{form} ({missing} missing)", "{form}（缺 {missing} 项）", form=form, missing=missing)


def _print_one(node: models.Node) -> None:
    show.pairs(
        [
            ("name", _name(node)),
            ("state", show.state(node.state)),
            ("why", node.why),
            ("note", node.note),
            ("closes", _closes(node)),
            ("address|node", node.address),
            ("GPUs", _gpus(node)),
            ("CPUs", _cpus(node)),
            ("memory", _memory(node)),
            ("network", _network(node)),
            ("used by others", _by_others(node)),
            ("labels", pairs(node.labels)),
            ("pool", node.pool or ""),
            ("cluster", node.cluster),
            ("tasks run", show.words(node.isolation.text) if node.isolation else ""),
        ]
    )
    for lack in node.isolation.lacking if node.isolation else ():
        note(speak("{lack}: {fix}", "{lack}：{fix}", lack=show.words(lack.text), fix=show.words(lack.fix)))
    if node.tasks:
        click.echo()
        show.table(["JOB", "TASK", "OWNER", "GPU IDS", "FOR|time"], [_task(task) for task in node.tasks])


def _name(node: models.Node) -> str:
    return node.name + (speak(" (virtual)", "（虚拟）") if node.virtual else "")


def _closes(node: models.Node) -> str:
    if not node.closes_at:
        return ""
    what = (
        say("maintenance {name}", "维护 {name}", name=node.maintenance)
        if node.maintenance
        else Words("drained", "排空")
    )
    return speak("{time} ({what})", "{time}（{what}）", time=show.local(node.closes_at), what=what)


def _task(task: Mapping[str, Any]) -> Cells:
    gpus = ",".join(str(one) for one in task.get("gpus") or [])
    return [
        task.get("job_name") or speak("(not yours)", "他人的任务"),
        task.get("task", ""),
        task.get("owner", ""),
        gpus,
        show.ago(task.get("started_at")),
    ]


def _gpus(node: models.Node) -> str:
    if not node.gpus:
        return "-"
    return show.part(_used(node, "gpus", show.number), f"{len(node.gpus)} {node.gpu_model or ''}".rstrip())


def _cpus(node: models.Node) -> str:
    return show.part(_used(node, "cpus", show.number), show.number(node.cpus))


def _memory(node: models.Node) -> str:
    return show.part(_used(node, "memory", show.size), show.size(node.memory))


def _network(node: models.Node) -> str:
    if node.network is None:
        return "-"
    return _shared(node.network) if node.network.shared else _rates(node.network)


def _rates(network: models.NodeNetwork) -> str:
    received, sent = show.size(network.received), show.size(network.sent)
    return speak(
        "{received}/s in, {sent}/s out", "接收 {received}/s，发送 {sent}/s", received=received, sent=sent
    )


def _shared(network: models.NodeNetwork) -> str:
    """Virtual nodes have no network of their own."""
    return speak(
        "{rates} (the whole machine, shared by its virtual nodes)",
        "{rates}（整台机器，由其虚拟节点共用）",
        rates=_rates(network),
    )


def _used(node: models.Node, what: str, write: Callable[[float | None], str]) -> str:
    """By Danlu's tasks, and by others."""
    foreign = node.foreign.get(what)
    return write(node.used.get(what)) + (f" +{write(foreign)}" if foreign else "")


def _by_others(node: models.Node) -> str:
    writers = (
        ("gpus", show.number, show.cards(node.foreign.get("gpus"))),
        ("cpus", show.number, show.cores(node.foreign.get("cpus"))),
        ("memory", show.size, Words("memory", "内存")),
    )
    held = node.foreign
    parts = (
        say("{amount} {unit}", "{amount} {unit}", amount=write(held[key]), unit=unit)
        for key, write, unit in writers
        if held.get(key)
    )
    return spoken(listed(parts))
