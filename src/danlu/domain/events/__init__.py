"""Everything that happens: facts with a sentence, in the order of the log."""

from __future__ import annotations

from collections.abc import Mapping

from danlu.domain.events.base import Event
from danlu.domain.events.governance import (
    USER_CHANGES,
    MemberChanged,
    RequestChanged,
    RuleChanged,
    SignedIn,
    UserChanged,
)
from danlu.domain.events.inputs import InputLost, InputsFetched
from danlu.domain.events.jobs import (
    CheckpointSaved,
    Evicted,
    ExpectedTimePassed,
    FailureRead,
    Grounds,
    Grown,
    JobChanged,
    JobCloned,
    JobCreated,
    JobDeleted,
    JobEdited,
    JobHung,
    MaxTimePassed,
    Nominated,
    Pinned,
    Placed,
    Reordered,
    ResetRequested,
    RestartDue,
    RestartRequested,
    StartRequested,
    StateChanged,
    StopOverdue,
    StopRequested,
    TaskDelayed,
    TaskEnded,
    TaskEvent,
    TaskRunning,
    TaskStarting,
    TroubleMet,
    Unpinned,
)
from danlu.domain.events.outputs import OutputFailed, OutputMade
from danlu.domain.events.volumes import MountChanged, VolumeOverrun

__all__ = [
    "ALL",
    "USER_CHANGES",
    "CheckpointSaved",
    "Event",
    "Evicted",
    "ExpectedTimePassed",
    "FailureRead",
    "Grounds",
    "Grown",
    "InputLost",
    "InputsFetched",
    "JobChanged",
    "JobCloned",
    "JobCreated",
    "JobDeleted",
    "JobEdited",
    "JobHung",
    "MaxTimePassed",
    "MemberChanged",
    "MountChanged",
    "Nominated",
    "OutputFailed",
    "OutputMade",
    "Pinned",
    "Placed",
    "Reordered",
    "RequestChanged",
    "ResetRequested",
    "RestartDue",
    "RestartRequested",
    "RuleChanged",
    "SignedIn",
    "StartRequested",
    "StateChanged",
    "StopOverdue",
    "StopRequested",
    "TaskDelayed",
    "TaskEnded",
    "TaskEvent",
    "TaskRunning",
    "TaskStarting",
    "TroubleMet",
    "Unpinned",
    "UserChanged",
    "VolumeOverrun",
]


def _leaves(kind: type[Event]) -> list[type[Event]]:
    return [kind] * bool(kind.kind) + [leaf for child in kind.__subclasses__() for leaf in _leaves(child)]


ALL: Mapping[str, type[Event]] = {leaf.kind: leaf for leaf in _leaves(Event)}
