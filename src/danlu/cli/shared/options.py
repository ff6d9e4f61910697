"""Options and arguments that several commands share."""

from __future__ import annotations

from typing import Any, Callable, TypeVar

import click

from danlu.cli.group import near
from danlu.cli.session import CliSession

F = TypeVar("F", bound=Callable[..., Any])

JOB_STATES = ("created", "queued", "starting", "running", "stopping", "completed", "failed", "stopped")
KINDS = ("workspace", "training", "service")


class WordParam(click.Choice):  # type: ignore[type-arg,unused-ignore]
    """One of a few words; a misspelt one is told its likely meaning."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        choices = [str(choice) for choice in self.choices]
        if value in choices:
            return value
        likely = near(str(value), choices)
        hint = f"did you mean '{likely}'?" if likely else f"choose from {', '.join(choices)}"
        return self.fail(f"'{value}' is none of its words; {hint}", param, ctx)


class JobNameParam(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A job's id, or its name if it is one's own; completed from the server's list."""

    name = "job"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG002
        from click.shell_completion import CompletionItem  # only while completing

        try:
            rows = (
                CliSession().new_http(timeout=1).json("GET", "jobs", {"owner": "me", "limit": 100})["items"]
            )
        except Exception:
            # A shell that is completing has no place for an error.
            return []
        return [
            CompletionItem(row["name"], help=row["state"])
            for row in rows
            if row["name"].startswith(incomplete)
        ]


def job_argument(several: bool = False) -> Callable[[F], F]:
    if several:
        return click.argument("jobs", metavar="JOB...", type=JobNameParam(), nargs=-1, required=True)
    return click.argument("job", metavar="JOB", type=JobNameParam())


def json_option(command: F) -> F:
    option = click.option("--json", "as_json", is_flag=True, help="Print the server's answer as JSON.")
    return option(command)


def limit_option(default: int, about: str = "At most so many; 0 is all.") -> Callable[[F], F]:
    """How many to list; 0 stands for all."""
    return click.option(
        "-n", "--limit", type=click.IntRange(min=0), default=default, show_default=True, help=about
    )


def key_value(pairs: tuple[str, ...], option: str) -> dict[str, str]:
    """`K=V` words as a mapping."""
    found = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise click.BadParameter(f"'{pair}' is not of the form NAME=VALUE.", param_hint=f"'{option}'")
        found[key] = value
    return found
