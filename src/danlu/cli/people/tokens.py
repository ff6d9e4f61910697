"""`danlu token`: tokens for scripts."""

from __future__ import annotations

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.session import CliSession, note, on_terminal, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.asking import surely, yes_option
from danlu.cli.shared.crud import print_list
from danlu.cli.shared.options import json_option
from danlu.cli.shared.show import Cells
from danlu.cli.words import speak
from danlu.sdk import models

COLUMNS = ["ID", "NAME", "SCOPES", "CREATED", "EXPIRES", "LAST USED"]


@click.group(cls=HelpfulGroup)
def token() -> None:
    """Tokens for scripts, which act in your name."""


@token.command("ls")
@click.option("--all", "everybodys", is_flag=True, help="List everybody's tokens; for administrators.")
@click.option("--user", metavar="USER", help="List the tokens of this person; for administrators.")
@json_option
@pass_session
def token_ls(session: CliSession, everybodys: bool, user: str | None, as_json: bool) -> None:
    """List your tokens; their secrets are not stored."""
    if everybodys or user:
        items = session.pages(models.AnybodysToken, "all-tokens", None, {"user": user} if user else {})
        print_list(
            items, as_json, speak("There are no tokens.", "没有令牌。"), ["USER", *COLUMNS], _anybodys_row
        )
        return
    found = session.listing(models.Token, "tokens")
    if as_json:
        print_json(found.raw)
        return
    show.table(COLUMNS, [_row(one) for one in found.told])


def _anybodys_row(one: models.AnybodysToken) -> Cells:
    return [one.user, *_row(one)]


def _row(one: models.Token | models.AnybodysToken) -> Cells:
    return [
        one.id,
        one.name,
        ",".join(one.scopes) or show.word("all"),
        show.local(one.created_at),
        show.local(one.expires_at) or show.word("never", "expires"),
        show.local(one.last_used_at) or show.word("never"),
    ]


@token.command("create")
@click.argument("name")
@click.option(
    "--scope",
    "scopes",
    metavar="PERMISSION",
    multiple=True,
    help="Allow only this, such as job:read; may be repeated.",
)
@click.option(
    "--expires",
    metavar="TIME",
    help="Expires after this long, such as 30d; default: with the token in use. 'never' needs token:extend.",
)
@json_option
@pass_session
def token_create(
    session: CliSession, name: str, scopes: tuple[str, ...], expires: str | None, as_json: bool
) -> None:
    """Create a token and print its secret, once."""
    made = session.client.people.tokens.create(name, scopes, expires)
    if as_json:
        print_json(made.__dict__)
        return
    if on_terminal():
        note(
            speak(
                "Token {name} ({id}). Copy it now; it is not shown again:",
                "令牌 {name}（{id}）。请立即复制，之后不再显示：",
                name=made.name,
                id=made.id,
            )
        )
    show.echo(made.secret or "")


@token.command("rm")
@click.argument("token_id", metavar="ID")
@click.option("--all", "anybodys", is_flag=True, help="Also if it is somebody else's; for administrators.")
@yes_option
@pass_session
def token_rm(session: CliSession, token_id: str, anybodys: bool, yes: bool) -> None:
    """Remove a token and those made with it; scripts that use them lose access at once."""
    surely(
        speak(
            "Remove token {token_id} and those made with it? Scripts that use them lose access at once.",
            "移除令牌 {token_id} 以及用它创建的令牌？使用它们的脚本会立即失去访问权限。",
            token_id=token_id,
        ),
        yes,
    )
    session.client.people.tokens.delete(token_id, anybodys)
    note(speak("Removed token {token_id}.", "已移除令牌 {token_id}。", token_id=token_id))
