"""Inputs of jobs as transfers: what is to be transferred, how far it is, and why it could not be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from danlu.domain.errors import DanluError
from danlu.domain.inputs import JobInput
from danlu.domain.job import Job, Time
from danlu.domain.reasons import InputFailed, InputsPending
from danlu.domain.transfers.ends import read_end, show_end, without_secrets
from danlu.domain.transfers.transfer import OnExisting, Transfer, TransferEnd, TransferState, TransferWish
from danlu.domain.words import Words

Ends = tuple[TransferEnd, TransferEnd]
TitledEnds = tuple[tuple[TransferEnd, str], tuple[TransferEnd, str]]
"""Each with the title of its volume; empty where it is in none that has one."""
_SHORT, _LONG, _MINUTE = 15_000, 600_000, 60_000


@dataclass(frozen=True, slots=True)
class InputLink:
    """The transfer of a job's input: its place among them, counted from 0, and the stay in the queue (`since`) that it
    was last wanted for. `transfer` is None where its record is gone, and it is `released` once the job does not wait
    for it any more."""

    job_id: str
    place: int
    since: Time
    transfer_id: str
    transfer: Transfer | None
    released: bool = False


@dataclass(frozen=True, slots=True)
class InputStep:
    """An input of a job and how far its latest transfer is; `transfer` is its id, None where none was begun or its
    record is gone. `source` is fit for others to read."""

    WAITING = "waiting"

    source: str
    target: str
    state: str
    transfer: str | None = None
    files: int = 0
    bytes: int = 0
    bytes_total: int | None = None
    rate: int = 0
    problem: Words | None = None


class EndRefused(Exception):
    """One end, `source` or `target`, cannot be used by whoever asks."""

    def __init__(self, key: str, error: DanluError) -> None:
        super().__init__(key)
        self.key, self.error = key, error


def wish_of(one: JobInput) -> TransferWish:
    return TransferWish(OnExisting(one.existing), one.ref, one.include, one.exclude, one.sha256, one.unpack)


def ends_of(one: JobInput) -> Ends:
    """With the volumes that the names meant when the job was written."""
    source, target = read_end(one.source), read_end(one.target)
    return (
        replace(source, address=one.source_id) if one.source_id else source,
        replace(target, address=one.target_id) if one.target_id else target,
    )


def with_ends(one: JobInput, ends: TitledEnds) -> JobInput:
    """The input once its ends are known: volumes by the titles by which anybody finds them, and by id."""
    shown = [show_end(replace(end, title=title) if title else end) for end, title in ends]
    ids = [end.address if title else "" for end, title in ends]
    return replace(one, source=shown[0], target=shown[1], source_id=ids[0], target_id=ids[1])


def fits(transfer: Transfer, one: JobInput) -> bool:
    """Whether this transfer does what the input asks for."""
    source, target = ends_of(one)
    same = _place(transfer.source) == _place(source) and _place(transfer.target) == _place(target)
    return same and transfer.wish == wish_of(one)


def pending(job: Job) -> InputsPending | None:
    """Why a job waits, or would wait in the queue, as far as its own record tells; None where not for inputs."""
    if not job.lacks_inputs:
        return None
    state = InputsPending.WAITING if job.fetching else InputsPending.AHEAD
    return InputsPending(1, len(job.spec.inputs), source_said(job.spec.inputs[0]), state)


def how_far(job: Job, links: Sequence[InputLink]) -> InputsPending | None:
    """The same, with how far its transfers are: the first that runs, else the first that is not there yet."""
    waits = pending(job)
    if waits is None:
        return None
    known = {link.place: link.transfer for link in links}
    left = [
        (place, one, known.get(place))
        for place, one in enumerate(job.spec.inputs)
        if (transfer := known.get(place)) is None or transfer.state is not TransferState.COMPLETED
    ]
    if not left:
        return replace(waits, place=waits.count, source=source_said(job.spec.inputs[-1]), percent=100)
    runs = [one for one in left if one[2] is not None and one[2].state is TransferState.RUNNING]
    place, one, transfer = (runs or left)[0]
    waits = replace(waits, place=place + 1, source=source_said(one))
    return waits if transfer is None else _running(waits, transfer)


def lost(job: Job, place: int, transfer: Transfer) -> InputFailed:
    """Why a job cannot start."""
    said = transfer.problem.text if transfer.problem is not None else None
    cancelled = transfer.state is TransferState.CANCELLED or transfer.problem is None
    return InputFailed(
        place + 1,
        len(job.spec.inputs),
        source_said(job.spec.inputs[place]),
        transfer.id,
        InputFailed.CANCELLED if cancelled or transfer.problem is None else transfer.problem.code,
        said.en if said is not None and not cancelled else "",
        said.zh if said is not None and not cancelled else "",
    )


def steps_of(job: Job, links: Sequence[InputLink]) -> tuple[InputStep, ...]:
    """What a job's page shows of its inputs."""
    known = {link.place: link.transfer for link in links if link.transfer is not None}
    return tuple(_step(job, one, known.get(place)) for place, one in enumerate(job.spec.inputs))


def _step(job: Job, one: JobInput, transfer: Transfer | None) -> InputStep:
    if transfer is None or not fits(transfer, one):
        there = job.turn.fetched or (job.attempts > 0 and not job.fetching)
        state = TransferState.COMPLETED.value if there else InputStep.WAITING
        return InputStep(source_said(one), one.target, state)
    progress = transfer.progress
    return InputStep(
        source_said(one),
        one.target,
        transfer.state.value,
        transfer.id,
        progress.files,
        progress.bytes,
        progress.bytes_total,
        progress.rate,
        transfer.problem.text if transfer.problem is not None else None,
    )


def source_said(one: JobInput) -> str:
    """Fit for records that others read."""
    return without_secrets(read_end(one.source))


def _running(waits: InputsPending, transfer: Transfer) -> InputsPending:
    progress = transfer.progress
    total = progress.bytes_total
    percent = min(100, progress.bytes * 100 // total) if total else None
    if transfer.state is not TransferState.RUNNING:
        problem = transfer.problem.text if transfer.problem is not None else None
        state = InputsPending.WAITING if problem is None else InputsPending.RETRYING
        said = ("", "") if problem is None else (problem.en, problem.zh)
        return replace(waits, state=state, percent=percent, said=said[0], said_zh=said[1])
    left = (total - progress.bytes) * 1000 // progress.rate if total and progress.rate else None
    return replace(
        waits,
        state=InputsPending.FETCHING,
        percent=percent,
        left=_roughly(left) if left is not None and left > 0 else None,
        size=0 if percent is not None else _leading(progress.bytes),
    )


def _roughly(left: Time) -> Time:
    """So that the reason is not written anew with every second."""
    step = _SHORT if left < _LONG else _MINUTE if left < 6 * _LONG else _LONG
    return -(-left // step) * step


def _leading(count: int) -> int:
    """Two leading digits."""
    step = int(10 ** max(0, len(str(count)) - 2))
    return count - count % step


def _place(end: TransferEnd) -> tuple[str, str, bytes, bool]:
    return end.kind, end.address, end.path, end.folder
