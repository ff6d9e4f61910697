"""`danlu token` and `danlu user`: keys of one's own, and people."""

from __future__ import annotations

import sys
from typing import Any

import click

from danlu.cli import show
from danlu.cli.group import Group, near
from danlu.cli.options import Word, json_option
from danlu.cli.rules import Words, words
from danlu.cli.session import Session, note, on_terminal, pass_session, print_json
from danlu.sdk.errors import NotFound

ROLES = ("administrator", "engineer", "viewer")


@click.group(cls=Group)
def token() -> None:
    """Keys for scripts, which act in one's own name."""


@token.command("ls")
@json_option
@pass_session
def token_ls(session: Session, as_json: bool) -> None:
    """List one's tokens; the secrets are not kept anywhere."""
    found = session.api("GET", "tokens")
    if as_json:
        print_json(found)
        return
    rows: list[list[str | show.Cell]] = [
        [
            one["id"],
            one.get("name", ""),
            ",".join(one.get("scopes") or []) or "all",
            show.local(one.get("created_at")),
            show.local(one.get("expires_at")) or "never",
            show.local(one.get("last_used_at")) or "never",
        ]
        for one in found["items"]
    ]
    show.table(["ID", "NAME", "SCOPES", "CREATED", "EXPIRES", "LAST USED"], rows)


@token.command("create")
@click.argument("name")
@click.option(
    "--scope",
    "scopes",
    metavar="PERMISSION",
    multiple=True,
    help="Only this, such as job:read; may be repeated.",
)
@click.option("--expires", metavar="TIME", help="After so long, such as 30d; never otherwise.")
@json_option
@pass_session
def token_create(
    session: Session, name: str, scopes: tuple[str, ...], expires: str | None, as_json: bool
) -> None:
    """Make a token and print its secret, this once."""
    made = session.client.create_token(name, scopes, expires)
    if as_json:
        print_json(made.__dict__)
        return
    if on_terminal():
        note(f"Token {made.name} ({made.id}). Keep it now; it is not shown again:")
    click.echo(made.secret)


@token.command("rm")
@click.argument("token_id", metavar="ID")
@pass_session
def token_rm(session: Session, token_id: str) -> None:
    """Remove a token; whoever uses it is locked out at once."""
    session.client.delete_token(token_id)
    note(f"Removed token {token_id}.")


@click.group(cls=Group)
def user() -> None:
    """People; for administrators."""


@user.command("ls")
@json_option
@pass_session
def user_ls(session: Session, as_json: bool) -> None:
    """List people."""
    found = session.api("GET", "users")
    if as_json:
        print_json(found)
        return
    rows: list[list[str | show.Cell]] = [
        [
            one["name"],
            one.get("display_name") or "",
            one.get("role", ""),
            words(one.get("groups")),
            "disabled" if one.get("disabled") else "",
            show.local(one.get("created_at")),
        ]
        for one in found["items"]
    ]
    show.table(["NAME", "CALLED", "ROLE", "GROUPS", "STATE", "CREATED"], rows)


@user.command("create")
@click.argument("name")
@click.option("--role", type=Word(ROLES), default="engineer", show_default=True, help="What they may do.")
@click.option("--display-name", metavar="TEXT", help="What they are called.")
@click.option("--groups", type=Words(), metavar="GROUP,…", help="Groups, for priority classes.")
@click.option("--password-stdin", is_flag=True, help="Read the first password from standard input.")
@json_option
@pass_session
def user_create(
    session: Session, /, name: str, role: str, password_stdin: bool, as_json: bool, **options: Any
) -> None:
    """Add a person."""
    more = {"password": _password(password_stdin), **options}
    made = session.client.create_user(name, role, **{key: value for key, value in more.items() if value})
    _tell(made.__dict__, f"Added {made.name} as {made.role}.", as_json)


@user.command("edit")
@click.argument("name")
@click.option("--role", type=Word(ROLES), help="What they may do.")
@click.option("--display-name", metavar="TEXT", help="What they are called.")
@click.option("--groups", type=Words(), metavar="GROUP,…", help="Groups, for priority classes; '' is none.")
@click.option("--disable/--enable", "disabled", default=None, help="Whether they may sign in.")
@click.option("--password-stdin", is_flag=True, help="Read a new password from standard input.")
@json_option
@pass_session
def user_edit(session: Session, /, name: str, password_stdin: bool, as_json: bool, **options: Any) -> None:
    """Change a person's role, name, password, or whether they may sign in."""
    changes = {key: value for key, value in options.items() if value is not None}
    if password_stdin:
        changes["password"] = _password(True)
    if not changes:
        raise click.UsageError(
            "nothing to change: give --role, --display-name, --groups, --disable, --enable or --password-stdin."
        )
    try:
        made = session.client.edit_user(name, **changes)
    except NotFound as error:
        raise _unknown(session, name) from error
    _tell(made.__dict__, f"Changed {name}.", as_json)


@user.command("rm")
@click.argument("name")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@pass_session
def user_rm(session: Session, name: str, yes: bool) -> None:
    """Remove a person; the name is never given to anybody else."""
    if not yes and sys.stdin.isatty() and on_terminal():
        click.confirm(f"Remove {name}?", abort=True)
    try:
        session.client.delete_user(name)
    except NotFound as error:
        raise _unknown(session, name) from error
    note(f"Removed {name}.")


def _unknown(session: Session, name: str) -> NotFound:
    likely = near(name, [one.name for one in session.client.users()])
    hint = f" Did you mean '{likely}'?" if likely else " 'danlu user ls' lists people."
    return NotFound(f"there is no user '{name}'.{hint}")


def _password(from_stdin: bool) -> str | None:
    """From a pipe, or asked twice on a terminal."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if sys.stdin.isatty() and sys.stderr.isatty():
        asked: str = click.prompt("Password for them", hide_input=True, confirmation_prompt=True, err=True)
        return asked
    return None


def _tell(made: Any, sentence: str, as_json: bool) -> None:
    if as_json:
        print_json(made)
    else:
        note(sentence)
