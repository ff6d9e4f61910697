"""`danlu project join`, `members` and so on: the members of a project, and its current share."""

from __future__ import annotations

from typing import Any, Mapping

import click

from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.asking import surely, yes_option
from danlu.cli.shared.crud import address
from danlu.cli.shared.options import WordParam, json_option
from danlu.cli.shared.rosters import ADDED, NOT_IN_IT, REMOVED, change_members, roster, roster_options
from danlu.cli.shared.show import Cells
from danlu.cli.shared.values import words
from danlu.cli.terms import term
from danlu.cli.words import described, speak
from danlu.domain.words import Words, say
from danlu.sdk import models

PATH = "projects"
ROLES = ("creator", "member", "viewer")
COLUMNS = ("USER", "NAME", "ROLE", "SINCE", "BY")
USABLE = ("NAME", "YOU", "STATE", "PRIORITIES", "DESCRIPTION")
LEFT = ("CLASS", "RESOURCE", "LEFT", "USED", "LIMIT", "QUOTA")
SHARES = ("RESOURCE", "HOLDS", "QUEUED", "DESERVES", "GUARANTEE", "CAP")


@click.command("usable")
@json_option
@pass_session
def usable(session: CliSession, as_json: bool) -> None:
    """List the projects you may queue jobs in, and what is left of your quotas."""
    found = session.ask(models.UsableProjects, "GET", "me/projects")
    if as_json:
        print_json(found.raw)
        return
    told = found.told
    if not told.items:
        note(
            speak(
                "There is no project you may queue jobs in. Ask to join one with: danlu project join NAME",
                "没有你可以提交任务的项目组。申请加入：danlu project join NAME",
            )
        )
    else:
        show.table(USABLE, [_usable(one) for one in told.items])
    if told.left:
        show.echo("")
        show.table(LEFT, [_left(one) for one in told.left], right=("LEFT", "USED", "LIMIT"))


@click.command("join")
@click.argument("name", metavar="PROJECT")
@click.option("--note", "said", metavar="TEXT", default="", help="The reason, shown to those who decide.")
@json_option
@pass_session
def join(session: CliSession, name: str, said: str, as_json: bool) -> None:
    """Ask to join a project; its creators and administrators decide."""
    body = {"kind": "join", "subject": name, "note": said}
    made = session.ask(models.Request, "POST", "requests", body=body)
    if as_json:
        print_json(made.raw)
        return
    note(
        speak(
            "Asked to join project {name}. Follow the request with: danlu request show {id}",
            "已申请加入项目组 {name}。查看申请：danlu request show {id}",
            name=name,
            id=made.told.id,
        )
    )


@click.command("leave")
@click.argument("name", metavar="PROJECT")
@yes_option
@pass_session
def leave(session: CliSession, name: str, yes: bool) -> None:
    """Leave a project; your running jobs continue."""
    surely(
        speak(
            "Leave project {name}? Only those who manage it can let you in again.",
            "退出项目组 {name}？之后只有其管理者才能让你重新加入。",
            name=name,
        ),
        yes,
    )
    session.do("DELETE", _member(name, session.myself()))
    note(speak("Left project {name}.", "已退出项目组 {name}。", name=name))


@click.command("members")
@click.argument("name", metavar="PROJECT")
@json_option
@pass_session
def members(session: CliSession, name: str, as_json: bool) -> None:
    """List the members of a project, creators first."""
    found = session.listing(models.Member, f"{address(PATH, name)}/members")
    if as_json:
        print_json(found.raw)
    elif not found.items:
        note(
            speak(
                "Project {name} has no members. Add people with: danlu project add-members {name} USER…",
                "项目组 {name} 没有成员。添加成员：danlu project add-members {name} USER…",
                name=name,
            )
        )
    else:
        show.table(COLUMNS, [_row(one) for one in found.told])


@click.command("add-members")
@click.argument("name", metavar="PROJECT")
@roster_options
@click.option(
    "--role",
    type=WordParam(ROLES),
    default="member",
    help="Their role; a column `role` in the table takes precedence.",
)
@json_option
@pass_session
def add_members(
    session: CliSession,
    name: str,
    names: tuple[str, ...],
    path: str | None,
    role: str,
    preview: bool,
    as_json: bool,
) -> None:
    """Add people to a project: by name, or from a file or pasted text (also CSV with columns `name` and `role`)."""
    body = {**roster(names, path), "role": role, "preview": preview}
    change_members(
        session, address(PATH, name), body, ADDED.fill(name=name), Words("Already so", "已是如此"), as_json
    )


@click.command("remove-members")
@click.argument("name", metavar="PROJECT")
@roster_options
@json_option
@pass_session
def remove_members(
    session: CliSession, name: str, names: tuple[str, ...], path: str | None, preview: bool, as_json: bool
) -> None:
    """Remove people from a project; their running jobs continue."""
    body = {**roster(names, path), "remove": True, "preview": preview}
    change_members(session, address(PATH, name), body, REMOVED.fill(name=name), NOT_IN_IT, as_json)


@click.command("set-member")
@click.argument("name", metavar="PROJECT")
@click.argument("user")
@click.argument("role", type=WordParam(ROLES))
@json_option
@pass_session
def set_member(session: CliSession, name: str, user: str, role: str, as_json: bool) -> None:
    """Set a member's role in a project: creator, member or viewer."""
    found = session.do("PUT", _member(name, user), body={"role": role})
    if as_json:
        print_json(found)
    else:
        note(
            speak(
                "{user} is a {what} of project {name}.",
                "{user} 现在是项目组 {name} 的{what}。",
                user=user,
                what=term(role, "member"),
                name=name,
            )
        )


@click.command("standing")
@click.argument("name", metavar="PROJECT")
@json_option
@pass_session
def standing(session: CliSession, name: str, as_json: bool) -> None:
    """Show what a project uses, waits for and deserves now."""
    found = session.ask(models.Standing, "GET", f"{address(PATH, name)}/standing")
    if as_json:
        print_json(found.raw)
        return
    told = found.told
    show.table(SHARES, [_share(one) for one in told.amounts], right=SHARES[1:])
    drawn = say("; it uses the share of {account}", "；使用 {account} 的份额", account=told.account)
    note(
        speak(
            "{running} jobs running, {queued} waiting{drawn}.",
            "{running} 个任务运行中，{queued} 个队列中{drawn}。",
            running=told.running,
            queued=told.queued,
            drawn="" if told.account == name else drawn,
        )
    )


COMMANDS = (usable, join, leave, members, add_members, remove_members, set_member, standing)


def _member(project: str, user: str) -> str:
    return address(f"{address(PATH, project)}/members", user)


def _row(one: models.Member) -> Cells:
    return [one.user, one.display_name, show.word(one.role, "member"), show.local(one.since), one.by]


def _usable(one: models.UsableProject) -> Cells:
    state = show.word("closed" if one.closed else "open")
    return [
        one.name,
        show.word(one.my_role or "-", "member"),
        state,
        words(one.priorities, "-"),
        described("project", one.name, one.description),
    ]


def _left(one: models.QuotaLeft) -> Cells:
    def amount(value: float) -> str:
        return show.size(value) if one.resource == "memory" else show.number(value)

    left = amount(one.left)
    shown = left if one.left else show.Cell(left, "yellow")
    return [
        show.word(one.job_class),
        show.word(one.resource),
        shown,
        amount(one.used),
        amount(one.limit),
        one.quota,
    ]


def _share(one: Mapping[str, Any]) -> Cells:
    def amount(key: str) -> str:
        value = one.get(key)
        if value is None:
            return "-"
        return show.size(value) if one["resource"] == "memory" else show.number(value)

    return [
        show.word(one["resource"]),
        *(amount(key) for key in ("held", "queued", "deserved", "guarantee", "cap")),
    ]
