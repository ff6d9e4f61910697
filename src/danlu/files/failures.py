"""Failures that administrators know, as settings describe them."""

from __future__ import annotations

import string
from typing import Annotated

from pydantic import Field, model_validator

from danlu.domain.failures import Pattern, SitePattern
from danlu.domain.words import BadValue, Words, say
from danlu.files.written import Written

MOST = 50
_Sentence = Annotated[str, Field(min_length=1, max_length=300)]


def _fills(text: str, names: set[str]) -> bool:
    """Whether braces of a sentence hold these names alone: no fields of theirs, no formats."""
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError:
        return False
    return all(name is None or (name in names and not how and not turned) for _, name, how, turned in parts)


class Both(Written):
    """A sentence in both languages; names of the pattern in braces are filled in."""

    en: _Sentence
    zh: _Sentence


class KnownFailure(Written):
    """What a line of the log contains, and what is told then."""

    name: str = Field(description="Its name in answers of the API.", pattern="^[a-z0-9][a-z0-9-]{0,30}$")
    contains: str = Field(
        description="Text that a line contains; a name in braces stands for any text: `mount of {volume} failed`.",
        min_length=1,
        max_length=300,
    )
    headline: Both = Field(description="One sentence that says what happened.")
    advice: Both = Field(description="What to do about it.")

    @model_validator(mode="after")
    def _fits(self) -> KnownFailure:
        names = set(Pattern.of(self.contains).names)
        for text in (self.headline.en, self.headline.zh, self.advice.en, self.advice.zh):
            if not _fills(text, names):
                raise BadValue(
                    say(
                        "'{text}' has braces around what is no name of `contains` ({names})",
                        "“{text}”中花括号内的名称不在 `contains` 中（{names}）",
                        text=text,
                        names=", ".join(sorted(names)) or "–",
                    )
                )
        return self

    def pattern(self) -> SitePattern:
        headline, advice = Words(self.headline.en, self.headline.zh), Words(self.advice.en, self.advice.zh)
        return SitePattern(self.name, Pattern.of(self.contains), headline, advice)
