"""`danlu password`: change one's own password."""

from __future__ import annotations

import sys

import click

from danlu.cli.session import CliSession, note, pass_session
from danlu.cli.words import speak


@click.command()
@click.option("--end-tokens", is_flag=True, help="Also revoke all your tokens, except the one in use.")
@click.option("--keep-sessions", is_flag=True, help="Do not sign out your browsers.")
@click.option(
    "--stdin",
    "piped",
    is_flag=True,
    help="Read the current and the new password from standard input, a line each.",
)
@pass_session
def password(session: CliSession, end_tokens: bool, keep_sessions: bool, piped: bool) -> None:
    """Change your password; your browsers are signed out."""
    if piped:
        current, new = (sys.stdin.readline().rstrip("\r\n") for _ in range(2))
    elif sys.stdin.isatty():
        current = click.prompt(speak("Current password", "当前密码"), hide_input=True, err=True)
        new = click.prompt(
            speak("New password", "新密码"), hide_input=True, confirmation_prompt=True, err=True
        )
    else:
        raise click.UsageError(
            speak(
                "there is no terminal to ask for a password: give --stdin.",
                "当前不是终端，无法询问密码：请给出 --stdin。",
            )
        )
    session.client.people.set_password(new, current, not keep_sessions, end_tokens)
    note(speak("The password is changed.", "密码已修改。"))
