"""`danlu key` and `danlu me`: your own SSH keys and account."""

from __future__ import annotations

import os

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.people.users import about, belonging
from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.asking import surely, yes_option
from danlu.cli.shared.crud import address
from danlu.cli.shared.files import load_plain
from danlu.cli.shared.options import json_option
from danlu.cli.shared.values import words
from danlu.cli.words import speak
from danlu.sdk import models

COLUMNS = ("ID", "NAME", "TYPE", "FINGERPRINT", "ADDED")
MOST_BYTES = 64 << 10


@click.group(cls=HelpfulGroup)
def key() -> None:
    """SSH keys, kept for SSH to workspaces, which is not available yet; use danlu exec until then."""


@key.command("ls")
@click.option("--user", metavar="NAME", help="Of another user (administrators only).")
@json_option
@pass_session
def key_ls(session: CliSession, user: str | None, as_json: bool) -> None:
    """List your keys."""
    path = "me/keys" if user is None else f"{address('users', user)}/keys"
    found = session.listing(models.SshKey, path)
    if as_json:
        print_json(found.raw)
    elif not found.items:
        note(
            speak(
                "There are no keys. Add one with: danlu key add ~/.ssh/id_ed25519.pub",
                "没有密钥。可以这样添加：danlu key add ~/.ssh/id_ed25519.pub",
            )
        )
    else:
        show.table(
            COLUMNS,
            [[one.id, one.name, one.type, one.fingerprint, show.local(one.created_at)] for one in found.told],
        )


@key.command("add")
@click.argument("path", metavar="FILE")
@click.option("--name", metavar="TEXT", help="Its name; default: its comment, or the file's name.")
@json_option
@pass_session
def key_add(session: CliSession, path: str, name: str | None, as_json: bool) -> None:
    """Add the public key in FILE, such as ~/.ssh/id_ed25519.pub; - is standard input."""
    text = load_plain(path, MOST_BYTES).decode("utf-8", "replace").strip()
    if "PRIVATE KEY-----" in text or text.startswith("PuTTY-User-Key-File"):
        raise click.UsageError(
            speak(
                "{path} is a PRIVATE key and was not sent. Add the public key instead: {path}.pub",
                "{path} 是私钥，未发送。请添加对应的公钥：{path}.pub",
                path=path,
            )
        )
    body = {"name": name or _name(text, path), "key": text}
    made = session.ask(models.SshKey, "POST", "me/keys", body=body)
    if as_json:
        print_json(made.raw)
    else:
        note(
            speak(
                "Added {name}: {type} {fingerprint}.",
                "已添加 {name}：{type} {fingerprint}。",
                name=made.told.name,
                type=made.told.type,
                fingerprint=made.told.fingerprint,
            )
        )


@key.command("rm")
@click.argument("key_id", metavar="ID")
@yes_option
@pass_session
def key_rm(session: CliSession, key_id: str, yes: bool) -> None:
    """Remove a key; it no longer gives access."""
    surely(
        speak(
            "Remove key {key_id}? It no longer gives access.",
            "移除密钥 {key_id}？此后无法再用它访问。",
            key_id=key_id,
        ),
        yes,
    )
    session.do("DELETE", address("me/keys", key_id))
    note(speak("Removed key {key_id}.", "已移除密钥 {key_id}。", key_id=key_id))


@click.command()
@json_option
@pass_session
def me(session: CliSession, as_json: bool) -> None:
    """Show your account, permissions, groups and projects."""
    found = session.ask(models.Me, "GET", "me")
    if as_json:
        print_json(found.raw)
        return
    told = found.told
    show.pairs(
        [
            *about(told.user),
            ("projects", belonging(told.projects)),
            ("everybody's things", words(told.everywhere)),
        ]
    )


def _name(text: str, path: str) -> str:
    """The key's comment, which is mostly who and where; else the file's name."""
    comment = text.split(None, 2)[2:] if "\n" not in text else []
    base = os.path.basename(path) if path != "-" else "key"
    return (comment[0] if comment else base)[:100]
