"""What is fetched into volumes before a job starts."""

from __future__ import annotations

from dataclasses import dataclass

MOST_INPUTS = 20


@dataclass(frozen=True, slots=True)
class JobInput:
    """A transfer that a job needs before it starts, as its file says it: `source` and `target` are ends of transfers,
    and the rest is how it is wanted.

    `source_id` and `target_id` are the volumes that the names meant when the job was written; empty where an end is
    outside, or a directory that everybody has."""

    source: str
    target: str
    existing: str = "update"
    ref: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    sha256: str = ""
    unpack: bool = False
    source_id: str = ""
    target_id: str = ""
