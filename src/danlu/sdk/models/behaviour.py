"""What answers do beside holding what was answered; the generated classes take it from here."""

from __future__ import annotations

from typing import Mapping

from danlu.domain.names import run_title

ACTIVE = frozenset({"queued", "starting", "running", "stopping"})
ENDED = frozenset({"completed", "failed", "stopped"})


class ByCode:
    """Says its sentence, or its code where it has none."""

    code: str
    text: Mapping[str, str]

    def __str__(self) -> str:
        return self.text.get("en") or self.code


class ByKind:
    """Says its sentence, or its kind."""

    kind: str
    text: Mapping[str, str]

    def __str__(self) -> str:
        return self.text.get("en") or self.kind


class Change:
    """Says its sentence, or what would change to what."""

    change: str
    value: str
    text: Mapping[str, str]

    def __str__(self) -> str:
        return self.text.get("en") or f"{self.change}: {self.value}"


class Excess:
    """Says its sentence, or how much of what is used."""

    quota: str
    resource: str
    used: float
    limit: float
    text: Mapping[str, str]

    def __str__(self) -> str:
        return self.text.get("en") or f"{self.quota}: {self.used:g} of {self.limit:g} {self.resource}"


class Mistake:
    """Says its message and its hint in a language, as far as the server told them in it."""

    message: str
    hint: str | None
    text: Mapping[str, str]
    hint_text: Mapping[str, str]

    def said(self, language: str) -> tuple[str, str]:
        """Message and hint in a language (en, zh)."""
        return self.text.get(language) or self.message, self.hint_text.get(language) or self.hint or ""


class Living:
    """Has a state: before its end, or after it; and a name that may have several runs."""

    state: str
    name: str
    run: int

    @property
    def title(self) -> str:
        """`bert`, and `bert#2` of a further run: what every command takes for the job."""
        return run_title(self.name, self.run)

    @property
    def active(self) -> bool:
        return self.state in ACTIVE

    @property
    def ended(self) -> bool:
        return self.state in ENDED


class Drawn:
    """A line of points."""

    mean: tuple[float | None, ...]

    @property
    def last(self) -> float | None:
        """Where the line ends; None when it has no points, or the last one is not known."""
        return self.mean[-1] if self.mean else None
