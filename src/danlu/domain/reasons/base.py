"""What every reason is: typed, with its meaning and what to do, in both languages."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from danlu.domain.words import NOTHING, Words


@dataclass(frozen=True, slots=True)
class Reason:
    """The root of all reasons; `code` is stable, the fields are its parameters."""

    code: ClassVar[str] = ""
    sentence: ClassVar[Words] = NOTHING
    meaning: ClassVar[Words] = NOTHING
    advice: ClassVar[Words] = NOTHING

    def params(self) -> dict[str, Any]:
        return asdict(self)

    def shown(self) -> dict[str, Any]:
        """The parameters as a person reads them; subclasses give units."""
        return self.params()

    def text(self) -> Words:
        return self.sentence.fill(**self.shown())
