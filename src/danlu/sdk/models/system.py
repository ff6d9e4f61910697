"""What the server answers about system."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Version:
    version: str = ""
    api: str = ""
