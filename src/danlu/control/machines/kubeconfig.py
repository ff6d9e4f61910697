"""Files and programs that a kubeconfig refers to: the server does not have the files, and may not allow the
programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from danlu.domain.errors import FieldError
from danlu.domain.findings import Finding, Level
from danlu.domain.words import Words, say
from danlu.ports.clusters import ClusterCredentials

_FILES = {
    "cluster": ("certificate-authority",),
    "user": ("client-certificate", "client-key", "tokenFile"),
}


def file_mistakes(access: ClusterCredentials) -> Iterator[FieldError]:
    """Errors for files that the chosen context refers to: their content must be embedded, since the server does not
    have the sender's files and must not be tricked into reading its own."""
    for kind, part in _parts(access):
        for key in _FILES[kind]:
            if part.get(key):
                message = say(
                    "it refers to a file ({key}: {path}), which the server does not have",
                    "它引用了文件（{key}: {path}），而服务端没有该文件",
                    key=key,
                    path=part[key],
                )
                hint = Words(
                    "'danlu cluster create' embeds the file's content; so does: kubectl config view --raw --flatten "
                    "--minify",
                    "danlu cluster create 会嵌入文件内容；也可以用：kubectl config view --raw --flatten --minify",
                )
                yield FieldError(("kubeconfig",), "refers_to_file", message, hint=hint)


def program_mistakes(access: ClusterCredentials) -> Iterator[FieldError]:
    """Errors for programs that the kubeconfig runs to sign in, unless the settings allow them: otherwise whoever sends
    a kubeconfig could run anything as Danlu."""
    for program in _programs(access):
        message = say(
            "it signs in by running the program {program} on Danlu's server, which is not allowed here",
            "它需要在丹炉服务端运行程序 {program} 来登录，而当前不允许",
            program=program,
        )
        hint = Words(
            "use a kubeconfig with a service account's token (docs/guides/kubernetes.md), or allow it with the "
            "setting cluster_programs",
            "请使用带服务账号令牌的 kubeconfig（见 docs/guides/kubernetes.md），或用设置 cluster_programs 允许",
        )
        yield FieldError(("kubeconfig",), "runs_program", message, hint=hint)


def program_findings(access: ClusterCredentials) -> Iterator[Finding]:
    """Findings for programs that the kubeconfig runs to sign in: they must be installed on the server too."""
    for program in _programs(access):
        yield Finding(
            "exec_plugin",
            Level.WARNING,
            Words(
                "The kubeconfig signs in by running the program {program} on Danlu's server",
                "该 kubeconfig 通过在丹炉服务端运行程序 {program} 来登录",
            ).fill(program=program),
            Words(
                "Install {program} wherever Danlu runs, or use a kubeconfig with a service account's token",
                "请在运行丹炉的每台机器上安装 {program}，或改用带服务账号令牌的 kubeconfig",
            ).fill(program=program),
        )


def _programs(access: ClusterCredentials) -> Iterator[str]:
    for kind, part in _parts(access):
        program = part.get("exec") if kind == "user" else None
        if isinstance(program, dict):
            yield str(program.get("command", ""))


def _parts(access: ClusterCredentials) -> Iterator[tuple[str, dict[str, Any]]]:
    """The chosen context's cluster and user; nothing for a text that is no kubeconfig, which is reported elsewhere.

    All entries with the same name are checked, so that signing in cannot use one that was not."""
    import yaml  # only where there is a cluster

    try:
        # The same parser as for signing in: another one might read something else.
        whole = yaml.safe_load(access.kubeconfig or "")
    except (yaml.YAMLError, RecursionError, ValueError):
        return
    if not isinstance(whole, dict):
        return
    name = access.context or whole.get("current-context")
    for context in _named(whole.get("contexts"), name, "context"):
        for kind, several in (("cluster", "clusters"), ("user", "users")):
            for part in _named(whole.get(several), context.get(kind), kind):
                yield kind, part


def _named(entries: Any, name: Any, kind: str) -> Iterator[dict[str, Any]]:
    for entry in entries if isinstance(entries, list) else ():
        same = isinstance(entry, dict) and str(entry.get("name")) == str(name)
        if same and isinstance(entry.get(kind), dict):
            yield entry[kind]
