"""The command line in Chinese: catalogs of help texts and headings by their English, read when first needed."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Mapping

HELP, HEADINGS = "help.txt", "headings.txt"


@lru_cache(maxsize=None)
def catalog(name: str) -> Mapping[str, str]:
    """A line in English, below it the Chinese, indented."""
    lines = (Path(__file__).parent / name).read_text("utf-8").splitlines()
    return {english: chinese.strip() for english, chinese in zip(lines[::2], lines[1::2])}


def heading(english: str) -> str:
    """The heading of a column, or the label of a fact."""
    return catalog(HEADINGS).get(english.lower()) or english.partition("|")[0]


def paragraphs(english: str) -> str:
    """A help text, paragraph by paragraph."""
    known = catalog(HELP)
    parts = (" ".join(part.split()) for part in english.split("\n\n") if part.strip())
    return "\n\n".join(known.get(part, part) for part in parts)
