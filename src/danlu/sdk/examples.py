"""Examples, as methods of the client and what they answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Mapping

from danlu.sdk import models
from danlu.sdk.http import segment

if TYPE_CHECKING:
    from danlu.sdk.http import Http


@dataclass(frozen=True)
class Example:
    """A job to begin with: `file` is a job file that can be submitted as it stands. `label` and `about` are keyed by
    language (`en`, `zh`)."""

    id: str
    group: str = ""
    label: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    framework: str | None = None
    strategy: str | None = None
    file: str = ""


@dataclass(frozen=True)
class ExampleDetail(Example):
    """With its files: each one's text by its path, the job file as it was written."""

    files: Mapping[str, str] = field(default_factory=dict)


class Examples:
    """Jobs to begin with."""

    http: Http

    def examples(self) -> list[Example]:
        """All examples, in the order to show them."""
        return [models.read(Example, one) for one in self.http.json("GET", "examples")["items"]]

    def example(self, name: str) -> ExampleDetail:
        """One example with all its files."""
        return models.read(ExampleDetail, self.http.json("GET", f"examples/{segment(name)}"))
