"""Examples, as the API returns them."""

from typing import Literal

from pydantic import Field

from danlu.ports import examples
from danlu.server.http.models import Answer, Text


class Example(Answer, of=examples.Example):
    """An example job; `file` is a job file that can be submitted as it is."""

    id: str
    group: Literal["basics", "frameworks"]
    label: Text
    about: Text = Field(description="What the example shows.")
    framework: str | None
    strategy: str | None
    file: str


class ExampleDetail(Example):
    """An example with its files: each file's text by its path."""

    files: dict[str, str]


class ExampleList(Answer):
    items: list[Example]
