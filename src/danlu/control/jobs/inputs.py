"""Which volumes a job's inputs mean, and what speaks against fetching them, as the person who is to run the job."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from danlu.domain.errors import DanluError, FieldError, Invalid, NotFound
from danlu.domain.inputs import JobInput
from danlu.domain.job import HOST_IMAGE, JobSpec
from danlu.domain.permissions import Caller, Permission
from danlu.domain.rules import CLUSTER_LABEL, Project
from danlu.domain.terms import no_such
from danlu.domain.transfers.inputs import EndRefused, TitledEnds, ends_of, wish_of, with_ends
from danlu.domain.transfers.transfer import TransferEnd, TransferWish
from danlu.domain.volumes.volume import LOCAL_CLUSTER
from danlu.domain.words import BadValue, Words, say
from danlu.files.mistakes import Loc

EndsOf = Callable[[Caller, TransferEnd, TransferEnd, TransferWish], TitledEnds]
"""The ends of a transfer as this person may use them: Invalid, EndRefused."""

_KEYS = {"source": "from", "target": "to"}
_LISTED = Words(
    "`danlu volume ls` lists the volumes that you may use", "可用 `danlu volume ls` 查看可使用的存储卷"
)
_OTHER = Words(
    "choose another volume, or ask its owner or an administrator", "请更换存储卷，或联系其所有者或管理员"
)
_THERE = Words(
    "leave inputs out, and bring the data to a volume of that cluster in a job of its own",
    "请去掉 inputs，并用单独的任务将数据写入该集群的存储卷",
)


class Inputs:
    """Any thread. Without `ends` nothing can be fetched here, and inputs are taken as they are."""

    def __init__(self, ends: EndsOf | None = None) -> None:
        self._ends = ends

    def resolved(
        self, spec: JobSpec, caller: Caller, project: Project | None = None
    ) -> tuple[JobSpec, list[FieldError]]:
        """The specification with the volumes that its inputs name, and what is wrong with them."""
        if not spec.inputs or self._ends is None:
            return spec, []
        found: list[JobInput] = []
        errors: list[FieldError] = [*_elsewhere(spec, project)]
        for place, one in enumerate(spec.inputs):
            known, wrong = self._known(("inputs", place), one, caller)
            found.append(known)
            errors += wrong
        return replace(spec, inputs=tuple(found)), errors

    def again(self, spec: JobSpec, caller: Caller) -> Iterator[FieldError]:
        """What speaks against it now: by the volumes that the names meant when the job was written."""
        if self._ends is not None:
            for place, one in enumerate(spec.inputs):
                yield from self._known(("inputs", place), one, caller)[1]

    def _known(self, loc: Loc, one: JobInput, caller: Caller) -> tuple[JobInput, list[FieldError]]:
        assert self._ends is not None
        try:
            source, target = ends_of(one)
        except BadValue:
            return one, []  # told when the file was read
        try:
            caller.require(Permission.TRANSFER_WRITE, caller.name)
            ends = self._ends(caller, source, target, wish_of(one))
        except Invalid as error:
            return one, [replace(each, loc=(*loc, *_at(each.loc))) for each in error.errors]
        except EndRefused as refused:
            return one, [_refused(loc, one, _KEYS[refused.key], refused.error)]
        except DanluError as error:
            return one, [FieldError(loc, error.code, error.text)]
        return with_ends(one, ends), []


def _elsewhere(spec: JobSpec, project: Project | None) -> Iterator[FieldError]:
    """A job that runs in a Kubernetes cluster could not read what is fetched into volumes of this machine."""
    of_project = project.node_selector.get(CLUSTER_LABEL) if project else None
    far = next((one for one in spec.mounts if one.cluster not in ("", LOCAL_CLUSTER)), None)
    other: Words | None = None
    if spec.image != HOST_IMAGE:
        other = say(
            "image {image}, which runs on Kubernetes",
            "在 Kubernetes 上运行的镜像 {image}",
            image=spec.image,
        )
    elif far is not None:
        other = say("{volume} on {cluster}", "{cluster} 上的{volume}", volume=far.volume, cluster=far.cluster)
    elif project is not None and of_project not in (None, LOCAL_CLUSTER):
        other = say(
            "project {project} on {cluster}", "{cluster} 上的项目组 {project}",
            project=project.name, cluster=of_project,
        )  # fmt: skip
    if other is not None:
        text = say(
            "inputs are fetched to Danlu's own machine and do not go together with {other}",
            "输入获取到丹炉所在的机器，不能与{other}一起使用",
            other=other,
        )
        yield FieldError(("inputs",), "other_cluster", text, hint=_THERE)


def _refused(loc: Loc, one: JobInput, key: str, error: DanluError) -> FieldError:
    said = one.source if key == "from" else one.target
    if isinstance(error, NotFound):  # by the name that people know
        text = no_such("volume", said.partition(":/")[0])
        return FieldError((*loc, key), "no_such_volume", text, said, hint=_LISTED)
    return FieldError((*loc, key), error.code, error.text, said, hint=_OTHER)


def _at(loc: tuple[str | int, ...]) -> tuple[str | int, ...]:
    return tuple(_KEYS.get(part, part) if isinstance(part, str) else part for part in loc)
