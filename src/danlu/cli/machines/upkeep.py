"""`danlu move` and `danlu drain`: move nodes between pools, or empty them by a deadline."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import click

from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.asking import can_ask, confirm, must_ask, yes_option
from danlu.cli.shared.options import json_option
from danlu.cli.words import speak
from danlu.domain.words import Words, listed, say
from danlu.sdk import models

_SHOWN = 10
_several = click.argument("nodes", metavar="NODE...", nargs=-1, required=True)
preview_option = click.option("--preview", is_flag=True, help="Only show what would happen.")


@click.command("move")
@_several
@click.option("--to", "pool", metavar="POOL", required=True, help="The pool to move them to.")
@preview_option
@yes_option
@json_option
@pass_session
def move(
    session: CliSession, nodes: tuple[str, ...], pool: str, preview: bool, yes: bool, as_json: bool
) -> None:
    """Move nodes to a pool, all or none; running jobs continue."""
    body = {"nodes": list(nodes), "pool": pool}
    if preview or (not yes and can_ask()):
        asked = {**body, "preview": True}
        found = session.ask(models.NodeMoved, "POST", "nodes/move", body=asked, harmless=True)
        if preview and as_json:
            print_json(found.raw)
            return
        would = found.told
        _print_move(would, pool)
        if preview or not would.nodes:
            return
        confirm(
            speak(
                "Move {nodes} to pool {pool}?",
                "将 {nodes} 移到资源池 {pool}？",
                nodes=_nodes(would.nodes),
                pool=pool,
            )
        )
    done = session.ask(models.NodeMoved, "POST", "nodes/move", body=body)
    if as_json:
        print_json(done.raw)
        return
    moved = [one["name"] for one in done.told.nodes]
    note(
        speak(
            "Moved {moved} to pool {pool}.",
            "已将 {moved} 移到资源池 {pool}。",
            moved=listed(moved),
            pool=pool,
        )
        if moved
        else speak(
            "Nothing to move: all of them are already in pool {pool}.",
            "无需移动：全部节点已在资源池 {pool} 中。",
            pool=pool,
        )
    )


@click.command("drain")
@_several
@click.option(
    "--within", metavar="TIME", default="30m", show_default=True, help="How long running jobs have to finish."
)
@click.option("--note", "words", metavar="TEXT", default="", help="The reason, shown to others.")
@preview_option
@yes_option
@json_option
@pass_session
def drain(
    session: CliSession,
    nodes: tuple[str, ...],
    within: str,
    words: str,
    preview: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Cordon nodes; jobs that still run there at the deadline are evicted and queued again.

    'danlu uncordon' ends a drain.
    """
    body = {"nodes": list(nodes), "deadline": within, "note": words}
    question = speak(
        "Drain {nodes} within {within}? Jobs that still run there then are evicted.",
        "在 {within}内排空 {nodes}？届时仍在运行的任务会被驱逐。",
        nodes=_nodes(nodes),
        within=show.length(within),
    )
    if preview or must_ask(question, yes):
        asked = {**body, "preview": True}
        found = session.ask(models.NodesDrained, "POST", "nodes/drain", body=asked, harmless=True)
        if preview and as_json:
            print_json(found.raw)
            return
        would = found.told
        print_leaving(would)
        if preview:
            return
        confirm(question)
    done = session.ask(models.NodesDrained, "POST", "nodes/drain", body=body)
    if as_json:
        print_json(done.raw)
        return
    told = done.told
    note(
        speak(
            "Draining {nodes}: empty by {drain_by}.",
            "正在排空 {nodes}：{drain_by} 之前清空。",
            nodes=listed(told.nodes),
            drain_by=show.local(told.drain_by),
        )
    )


def print_leaving(found: models.NodesDrained) -> None:
    """The jobs on nodes that are to be closed."""
    jobs, at = found.jobs, show.local(found.drain_by)
    if not jobs:
        note(speak("Nothing runs on {nodes} now.", "{nodes} 上当前没有任务运行。", nodes=_nodes(found.nodes)))
        return
    staying = sum(not job["ends_by_itself"] for job in jobs)
    note(
        speak(
            "{jobs} on {nodes}; {staying} may be evicted at {at}:",
            "{nodes}上有 {jobs}；其中 {staying} 个可能在 {at} 被驱逐：",
            jobs=_jobs(len(jobs)),
            nodes=_nodes(found.nodes),
            staying=staying,
            at=at,
        )
    )
    fates = {True: speak("ends before", "提前结束"), False: speak("evicted", "被驱逐")}
    show.table(
        ["JOB", "OWNER", "CLASS", ""],
        [
            [_name(job), job["owner"], show.word(job["class"]), fates[job["ends_by_itself"]]]
            for job in jobs[:_SHOWN]
        ],
    )
    _more(jobs)


def _print_move(found: models.NodeMoved, pool: str) -> None:
    if not found.nodes:
        note(
            speak(
                "Nothing to move: all of them are already in pool {pool}.",
                "无需移动：全部节点已在资源池 {pool} 中。",
                pool=pool,
            )
        )
        return
    show.table(["NODE", "FROM", "TO"], [[one["name"], one["from"], one["to"]] for one in found.nodes])
    running, waiting = found.running, found.waiting
    if running:
        unserved = sum(not job["served"] for job in running)
        strange = say(
            "; {unserved} of a class that the pool does not serve",
            "；其中 {unserved} 个的类别不受该资源池支持",
            unserved=unserved,
        )
        note(
            speak(
                "{jobs} on them, which {go_on}{strange}.",
                "其上有 {jobs}，{go_on}{strange}。",
                jobs=_jobs(len(running)),
                go_on=Words("continues" if len(running) == 1 else "continue", "将继续运行"),
                strange=strange if unserved else "",
            )
        )
    if waiting:
        note(
            speak(
                "{jobs} in the queue could no longer start:",
                "队列中有 {jobs}将无法启动：",
                jobs=_jobs(len(waiting)),
            )
        )
        show.table(
            ["JOB", "OWNER", "CLASS"], [[_name(job), job["owner"], job["class"]] for job in waiting[:_SHOWN]]
        )
        _more(waiting)
    for words, flavors in (
        (Words("no longer fit anywhere", "不再适用于任何节点"), found.flavors_lost),
        (Words("fit somewhere now", "现在有适用的节点"), found.flavors_gained),
    ):
        if flavors:
            note(
                speak(
                    "Flavors that {words}: {flavors}.",
                    "{words}的套餐：{flavors}。",
                    words=words,
                    flavors=listed(flavors),
                )
            )


def _name(job: Mapping[str, Any]) -> str:
    return job.get("name") or "(not yours)"


def _more(jobs: Sequence[object]) -> None:
    if len(jobs) > _SHOWN:
        note(speak("… and {shown} more", "……另有 {shown} 个", shown=len(jobs) - _SHOWN))


def _nodes(nodes: Sequence[object]) -> Words:
    return Words("1 node" if len(nodes) == 1 else f"{len(nodes)} nodes", f"{len(nodes)} 个节点")


def _jobs(count: int) -> Words:
    return Words("1 job" if count == 1 else f"{count} jobs", f"{count} 个任务")
