"""Options of a copy: rules in the order in which they were written, and sizes."""

from __future__ import annotations

import re
from typing import Any, Iterator

import click

from danlu.cli.words import speak
from danlu.sdk.copying.globs import GlobRule

_RULES = "danlu.copying.rules"
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?(?:/s)?", re.IGNORECASE)


class OrderedCommand(click.Command):
    """Remembers how --include and --exclude followed each other: click tells each option's values apart."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        values, _, order = self.make_parser(ctx).parse_args(args=list(args))
        rest: dict[str, Iterator[str]] = {
            name: iter(values.get(name) or ()) for name in ("include", "exclude")
        }
        ctx.meta[_RULES] = [
            GlobRule(param.name == "include", next(rest[param.name]))
            for param in order
            if param.name in rest and isinstance(param, click.Option)
        ]
        return super().parse_args(ctx, args)


def rules_of(chosen: dict[str, Any]) -> list[GlobRule]:  # noqa: ARG001 (kept beside the options they come from)
    found: list[GlobRule] = click.get_current_context().meta[_RULES]
    return found


class SizeParam(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """`20MiB`, `500k`: at least 1 KiB."""

    name = "size"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        found = _SIZE.fullmatch(str(value).strip())
        if found is not None:
            base = 1024 if found[3] else 1000
            size = int(float(found[1]) * base ** " kmgt".index(found[2].lower() or " "))
            if size >= 1024:
                return size
        return self.fail(
            speak(
                "'{value}' is no size; write for example 20MiB, at least 1KiB",
                "“{value}”不是有效的大小；请写作如 20MiB，至少 1KiB",
                value=value,
            ),
            param,
            ctx,
        )
