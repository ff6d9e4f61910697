"""Reports of tasks on their training: JSON Lines files beside a task's log, and how each side reads and writes them.

A line of metrics is `[time, step, {name: value}]`, one of checkpoints `[time, step or null, path]`; times are
milliseconds since 1970. A number that JSON cannot express is written as "nan", "inf" or "-inf"."""

from __future__ import annotations

import json
import math
import os
from typing import Any, Mapping, NamedTuple

from danlu.ports import beneath

METRICS_FILE = "metrics.jsonl"
CHECKPOINTS_FILE = "checkpoints.jsonl"

LONGEST_LINE = 64 << 10
LONGEST_NAME = 200
MOST_VALUES = 256
"""The maximum number of metrics in one line."""
LONGEST_PATH = 4096
LARGEST_STEP = 2**53
READ_AT_ONCE = 1 << 20
_MOST_INVALID = 1_000
"""After so many invalid lines the rest of a piece is not looked at: each costs as much as a thousand valid ones."""

_ODD = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


class ReportedPoint(NamedTuple):
    """The values of some metrics at one step. They may be infinite, or not a number."""

    time: int
    step: int
    values: Mapping[str, float]


class Save(NamedTuple):
    """A checkpoint that was written; `step` if the task reported it."""

    time: int
    step: int | None
    path: str


def reports_folder(log: str) -> str:
    """Where the reports of a task are: beside its log, so that both go together."""
    return (log[: -len(".log")] if log.endswith(".log") else log) + ".reports"


# ── writing ──────────────────────────────────────────────────────────────────────────────────────────


def point_line(point: ReportedPoint) -> bytes:
    """A point as one line; ValueError if the line is too long."""
    return _line([point.time, point.step, {name: told(value) for name, value in point.values.items()}])


def save_line(save: Save) -> bytes:
    return _line([save.time, save.step, save.path])


def told(value: float) -> float | str:
    """A number as JSON can express it."""
    return value if math.isfinite(value) else repr(value)


def append(folder: str, name: str, data: bytes) -> None:
    """Append whole lines to a file of the folder. Many processes may append at the same time; the lines of each stay
    together.

    OSError if the disk fails or takes only a part: readers skip the torn line."""
    fd = beneath.open_file(*_place(folder, name), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        done = os.write(fd, data)
        if done < len(data):
            os.write(fd, b"\n")
            raise OSError(f"only {done} of {len(data)} bytes could be written")
    finally:
        os.close(fd)


def _line(value: list[Any]) -> bytes:
    line = json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
    if len(line) > LONGEST_LINE:
        raise ValueError(f"a report may have {LONGEST_LINE:,} bytes; this one has {len(line):,}")
    return line


# ── reading: what is torn, foreign or out of bounds is skipped ───────────────────────────────────────


def read_points(folder: str, offset: int = 0, limit: int = READ_AT_ONCE) -> tuple[list[ReportedPoint], int]:
    """The points in the next `limit` bytes or so, and the offset to continue from; the same offset: nothing new."""
    values, end = _read(folder, METRICS_FILE, offset, limit)
    return [point for point in map(point_of, values) if point is not None], end


def read_saves(folder: str, offset: int = 0, limit: int = READ_AT_ONCE) -> tuple[list[Save], int]:
    values, end = _read(folder, CHECKPOINTS_FILE, offset, limit)
    return [save for save in map(save_of, values) if save is not None], end


def look_at(folder: str, name: str) -> os.stat_result | None:
    """What a file of the folder is now; None where there is none, or it is no plain file."""
    return beneath.look_at(*_place(folder, name))


def point_of(value: Any) -> ReportedPoint | None:
    """The point in a line; None if it is not one. Values that are not numbers are left out."""
    if not (isinstance(value, list) and len(value) == 3 and _is_time(value[0]) and _is_step(value[1])):
        return None
    if not isinstance(value[2], dict) or len(value[2]) > MOST_VALUES:
        return None
    values = {}
    for name, said in value[2].items():
        number = _number(said)
        if number is not None and is_name(name):
            values[name] = number
    return ReportedPoint(value[0], value[1], values) if values else None


def save_of(value: Any) -> Save | None:
    """The checkpoint in a line; None if it is not one."""
    if not (isinstance(value, list) and len(value) == 3 and _is_time(value[0])):
        return None
    if not (value[1] is None or _is_step(value[1])) or not is_path(value[2]):
        return None
    return Save(value[0], value[1], value[2])


def is_name(name: str) -> bool:
    """Whether this is a valid name of a metric."""
    return 0 < len(name) <= LONGEST_NAME and name.isprintable()


def is_path(path: Any) -> bool:
    return isinstance(path, str) and 0 < len(path) <= LONGEST_PATH and path.isprintable()


def _read(folder: str, name: str, offset: int, limit: int) -> tuple[list[Any], int]:
    """The values of whole lines from an offset on; a torn last one waits for its rest, unless it is too long to be one.
    Holes are passed over."""
    limit = max(limit, LONGEST_LINE)
    try:
        fd = beneath.open_file(*_place(folder, name))
    except OSError:
        return [], offset
    try:
        data, begin = beneath.read_from(fd, offset, limit)
    except OSError:
        return [], offset
    finally:
        os.close(fd)
    end = data.rfind(b"\n") + 1
    if not end:
        return [], begin + (len(data) if len(data) >= LONGEST_LINE else 0)
    # A block that was written only in part begins with zeros.
    lines = [line.lstrip(b"\0") for line in data[:end].split(b"\n")]
    return _loaded([line for line in lines if 0 < len(line) <= LONGEST_LINE]), begin + end


def _place(folder: str, name: str) -> tuple[str, str]:
    """The folder is the task's to write in, and where it lies is not: a link in its place leads nowhere."""
    above, own = os.path.split(os.path.abspath(folder))
    return above, f"{own}/{name}"


def _loaded(lines: list[bytes]) -> list[Any]:
    """The value of each line, without invalid ones; all at once, which is four times as fast, if none is torn."""
    try:
        values = json.loads(b"[" + b",".join(lines) + b"]")
    except (ValueError, RecursionError):
        values = []
    if len(values) == len(lines):
        return values  # type: ignore[no-any-return]
    values, invalid = [], 0
    for line in lines:
        value = _loaded_line(line)
        values.append(value)
        invalid += value is None
        if invalid > _MOST_INVALID:
            break
    return values


def _loaded_line(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _number(said: Any) -> float | None:
    if isinstance(said, str):
        return _ODD.get(said)
    if isinstance(said, bool) or not isinstance(said, (int, float)):
        return None
    try:
        return float(said)
    except OverflowError:
        return None


def _is_time(value: Any) -> bool:
    return type(value) is int and 0 <= value < LARGEST_STEP


def _is_step(value: Any) -> bool:
    return type(value) is int and -LARGEST_STEP <= value <= LARGEST_STEP
