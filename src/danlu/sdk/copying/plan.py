"""What is to be done, from two listings in the same order: nothing is remembered but the folders to be removed."""

from __future__ import annotations

from typing import Iterable, Iterator, NamedTuple

from danlu.sdk.copying.entries import CopyEntry
from danlu.sdk.copying.options import Differs


class Pair(NamedTuple):
    """An entry of the source and what is there in the target; one of them may be missing."""

    source: CopyEntry | None
    target: CopyEntry | None


def paired(source: Iterable[CopyEntry], target: Iterable[CopyEntry]) -> Iterator[Pair]:
    """Both listings at once, side by side."""
    ours, theirs = iter(source), iter(target)
    one, other = next(ours, None), next(theirs, None)
    while one is not None or other is not None:
        if other is None or (one is not None and one.key < other.key):
            yield Pair(one, None)
            one = next(ours, None)
        elif one is None or other.key < one.key:
            yield Pair(None, other)
            other = next(theirs, None)
        else:
            yield Pair(one, other)
            one, other = next(ours, None), next(theirs, None)


def is_same(source: CopyEntry, target: CopyEntry) -> bool | None:
    """By size and time, the time as exactly as both ends have it. None: that cannot be told yet, since one of them says
    only when the file came there."""
    if source.size >= 0 and source.size != target.size:
        return False
    if source.modified is None or target.modified is None:
        return source.size >= 0 and source.modified is target.modified
    if source.vague or target.vague:
        return None
    step = max(source.step, target.step)
    return source.modified // step == target.modified // step


def is_replaced(source: CopyEntry, target: CopyEntry, differs: Differs) -> bool | None:
    """Whether what differs is copied; None: that is for the person to say."""
    if differs is Differs.NEWER:
        step = max(source.step, target.step)
        return (source.modified or 0) // step > (target.modified or 0) // step
    return {Differs.OVERWRITE: True, Differs.SKIP: False}.get(differs)


def is_path(key: bytes) -> bool:
    """Whether it leads down from a folder: of a bucket, any key may come."""
    parts = key.rstrip(b"/").split(b"/") if key.endswith(b"/") else key.split(b"/")
    return b"\0" not in key and not any(part in (b"", b".", b"..") for part in parts)
