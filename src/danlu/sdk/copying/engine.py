"""A copy from one end to another: list → pair → decide → copy → remove, in bounded memory."""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import queue
import threading
from typing import Callable, Iterator

from danlu.domain.words import Words, same
from danlu.sdk.copying.content import GivenUp, Rate, SharedReading, tried
from danlu.sdk.copying.ends.descent import taken
from danlu.sdk.copying.entries import CHUNK, CopyEntry, End, Seen, TargetEnd, Way
from danlu.sdk.copying.extra import Extra
from danlu.sdk.copying.globs import Filter
from danlu.sdk.copying.options import Change, CopyProgress, OnChange, Options, shown
from danlu.sdk.copying.plan import Pair, is_path, is_replaced, is_same, paired
from danlu.sdk.copying.workers import FileTask, Workers
from danlu.sdk.http.errors import (
    BadFile,
    DanluError,
    DiskFull,
    NotAllowed,
    NotFound,
    NotSignedIn,
    StoreFailed,
    StorePassing,
    Unreachable,
)

_FULL = (errno.ENOSPC, errno.EDQUOT)
_FATAL = (DiskFull, NotAllowed, NotSignedIn, StorePassing, Unreachable)
"""Nothing that follows would fare better."""
_REMOVED_AT_ONCE = 500
_LARGE, _LARGE_AT_ONCE = 4 * CHUNK, 2


class CopyRun:
    """One source into one target. A failure is of one file, and ends nothing else; what keeps the run from going on at
    all is raised."""

    def __init__(
        self,
        source: End,
        target: TargetEnd,
        options: Options,
        progress: CopyProgress,
        on_change: OnChange | None = None,
        way: Way | None = None,
        may_delete: Callable[[int], bool] | None = None,
    ) -> None:
        self._source, self._target, self._options, self._progress = source, target, options, progress
        self._on_change, self._way, self._may_delete = on_change, way, may_delete
        self._stop, self._large = threading.Event(), threading.Semaphore(_LARGE_AT_ONCE)
        self._queue: queue.Queue[list[FileTask] | None] = queue.Queue(options.parallel * 4)
        rate = Rate(options.limit_rate, self._stop)
        self._reading = SharedReading(source, progress, rate, self._stop, options.parallel)
        self._error: BaseException | None = None

    def folder(self, only: str = "") -> None:
        """Everything below the source that is wanted."""
        wanted, seen, there = Filter(self._options.rules, only), Seen(), Seen()
        with Extra() as extra:
            with self._workers():
                pairs = paired(self._source.entries(wanted, seen), self._target.entries(wanted, there))
                self._feed(self._tasks(pairs, wanted, extra))
                self._progress.add(links=seen.links, special=seen.special)
                self._progress.listed = True
            for key, why in seen.failed + there.failed:
                self._failed(key, why)
            if self._options.delete:
                self._remove_rest(extra)

    def file(self, entry: CopyEntry, to: bytes) -> None:
        """One file, under a key of its own."""
        there = self._target.look(to)
        self._progress.listed = True
        self._found(entry)
        with self._workers():
            self._feed(iter([FileTask(entry, to, there)]))

    def close(self) -> None:
        self._stop.set()
        self._reading.pool.shutdown()
        if self._way is not None:
            self._way.close()

    # ── what is to be done ───────────────────────────────────────────────────────────────────────────

    def _tasks(self, pairs: Iterator[Pair], wanted: Filter, extra: Extra) -> Iterator[FileTask]:
        for source, there in pairs:
            if source is None:
                if there is not None and self._options.delete:
                    extra.add(there)
                continue
            if not is_path(source.key):
                self._found(source)
                self._failed(source.key, BadFile(_NO_PATH))
            elif source.is_folder:
                if there is None and wanted.takes_all:
                    self._folder(source)
            else:
                self._found(source)
                yield FileTask(source, source.key, there)

    def _found(self, entry: CopyEntry) -> None:
        self._progress.add(found=1, found_bytes=max(0, entry.size))

    def _folder(self, entry: CopyEntry) -> None:
        if self._options.dry_run:
            self._tell("copy", entry.key, entry.key, 0)
            return
        try:
            self._target.make_folder(entry.key)
        except (DanluError, OSError) as why:
            self._failed(entry.key, why)

    def _feed(self, tasks: Iterator[FileTask]) -> None:
        """To the workers, those of one folder together where that is worth it."""
        batch: list[FileTask] = []
        size = 0
        for task in tasks:
            alone = self._way is None or not self._way.takes(task.entry, task.there is not None)
            full = self._way is not None and (
                len(batch) >= self._way.most_files or size >= self._way.most_bytes
            )
            if batch and (alone or full or not _together(batch[-1], task)):
                self._put(batch)
                batch, size = [], 0
            if alone:
                self._put([task])
            else:
                batch.append(task)
                size += task.entry.size
        if batch:
            self._put(batch)

    def _put(self, batch: list[FileTask]) -> None:
        while not self._stop.is_set():
            try:
                self._queue.put(batch, timeout=0.5)
                return
            except queue.Full:
                continue
        raise GivenUp

    # ── workers ──────────────────────────────────────────────────────────────────────────────────────

    def _workers(self) -> Workers:
        return Workers(self._options.parallel, self._queue, self._work, self._stop, lambda: self._error)

    def _work(self, batch: list[FileTask]) -> None:
        wanted = [task for task in batch if self._is_wanted(task)]
        if not wanted:
            return
        if self._options.dry_run:
            for task in wanted:
                self._tell("copy", task.entry.key, task.to, task.entry.size)
                self._progress.add(copied=1, bytes=max(0, task.entry.size))
            return
        if self._way is not None and self._way.takes(wanted[0].entry, wanted[0].there is not None):
            self._copy_batch(self._way, wanted)
            return
        for task in wanted:
            try:
                self._copy(task)
            except (DanluError, OSError) as why:
                self._trouble(task, why)

    def _is_wanted(self, task: FileTask) -> bool:
        """Whether it is to be copied; if not, it is counted as what it is."""
        if task.there is None:
            return True
        try:
            return self._decided(task.entry, task.there)
        except (DanluError, OSError) as why:
            self._trouble(task, why)
            return False

    def _decided(self, entry: CopyEntry, there: CopyEntry) -> bool:
        if there.is_folder:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if self._is_same(entry, there):
            self._progress.add(same=1, found_bytes=-max(0, entry.size))
            return False
        replaced = is_replaced(entry, there, self._options.differs)
        if replaced is None:
            raise taken()
        if not replaced:
            self._progress.add(kept=1, found_bytes=-max(0, entry.size))
        return replaced

    def _is_same(self, entry: CopyEntry, there: CopyEntry) -> bool:
        if self._options.checksum:
            return entry.size == there.size and self._is_equal(entry, there)
        same = is_same(entry, there)
        if same is None:
            entry = tried(lambda: self._source.known(entry), self._stop) if entry.vague else entry
            there = tried(lambda: self._target.known(there), self._stop) if there.vague else there
            same = is_same(entry._replace(vague=False), there._replace(vague=False))
        return bool(same)

    def _is_equal(self, entry: CopyEntry, there: CopyEntry) -> bool:
        """Reads both; what is read only to compare counts for the rate, and not as copied."""
        with contextlib.ExitStack() as opened:
            both = []
            for end, one in ((self._source, entry), (self._target, there)):
                file = tried(functools.partial(end.open, one), self._stop)
                opened.callback(file.close)
                both.append(file)
            for at in range(0, entry.size, CHUNK):
                length = min(CHUNK, entry.size - at)
                self._reading.rate.take(length)
                ours, theirs = (tried(functools.partial(one.read, at, length), self._stop) for one in both)
                if ours != theirs:
                    return False
        return True

    def _copy(self, task: FileTask) -> None:
        # Large files are in several parts on their way each: some at once are enough, and memory is bounded.
        with contextlib.ExitStack() as turn:
            if not 0 <= task.entry.size <= _LARGE:
                turn.enter_context(self._large)
            self._copy_now(task)

    def _copy_now(self, task: FileTask) -> None:
        with self._reading.opened(task.entry) as content:
            self._target.put(task.to, content, task.there is not None)
        self._done(task)

    def _copy_batch(self, way: Way, batch: list[FileTask]) -> None:
        self._reading.rate.take(sum(task.entry.size for task in batch))
        told = way.copy([(task.entry, task.to, task.there is not None) for task in batch])
        for task, why in zip(batch, told):
            if why is None:
                self._progress.add(bytes=task.entry.size)
                self._done(task)
            else:
                self._trouble(task, why)

    def _done(self, task: FileTask) -> None:
        self._progress.add(copied=1)
        self._tell("copy", task.entry.key, task.to, task.entry.size)

    def _trouble(self, task: FileTask, why: Exception) -> None:
        self._progress.add(found_bytes=-max(0, task.entry.size))
        if isinstance(why, OSError) and why.errno in _FULL:
            why = DiskFull(_DISK_FULL)
        self._failed(task.entry.key, why)
        if isinstance(why, _FATAL):
            self._error = why
            self._stop.set()

    def _failed(self, key: bytes, why: Exception) -> None:
        self._progress.fail(shown(key), told_error(why))

    def _tell(self, act: str, key: bytes, to: bytes, size: int) -> None:
        if self._on_change is not None:
            self._on_change(Change(act, shown(key), shown(to), size))

    # ── what is too much in the target ───────────────────────────────────────────────────────────────

    def _remove_rest(self, extra: Extra) -> None:
        """After everything was copied, and only if nothing failed: what could not be listed looks as if it was gone."""
        if not extra.count:
            return
        if not self._progress.found:
            raise NotFound(_EMPTY)
        if self._progress.failed:
            self._progress.fail("", StoreFailed(_UNSURE))
            return
        if not self._options.dry_run and self._may_delete is not None and not self._may_delete(extra.count):
            return
        for keys in extra.in_turns(_REMOVED_AT_ONCE):
            failed = {} if self._options.dry_run else dict(self._target.remove(keys))
            for key in keys:
                if key in failed:
                    self._failed(key, failed[key])
                else:
                    self._progress.add(deleted=1)
                    self._tell("delete", key, key, 0)


def told_error(why: Exception) -> Exception:
    """As people are told: our own errors as they are, the system's in a sentence."""
    if isinstance(why, OSError):
        text = why.strerror or str(why)
        return BadFile(same(text))
    return why


def _together(before: FileTask, task: FileTask) -> bool:
    """Whether one batch may have both: of one folder into one folder."""
    return (
        before.entry.folder == task.entry.folder
        and CopyEntry(before.to).folder == CopyEntry(task.to).folder
        and (before.there is None) == (task.there is None)
    )


_DISK_FULL = Words(
    "the disk of the target is full; what was copied stays, and the same command goes on when there is room",
    "目标磁盘已满；已复制的内容会保留，腾出空间后再次运行同一命令即可继续",
)
_NO_PATH = Words(
    "its name cannot be a path: it has an empty part, '.' or '..'",
    "其名称不能作为路径：含有空的部分、“.”或“..”",
)
_EMPTY = Words(
    "the source has no files that are wanted, so nothing was deleted; to remove all of the target, delete it itself",
    "来源中没有需要的文件，因此未删除任何内容；若要清空目标，请直接删除它",
)
_UNSURE = Words(
    "nothing was deleted, since something could not be listed or copied",
    "由于有内容未能复制或列出，未删除任何内容",
)
