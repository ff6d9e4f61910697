"""`danlu nodes`: the machines and who uses them; `cordon`, `uncordon` and `label`: what holds for them."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence

import click

from danlu.cli.session import Session, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.exit_codes import NOT_FOUND
from danlu.cli.shared.options import json_option
from danlu.sdk.http.paths import segment


@click.command()
@click.argument("name", required=False)
@json_option
@pass_session
def nodes(session: Session, name: str | None, as_json: bool) -> None:
    """List the nodes, or show one with its tasks."""
    if name is None:
        found = session.api("GET", "nodes")
        if as_json:
            print_json(found)
        elif not found["items"]:
            note("There are no nodes.")
        else:
            _print_all(found["items"])
        return
    node = session.api("GET", f"nodes/{segment(name)}")
    if as_json:
        print_json(node)
        return
    _print_one(node)


@click.command()
@click.argument("nodes", metavar="NODE...", nargs=-1, required=True)
@click.option("--note", "words", metavar="TEXT", help="Why, for others to read.")
@json_option
@pass_session
def cordon(session: Session, nodes: tuple[str, ...], words: str | None, as_json: bool) -> None:
    """Start nothing more on nodes; what runs there goes on."""
    body = {"nodes": list(nodes), "cordoned": True, **({} if words is None else {"note": words})}
    _tell(session, body, "Cordoned {}; what runs there goes on.", as_json)


@click.command()
@click.argument("nodes", metavar="NODE...", nargs=-1, required=True)
@json_option
@pass_session
def uncordon(session: Session, nodes: tuple[str, ...], as_json: bool) -> None:
    """Let jobs start on nodes again; this also ends a drain."""
    _tell(session, {"nodes": list(nodes), "cordoned": False}, "Uncordoned {}.", as_json)


@click.command()
@click.argument("node", metavar="NODE")
@click.argument("labels", metavar="KEY=VALUE...", nargs=-1, required=True)
@json_option
@pass_session
def label(session: Session, node: str, labels: tuple[str, ...], as_json: bool) -> None:
    """Label a node, for node selectors; KEY- takes a label away."""
    said: dict[str, str | None] = {}
    for word in labels:
        key, equals, value = word.partition("=")
        removed = word[:-1] if word.endswith("-") and not equals else ""
        if not (key if equals else removed):
            raise click.BadParameter(f"'{word}' is not KEY=VALUE, nor KEY- to take a label away.")
        said[key if equals else removed] = value if equals else None
    found = session.api("PATCH", f"nodes/{segment(node)}", body={"labels": said})
    if as_json:
        print_json(found)
    else:
        held = ", ".join(f"{key}={value}" for key, value in (found.get("labels") or {}).items())
        note(f"{node}: {held or 'no labels'}")


def _tell(session: Session, body: Mapping[str, Any], sentence: str, as_json: bool) -> None:
    """What came of it for each; one that fails does not keep the others from their turn."""
    done = session.api("POST", "nodes/cordon", body=dict(body))
    if as_json:
        print_json(done)
    for one in done["items"]:
        if not one["ok"]:
            note(f"danlu: {one['error']}")
        elif not as_json:
            note(sentence.format(one["name"]))
    if not all(one["ok"] for one in done["items"]):
        raise SystemExit(NOT_FOUND)


def _print_all(found: Sequence[Mapping[str, Any]]) -> None:
    """With their clusters, where any node is in one."""
    clustered = any(node.get("cluster") for node in found)
    columns = ["NAME", "STATE", "GPUS", "CPUS", "MEMORY", "TASKS", "ADDRESS", "POOL"]
    show.table([*columns, *(["CLUSTER"] if clustered else [])], [_row(node, clustered) for node in found])
    for node in found:
        if node.get("state") == "cordoned" and (why := node.get("why") or node.get("note")):
            note(f"{node['name']}: {why}")
    if any(_by_others(node) for node in found):
        note("What stands after + is held by what is not Danlu's.")


def _row(node: Mapping[str, Any], clustered: bool) -> list[str | show.Cell]:
    return [
        node["name"] + (" (virtual)" if node.get("virtual") else ""),
        show.state(node.get("state", "")),
        _gpus(node),
        _of(node, "cpus", show.number),
        _of(node, "memory", show.size),
        str(len(node.get("tasks") or [])),
        node.get("address") or "",
        node.get("pool") or "",
        *([node.get("cluster") or "local"] if clustered else []),
    ]


def _print_one(node: Mapping[str, Any]) -> None:
    labels = ", ".join(f"{key}={value}" for key, value in (node.get("labels") or {}).items())
    show.pairs(
        [
            ("name", node["name"] + (" (virtual)" if node.get("virtual") else "")),
            ("state", show.state(node.get("state", ""))),
            ("why", node.get("why") or ""),
            ("note", node.get("note") or ""),
            ("closes", _closes(node)),
            ("address", node.get("address") or ""),
            ("GPUs", _gpus(node)),
            ("CPUs", _of(node, "cpus", show.number)),
            ("memory", _of(node, "memory", show.size)),
            ("others hold", _by_others(node)),
            ("labels", labels),
            ("pool", node.get("pool") or ""),
            ("cluster", node.get("cluster") or ""),
        ]
    )
    tasks = node.get("tasks") or []
    if tasks:
        click.echo()
        show.table(["JOB", "TASK", "OWNER", "GPUS", "FOR"], [_task(task) for task in tasks])


def _closes(node: Mapping[str, Any]) -> str:
    if not node.get("closes_at"):
        return ""
    what = f"maintenance {node['maintenance']}" if node.get("maintenance") else "drained"
    return f"{show.local(node['closes_at'])} ({what})"


def _task(task: Mapping[str, Any]) -> list[str | show.Cell]:
    gpus = ",".join(str(one) for one in task.get("gpus") or [])
    return [
        task.get("job_name") or "(not yours)",
        task.get("task", ""),
        task.get("owner", ""),
        gpus,
        show.ago(task.get("started_at")),
    ]


def _gpus(node: Mapping[str, Any]) -> str:
    total = len(node.get("gpus") or [])
    if not total:
        return "-"
    return f"{_used(node, 'gpus', show.number)} of {total} {node.get('gpu_model') or ''}".rstrip()


def _of(node: Mapping[str, Any], what: str, write: Callable[[Any], str]) -> str:
    return f"{_used(node, what, write)} of {write(node.get(what))}"


def _used(node: Mapping[str, Any], what: str, write: Callable[[Any], str]) -> str:
    """By Danlu's tasks, and by others."""
    foreign = (node.get("foreign") or {}).get(what)
    return write((node.get("used") or {}).get(what)) + (f" +{write(foreign)}" if foreign else "")


def _by_others(node: Mapping[str, Any]) -> str:
    foreign = node.get("foreign") or {}
    writers = (
        ("gpus", show.number, " GPUs"),
        ("cpus", show.number, " CPUs"),
        ("memory", show.size, " memory"),
    )
    return ", ".join(f"{write(foreign[key])}{unit}" for key, write, unit in writers if foreign.get(key))
