"""From the job file to the specification, reporting all errors at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from danlu.domain.errors import MORE, FieldError, Invalid, told
from danlu.domain.job import (
    KEEP_ALIVE,
    Backoff,
    Checkpoint,
    Code,
    JobSpec,
    Kind,
    Remedy,
    Role,
    Topology,
    Trouble,
)
from danlu.domain.resources import Resources
from danlu.domain.terms import kind_said
from danlu.domain.words import Words, listed, say
from danlu.files.hints import hinted
from danlu.files.inputs import input_mistakes, read_inputs
from danlu.files.job_file import MAX_TASKS, CodePart, JobFile, ResourcesPart, RolePart
from danlu.files.mistakes import MOST_HINTED, Loc, did_you_mean, field_errors
from danlu.files.mounts import NOT_AVAILABLE, mount_mistakes, read_mounts
from danlu.files.outputs import output_mistakes, read_outputs
from danlu.files.packages import package_mistakes, read_packages
from danlu.files.policies import policy_mistakes
from danlu.files.quantities import AUTO

FlavorSizes = Mapping[str, Resources]

DEFAULT_RESTARTS = 3
RESTARTING = frozenset({Remedy.RESTART_TASK, Remedy.RESTART_JOB, Remedy.REQUEUE, Remedy.IGNORE})
"""Remedies that restart something."""
RESERVED_ENV = "DANLU_"
_GIT_ADDRESS = re.compile(r"(https?|ssh|git)://[^\s/@:][^\s]*|[A-Za-z0-9_.-]+@[A-Za-z0-9.-]+:[^\s]+")
_DEEPEST = 9
_TWO_SIZES = (
    Words("flavor and resources cannot be used together", "flavor 与 resources 不能同时使用"),
    Words("keep one of them", "请只保留其中一个"),
)
_LIST_FLAVORS = Words("`danlu flavor ls` lists all flavors", "可用 `danlu flavor ls` 查看现有套餐")
_STAND_INS = {"kind": "training", "name": "stand-in", "command": "true"}


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading a job file; with errors, `spec` is built from the valid rest."""

    spec: JobSpec | None
    errors: tuple[FieldError, ...]

    def result(self) -> JobSpec:
        if self.errors or self.spec is None:
            raise Invalid(self.errors)
        return self.spec


def read_job_file(data: Any, flavors: FlavorSizes = MappingProxyType({})) -> Reading:
    """Read a job file as far as possible, given the flavors it may name."""
    try:
        return _checked(JobFile.model_validate(data), (), flavors)
    except ValidationError as error:
        errors = tuple(hinted(one) for one in field_errors(error, JobFile, data))
    if not isinstance(data, Mapping) or any(error.code == MORE for error in errors):
        return Reading(None, errors)
    # The rest may have further errors that only show when the file is validated as a whole.
    places = [error.loc for error in errors if error.loc]
    meant = {place[0] for place in places}
    meant |= {error.suggestion for error in errors if error.suggestion}
    stand_ins = {key: value for key, value in _STAND_INS.items() if key in meant}
    for depth in (_DEEPEST, 1):
        try:
            rest = _without(data, [place[:depth] for place in places])
            return _checked(JobFile.model_validate({**stand_ins, **rest}), errors, flavors)
        except ValidationError:
            continue
    return Reading(None, errors)


def _without(data: Any, places: list[Loc]) -> Any:
    """The data less what stands at these places; a place in a list takes the whole list with it."""
    if not isinstance(data, Mapping):
        return data
    inside: dict[str | int, list[Loc]] = {}
    for place in places:
        inside.setdefault(place[0], []).append(place[1:])
    kept = dict(data)
    for key, rest in inside.items():
        if key not in kept:
            continue
        if () in rest or not isinstance(kept[key], Mapping):
            del kept[key]
        else:
            kept[key] = _without(kept[key], rest)
    return kept


def _checked(file: JobFile, earlier: tuple[FieldError, ...], flavors: FlavorSizes) -> Reading:
    known = {error.loc for error in earlier}
    found = (
        *_contradictions(file),
        *_unknown_flavors(file, flavors),
        *_not_yet(file),
        *mount_mistakes(file.mounts),
        *input_mistakes(file.inputs),
        *output_mistakes(file.outputs),
        *package_mistakes(file),
        *policy_mistakes(file),
    )
    later = tuple(error for error in found if error.loc not in known)
    spec = None if any(error.code == "contradiction" for error in later) else _spec(file, flavors)
    return Reading(spec, told((*earlier, *later)))


# ── the whole file ───────────────────────────────────────────────────────────────────────────────────


def _contradictions(file: JobFile) -> Iterator[FieldError]:
    """Keys that are right alone and wrong together."""

    def wrong(loc: Loc, text: Words, hint: Words) -> FieldError:
        return FieldError(loc, "contradiction", text, hint=hint)

    if file.roles is not None and file.nodes is not None:
        text = Words("nodes and roles cannot be used together", "nodes 与 roles 不能同时使用")
        yield wrong(("nodes",), text, Words("give each role its replicas", "请在每个角色中填写 replicas"))
    if file.flavor and file.resources:
        yield wrong(("flavor",), *_TWO_SIZES)
    for place, role in enumerate(file.roles or ()):
        if role.flavor and role.resources:
            yield wrong(("roles", place, "flavor"), *_TWO_SIZES)
        if role.min is not None and role.min > role.replicas:
            text = say(
                "{min} is more than the role has replicas ({replicas})",
                "{min} 超过了该角色的 replicas（{replicas}）",
                min=role.min,
                replicas=role.replicas,
            )
            yield FieldError(("roles", place, "min"), "out_of_range", text, role.min, role.replicas)
        if any(role.name == other.name for other in (file.roles or ())[:place]):
            text = say("two roles are named '{name}'", "已有另一个名为“{name}”的角色", name=role.name)
            yield wrong(("roles", place, "name"), text, Words("give each role its own name", "名称不能重复"))
    yield from _missing_commands(file)
    yield from _code_contradictions(file.code)
    yield from _divided(file)
    if file.min is not None and file.min > _task_count(file):
        count = _task_count(file)
        text = say(
            "{min} is more than the job has tasks ({count})",
            "{min} 超过了任务的子任务数（{count}）",
            min=file.min,
            count=count,
        )
        yield FieldError(("min",), "out_of_range", text, file.min, count)
    if file.kind == "workspace" and (_task_count(file) != 1 or file.nodes == AUTO):
        where = "roles" if file.nodes is None else "nodes"
        text = Words("a workspace has one task", "工作台只有一个子任务")
        yield wrong((where,), text, Words("use kind: training", "请改用 kind: training"))
    if file.expected_time and file.max_time and file.expected_time > file.max_time:
        text = Words("expected_time is longer than max_time", "expected_time 大于 max_time")
        hint = Words("raise max_time or lower expected_time", "请调大 max_time 或调小 expected_time")
        yield wrong(("expected_time",), text, hint)
    for loc, env in ((("env",), file.env), *_role_envs(file)):
        for name in env:
            if name.startswith(RESERVED_ENV):
                text = say(
                    "names that start with {prefix} are reserved for Danlu",
                    "以 {prefix} 开头的变量名由丹炉保留",
                    prefix=RESERVED_ENV,
                )
                yield FieldError((*loc, name), "reserved", text, name)


def _divided(file: JobFile) -> Iterator[FieldError]:
    """Checks of `nodes: auto`: only whole GPUs are divided, and the file must not set the number of tasks."""
    if file.nodes != AUTO:
        return
    if file.min is not None:
        text = Words(
            "with nodes: auto, Danlu chooses the number of tasks",
            "使用 nodes: auto 时，子任务数由丹炉决定",
        )
        yield FieldError(("min",), "contradiction", text)
    size = file.resources or ResourcesPart()
    if file.flavor is None and (not size.gpus or size.gpus % 1000):
        text = Words("nodes: auto needs a total of whole GPUs to divide", "nodes: auto 按总量分配整卡 GPU")
        hint = Words(
            "give the total, for example resources: {gpus: 16, gpu: A100}",
            "请填写总量，例如 resources: {gpus: 16, gpu: A100}",
        )
        yield FieldError(("nodes",), "contradiction", text, "auto", hint=hint)
    if size.gpus > 1000 * MAX_TASKS:
        text = say(
            "{gpus} GPUs could become {gpus} tasks; a job has at most {most}",
            "{gpus} 卡可能分成同样多的子任务，而一个任务最多有 {most} 个",
            gpus=size.gpus // 1000,
            most=MAX_TASKS,
        )
        yield FieldError(("resources", "gpus"), "out_of_range", text, size.gpus // 1000, MAX_TASKS)


def _unknown_flavors(file: JobFile, flavors: FlavorSizes) -> Iterator[FieldError]:
    named: list[tuple[Loc, str | None]] = [(("flavor",), file.flavor)]
    named += [(("roles", place, "flavor"), role.flavor) for place, role in enumerate(file.roles or ())]
    unknown = [(loc, name) for loc, name in named if name is not None and name not in flavors]
    for number, (loc, name) in enumerate(unknown):
        likely = did_you_mean(name, sorted(flavors)) if number < MOST_HINTED else None
        text = say("there is no flavor '{name}'", "没有名为“{name}”的套餐", name=name)
        yield FieldError(loc, "no_such_flavor", text, name, hint=likely or _LIST_FLAVORS)


def _missing_commands(file: JobFile) -> Iterator[FieldError]:
    if file.kind == "workspace" or file.command is not None:
        return
    hint = Words("for example `command: python train.py`", "例如 `command: python train.py`")
    if file.roles is None:
        text = say("a {kind} job needs a command", "{kind}任务需要填写命令", kind=kind_said(file.kind))
        yield FieldError(("command",), "missing", text, hint=hint)
        return
    for place, role in enumerate(file.roles):
        if role.command is None:
            text = say(
                "neither role '{name}' nor the job has a command",
                "角色“{name}”和任务本身都没有填写命令",
                name=role.name,
            )
            yield FieldError(("roles", place, "command"), "missing", text, hint=hint)


def _code_contradictions(code: CodePart | None) -> Iterator[FieldError]:
    if code is None:
        return
    sources = [key for key in ("path", "archive", "git") if getattr(code, key) is not None]
    if len(sources) != 1:
        text = say(
            "code takes exactly one of path, git or archive; this one has {sources}",
            "code 只能填写 path、git 或 archive 之一；这里填写了：{sources}",
            sources=listed(sources) if sources else Words("none", "无"),
        )
        yield FieldError(("code",), "contradiction", text)
    elif sources == ["path"]:
        text = Words("a local folder must be uploaded first", "本地文件夹须先上传")
        hint = Words(
            "submit the file with the command line or the SDK, which upload the folder",
            "请用命令行或 SDK 提交该文件，它们会上传文件夹",
        )
        yield FieldError(("code", "path"), "not_uploaded", text, code.path, hint=hint)
    if code.git is None:
        for key in ("ref", "subdir"):
            if getattr(code, key) is not None:
                text = say(
                    "{key} only works with a Git repository (code.git)",
                    "{key} 只用于 Git 仓库（code.git）",
                    key=key,
                )
                yield FieldError(("code", key), "contradiction", text)
    elif not _GIT_ADDRESS.fullmatch(code.git):
        text = say("'{address}' is not a Git address", "“{address}”不是 Git 地址", address=code.git)
        hint = Words(
            "write https://host/path.git, ssh://git@host/path.git or git@host:path.git",
            "请写成 https://host/path.git、ssh://git@host/path.git 或 git@host:path.git",
        )
        yield FieldError(("code", "git"), "bad_form", text, code.git, hint=hint)
    if (
        code.git is not None
        and code.subdir
        and (code.subdir.startswith("/") or ".." in code.subdir.split("/"))
    ):
        text = Words("subdir must be a folder inside the repository", "subdir 须为仓库内的目录")
        yield FieldError(("code", "subdir"), "bad_value", text, code.subdir)


def _not_yet(file: JobFile) -> Iterator[FieldError]:
    """Keys that this version of Danlu does not support yet: refused, never ignored."""

    if file.kind == "service":
        what = Words("services", "服务")
        hint = Words(
            "use kind: training for a command that runs until it ends",
            "对于会自行结束的命令，请使用 kind: training",
        )
        yield FieldError(("kind",), "not_available", NOT_AVAILABLE.fill(what=what), hint=hint)
    if file.apps is not None and any(file.apps.model_dump().values()):
        what = Words("workspace apps", "工作台应用")
        hint = Words("use `danlu exec` to open a shell in the workspace", "请用 `danlu exec` 进入工作台")
        yield FieldError(("apps",), "not_available", NOT_AVAILABLE.fill(what=what), hint=hint)


# ── the specification ────────────────────────────────────────────────────────────────────────────────


def _spec(file: JobFile, flavors: FlavorSizes) -> JobSpec:
    return JobSpec(
        kind=Kind(file.kind),
        name=file.name,
        project=file.project,
        description=file.description,
        image=file.image,
        code=_code(file.code),
        roles=tuple(_roles(file, flavors)),
        env=dict(file.env),
        priority=file.priority,
        node_selector=dict(file.node_selector),
        expected_time=file.expected_time,
        max_time=file.max_time,
        checkpoint=Checkpoint(file.checkpoint.path, file.checkpoint.grace),
        on=dict(file.on),
        restarts=default_restarts(file) if file.restarts is None else file.restarts,
        preemptible=file.preemptible,
        network=file.network,
        topology=Topology(file.topology.same, file.topology.prefer) if file.topology else Topology(),
        total=file.nodes == AUTO,
        min=file.min if file.roles is not None else None,
        mounts=read_mounts(file.mounts),
        inputs=read_inputs(file.inputs),
        outputs=read_outputs(file.outputs),
        justification=file.justification.strip(),
        framework=file.framework,
        strategy=file.strategy or "",
        backoff=Backoff(file.backoff.first, file.backoff.most),
        hang_after=file.hang_after or None,
        packages=read_packages(file.packages),
    )


def _roles(file: JobFile, flavors: FlavorSizes) -> Iterator[Role]:
    command = file.command or KEEP_ALIVE
    parts = file.roles or [RolePart(name="worker", replicas=file.nodes or 1)]
    for part in parts:
        yield Role(
            name=part.name,
            replicas=part.replicas,
            min=part.min or (file.min if file.roles is None else None) or part.replicas,
            resources=_size(part, file, flavors),
            command=_command(part.command or command),
            env=dict(part.env),
            flavor=part.flavor or (None if part.resources else file.flavor),
            image=part.image,
            on=dict(part.on),
            restarts=part.restarts,
            processes=part.processes or file.processes,
            serves=bool(part.serves),
        )


def _size(part: RolePart, file: JobFile, flavors: FlavorSizes) -> Resources:
    """A role's own size, by numbers or by name; else the job's."""
    for flavor, size in ((part.flavor, part.resources), (file.flavor, file.resources)):
        if flavor is not None and flavor in flavors:
            return flavors[flavor]
        if size is not None:
            return resources_of(size)
    return resources_of(ResourcesPart())


def default_restarts(file: JobFile) -> int:
    chosen = {remedy for trouble, remedy in file.on.items() if trouble is not Trouble.EVICTED}
    chosen |= {remedy for role in file.roles or () for remedy in role.on.values()}
    return DEFAULT_RESTARTS if RESTARTING & chosen else 0


def _command(command: str | list[str]) -> str | tuple[str, ...]:
    return command if isinstance(command, str) else tuple(command)


def _code(part: CodePart | None) -> Code | None:
    return Code(part.archive, part.git, part.ref, part.subdir) if part else None


def resources_of(part: ResourcesPart) -> Resources:
    return Resources(part.cpus, part.memory, part.gpus, part.gpu, part.shm, part.rdma)


def _task_count(file: JobFile) -> int:
    return sum(role.replicas for role in file.roles) if file.roles else file.nodes or 1


def _role_envs(file: JobFile) -> Iterator[tuple[Loc, Mapping[str, str]]]:
    return ((("roles", place, "env"), role.env) for place, role in enumerate(file.roles or ()))
