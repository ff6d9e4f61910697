"""Why a job waits, stopped or failed: typed, with its meaning and what to do, in both languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from danlu.domain.reasons.base import AtNode, Reason
from danlu.domain.reasons.clusters import (
    DeletedElsewhere,
    EvictedByNode,
    HeldBack,
    HeldByOthers,
    ImagePullFailed,
    NotAdmitted,
    NotInOneCluster,
    PreemptedElsewhere,
    VolumeMissing,
)
from danlu.domain.reasons.ended import (
    CodeFailed,
    CommandNotFound,
    EvictedDisk,
    ExitCode,
    Hung,
    LeftWhenAsked,
    NeverStarted,
    NodeLost,
    NotIsolated,
    NoUserId,
    OutOfMemory,
    OverTime,
    Preempted,
    Reclaimed,
    ResetBy,
    RestartedBy,
    SharedUser,
    Signal,
    StartFailed,
    StopHangs,
    StoppedBy,
)
from danlu.domain.reasons.inputs import InputFailed, InputsPending
from danlu.domain.reasons.nodes import (
    ClosingSoon,
    NodeDrained,
    NodeMaintenance,
    NodesCordoned,
    NodesLowOnDisk,
    UnderMaintenance,
)
from danlu.domain.reasons.packages import EnvironmentFailed
from danlu.domain.reasons.told import (
    AccessDenied,
    AssertionBroken,
    BusError,
    CudaFailed,
    CudaMismatch,
    DeviceAssertion,
    FileMissing,
    FromLog,
    GpuMemory,
    GpusDisconnected,
    Killed,
    LibraryMissing,
    LoaderKilled,
    MemoryShort,
    ModuleMissing,
    NetworkUnreachable,
    NoCode,
    NoGpuSeen,
    NoSpaceLeft,
    NotANumber,
    PeerLost,
    PortTaken,
    ProgramError,
    ShapesDiffer,
    SiteFailure,
    TooManyFiles,
    WrongArguments,
    WrongJson,
    WrongSyntax,
)
from danlu.domain.reasons.volumes import (
    BucketNotCopied,
    DatasetNotAvailable,
    DatasetNotCopied,
    MountNotPossible,
    VolumeBusy,
    VolumeFull,
    VolumeNotAvailable,
)
from danlu.domain.reasons.waits import (
    BackingOff,
    BehindOthers,
    MakingRoom,
    NodeTaskCap,
    NoSuchNode,
    NotEnoughGpus,
    NotEnoughRoom,
    NotTogether,
    OverLimit,
    ProjectCap,
    ProjectClosed,
    ReservedFor,
    RunTimeLimit,
)

__all__ = [
    "ALL",
    "AccessDenied",
    "AssertionBroken",
    "AtNode",
    "BackingOff",
    "BehindOthers",
    "BucketNotCopied",
    "BusError",
    "ClosingSoon",
    "CodeFailed",
    "CommandNotFound",
    "CudaFailed",
    "CudaMismatch",
    "DatasetNotAvailable",
    "DatasetNotCopied",
    "DeletedElsewhere",
    "DeviceAssertion",
    "EnvironmentFailed",
    "EvictedByNode",
    "EvictedDisk",
    "ExitCode",
    "FileMissing",
    "FromLog",
    "GpuMemory",
    "GpusDisconnected",
    "HeldBack",
    "HeldByOthers",
    "Hung",
    "ImagePullFailed",
    "InputFailed",
    "InputsPending",
    "Killed",
    "LeftWhenAsked",
    "LibraryMissing",
    "LoaderKilled",
    "MakingRoom",
    "MemoryShort",
    "ModuleMissing",
    "MountNotPossible",
    "NetworkUnreachable",
    "NeverStarted",
    "NoCode",
    "NoGpuSeen",
    "NoSpaceLeft",
    "NoSuchNode",
    "NoUserId",
    "NodeDrained",
    "NodeLost",
    "NodeMaintenance",
    "NodeTaskCap",
    "NodesCordoned",
    "NodesLowOnDisk",
    "NotANumber",
    "NotAdmitted",
    "NotEnoughGpus",
    "NotEnoughRoom",
    "NotInOneCluster",
    "NotIsolated",
    "NotTogether",
    "OutOfMemory",
    "OverLimit",
    "OverTime",
    "PeerLost",
    "PortTaken",
    "Preempted",
    "PreemptedElsewhere",
    "ProgramError",
    "ProjectCap",
    "ProjectClosed",
    "Reason",
    "Reclaimed",
    "ReservedFor",
    "ResetBy",
    "RestartedBy",
    "RunTimeLimit",
    "ShapesDiffer",
    "SharedUser",
    "Signal",
    "SiteFailure",
    "StartFailed",
    "StopHangs",
    "StoppedBy",
    "TooManyFiles",
    "UnderMaintenance",
    "VolumeBusy",
    "VolumeFull",
    "VolumeMissing",
    "VolumeNotAvailable",
    "WrongArguments",
    "WrongJson",
    "WrongSyntax",
    "decode",
    "encode",
]


def encode(reason: Reason | None) -> dict[str, Any] | None:
    """A reason as plain data: its code and parameters."""
    return None if reason is None else {"code": reason.code, **reason.params()}


def decode(data: Mapping[str, Any] | None) -> Reason | None:
    if data is None:
        return None
    params = dict(data)
    kind = ALL.get(params.pop("code"))
    return kind(**params) if kind else None  # one that a newer Danlu wrote


def _kinds(of: type[Reason]) -> Iterator[type[Reason]]:
    for kind in of.__subclasses__():
        if kind.code:
            yield kind
        yield from _kinds(kind)


ALL: Mapping[str, type[Reason]] = {kind.code: kind for kind in _kinds(Reason)}
