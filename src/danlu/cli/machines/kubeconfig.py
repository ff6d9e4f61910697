"""A kubeconfig as it is sent: one context of it, with the content of the files it refers to."""

from __future__ import annotations

import base64
import os
import sys
from typing import Any, Mapping, NamedTuple

import click

from danlu.cli.words import speak
from danlu.domain.words import Words, listed, say

_FILES = {
    "cluster": ("certificate-authority",),
    "user": ("client-certificate", "client-key", "tokenFile"),
}
_HINT = "'--kubeconfig'"


class Kubeconfig(NamedTuple):
    """What to send, and the program that signs in, if there is one."""

    text: str
    context: str
    program: str


def read(path: str, context: str | None) -> Kubeconfig:
    """The chosen context of a file (`-`: standard input); other contexts are left out."""
    import yaml  # only where there is a file to read

    try:
        whole = yaml.safe_load(_text(path))
    except yaml.YAMLError as error:
        raise click.BadParameter(
            speak("{path} is not YAML: {why}", "{path} 不是 YAML：{why}", path=path, why=_first_line(error)),
            param_hint=_HINT,
        ) from None
    if not isinstance(whole, dict) or not isinstance(whole.get("contexts"), list):
        raise click.BadParameter(
            speak(
                "{path} is not a kubeconfig: it has no contexts.",
                "{path} 不是 kubeconfig：其中没有 contexts。",
                path=path,
            ),
            param_hint=_HINT,
        )
    name, chosen = _chosen(whole, context, path)
    folder = os.path.dirname(os.path.abspath(path))
    parts = {kind: _part(whole, kind, chosen.get(kind), path) for kind in ("cluster", "user")}
    for kind, part in parts.items():
        _embed(part, _FILES[kind], folder)
    program = parts["user"].get("exec")
    sent = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": name,
        "contexts": [{"name": name, "context": chosen}],
        **{f"{kind}s": [{"name": chosen.get(kind), kind: part}] for kind, part in parts.items()},
    }
    text = yaml.safe_dump(sent, sort_keys=False)
    return Kubeconfig(text, name, str(program.get("command", "")) if isinstance(program, dict) else "")


def _text(path: str) -> str:
    if path == "-":
        return sys.stdin.read()
    try:
        with open(os.path.expanduser(path), encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise click.BadParameter(
            speak("{path} cannot be read: {why}.", "无法读取 {path}：{why}。", path=path, why=_why(error)),
            param_hint=_HINT,
        ) from None


def _chosen(whole: Mapping[str, Any], context: str | None, path: str) -> tuple[str, dict[str, Any]]:
    known = {
        one["name"]: one.get("context")
        for one in whole["contexts"]
        if isinstance(one, dict) and "name" in one
    }
    name = context or whole.get("current-context")
    if not name and len(known) == 1:
        name = next(iter(known))
    found = known.get(name)
    if not isinstance(found, dict):
        names = listed(known) if known else Words("none", "无")
        missing = (
            say("{path} has no context '{name}'.", "{path} 没有上下文“{name}”。", path=path, name=name)
            if name
            else say("{path} has no current context.", "{path} 没有当前上下文。", path=path)
        )
        wrong = speak(
            "{missing} Choose from: {names}", "{missing}可选：{names}", missing=missing, names=names
        )
        raise click.BadParameter(wrong, param_hint="'--context'")
    return str(name), found


def _part(whole: Mapping[str, Any], kind: str, name: Any, path: str) -> dict[str, Any]:
    for one in whole.get(f"{kind}s") or ():
        if isinstance(one, dict) and one.get("name") == name and isinstance(one.get(kind), dict):
            return dict(one[kind])
    raise click.BadParameter(
        speak(
            "{path} has no {kind} '{name}', which its context refers to.",
            "{path} 的上下文引用了 {kind} “{name}”，但其中没有。",
            path=path,
            kind=kind,
            name=name,
        ),
        param_hint=_HINT,
    )


def _embed(part: dict[str, Any], keys: tuple[str, ...], folder: str) -> None:
    """The content of files in place of their paths, which are relative to the kubeconfig."""
    for key in keys:
        if not part.get(key):
            continue
        file = os.path.join(folder, str(part.pop(key)))
        try:
            with open(file, "rb") as opened:
                content = opened.read()
        except OSError as error:
            message = speak(
                "its {key} {file} cannot be read: {why}.",
                "无法读取其 {key} {file}：{why}。",
                key=key,
                file=file,
                why=_why(error),
            )
            raise click.BadParameter(message, param_hint=_HINT) from None
        if key == "tokenFile":
            part["token"] = content.decode("utf-8", "replace").strip()
        else:
            part[f"{key}-data"] = base64.b64encode(content).decode("ascii")


def _why(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).rstrip(".")


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or ["it cannot be parsed"])[0]
