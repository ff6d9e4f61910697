"""`danlu cluster`: the Kubernetes clusters that jobs run on, and whether they have everything jobs need."""

from __future__ import annotations

import sys
from typing import Any, Callable, Mapping, NoReturn, Sequence, TypeVar

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.asking import surely, yes_option
from danlu.cli.shared.crud import Crud, address, option_names, renamed, said, something, told
from danlu.cli.shared.options import WordParam, json_option
from danlu.cli.shared.show import Cells, Facts
from danlu.cli.shared.values import WordsParam, words
from danlu.cli.words import speak, spoken
from danlu.domain.words import Words, listed, say
from danlu.sdk import models
from danlu.sdk.http.errors import ClusterNotReady

F = TypeVar("F", bound=Callable[..., object])
PATH = "clusters"
COLUMNS = ("NAME", "STATE", "NODES", "GPUS", "NAMESPACE", "DESCRIPTION")
NOT_READY = 1
_STATES = {"empty": show.Cell("no nodes", "yellow"), "no_credentials": show.Cell("no credentials", "red")}
_MARKS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "missing": ("✗", "red")}


@click.group(cls=HelpfulGroup)
def cluster() -> None:
    """Kubernetes clusters that jobs run on."""


def _way_in(command: F) -> F:
    for option in reversed(
        (
            click.option(
                "--kubeconfig", metavar="FILE", help="The kubeconfig to sign in with; - is standard input."
            ),
            click.option(
                "--context",
                "kube_context",
                metavar="NAME",
                help="The context to use; default: the current one.",
            ),
            click.option(
                "--in-cluster", is_flag=True, help="Danlu runs in this cluster: use its service account."
            ),
        )
    ):
        command = option(command)
    return command


def _settings(command: F) -> F:
    for option in reversed(
        (
            click.option("--namespace", metavar="NAME", help="The namespace of tasks; default: danlu-jobs."),
            click.option("--image", metavar="IMAGE", help="The default image, for jobs without one."),
            click.option("--helper", metavar="IMAGE", help="The image that fetches code: Danlu's own image."),
            click.option("--dns/--no-dns", default=None, help="Whether tasks find each other by DNS name."),
            click.option(
                "--pull-policy",
                type=WordParam(["IfNotPresent", "Always", "Never"]),
                help="When images are pulled.",
            ),
            click.option("--pull-secrets", type=WordsParam(), metavar="NAME,…", help="Image pull secrets."),
            click.option(
                "--tolerations", type=WordsParam(), metavar="KEY,…", help="Taints that tasks tolerate."
            ),
            click.option("--rdma-resource", metavar="NAME", help="The resource name of RDMA devices."),
            click.option(
                "--admission-time", metavar="TIME", help="How long the cluster may take to schedule a task."
            ),
            click.option(
                "--lost-time", metavar="TIME", help="How long to wait for a node that is not ready."
            ),
            click.option("--description", metavar="TEXT", help="What it is for."),
            click.option(
                "--block-class", metavar="NAME", help="The storage class of people's block volumes."
            ),
            click.option(
                "--filesystem-class",
                metavar="NAME",
                help="The storage class of filesystem volumes and personal directories.",
            ),
            click.option(
                "--personal-claim",
                metavar="NAME",
                help="A claim for everybody's personal directories; default: one for each person.",
            ),
            click.option("--personal-size", metavar="SIZE", help="What each person's own claim holds."),
        )
    ):
        command = option(command)
    return command


@cluster.command("create")
@click.argument("name")
@_way_in
@_settings
@click.option("--force", is_flag=True, help="Add it even if the check finds something missing.")
@json_option
@pass_session
def cluster_create(session: CliSession, /, name: str, force: bool, as_json: bool, **options: object) -> None:
    """Add a cluster after checking it; lists what is missing and how to fix it."""
    body = {"name": name, "force": force, **_body(options, needed=True)}
    _send(session, "POST", PATH, body, told("Added", "cluster", name), as_json)


@cluster.command("edit")
@click.argument("name")
@_way_in
@_settings
@click.option(
    "--force",
    is_flag=True,
    help="Change it even if the check finds something missing, or running tasks are lost.",
)
@json_option
@pass_session
def cluster_edit(session: CliSession, /, name: str, force: bool, as_json: bool, **options: object) -> None:
    """Change a cluster's settings or credentials."""
    changes = something(_body(options, needed=False), *option_names(cluster_edit))
    _send(
        session,
        "PATCH",
        address(PATH, name),
        {**changes, "force": force},
        told("Changed", "cluster", name),
        as_json,
    )


@cluster.command("check")
@click.argument("name", required=False)
@_way_in
@_settings
@json_option
@pass_session
def cluster_check(session: CliSession, /, name: str | None, as_json: bool, **options: object) -> None:
    """Check an existing cluster, or with --kubeconfig one that you want to add."""
    if name is None:
        body = _body(options, needed=True)
        report = session.ask(models.ClusterReport, "POST", f"{PATH}/check", body=body, harmless=True)
    else:
        if _body(options, needed=False):
            raise click.UsageError(
                speak(
                    "give the name of an existing cluster, or the options of a new one, not both.",
                    "请给出已有集群的名称，或新集群的选项，不能同时给出。",
                )
            )
        report = session.ask(models.ClusterReport, "POST", f"{address(PATH, name)}/check", harmless=True)
    told = report.told
    if as_json:
        print_json(report.raw)
    else:
        _print_findings(told.findings)
        at = say(" at {server}", " {server} ", server=told.server) if told.server else ""
        note(
            speak("The cluster{at} is ready.", "集群{at}已就绪。", at=at)
            if told.ready
            else speak(
                "The cluster{at} is not ready: fix what is marked ✗.",
                "集群{at}未就绪：请修复标有 ✗ 的项。",
                at=at,
            )
        )
    if not told.ready:
        sys.exit(NOT_READY)


@cluster.command("rm")
@click.argument("name")
@click.option("--force", is_flag=True, help="Remove it even if jobs run there; they are lost.")
@yes_option
@pass_session
def cluster_rm(session: CliSession, name: str, force: bool, yes: bool) -> None:
    """Remove a cluster from Danlu."""
    surely(
        speak(
            "Remove cluster {name} and lose what runs there?",
            "移除集群 {name} 并丢失其中运行的任务？",
            name=name,
        )
        if force
        else speak("Remove cluster {name} with its credentials?", "移除集群 {name} 及其凭据？", name=name),
        yes,
    )
    session.do("DELETE", address(PATH, name), {"force": "true"} if force else None)
    note(speak("Removed cluster {name}.", "已移除集群 {name}。", name=name))


def _body(options: Mapping[str, object], needed: bool) -> dict[str, object]:
    """The request body from the options; the kubeconfig includes the files it refers to."""
    given = said(options)
    path, context, inside = (given.pop(key, None) for key in ("kubeconfig", "kube_context", "in_cluster"))
    if path and inside:
        raise click.UsageError(
            speak(
                "give --kubeconfig or --in-cluster, not both.",
                "请给出 --kubeconfig 或 --in-cluster，不能同时给出。",
            )
        )
    if context and not path:
        raise click.UsageError(
            speak(
                "--context needs --kubeconfig FILE.",
                "--context 需要与 --kubeconfig FILE 一起使用。",
            )
        )
    if inside:
        given["in_cluster"] = True
    elif path:
        from danlu.cli.machines.kubeconfig import read

        found = read(str(path), str(context) if context else None)
        if found.program:
            note(
                speak(
                    "It signs in by running {program}, which must be installed where Danlu's server runs.",
                    "登录时会运行 {program}，它必须安装在丹炉服务端所在的机器上。",
                    program=found.program,
                )
            )
        given.update(kubeconfig=found.text, context=found.context)
    elif needed:
        raise click.UsageError(
            speak(
                "give credentials: --kubeconfig FILE, or --in-cluster if Danlu runs in that cluster.",
                "请给出凭据：--kubeconfig FILE；丹炉运行于该集群时可用 --in-cluster。",
            )
        )
    return given


def _send(
    session: CliSession, method: str, path: str, body: Mapping[str, object], sentence: str, as_json: bool
) -> None:
    try:
        made = session.ask(models.Cluster, method, path, body=dict(body))
    except ClusterNotReady as refused:
        _refuse(refused, as_json)
    if as_json:
        print_json(made.raw)
        return
    _print_findings(made.told.findings)
    note(sentence)


def _refuse(refused: ClusterNotReady, as_json: bool) -> NoReturn:
    if as_json:
        found = [
            {"code": one.code, "level": one.level, "text": one.text, "fix": one.fix}
            for one in refused.findings
        ]
        print_json({"ready": False, "findings": found})
    else:
        _print_findings(refused.findings)
        note(
            speak(
                "Nothing was changed: fix what is marked ✗ and try again, or use --force.",
                "未做任何更改：请修复标有 ✗ 的项目后重试，或使用 --force。",
            )
        )
    sys.exit(NOT_READY)


def _print_findings(findings: Sequence[models.Finding]) -> None:
    for one in findings:
        mark, colour = _MARKS.get(one.level, ("·", None))
        show.echo(f"{mark} {show.words(one.text)}", colour)
        if one.fix and one.level != "ok":
            for line in show.words(one.fix).splitlines():
                show.echo(f"    {line}")


def _row(one: models.Cluster) -> Cells:
    return [one.name, _state(one), _nodes(one), _gpus(one), one.namespace, one.description]


def _about(one: models.Cluster) -> Facts:
    return [
        ("name", one.name),
        ("description", one.description),
        ("state", _state(one)),
        ("why", one.why),
        ("server", one.server or ""),
        (
            "signs in",
            speak("as Danlu's own service account", "丹炉自己的服务账号")
            if one.in_cluster
            else speak("by kubeconfig", "kubeconfig"),
        ),
        ("credentials", show.local(one.credentials_at)),
        ("nodes", _nodes(one)),
        ("GPUs", _gpus(one)),
        ("tasks", str(one.tasks)),
        ("namespace", one.namespace),
        ("image", one.image),
        ("helper", one.helper or speak("none", "无")),
        (
            "DNS",
            show.yes(True)
            if one.dns
            else speak("no: tasks get each other's addresses", "否：子任务直接得到彼此的地址"),
        ),
        ("pull policy", one.pull_policy),
        ("pull secrets", words(one.pull_secrets)),
        ("tolerations", words(one.tolerations)),
        ("RDMA", one.rdma_resource),
        ("admission", speak("within {time}", "{time}", time=show.length(one.admission_time))),
        ("block volumes", one.block_class or speak("no storage class", "无存储类")),
        ("filesystem volumes", one.filesystem_class or speak("no storage class", "无存储类")),
        ("personal directories", _personal(one)),
        ("lost nodes", speak("after {time}", "{time}", time=show.length(one.lost_time))),
    ]


def _personal(one: models.Cluster) -> str:
    if one.personal_claim:
        return speak("in claim {claim}", "位于 PVC {claim}", claim=one.personal_claim)
    if one.filesystem_class:
        return speak(
            "a claim of {size} for each", "每人一个 {size} 的 PVC", size=show.size(one.personal_size)
        )
    return speak("none: tasks start without them", "无：子任务中没有个人目录")


def _state(one: models.Cluster) -> show.Cell:
    return _STATES.get(one.state) or show.state(one.state)


def _nodes(one: models.Cluster) -> str:
    return show.part(str(one.nodes.get("ready", 0)), str(one.nodes.get("total", 0)))


def _gpus(one: models.Cluster) -> str:
    """`2 of 16 A100 (3 by others)`."""
    return spoken(listed(map(_held, one.gpus))) or "-"


def _held(gpus: Mapping[str, Any]) -> str:
    held = show.part(show.number(gpus["used"]), f"{gpus['total']} {gpus['model']}")
    others = gpus.get("others")
    return held + (speak(" ({others} by others)", "（他人占用 {others}）", others=others) if others else "")


clusters = Crud(cluster, "cluster", PATH, lambda: models.Cluster)
clusters.ls(
    "List clusters, their resources and what uses them.",
    COLUMNS,
    _row,
    Words(
        "There are no clusters. Add one with: danlu cluster create NAME --kubeconfig ~/.kube/config",
        "没有集群。可以这样添加：danlu cluster create NAME --kubeconfig ~/.kube/config",
    ),
    right=("NODES",),
)
clusters.show("Show a cluster and its settings.", _about)
renamed(cluster, add="create", set="edit")
