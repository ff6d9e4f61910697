"""What of a job's working folder is kept, and where."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

FILLED = ("name", "run", "attempt", "id")
"""What `to` may name in braces: of the job that has ended."""
_BRACES = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Output:
    """A path of the working folder of `task` (empty: the first task), kept once the job is completed; `always`: also
    when it failed or was stopped.

    It becomes a version of `dataset`, which gets `tag`; or it is copied `to` a folder of a volume, in which names in
    braces stand for those of the job. `id` is that of the dataset or volume that was meant when the job was written
    (or `personal`, `archive`)."""

    path: str
    task: str = ""
    always: bool = False
    dataset: str = ""
    tag: str = ""
    to: str = ""
    id: str = ""


def braces(text: str) -> list[str]:
    """The names in braces."""
    return _BRACES.findall(text)


def filled(text: str, values: Mapping[str, str]) -> str:
    """With what the braces stand for; what is unknown stays."""
    return _BRACES.sub(lambda found: values.get(found[1], found[0]), text)
