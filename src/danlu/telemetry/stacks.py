"""Stacks of tasks in files beside their logs: a JSON line each, the latest last."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from danlu.ports import beneath
from danlu.ports.logs import LogKey
from danlu.ports.stacks import Cause, Stacks
from danlu.ports.supervision import character_end
from danlu.telemetry.logs import log_path

_KEPT_OF_A_RUN = 8
_LONGEST = 256 << 10
_MOST_ANSWERED = 100
_MOST_BYTES = 4 << 20
_LARGEST_FILE = 8 * _KEPT_OF_A_RUN * _LONGEST
_CUT = "\n… the rest was too long and was cut off\n"
_NOT_SHOWN = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)))
"""Control characters, which could change a terminal's cursor or colours: names in a program may contain anything."""


class FileStacks:
    """The StackStore over `logs/` of the data directory."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lock = threading.Lock()

    def keep(self, key: LogKey, stacks: Stacks) -> Stacks:
        path, stacks = stacks_path(self._root, key), replace(stacks, text=_bounded(stacks.text))
        line = json.dumps(
            {
                "task": stacks.task,
                "at": stacks.taken_at,
                "cause": stacks.cause,
                "text": stacks.text,
            },
            ensure_ascii=False,
        )
        with self._lock, contextlib.suppress(OSError):  # a full disk
            path.parent.mkdir(parents=True, exist_ok=True)  # it may never have printed anything
            lines = [*_lines(path)[1 - _KEPT_OF_A_RUN :], line.encode()]
            draft = path.with_name(f"{path.name}.new")
            draft.write_bytes(b"".join(one + b"\n" for one in lines))
            os.replace(draft, path)
        return stacks

    def of_job(self, job_id: str, attempt: int | None = None, task: str | None = None) -> tuple[Stacks, ...]:
        found: list[Stacks] = []
        size = 0
        for number in self._attempts(job_id) if attempt is None else [attempt]:
            here = [one for one in self._of_attempt(job_id, number) if task in (None, one.task)]
            for stacks in sorted(here, key=lambda one: (-one.taken_at, one.task)):
                size += len(stacks.text)
                if len(found) == _MOST_ANSWERED or size > _MOST_BYTES:
                    return tuple(found)
                found.append(stacks)
        return tuple(found)

    def _attempts(self, job_id: str) -> list[int]:
        """The latest first."""
        try:
            names = os.listdir(self._root / job_id)
        except OSError:
            return []
        return sorted((int(name) for name in names if name.isdigit()), reverse=True)

    def _of_attempt(self, job_id: str, attempt: int) -> Iterator[Stacks]:
        for path in sorted((self._root / job_id / str(attempt)).glob("*.stacks")):
            for line in _lines(path):
                with contextlib.suppress(ValueError, KeyError, TypeError):
                    said = json.loads(line)
                    cause, taken_at = Cause(said["cause"]), int(said["at"])
                    yield Stacks(str(said["task"]), attempt, taken_at, cause, str(said["text"]))


def stacks_path(root: Path, key: LogKey) -> Path:
    return log_path(root, key).with_suffix(".stacks")


def _lines(path: Path) -> list[bytes]:
    try:
        return beneath.read_file(str(path.parent), path.name, _LARGEST_FILE).splitlines()
    except OSError:
        return []


def _bounded(text: str) -> str:
    data = text.translate(_NOT_SHOWN).encode("utf-8", "replace")
    if len(data) > _LONGEST:
        return data[: character_end(data, _LONGEST)].decode("utf-8", "replace") + _CUT
    return data.decode()
