"""The options of whatever transfers: what is taken, and how."""

from __future__ import annotations

import os
from typing import Any, Callable, Mapping, Sequence

import click

from danlu.cli.shared.options import WordParam
from danlu.cli.words import speak

EXISTING = ("update", "overwrite", "refuse")
_OPTIONS: Sequence[Any] = (
    click.option("--ref", metavar="REF", help="The branch, tag or commit of a Git repository."),
    click.option("--include", metavar="GLOB", multiple=True, help="Only paths like this; may be repeated."),
    click.option("--exclude", metavar="GLOB", multiple=True, help="No paths like this; may be repeated."),
    click.option(
        "--existing",
        type=WordParam(EXISTING),
        help="Files that are there: update replaces those that differ, overwrite all, refuse fails.",
    ),
    click.option("--sha256", metavar="HEX", help="What the one file at a URL must have."),
    click.option("--unpack", is_flag=True, help="The one file is an archive: unpack it into PLACE."),
    click.option("--user", metavar="NAME", help="The user to sign in with there; asks for the password."),
    click.option(
        "--token",
        is_flag=True,
        help="Sign in there with a token instead; asks for it. Both may be in DANLU_LOGIN_SECRET.",
    ),
)


def with_wish(command: Callable[..., object]) -> Callable[..., object]:
    """A command with these options."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def body_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """As the API wants it. What is secret is never in an argument, which others see."""
    kept = {key: value for key, value in options.items() if key not in ("user", "token") and value}
    body = {key: list(value) if isinstance(value, tuple) else value for key, value in kept.items()}
    user, token = options.get("user"), options.get("token")
    if user and token:
        raise click.UsageError(speak("give --user or --token.", "请只给出 --user 或 --token 之一。"))
    if user or token:
        asked = speak("Token", "令牌") if token else speak("Password", "密码")
        secret = os.environ.get("DANLU_LOGIN_SECRET") or click.prompt(asked, hide_input=True, err=True)
        body["login"] = {"user": user or "", "secret": secret}
    return body
