"""Packages that a job file asks for and that cannot be had: known before it starts, with their place in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from danlu.domain.errors import FieldError
from danlu.domain.job import HOST_IMAGE, JobSpec, Role
from danlu.domain.node import Node
from danlu.domain.words import Words, say
from danlu.frameworks.catalog import framework
from danlu.ports.code import CodeStore

_CONDA = ("micromamba", "mamba", "conda")
_LAUNCHED = re.compile(r"python(?:3(?:\.\d+)?)?|torchrun|deepspeed")


def package_misfits(
    spec: JobSpec, owner: str, nodes: Sequence[Node], code: CodeStore
) -> Iterator[FieldError]:
    """What is missing in the uploaded code, on the machine, or is somebody else's."""
    wanted = spec.packages
    if wanted is not None and wanted.file is not None and spec.code is not None and spec.code.archive:
        loc = ("packages", "conda" if wanted.conda else "pip")
        if code.holds(spec.code.archive, wanted.file) is False:
            text = say(
                "the uploaded code has no file {file}", "上传的代码中没有文件 {file}", file=wanted.file
            )
            hint = Words(
                "give its path below the code folder, and check that .gitignore does not exclude it",
                "请填写它在代码目录中的路径，并确认未被 .gitignore 排除",
            )
            yield FieldError(loc, "no_such_file", text, wanted.file, hint=hint)
    if wanted is not None and wanted.venv is not None and _somebody_elses(wanted.venv, owner):
        text = say(
            "{path} is in the personal directory of somebody else, which your tasks cannot see",
            "{path} 位于他人的个人目录中，你的任务看不到",
            path=wanted.venv,
        )
        hint = say("use one below /mnt/{owner}", "请使用 /mnt/{owner} 下的环境", owner=owner)
        yield FieldError(("packages", "venv"), "bad_value", text, wanted.venv, hint=hint)
    yield from _lacking(spec, nodes)


def _somebody_elses(path: str, owner: str) -> bool:
    parts = path.split("/")
    return parts[1] == "mnt" and len(parts) > 2 and parts[2] != owner


def _lacking(spec: JobSpec, nodes: Sequence[Node]) -> Iterator[FieldError]:
    """Only where all nodes are known to lack it, and nothing else could bring it."""
    images = {role.image or spec.image for role in spec.roles}
    if images != {HOST_IMAGE} or not nodes or any(node.has is None for node in nodes):
        return
    there = {name for node in nodes for name in node.has or ()}
    if spec.packages is not None:
        if spec.packages.conda is not None and not there & set(_CONDA):
            text = Words("no node has micromamba, mamba or conda", "没有节点装有 micromamba、mamba 或 conda")
            hint = Words(
                "list the packages for pip instead: `packages: {pip: requirements.txt}`, or ask an administrator to "
                "install micromamba",
                "请改用 pip：`packages: {pip: requirements.txt}`，或请管理员安装 micromamba",
            )
            yield FieldError(("packages", "conda"), "not_available", text, spec.packages.conda, hint=hint)
        return
    needs = framework(spec.framework).needs
    if needs is None or needs.module in there or not all(_needs_it(spec, role) for role in spec.roles):
        return
    text = say(
        "{framework} needs {package}, which is not installed on any node",
        "{framework} 需要 {package}，而所有节点均未安装",
        framework=spec.framework,
        package=needs.package,
    )
    hint = say(
        "add `packages: {{pip: [{package}]}}`, or name an environment that has it: `packages: {{venv: PATH}}`",
        "请添加 `packages: {{pip: [{package}]}}`，或指定装有它的环境：`packages: {{venv: 路径}}`",
        package=needs.package,
    )
    yield FieldError(("framework",), "not_available", text, spec.framework, hint=hint)


def _needs_it(spec: JobSpec, role: Role) -> bool:
    """Whether the framework's launcher runs the command, with programs from where the machine has them."""
    if {"PATH", "PYTHONPATH"} & {*spec.env, *role.env}:
        return False
    first = role.command.split() if isinstance(role.command, str) else list(role.command)
    return bool(first) and _LAUNCHED.fullmatch(first[0]) is not None
