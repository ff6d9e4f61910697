"""What the server answers about problems."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from danlu.sdk.models.behaviour import ByCode, Excess, Mistake
from danlu.sdk.models.reading import READERS


@dataclass(frozen=True)
class Problem(Mistake):
    """One error at one place; `loc` is the path to it from the root of the request. `message` and `hint` are the
    English of `text` and `hint_text`; `params` is what filled the sentence, `suggestion` the word that was probably
    meant."""

    loc: tuple[str | int, ...] = ()
    code: str = ""
    message: str = ""
    text: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)
    value: Any = None
    bound: Any = None
    hint: str | None = None
    hint_text: Mapping[str, str] = field(default_factory=dict)
    suggestion: str | None = None


@dataclass(frozen=True)
class Finding(ByCode):
    """One check of a cluster: what was found, and how to fix it."""

    code: str = ""
    level: str = ""
    text: Mapping[str, str] = field(default_factory=dict)
    fix: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Shortfall(Excess):
    """A quota that a start would exceed: GPUs and CPUs as numbers, memory in bytes. `jobs` are some of the jobs
    that use it, as owner:name, or only the owner's name if the caller may not read the job."""

    quota: str = ""
    job_class: str = ""
    resource: str = ""
    used: float = 0
    asked: float = 0
    limit: float = 0
    jobs: tuple[str, ...] = ()
    text: Mapping[str, str] = field(default_factory=dict)


READERS.update(
    {
        Problem: {"loc": ("loc", tuple)},
        Shortfall: {"job_class": ("class", None), "jobs": ("jobs", tuple)},
    }
)
