"""Pages of `--help` in Chinese: click makes them, from these texts and broken at this width."""

from __future__ import annotations

from typing import Any, Callable, Iterator

import click
from click import formatting

from danlu.cli.chinese import paragraphs
from danlu.cli.shared.show import width
from danlu.cli.words import language

_PARTS = "，。；：、！？）”"
"""What no line begins with."""


def make_pages_chinese() -> None:
    """From now on click makes Chinese pages for those who read Chinese."""
    for owner, name, wrapped in (
        (click.Command, "format_help_text", _with_help),
        (click.Command, "get_short_help_str", _short),
        (click.Option, "get_help_record", _with_help),
        (formatting, "wrap_text", _breaking),
        (click.HelpFormatter, "write_usage", _usage),
        (click.HelpFormatter, "write_heading", _heading),
    ):
        made = getattr(owner, name)
        if not hasattr(made, "in_english"):
            setattr(owner, name, wrapped(made))


def _chosen(english: Callable[..., Any], chinese: Callable[..., Any]) -> Callable[..., Any]:
    def chosen(*args: Any, **more: Any) -> Any:
        return (chinese if language() == "zh" else english)(*args, **more)

    chosen.in_english = english  # type: ignore[attr-defined]
    return chosen


def _with_help(english: Callable[..., Any]) -> Callable[..., Any]:
    """What shows the help of a command or an option."""

    def chinese(one: Any, *args: Any, **more: Any) -> Any:
        kept, one.help = one.help, paragraphs(one.help or "") or one.help
        try:
            return english(one, *args, **more)
        finally:
            one.help = kept

    return _chosen(english, chinese)


def _short(english: Callable[..., Any]) -> Callable[..., Any]:
    """The first sentence; click would cut it by words."""

    def chinese(command: click.Command, *_: Any, **__: Any) -> str:
        return paragraphs(command.help or "").partition("\n\n")[0].partition("。")[0]

    return _chosen(english, chinese)


def _usage(english: Callable[..., Any]) -> Callable[..., Any]:
    def chinese(page: Any, prog: str, args: str = "", *_: Any, **__: Any) -> None:
        english(page, prog, args, "用法：")

    return _chosen(english, chinese)


def _heading(english: Callable[..., Any]) -> Callable[..., Any]:
    """A Chinese heading ends with a Chinese colon."""

    def chinese(page: Any, heading: str) -> None:
        page.write(f"{'':>{page.current_indent}}{heading}：\n")

    return _chosen(english, chinese)


def _breaking(english: Callable[..., Any]) -> Callable[..., Any]:
    """Lines by the columns that they take; click counts characters and breaks at spaces."""

    def chinese(
        text: str,
        width: int = 78,
        initial_indent: str = "",
        subsequent_indent: str = "",
        preserve_paragraphs: bool = False,
    ) -> str:
        if text.isascii():
            return str(english(text, width, initial_indent, subsequent_indent, preserve_paragraphs))
        parts = [" ".join(part.split()) for part in text.split("\n\n")]
        room = width - len(initial_indent)
        return "\n\n".join(
            "\n".join(f"{initial_indent}{line}" for line in broken(part, room)) for part in parts
        )

    return _chosen(english, chinese)


def broken(text: str, room: int) -> Iterator[str]:
    """Lines of at most so many columns: broken between Chinese characters, or at spaces."""
    line = ""
    for piece in _pieces(text):
        if line and width(line + piece.rstrip()) > room:
            yield line.rstrip()
            line = ""
        line += piece
    yield line.rstrip()


def _pieces(text: str) -> Iterator[str]:
    """What is not broken: a word with its space, a character with the mark that follows."""
    piece = ""
    for char in text:
        joined = char in _PARTS or (piece and piece[-1].isascii() and piece[-1] != " " and char.isascii())
        if piece and not joined:
            yield piece
            piece = ""
        piece += char
    yield piece
