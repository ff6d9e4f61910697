"""What every reason is: typed, with its meaning and what to do, in both languages."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

from danlu.domain.quantity import show_amount, show_milli
from danlu.domain.words import NOTHING, Words


@dataclass(frozen=True, slots=True)
class Reason:
    """The root of all reasons; `code` is stable, the fields are its parameters."""

    code: ClassVar[str] = ""
    sentence: ClassVar[Words] = NOTHING
    meaning: ClassVar[Words] = NOTHING
    advice: ClassVar[Words] = NOTHING
    asks_administrator: ClassVar[bool] = False
    """Whether its advice is to ask an administrator."""

    def params(self) -> dict[str, Any]:
        return asdict(self)

    def shown(self) -> dict[str, Any]:
        """The parameters as a person reads them, by language where that matters; subclasses give units."""
        return self.params()

    def shown_in_chinese(self) -> dict[str, Any]:
        """As `shown`, where the values have words of their own."""
        return self.shown()

    def text(self) -> Words:
        return self.told(self.sentence)

    def told(self, words: Words) -> Words:
        """Words with the parameters in each language."""
        english, chinese = Words(words.en, ""), Words("", words.zh)
        return Words(english.fill(**self.shown()).en, chinese.fill(**self.shown_in_chinese()).zh)


class AtNode(Reason):
    """A reason that names the node it happened on, once known; its sentence has a placeholder for it."""

    __slots__ = ()
    node: str

    def on(self, node: str) -> Reason:
        """The same, with its node."""
        return replace(self, node=node)  # type: ignore[call-arg]

    def shown(self) -> dict[str, Any]:
        return {**self.params(), "on": f" on {self.node}" if self.node else ""}

    def shown_in_chinese(self) -> dict[str, Any]:
        return {**self.shown(), "on": f"在 {self.node} 上" if self.node else ""}


def amount_in_chinese(resource: str, amount: int) -> str:
    """As `show_amount`: `8 卡`, `8 卡 A100`, `64 核 CPU`."""
    match resource:
        case "memory":
            return show_amount(resource, amount)
        case "cpus":
            return f"{show_milli(amount)} 核 CPU"
        case "gpus":
            return f"{show_milli(amount)} 卡"
        case model:
            return f"{show_milli(amount)} 卡 {model}"
