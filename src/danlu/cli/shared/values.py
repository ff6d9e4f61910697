"""Values of options: amounts, pairs and words, as people write and read them."""

from __future__ import annotations

from typing import Mapping, Sequence

import click

from danlu.cli.shared import show
from danlu.cli.words import speak, spoken
from danlu.domain.words import listed

CLASSES = ("workspace", "single", "distributed", "service")


class AmountsParam(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """`A100=16,cpus=200,memory=1TiB`; empty means no amounts."""

    name = "amounts"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        if not isinstance(value, str):
            return value
        found: dict[str, object] = {}
        for key, amount in split_pairs(value, param, ctx):
            found[key] = (
                amount if key == "memory" and not amount.isdigit() else self._number(amount, param, ctx)
            )
        return found

    def _number(self, text: str, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            return int(text) if text.isdigit() else float(text)
        except ValueError:
            return self.fail(not_a_number(text), param, ctx)


class PairsParam(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """`org=public,rack=r1`; empty means none."""

    name = "pairs"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        return dict(split_pairs(value, param, ctx)) if isinstance(value, str) else value


class WordsParam(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """`a,b,c`; empty means none."""

    name = "words"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:  # noqa: ARG002
        return (
            [word.strip() for word in value.split(",") if word.strip()] if isinstance(value, str) else value
        )


def split_pairs(
    value: str, param: click.Parameter | None, ctx: click.Context | None
) -> list[tuple[str, str]]:
    found = []
    for pair in value.split(","):
        key, equals, held = pair.strip().partition("=")
        if pair.strip() and not (key and equals):
            raise click.BadParameter(not_a_pair(pair.strip()), ctx, param)
        if equals:
            found.append((key.strip(), held.strip()))
    return found


def not_a_number(text: str) -> str:
    return speak("'{text}' is not a number.", "“{text}”不是数字。", text=text)


def not_a_pair(text: str) -> str:
    return speak("'{text}' is not of the form NAME=VALUE.", "“{text}”不是 NAME=VALUE 的形式。", text=text)


def amounts(found: Mapping[str, float] | None) -> str:
    """`8 A100, 200 cpus, 1 TiB memory`."""
    return spoken(
        listed(
            f"{show.size(amount) if key == 'memory' else show.number(amount)} {show.word(key)}"
            for key, amount in (found or {}).items()
        )
    )


def pairs(found: Mapping[str, str] | None) -> str:
    return ", ".join(f"{key}={value}" for key, value in (found or {}).items())


def words(found: Sequence[str] | None, none: str = "") -> str:
    return spoken(listed(found or ())) or none
