"""Many small files from folder to folder of this machine: by processes, since threads of Python take turns."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from typing import IO, Any, Tuple

from danlu.domain.words import Words
from danlu.sdk.copying.ends.descent import folder_at, folder_made, move
from danlu.sdk.copying.ends.local import LocalEnd, write_all
from danlu.sdk.copying.ends.parts import part_name
from danlu.sdk.copying.entries import CopyEntry
from danlu.sdk.http.errors import NameTaken, SourceChanged

SMALL = 1 << 20
WORTH_IT = 1_000
"""So many files are copied before others are asked to help: they take a moment to come."""
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

Wish = Tuple[bytes, int, bytes, bool]
"""A name and the size it should have, the name it gets, and whether it replaces what has that."""
Told = Tuple[str, Any, str, str]


class FolderWay:
    """Implements entries.Way. Each thread has a process of its own."""

    most_files, most_bytes = 200, 16 << 20

    def __init__(self, source: LocalEnd, target: LocalEnd) -> None:
        self._source, self._target = source, target
        self._own = threading.local()
        self._hands: list[subprocess.Popen[bytes]] = []
        self._lock, self._copied = threading.Lock(), 0

    def takes(self, entry: CopyEntry, replaces: bool) -> bool:  # noqa: ARG002
        return entry.size <= SMALL and not entry.real

    def copy(self, batch: list[tuple[CopyEntry, bytes, bool]]) -> list[Exception | None]:
        entry, to, _ = batch[0]
        wishes = [
            (os.path.basename(one.key), one.size, os.path.basename(key), over) for one, key, over in batch
        ]
        order = (self._source.root, entry.folder, self._target.root, CopyEntry(to).folder, wishes)
        with self._lock:
            self._copied += len(batch)
            alone = self._copied < WORTH_IT
        told = copied(*order) if alone else self._ask(order)
        return [_error(one) for one in told]

    def close(self) -> None:
        with self._lock:
            for hand in self._hands:
                for end in (hand.stdin, hand.stdout):
                    if end is not None:
                        end.close()
                hand.wait()
            self._hands.clear()

    def _ask(self, order: object) -> list[Told | None]:
        hand = getattr(self._own, "hand", None)
        if hand is None:
            hand = self._own.hand = self._hired()
        assert hand.stdin is not None
        assert hand.stdout is not None
        pickle.dump(order, hand.stdin, protocol=4)
        hand.stdin.flush()
        found: list[Told | None] = pickle.load(hand.stdout)
        return found

    def _hired(self) -> subprocess.Popen[bytes]:
        places = os.pathsep.join(one for one in sys.path if one)
        hand = subprocess.Popen(
            [sys.executable, "-m", "danlu.sdk.copying.ends.hands"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": places},
            start_new_session=True,  # Ctrl-C is told to who asked, and not to the helpers
        )
        with self._lock:
            self._hands.append(hand)
        return hand


def copied(
    root: bytes, folder: bytes, to_root: bytes, to_folder: bytes, wishes: list[Wish]
) -> list[Told | None]:
    """Files of one folder into another; what was wrong with each."""
    try:
        with folder_at(root, folder) as above, folder_made(to_root, to_folder) as below:
            return [_copied(above, below, wish) for wish in wishes]
    except OSError as why:
        return [_told(why)] * len(wishes)


def _copied(above: int, below: int, wish: Wish) -> Told | None:
    name, _, to, replaces = wish
    aside = part_name(to, "0")
    try:
        source = os.open(name, _READ, dir_fd=above)
        try:
            found = os.fstat(source)
            if found.st_mode & 0o170000 != 0o100000:
                raise SourceChanged(Words("it is no plain file any more", "它已不再是普通文件"))
            _write(source, found, below, aside)
        finally:
            os.close(source)
        move(below, aside, to, replaces)
    except (OSError, NameTaken, SourceChanged) as why:
        return _told(why)
    return None


def _write(source: int, found: os.stat_result, below: int, aside: bytes) -> None:
    mode = 0o777 if found.st_mode & 0o100 else 0o666
    try:
        target = os.open(aside, _NEW, mode, dir_fd=below)
    except FileExistsError:  # an earlier run ended by force
        os.unlink(aside, dir_fd=below)
        target = os.open(aside, _NEW, mode, dir_fd=below)
    try:
        seen = 0
        while seen <= found.st_size:
            wanted = found.st_size - seen + 1
            data = os.read(source, wanted)
            write_all(target, data)
            seen += len(data)
            if not data or (seen >= found.st_size and len(data) < wanted):
                break  # the end: a byte more was asked for
        now = os.fstat(source)
        if (seen, now.st_mtime_ns) != (found.st_size, found.st_mtime_ns):
            raise SourceChanged(
                Words(
                    "it was changed while it was copied; run the command again",
                    "复制期间文件被修改；请再次运行该命令",
                )
            )
        os.utime(target, ns=(found.st_mtime_ns, found.st_mtime_ns))
    except BaseException:
        os.unlink(aside, dir_fd=below)
        raise
    finally:
        os.close(target)


def _told(why: Exception) -> Told:
    if isinstance(why, OSError):
        return "os", why.errno, why.strerror or str(why), ""
    assert isinstance(why, (NameTaken, SourceChanged))
    return why.code, None, why.text.get("en", ""), why.text.get("zh", "")


def _error(told: Told | None) -> Exception | None:
    if told is None:
        return None
    kind, number, en, zh = told
    if kind == "os":
        return OSError(number, en)
    return (NameTaken if kind == NameTaken.code else SourceChanged)(Words(en, zh))


def _serve(asked: IO[bytes], answers: IO[bytes]) -> None:
    while True:
        try:
            order = pickle.load(asked)
        except EOFError:
            return
        pickle.dump(copied(*order), answers, protocol=4)
        answers.flush()


if __name__ == "__main__":
    _serve(sys.stdin.buffer, sys.stdout.buffer)
