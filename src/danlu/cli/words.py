"""What we say ourselves, in the reader's language."""

from __future__ import annotations

import os

from danlu.domain.words import NOTHING, Words, say


def language() -> str:
    """`en` or `zh`: what DANLU_LANG says, else the locale."""
    said = (os.environ.get(name) for name in ("DANLU_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next(filter(None, said), "").lower().startswith("zh") else "en"


def spoken(words: Words) -> str:
    """A sentence of ours, as the reader understands it."""
    return words.by_language[language()]


def speak(en: str, zh: str, **params: object) -> str:
    """The same of a sentence that is made here, with its parameters filled in."""
    return spoken(say(en, zh, **params))


def meant(likely: object, otherwise: Words = NOTHING, quoted: bool = True) -> Words:
    """What somebody probably meant, as a sentence behind another one; else what to do instead."""
    if not likely:
        return say(" {otherwise}", "{otherwise}", otherwise=otherwise) if otherwise.en else NOTHING
    if quoted:
        return say(" Did you mean '{likely}'?", "你是想写“{likely}”吗？", likely=likely)
    return say(" Did you mean {likely}?", "你是想写“{likely}”吗？", likely=likely)
