"""A sentence in both languages; people's own machines say it too, so Python 3.8 must do."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Iterable, Mapping


@dataclass(frozen=True)
class Words:
    """The same sentence in English and in Chinese; `{name}` stands for a parameter, `params` is what filled them."""

    en: str
    zh: str
    params: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def by_language(self) -> dict[str, str]:
        """As answers of the API have it."""
        return {"en": self.en, "zh": self.zh}

    def fill(self, **params: Any) -> Words:
        """Fill in parameters; one that is itself bilingual is filled in per language."""
        english = {name: one.en if isinstance(one, Words) else one for name, one in params.items()}
        chinese = {name: one.zh if isinstance(one, Words) else one for name, one in params.items()}
        return Words(self.en.format(**english), self.zh.format(**chinese), {**self.params, **params})


@dataclass(frozen=True)
class Guess(Words):
    """A hint with the word that was probably meant."""

    meant: str = ""


class BadValue(ValueError):
    """A value that cannot be read, why, in both languages, and what was probably meant."""

    def __init__(self, text: Words, meant: str = "") -> None:
        super().__init__(text.en)
        self.text, self.meant = text, meant


NOTHING = Words("", "")
_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def say(en: str, zh: str, **params: Any) -> Words:
    """A sentence with its parameters filled in; without any, braces stand for themselves."""
    return Words(en, zh).fill(**params) if params else Words(en, zh)


def same(text: str) -> Words:
    """The same text in both languages: a name, a number, or a message of another program."""
    return Words(text, text)


def plain(text: str) -> str:
    """What others wrote, fit for a terminal: characters that it would take for commands, or that turn the reading
    direction, become question marks. Lines and tabs stay."""
    return _COMMANDS.sub("?", text)


def one_line(text: str) -> str:
    """The same where a line is all there is: a name, a cell of a table."""
    return " ".join(plain(text).splitlines()).replace("\t", " ")


def escaped(json: str) -> str:
    """The same for JSON, which may be read again."""
    return _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", json)


def listed(parts: Iterable[object]) -> Words:
    """A list, with each language's separator."""
    both = [one if isinstance(one, Words) else same(str(one)) for one in parts]
    return Words(", ".join(one.en for one in both), "、".join(one.zh for one in both))


def joined(parts: Iterable[Words]) -> Words:
    """Several sentences as one."""
    both = tuple(parts)
    return Words("; ".join(one.en for one in both), "；".join(one.zh for one in both))
