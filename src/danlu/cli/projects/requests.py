"""`danlu request`: what people ask for, and the answers."""

from __future__ import annotations

from typing import Mapping

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.projects.members import ROLES
from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.crud import address, print_list
from danlu.cli.shared.options import WordParam, json_option
from danlu.cli.shared.show import Cells
from danlu.cli.shared.values import CLASSES, AmountsParam, amounts
from danlu.cli.terms import term
from danlu.cli.words import done_said, speak, spoken
from danlu.domain.words import Words
from danlu.sdk import models

PATH = "requests"
STATES = ("open", "approved", "refused", "withdrawn")
COLUMNS = ("ID", "KIND", "USER", "ASKS FOR", "STATE", "WAITS FOR", "NOTE")


@click.group(cls=HelpfulGroup)
def request() -> None:
    """Requests to join a project (danlu project join) or for more quota, and their answers."""


@request.command("ls")
@click.option("--state", type=WordParam((*STATES, "all")), default="open", help="Default: open.")
@click.option("--kind", type=WordParam(("join", "quota")), help="Only these.")
@click.option("--mine/--others", default=None, help="Only your own, or only other people's.")
@json_option
@pass_session
def request_ls(session: CliSession, state: str, kind: str | None, mine: bool | None, as_json: bool) -> None:
    """List your own requests and those you may decide."""
    said = {"state": None if state == "all" else state, "kind": kind, "mine": mine}
    filters = {key: value for key, value in said.items() if value is not None}
    items = session.pages(models.Request, PATH, None, filters)
    print_list(items, as_json, speak("No requests match.", "没有匹配的申请。"), COLUMNS, _row)


@request.command("show")
@click.argument("request_id", metavar="ID")
@json_option
@pass_session
def request_show(session: CliSession, request_id: str, as_json: bool) -> None:
    """Show a request and its answer."""
    found = session.ask(models.Request, "GET", address(PATH, request_id))
    if as_json:
        print_json(found.raw)
        return
    told = found.told
    show.pairs(
        [
            ("id", told.id),
            ("user", told.user),
            ("asks", _what(told)),
            ("note", told.note),
            ("asked", show.local(told.created_at)),
            ("state", show.word(told.state, "request")),
            ("decided by", told.decided_by or ""),
            ("decided", show.local(told.decided_at)),
            ("answer", told.answer),
        ]
    )


@request.command("quota")
@click.argument("wanted", metavar="AMOUNTS", type=AmountsParam())
@click.option(
    "--class", "job_class", type=WordParam((*CLASSES, "all")), default="all", help="The class of jobs."
)
@click.option("--life", metavar="TIME", default="7d", help="For how long; default: 7d.")
@click.option("--note", "said", metavar="TEXT", default="", help="The reason, shown to those who decide.")
@json_option
@pass_session
def request_quota(
    session: CliSession, wanted: Mapping[str, object], job_class: str, life: str, said: str, as_json: bool
) -> None:
    """Ask for more than your quota for a while, such as: danlu request quota gpus=8,memory=256GiB"""
    body = {"kind": "quota", "amounts": {job_class: wanted}, "life": life, "note": said}
    made = session.ask(models.Request, "POST", PATH, body=body)
    if as_json:
        print_json(made.raw)
    else:
        note(
            speak(
                "Asked for {made}. Follow the request with: danlu request show {id}",
                "已申请 {made}。查看申请：danlu request show {id}",
                made=_what(made.told),
                id=made.told.id,
            )
        )


@request.command("approve")
@click.argument("request_id", metavar="ID")
@click.option("--answer", metavar="TEXT", default="", help="An answer to the person who asked.")
@click.option("--role", type=WordParam(ROLES), help="Join requests: the role; default: member.")
@click.option(
    "--amounts",
    "granted",
    type=AmountsParam(),
    metavar="gpus=4,…",
    help="Quota requests: grant these amounts instead.",
)
@click.option(
    "--class", "job_class", type=WordParam((*CLASSES, "all")), help="With --amounts: the class of jobs."
)
@click.option("--life", metavar="TIME", help="Quota requests: grant it for this long instead.")
@json_option
@pass_session
def request_approve(
    session: CliSession,
    request_id: str,
    answer: str,
    role: str | None,
    granted: Mapping[str, object] | None,
    job_class: str | None,
    life: str | None,
    as_json: bool,
) -> None:
    """Approve a request, as asked or on other terms."""
    if job_class is not None and granted is None:
        raise click.UsageError(
            speak(
                "--class needs --amounts.",
                "--class 需要与 --amounts 一起使用。",
            )
        )
    by_class = None if granted is None else {job_class or "all": granted}
    said = {"answer": answer, "role": role, "amounts": by_class, "life": life}
    body = {key: value for key, value in said.items() if value is not None}
    _decide(session, request_id, "approve", body, "Approved", as_json)


@request.command("refuse")
@click.argument("request_id", metavar="ID")
@click.option("--answer", metavar="TEXT", required=True, help="The reason.")
@json_option
@pass_session
def request_refuse(session: CliSession, request_id: str, answer: str, as_json: bool) -> None:
    """Refuse a request, with a reason."""
    _decide(session, request_id, "refuse", {"answer": answer}, "Refused", as_json)


@request.command("withdraw")
@click.argument("request_id", metavar="ID")
@json_option
@pass_session
def request_withdraw(session: CliSession, request_id: str, as_json: bool) -> None:
    """Withdraw your own request."""
    _decide(session, request_id, "withdraw", None, "Withdrew", as_json)


def _decide(
    session: CliSession,
    request_id: str,
    verb: str,
    body: Mapping[str, object] | None,
    done: str,
    as_json: bool,
) -> None:
    found = session.ask(models.Request, "POST", f"{address(PATH, request_id)}/{verb}", body=body)
    if as_json:
        print_json(found.raw)
    else:
        note(speak("{done}: {what}.", "{done}：{what}。", done=done_said(done), what=_sentence(found.told)))


def _row(one: models.Request) -> Cells:
    waits = show.word("you") if one.can_decide else ""
    return [
        one.id,
        show.word(one.kind),
        one.user,
        _what(one),
        show.word(one.state, "request"),
        waits,
        one.note,
    ]


def _what(one: models.Request) -> str:
    if one.kind == "join":
        return speak("to join {project}", "加入 {project}", project=one.subject)
    parts = [
        amounts(counted)
        + ("" if within == "all" else speak(" for {one} jobs", "（{one}）", one=term(within)))
        for within, counted in (one.asked.get("amounts") or {}).items()
    ]
    return speak(
        "{what} for {life}",
        "{what}，为期 {life}",
        what=speak("; ", "；").join(parts),
        life=show.length(one.asked.get("life")),
    )


def _sentence(one: models.Request) -> str:
    said = (
        Words("{user} asks {what}", "{user} 申请{what}")
        if one.kind == "join"
        else Words("{user} asks for {what}", "{user} 申请 {what}")
    )
    return spoken(said.fill(user=one.user, what=_what(one)))
