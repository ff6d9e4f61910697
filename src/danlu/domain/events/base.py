"""What every event has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from danlu.domain.words import NOTHING, Words


@dataclass(frozen=True, slots=True)
class Event:
    """The root of all events; `kind` is stable, `data()` is what the store keeps."""

    kind: ClassVar[str] = ""
    sentence: ClassVar[Words] = NOTHING

    def data(self) -> dict[str, Any]:
        return {}

    def text(self) -> Words:
        return self.sentence.fill(**self.shown())

    def shown(self) -> dict[str, Any]:
        """The data as a person reads it; subclasses give lists each language's separator."""
        return self.data()
