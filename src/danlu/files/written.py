"""The base of what people write and send."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Written(BaseModel):
    """What it does not know is refused. Built when the first of its kind is read."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
