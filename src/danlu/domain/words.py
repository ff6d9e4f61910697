"""A sentence in both languages of the console."""

from __future__ import annotations

from typing import Any, NamedTuple


class Words(NamedTuple):
    """The same sentence in English and in Chinese; `{name}` stands for a parameter."""

    en: str
    zh: str

    def fill(self, **params: Any) -> Words:
        return Words(self.en.format(**params), self.zh.format(**params))


NOTHING = Words("", "")
