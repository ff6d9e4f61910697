"""What the command line shows besides sentences: help texts, headings of tables, and labels of facts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click

from danlu.cli import main

ROOT = Path(main.__file__).parent
HEADING = re.compile(r"([A-Z][A-Z ]*[A-Z]|ID)(\|[a-z]+)?")
_LISTS = ("COLUMNS", "SIZE", "SHARES")
"""Names that lists of headings have where they are declared."""


def helps() -> set[str]:
    """Paragraphs of help, and titles of its sections."""
    return {*main.SECTIONS, *_of(main.cli, click.Context(main.cli))}


def _of(command: click.Command, context: click.Context) -> Iterator[str]:
    yield from paragraphs(command.help)
    for param in command.params:
        yield from paragraphs(getattr(param, "help", None))
    for name in command.list_commands(context) if isinstance(command, click.Group) else ():
        found = command.get_command(context, name)  # type: ignore[attr-defined]
        if found is not None and not found.hidden:
            yield from _of(found, click.Context(found))


def paragraphs(text: str | None) -> list[str]:
    return [" ".join(part.split()) for part in (text or "").split("\n\n") if part.strip()]


def headings() -> set[str]:
    """Headings of tables and labels of facts, from the sources."""
    return {text for path in ROOT.rglob("*.py") for text in _shown(ast.parse(path.read_text("utf-8")))}


def _shown(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.List, ast.Tuple)):
            yield from (word for word in _words(node) if HEADING.fullmatch(word))
        if isinstance(node, ast.FunctionDef) and ast.unparse(node.returns or ast.Constant("")) == "Facts":
            yield from _labels(node)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("pairs", "show"):
            yield from _labels(node)


def _words(node: ast.List | ast.Tuple) -> list[str]:
    return [one.value for one in node.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def _labels(node: ast.AST) -> Iterator[str]:
    for pair in ast.walk(node):
        if isinstance(pair, ast.Tuple) and len(pair.elts) == 2:
            first = pair.elts[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value
