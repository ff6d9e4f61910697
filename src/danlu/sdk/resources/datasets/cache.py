"""What was fetched of datasets, kept on this machine."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets


class ContentCache:
    """Contents by their SHA-256, in a folder; those used longest ago go first. Several processes may share it."""

    def __init__(self, home: str, most: int) -> None:
        self._home, self._most = home, most
        self._since_look = most  # look at what there is before the first is kept

    def get(self, digest: str) -> bytes | None:
        """None also for what is damaged, which is removed."""
        place = self._place(digest)
        try:
            with open(place, "rb") as file:
                data = file.read()
        except OSError:
            return None
        if hashlib.sha256(data).hexdigest() == digest:
            with contextlib.suppress(OSError):
                os.utime(place)
            return data
        with contextlib.suppress(OSError):
            os.unlink(place)
        return None

    def put(self, digest: str, data: bytes) -> None:
        """A cache that cannot be written is none, and no reason to stop."""
        place = self._place(digest)
        draft = f"{place}.{secrets.token_hex(4)}"
        with contextlib.suppress(OSError):
            self._make_room(len(data))
            os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
            try:
                with open(draft, "xb") as file:
                    file.write(data)
                os.replace(draft, place)
            except OSError:
                with contextlib.suppress(OSError):
                    os.unlink(draft)

    def _make_room(self, size: int) -> None:
        self._since_look += size
        if self._since_look < self._most // 10:
            return
        self._since_look = size
        kept = []
        for folder, _, names in os.walk(self._home):
            for name in names:
                with contextlib.suppress(OSError):
                    found = os.stat(os.path.join(folder, name))
                    kept.append((found.st_mtime, found.st_size, os.path.join(folder, name)))
        total = sum(one[1] for one in kept)
        for _, taken, path in sorted(kept):
            if total + size <= self._most - self._most // 10:
                break
            with contextlib.suppress(OSError):
                os.unlink(path)
            total -= taken

    def _place(self, digest: str) -> str:
        return os.path.join(self._home, digest[:2], digest[2:])
