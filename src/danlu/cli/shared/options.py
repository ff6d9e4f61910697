"""Options and arguments that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, TypeVar

import click

from danlu.cli.group import near
from danlu.cli.session import CliSession, Listing
from danlu.cli.shared.values import not_a_pair
from danlu.cli.words import speak
from danlu.domain.words import listed, one_line, say
from danlu.sdk import models

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

F = TypeVar("F", bound=Callable[..., object])

JOB_STATES = ("created", "queued", "starting", "running", "stopping", "completed", "failed", "stopped")
KINDS = ("workspace", "training", "service")


whole_folders: Callable[[F], F] = click.option(
    "-r", "-R", "--recursive", is_flag=True, hidden=True, expose_value=False
)
"""What fingers type after cp and rm: folders come with all that is in them anyway."""


class WordParam(click.Choice):  # type: ignore[type-arg,unused-ignore]
    """One of a few words; for a misspelt one, suggests the likely one."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        choices = [str(choice) for choice in self.choices]
        if value in choices:
            return str(value)
        likely = near(str(value), choices)
        hint = (
            say("did you mean '{likely}'?", "你是想写“{likely}”吗？", likely=likely)
            if likely
            else say("choose from {choices}", "可选：{choices}", choices=listed(choices))
        )
        wrong = speak(
            "'{value}' is not one of the choices; {hint}", "“{value}”无效；{hint}", value=value, hint=hint
        )
        return self.fail(wrong, param, ctx)


class JobNameParam(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A job's id, or the name of one of your own; completed from the server's list."""

    name = "job"

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem  # only while completing

        try:
            http = CliSession().new_http(timeout=1)
            rows = Listing(models.JobRow, http.json("GET", "jobs", {"owner": "me", "limit": 100})).told
        except Exception:
            # A shell that is completing has no place for an error.
            return []
        return [
            CompletionItem(row.title, help=one_line(row.state))
            for row in rows
            if row.title.startswith(incomplete) and one_line(row.title) == row.title
        ]


def job_argument(several: bool = False) -> Callable[[F], F]:
    if several:
        return click.argument("jobs", metavar="JOB...", type=JobNameParam(), nargs=-1, required=True)
    return click.argument("job", metavar="JOB", type=JobNameParam())


def json_option(command: F) -> F:
    option = click.option("--json", "as_json", is_flag=True, help="Print the server's answer as JSON.")
    return option(command)


def limit_option(default: int, about: str = "List at most this many; 0 is all.") -> Callable[[F], F]:
    """How many to list; 0 means all."""
    return click.option(
        "-n", "--limit", type=click.IntRange(min=0), default=default, show_default=True, help=about
    )


def key_value(pairs: tuple[str, ...], option: str) -> dict[str, str]:
    """`K=V` words as a mapping."""
    found = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise click.BadParameter(not_a_pair(pair), param_hint=f"'{option}'")
        found[key] = value
    return found
