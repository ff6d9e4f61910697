"""Groups of commands that load a command when it is called, and guess what a misspelt one meant."""

from __future__ import annotations

import importlib
from typing import Any, Mapping, Sequence

import click

from danlu.cli.words import language, meant, speak
from danlu.domain.words import say


def near(word: str, choices: Sequence[str]) -> str | None:
    """The likely meaning of a misspelt word."""
    from difflib import get_close_matches  # only for mistakes

    found = get_close_matches(word.lower(), [choice.lower() for choice in choices], n=1, cutoff=0.55)
    return next((choice for choice in choices if found and choice.lower() == found[0]), None)


class ReaderLeft(Exception):
    """Whoever read our output has left, as `head` does. Click would make an exit code 1 of a BrokenPipeError."""


class NoSuchCommand(click.UsageError):
    """A misspelt command; `helped` where the sentence itself names the help."""

    def __init__(self, message: str, ctx: click.Context, helped: bool) -> None:
        super().__init__(message, ctx)
        self.helped = helped


class HelpfulGroup(click.Group):
    """A group that suggests commands for an unknown one."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            choices = [one for one in self.list_commands(ctx) if not self._is_hidden(ctx, one)]
            theirs = [word for word in _MEANT.get(name, "").split() if word in choices]
            likely = theirs[0] if theirs else near(name, choices)
            path = ctx.command_path
            lists = say("'{path} --help' lists them.", "{path} --help 列出全部。", path=path)
            hint = meant(f"{path} {likely}" if likely else None, lists)
            wrong = speak(
                "there is no command '{name}'.{hint}", "没有命令“{name}”。{hint}", name=name, hint=hint
            )
            raise NoSuchCommand(wrong, ctx, helped=not likely)
        return super().resolve_command(ctx, args)

    def _is_hidden(self, ctx: click.Context, name: str) -> bool:
        command = self.get_command(ctx, name)
        return command is not None and command.hidden


class LazyGroup(HelpfulGroup):
    """A group whose commands live in other modules: name → "module:command", by sections of the help."""

    def __init__(self, *args: Any, sections: Mapping[str, Mapping[str, str]], **more: Any) -> None:
        super().__init__(*args, **more)
        self.sections = sections
        self._where = {name: where for section in sections.values() for name, where in section.items()}

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderLeft from error

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self._where)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        where = self._where.get(cmd_name)
        if where is None:
            return None
        module, _, name = where.partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def _is_hidden(self, ctx: click.Context, name: str) -> bool:  # noqa: ARG002
        return False  # looking would load them all

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, section in self.sections.items():
            rows = []
            for name in section:
                command = self.get_command(ctx, name)
                if command is not None and not command.hidden:
                    rows.append((name, command.get_short_help_str(limit=100)))
            with formatter.section(title_said(title)):
                formatter.write_dl(rows)


def title_said(english: str) -> str:
    if language() == "en":
        return english
    from danlu.cli.chinese import paragraphs  # only for those who read it

    return paragraphs(english)


# Words of other tools that spelling alone would not lead to ours.
_MEANT = {
    "list": "ls",
    "ps": "ls",
    "jobs": "ls",
    "status": "show",
    "describe": "show",
    "get": "show",
    "info": "show",
    "delete": "rm",
    "remove": "rm",
    "del": "rm",
    "kill": "stop",
    "cancel": "stop",
    "log": "logs",
    "tail": "logs",
    "attach": "exec",
    "shell": "exec",
    "ssh": "exec",
    "add": "create edit",
    "create": "add edit",
    "new": "create add",
    "update": "edit",
    "set": "edit",
    "signin": "login",
    "auth": "login",
    "node": "nodes",
    "gpus": "nodes",
    "users": "user",
    "projects": "project",
    "clusters": "cluster",
    "kubernetes": "cluster",
    "k8s": "cluster",
    "queues": "project",
    "quotas": "quota",
    "windows": "maintenance",
    "taint": "label",
    "tokens": "token",
    "contexts": "context",
    "serve": "up",
    "launch": "run",
}
