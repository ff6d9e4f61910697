"""Sentences of the command line itself, in the user's language."""

from __future__ import annotations

import os

from danlu.domain import built_in
from danlu.domain.words import NOTHING, Words, say


def language() -> str:
    """`en` or `zh`: from DANLU_LANG, else from the locale."""
    said = (os.environ.get(name) for name in ("DANLU_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next(filter(None, said), "").lower().startswith("zh") else "en"


def spoken(words: Words) -> str:
    """A sentence in the user's language."""
    return words.by_language[language()]


def speak(en: str, zh: str, **params: object) -> str:
    """The same for a new sentence, with its parameters filled in."""
    return spoken(say(en, zh, **params))


def meant(likely: object, otherwise: Words = NOTHING, quoted: bool = True) -> Words:
    """A question that follows another sentence, on what was probably meant; else what to do instead."""
    if not likely:
        return say(" {otherwise}", "{otherwise}", otherwise=otherwise) if otherwise.en else NOTHING
    if quoted:
        return say(" Did you mean '{likely}'?", "你是想写“{likely}”吗？", likely=likely)
    return say(" Did you mean {likely}?", "你是想写“{likely}”吗？", likely=likely)


def described(kind: str, name: str, description: str) -> str:
    """What a rule is for; what comes with Danlu is described in the user's language."""
    return spoken(built_in.described(kind, name, description))
