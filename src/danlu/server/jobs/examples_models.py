"""Examples as sent and answered."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from danlu.ports import examples
from danlu.server.http.models import Answer, Text


class Example(Answer, of=examples.Example):
    """A job to begin with: `file` is a job file that can be submitted as it stands."""

    id: str
    group: Literal["basics", "frameworks"]
    label: Text
    about: Text = Field(description="What one learns from it.")
    framework: str | None
    strategy: str | None
    file: str


class ExampleDetail(Example):
    """With what is in its folder: each file's text by its path, the job file as it was written."""

    files: dict[str, str]


class ExampleList(Answer):
    items: list[Example]
