"""How a version of a dataset is written: NAME, NAME@v3, NAME@TAG, OWNER:NAME@TAG."""

from __future__ import annotations

import re
from dataclasses import dataclass

LATEST = "latest"
"""The tag that the newest version always has."""
TAG = r"^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$"
_NUMBER = re.compile(r"v?([1-9][0-9]{0,8})")
_NUMBERED = re.compile(r"v?[0-9]+")


class BadReference(ValueError):
    """No reference to a version."""


@dataclass(frozen=True, slots=True)
class VersionRef:
    """What is named: a dataset, as its own verbs find it, and a version of it."""

    dataset: str
    version: str = LATEST


def read_reference(text: str) -> VersionRef:
    """BadReference unless it names a dataset, and perhaps a version."""
    dataset, at, version = text.partition("@")
    if not dataset or (at and not version) or "@" in version:
        raise BadReference(text)
    return VersionRef(dataset, version or LATEST)


def number_of(version: str) -> int | None:
    """3 of `v3` or `3`; None of a tag."""
    found = _NUMBER.fullmatch(version)
    return int(found[1]) if found else None


def may_be_tag(name: str) -> bool:
    """Whether people may give this tag: `latest` and what looks like a number are no names of their own."""
    return name != LATEST and not _NUMBERED.fullmatch(name) and re.fullmatch(TAG, name) is not None
