"""A sentence in both languages of the console."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Words:
    """The same sentence in English and in Chinese; `{name}` stands for a parameter, `params` is what filled them."""

    en: str
    zh: str
    params: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def fill(self, **params: Any) -> Words:
        """A parameter that is itself in both languages is put into each in its own."""
        english = {name: one.en if isinstance(one, Words) else one for name, one in params.items()}
        chinese = {name: one.zh if isinstance(one, Words) else one for name, one in params.items()}
        return Words(self.en.format(**english), self.zh.format(**chinese), {**self.params, **params})


@dataclass(frozen=True, slots=True)
class Guess(Words):
    """A hint that names the word that was probably meant."""

    meant: str = ""


class BadValue(ValueError):
    """A value that cannot be read, and why, in both languages."""

    def __init__(self, text: Words) -> None:
        super().__init__(text.en)
        self.text = text


NOTHING = Words("", "")


def say(en: str, zh: str, **params: Any) -> Words:
    """A sentence with its parameters filled in; without any, braces stand for themselves."""
    return Words(en, zh).fill(**params) if params else Words(en, zh)


def same(text: str) -> Words:
    """What reads the same in both languages: a name, a number, or a sentence that another program wrote."""
    return Words(text, text)


def listed(parts: Iterable[object]) -> Words:
    """One after the other, as each language separates them."""
    both = [one if isinstance(one, Words) else same(str(one)) for one in parts]
    return Words(", ".join(one.en for one in both), "、".join(one.zh for one in both))


def joined(parts: Iterable[Words]) -> Words:
    """Several sentences as one."""
    both = tuple(parts)
    return Words("; ".join(one.en for one in both), "；".join(one.zh for one in both))
