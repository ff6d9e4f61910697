"""`danlu transfer`: data on its way into volumes, carried out by the server; `danlu import` is its short form."""

from __future__ import annotations

import os
from typing import Any

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.asking import surely, yes_option
from danlu.cli.shared.crud import address, print_list, told
from danlu.cli.shared.options import WordParam, json_option
from danlu.cli.transfers.schedules import schedule
from danlu.cli.transfers.watching import facts, row, tell_end, waited
from danlu.cli.transfers.wishes import body_of, with_wish
from danlu.cli.words import speak, spoken
from danlu.domain.words import Words, one_line
from danlu.sdk import models

PATH = "transfers"
STATES = ("queued", "running", "completed", "failed", "cancelled")
COLUMNS = ("ID", "STATE", "PROGRESS", "RATE", "SOURCE", "TARGET", "CREATED", "PROBLEM")
EMPTY = Words(
    "There are no transfers. Begin one: danlu import https://HOST/FILE VOLUME:/path",
    "没有传输。可以这样开始：danlu import https://主机/文件 VOLUME:/path",
)


@click.group(cls=HelpfulGroup)
def transfer() -> None:
    """Transfers: data on its way into volumes, carried out by the server, which survives restarts.

    A source is https://HOST/FILE, git+https://HOST/REPOSITORY, VOLUME:/path or OWNER:VOLUME:/path."""


@transfer.command("create")
@click.argument("source")
@click.argument("target", metavar="PLACE")
@with_wish
@click.option("--wait", is_flag=True, help="Wait for its end, and show how far it is.")
@json_option
@pass_session
def transfer_create(
    session: CliSession, /, source: str, target: str, wait: bool, as_json: bool, **wish: Any
) -> None:
    """Begin to transfer SOURCE to a place in a volume; with / at its end, the place is a folder."""
    _begin(session, source, target, wish, wait, as_json)


@click.command("import")
@click.argument("source")
@click.argument("target", metavar="PLACE")
@with_wish
@click.option("-d", "--detach", is_flag=True, help="Do not wait for its end.")
@json_option
@pass_session
def import_(
    session: CliSession, /, source: str, target: str, detach: bool, as_json: bool, **wish: Any
) -> None:
    """Let the server fetch SOURCE into a volume, and wait for it.

    SOURCE is https://HOST/FILE, git+https://HOST/REPOSITORY, VOLUME:/path or OWNER:VOLUME:/path. Interrupting stops
    only the waiting."""
    _begin(session, source, target, wish, not detach, as_json)


@transfer.command("ls")
@click.option("--owner", metavar="NAME", help="Only this person's; 'me' is yourself.")
@click.option("--state", type=WordParam(STATES), help="Only transfers in this state.")
@json_option
@pass_session
def transfer_ls(session: CliSession, owner: str | None, state: str | None, as_json: bool) -> None:
    """List transfers, the latest first."""
    found = session.pages(models.Transfer, PATH, None, {"owner": owner, "state": state})
    print_list(found, as_json, spoken(EMPTY), COLUMNS, row, ["PROGRESS", "RATE"])


@transfer.command("show")
@click.argument("transfer_id", metavar="ID")
@click.option("--wait", is_flag=True, help="Wait for its end, and show how far it is.")
@json_option
@pass_session
def transfer_show(session: CliSession, transfer_id: str, wait: bool, as_json: bool) -> None:
    """Show a transfer, and how far it is."""
    over = waited(session, transfer_id) if wait else None
    found = session.ask(models.Transfer, "GET", address(PATH, transfer_id))
    if as_json:
        print_json(found.raw)
    else:
        show.pairs(facts(found.told))
    if over is not None and over.state != "completed":
        raise click.exceptions.Exit(1)


@transfer.command("cancel")
@click.argument("transfer_id", metavar="ID")
@json_option
@pass_session
def transfer_cancel(session: CliSession, transfer_id: str, as_json: bool) -> None:
    """Cancel a transfer; what is in its place stays, and it can be resumed."""
    _done(
        session,
        transfer_id,
        "cancel",
        speak("Transfer {id} is cancelled.", "传输 {id} 已取消。", id=transfer_id),
        as_json,
    )


@transfer.command("resume")
@click.argument("transfer_id", metavar="ID")
@click.option("--wait", is_flag=True, help="Wait for its end, and show how far it is.")
@json_option
@pass_session
def transfer_resume(session: CliSession, transfer_id: str, wait: bool, as_json: bool) -> None:
    """Go on with a transfer that failed or was cancelled."""
    sentence = speak("Transfer {id} goes on.", "传输 {id} 继续进行。", id=transfer_id)
    _done(session, transfer_id, "resume", sentence, as_json and not wait)
    if wait:
        _tell(session, waited(session, transfer_id), as_json)


@transfer.command("rm")
@click.argument("transfer_id", metavar="ID")
@yes_option
@pass_session
def transfer_rm(session: CliSession, transfer_id: str, yes: bool) -> None:
    """Delete the record of a transfer that is over; what was transferred stays."""
    surely(speak("Delete the record of transfer {id}?", "删除传输 {id} 的记录？", id=transfer_id), yes)
    session.client.transfers.delete(transfer_id)
    note(told("Removed", "transfer", transfer_id))


transfer.add_command(schedule)


def _begin(
    session: CliSession, source: str, target: str, wish: dict[str, Any], wait: bool, as_json: bool
) -> None:
    _refuse_local(source, target)
    body = {"source": source, "target": target, **body_of(wish)}
    made = session.ask(models.Transfer, "POST", PATH, body=body)
    if wait:
        _tell(session, waited(session, made.told.id), as_json)
    elif as_json:
        print_json(made.raw)
    else:
        note(
            speak(
                "Transfer {id} has begun. How far it is: danlu transfer show {id}",
                "传输 {id} 已开始。查看进度：danlu transfer show {id}",
                id=made.told.id,
            )
        )


def _refuse_local(source: str, target: str) -> None:
    """The server does not see this machine's files."""
    if source.startswith(("/", "./", "../", "~")) or (":" not in source and os.path.exists(source)):
        raise click.UsageError(
            speak(
                "{source} is on this machine, where the server cannot fetch it; send it: danlu cp {source} {target}",
                "{source} 在本机，服务端无法读取；请从本机发送：danlu cp {source} {target}",
                source=one_line(source),
                target=one_line(target),
            )
        )


def _tell(session: CliSession, one: models.Transfer, as_json: bool) -> None:
    if as_json:
        print_json(session.do("GET", address(PATH, one.id)))
        if one.state != "completed":
            raise click.exceptions.Exit(1)
    else:
        tell_end(one)


def _done(session: CliSession, transfer_id: str, act: str, sentence: str, as_json: bool) -> None:
    answer = session.do("POST", f"{address(PATH, transfer_id)}/{act}", body={})
    if as_json:
        print_json(answer)
    else:
        note(sentence)
