"""The base of what people write and send."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict


class Written(BaseModel):
    """What it does not know is refused. Built when the first of its kind is read."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


def as_text(value: Any) -> Any:
    """A number or a switch as the text it was written as; anything else as it is."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, (int, float)) else value


def as_folder(value: Any) -> Any:
    """A text where a code is expected is a local folder."""
    return {"path": value} if isinstance(value, str) else value
