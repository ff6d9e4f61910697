"""A volume's trash: what was deleted, each entry with a note of where it was.

trash/<entry>.json       from where, what, by whom and when; written first
trash/<entry>/content    the file or folder itself, moved here in one step"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import secrets

from danlu.data.files.descent import exists, folder_at, move_new, parent_of
from danlu.data.files.drafts import discard, parent_made, room_of
from danlu.data.files.listing import entry_of
from danlu.domain.file_names import BadPath, escaped_path, path_of
from danlu.domain.job import Time
from danlu.ports import beneath
from danlu.ports.files import EntryKind, PlaceBelow
from danlu.ports.volumes.changing import Hand, TrashEntry, TrashUse, VolumeFolders

TRASH = "trash"
_CONTENT = b"content"
_ENTRY = re.compile(r"[0-9a-f]{12}-[0-9a-f]{16}")
_LONGEST_NOTE = 64 << 10
_MOST_ADDED = 2_000


def put_in_trash(at: VolumeFolders, path: bytes, by: str, now: Time) -> TrashEntry:
    entry_id = f"{now:012x}-{secrets.token_hex(8)}"
    with parent_of(at.place(path)) as (above, name), room_of(at, TRASH) as trash:
        found = entry_of(above, os.fsdecode(name))
        size = found.size if found.kind is EntryKind.FILE else None
        entry = TrashEntry(entry_id, path, found.kind, size, by, now)
        _note(trash, entry)
        os.mkdir(entry_id, 0o700, dir_fd=trash)
        with folder_at(_place(at, entry_id)) as room:
            try:
                os.rename(name, _CONTENT, src_dir_fd=above, dst_dir_fd=room)
            except BaseException:
                _forget(at, trash, entry_id)
                raise
    return entry


def read_trash(at: VolumeFolders, limit: int, after: str | None) -> tuple[TrashEntry, ...]:
    found: list[TrashEntry] = []
    with room_of(at, TRASH) as trash:
        for entry_id in _ids(trash):
            if len(found) == limit:
                break
            if after is None or entry_id < after:
                entry = _entry(at, entry_id)
                if entry is not None:
                    found.append(entry)
    return tuple(found)


def take_back(at: VolumeFolders, entry_id: str, hand: Hand) -> bytes:
    entry = _entry(at, entry_id) if _ENTRY.fullmatch(entry_id) else None
    if entry is None:
        raise FileNotFoundError(errno.ENOENT, "not in the trash", entry_id)
    with folder_at(_place(at, entry_id)) as room, parent_made(at, entry.path, hand) as (above, name):
        move_new(room, _CONTENT, above, name)
    with room_of(at, TRASH) as trash:
        _forget(at, trash, entry_id)
    return entry.path


def drop_from_trash(at: VolumeFolders, entry_id: str | None) -> int:
    with room_of(at, TRASH) as trash:
        if entry_id is None:
            return sum(_forget(at, trash, one) for one in _ids(trash))
        return int(_ENTRY.fullmatch(entry_id) is not None and _forget(at, trash, entry_id))


def use_of_trash(at: VolumeFolders) -> TrashUse:
    with room_of(at, TRASH) as trash:
        ids = _ids(trash)
    found = [entry for entry in (_entry(at, one) for one in ids[:_MOST_ADDED]) if entry is not None]
    whole = len(ids) <= _MOST_ADDED and not any(
        one.size is None for one in found if one.kind is EntryKind.FOLDER
    )
    return TrashUse(sum(one.size or 0 for one in found), len(ids), whole)


def note_size(at: VolumeFolders, entry: TrashEntry, size: int) -> None:
    """What a folder in the trash takes. Nothing, if it is not there any more."""
    with room_of(at, TRASH) as trash, contextlib.suppress(FileNotFoundError):
        name, draft = f"{entry.id}.json", f"{entry.id}.{secrets.token_hex(8)}"
        os.stat(name, dir_fd=trash, follow_symlinks=False)
        _write(trash, draft, {**_told(entry), "taken": size})
        os.rename(draft, name, src_dir_fd=trash, dst_dir_fd=trash)
        if not exists(trash, entry.id.encode()):  # gone meanwhile
            os.unlink(name, dir_fd=trash)


def _ids(trash: int) -> list[str]:
    return sorted((one for one in os.listdir(trash) if _ENTRY.fullmatch(one)), reverse=True)


def _entry(at: VolumeFolders, entry_id: str) -> TrashEntry | None:
    """None if it is not there (any more)."""
    try:
        note = json.loads(beneath.read_file(at.aside, f"{TRASH}/{entry_id}.json", _LONGEST_NOTE))
        with folder_at(_place(at, entry_id)) as room:
            if not exists(room, _CONTENT):
                return None
        path = path_of(note["path"])
        kind = EntryKind(note["kind"])
        size = note["size"] if kind is EntryKind.FILE else note.get("taken")
        return TrashEntry(entry_id, path, kind, size, note["by"], note["at"])
    except (OSError, ValueError, KeyError, TypeError, BadPath):
        return None


def _note(trash: int, entry: TrashEntry) -> None:
    _write(trash, f"{entry.id}.json", _told(entry))


def _told(entry: TrashEntry) -> dict[str, object]:
    return {
        "path": escaped_path(entry.path),
        "kind": entry.kind.value,
        "size": entry.size,
        "by": entry.by,
        "at": entry.at,
    }


def _write(trash: int, name: str, told: dict[str, object]) -> None:
    fd = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=trash)
    with os.fdopen(fd, "wb") as file:
        file.write(json.dumps(told).encode())
        file.flush()
        os.fsync(file.fileno())


def _forget(at: VolumeFolders, trash: int, entry_id: str) -> bool:
    gone = discard(at, trash, entry_id.encode())
    with contextlib.suppress(FileNotFoundError):
        os.unlink(f"{entry_id}.json", dir_fd=trash)
    return gone


def _place(at: VolumeFolders, entry_id: str) -> PlaceBelow:
    return PlaceBelow(at.aside, f"{TRASH}/{entry_id}".encode())
