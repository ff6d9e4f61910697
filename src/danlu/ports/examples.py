"""Example jobs: small trainings that run as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from danlu.domain.words import Words


@dataclass(frozen=True, slots=True)
class Example:
    """One example. `file` is its job file with its code as an archive of the code store; `files` are what is in its
    folder, the job file as it was written among them."""

    id: str
    group: str
    label: Words
    about: Words
    framework: str | None
    strategy: str | None
    file: str
    files: Mapping[str, str]


class Examples(Protocol):
    """The examples that came with this Danlu."""

    async def all(self) -> Sequence[Example]:
        """All of them in the order to show them; their code is in the code store when this returns."""

    async def get(self, name: str) -> Example | None:
        """The one of this id, its code in the code store; None when there is none."""
