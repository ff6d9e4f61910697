"""What the server answers about system."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Mapping

from danlu.sdk.models.behaviour import ByCode
from danlu.sdk.models.reading import READERS, each


@dataclass(frozen=True)
class Version:
    """`client` is the name of the wheel below `/client/`, to install the command line and the Python client from;
    null if this server runs from files that nobody installed."""

    version: str = ""
    api: str = ""
    client: str | None = None


@dataclass(frozen=True)
class Weakness(ByCode):
    """Something weak about this installation: a stable code, how bad it is, in words, and how to mend it.
    `subjects` are up to 100 of the nodes, files, people or tokens (as owner:name) that it is about."""

    code: str = ""
    area: str = ""
    severity: str = ""
    text: Mapping[str, str] = field(default_factory=dict)
    fix: Mapping[str, str] = field(default_factory=dict)
    subjects: tuple[str, ...] = ()


@dataclass(frozen=True)
class SystemReport:
    """What is weak about this installation, the worst first; `ok` if nothing is. `checked` are the areas that were
    looked at."""

    ok: bool = False
    at: str = ""
    checked: tuple[str, ...] = ()
    weaknesses: tuple[Weakness, ...] = ()


READERS.update(
    {
        Weakness: {"subjects": ("subjects", tuple)},
        SystemReport: {"checked": ("checked", tuple), "weaknesses": ("weaknesses", each(Weakness))},
    }
)
