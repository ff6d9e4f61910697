"""`danlu user`: people and their accounts."""

from __future__ import annotations

import functools
import sys
from typing import Callable, Mapping, Sequence, TypeVar

import click

from danlu.cli.group import HelpfulGroup, near
from danlu.cli.session import Answer, CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.asking import can_ask, surely, yes_option
from danlu.cli.shared.crud import address, print_list, said, something
from danlu.cli.shared.options import WordParam, json_option
from danlu.cli.shared.show import Cells, Facts
from danlu.cli.shared.values import WordsParam, words
from danlu.cli.terms import term
from danlu.cli.words import done_said, meant, speak, spoken
from danlu.domain.words import Words, listed, same, say
from danlu.sdk import models
from danlu.sdk.http.errors import NotFound

F = TypeVar("F", bound=Callable[..., object])
T = TypeVar("T")
ROLES = ("administrator", "operator", "engineer", "viewer")
STATES = ("active", "invited", "disabled")
COLUMNS = ("NAME|user", "CALLED", "ROLE", "GROUPS", "STATE", "CREATED")
PATH = "users"


@click.group(cls=HelpfulGroup)
def user() -> None:
    """Users; for administrators."""


@user.command("ls")
@click.option(
    "--search", metavar="TEXT", help="Only those whose name, display name or address contains this."
)
@click.option("--role", type=WordParam(ROLES), help="Only those with this role.")
@click.option("--group", metavar="GROUP", help="Only those in this group.")
@click.option("--state", type=WordParam(STATES), help="Only active, invited or disabled people.")
@click.option("--limit", type=click.IntRange(1), help="List at most this many; default: all.")
@json_option
@pass_session
def user_ls(session: CliSession, /, limit: int | None, as_json: bool, **filters: object) -> None:
    """List users."""
    items = session.pages(models.User, PATH, limit, said(filters))
    print_list(items, as_json, speak("No users match.", "没有匹配的用户。"), COLUMNS, _row)


@user.command("show")
@click.argument("name")
@json_option
@pass_session
def user_show(session: CliSession, name: str, as_json: bool) -> None:
    """Show a user: groups, projects, and numbers of jobs, keys and tokens."""
    found = _known(session, name, lambda: session.ask(models.UserDetail, "GET", address(PATH, name)))
    if as_json:
        print_json(found.raw)
    else:
        show.pairs([*about(found.told), *_belongings(found.told)])


def _account_options(command: F) -> F:
    for option in reversed(
        (
            click.option("--display-name", metavar="TEXT", help="Their display name."),
            click.option("--email", metavar="ADDRESS", help="Their e-mail address."),
            click.option("--groups", type=WordsParam(), metavar="GROUP,…", help="Their groups; '' is none."),
        )
    ):
        command = option(command)
    return command


@user.command("create")
@click.argument("name")
@click.option("--role", type=WordParam(ROLES), default="engineer", show_default=True, help="Their role.")
@_account_options
@click.option("--password-stdin", is_flag=True, help="Read the first password from standard input.")
@json_option
@pass_session
def user_create(
    session: CliSession, /, name: str, role: str, password_stdin: bool, as_json: bool, **options: object
) -> None:
    """Add a user."""
    more = {"password": _password(password_stdin), **options}
    made = session.client.people.create(name, role, **{key: value for key, value in more.items() if value})
    _tell(
        made.__dict__,
        speak(
            "Added {name} as {role}.", "已添加 {name}，角色为{role}。", name=made.name, role=term(made.role)
        ),
        as_json,
    )


@user.command("invite")
@click.argument("name")
@click.option("--role", type=WordParam(ROLES), default="engineer", show_default=True, help="Their role.")
@_account_options
@click.option("--life", metavar="TIME", help="How long the link is valid, such as 7d.")
@json_option
@pass_session
def user_invite(session: CliSession, /, name: str, role: str, as_json: bool, **options: object) -> None:
    """Add a user and print a one-time sign-in link, with which they choose a password."""
    body = {"name": name, "role": role, **said(options)}
    made = session.ask(models.SignInAddress, "POST", "users/invite", body=body)
    _print_link(
        made,
        speak("Invited {name} as {role}.", "已邀请 {name}，角色为{role}。", name=name, role=term(role)),
        as_json,
    )


@user.command("edit")
@click.argument("name")
@click.option("--role", type=WordParam(ROLES), help="Their role.")
@_account_options
@click.option("--subject", metavar="ISSUER#SUB", help="Their subject at the sign-in provider; '' for none.")
@click.option("--password-stdin", is_flag=True, help="Read a new password from standard input.")
@json_option
@pass_session
def user_edit(
    session: CliSession, /, name: str, password_stdin: bool, as_json: bool, **options: object
) -> None:
    """Change a user's role, names, address, groups or password."""
    changes = said(options)
    if password_stdin:
        changes["password"] = _password(True)
    something(changes, "--role", "--display-name", "--email", "--groups", "--subject", "--password-stdin")
    made = _known(session, name, lambda: session.client.people.edit(name, **changes))
    _tell(made.__dict__, speak("Changed {name}.", "已修改 {name}。", name=name), as_json)


@user.command("disable")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option(
    "--jobs",
    type=WordParam(("keep", "stop")),
    help="What happens to their active jobs: keep them running, or stop them.",
)
@yes_option
@json_option
@pass_session
def user_disable(
    session: CliSession, names: tuple[str, ...], jobs: str | None, yes: bool, as_json: bool
) -> None:
    """Disable users: their sessions and tokens end at once. Asks what to do with their jobs."""
    if jobs == "stop":
        surely(
            speak(
                "Disable {names} and stop all their jobs?",
                "停用 {names} 并停止其全部任务？",
                names=listed(names),
            ),
            yes,
        )
    if jobs is None and can_ask():
        jobs = _asked_about_jobs(session, names)
    _bulk(session, names, {"act": "disable", **said({"jobs": jobs})}, "Disabled", as_json)


@user.command("enable")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@json_option
@pass_session
def user_enable(session: CliSession, names: tuple[str, ...], as_json: bool) -> None:
    """Enable users again."""
    _bulk(session, names, {"act": "enable"}, "Enabled", as_json)


@user.command("reset")
@click.argument("name")
@yes_option
@json_option
@pass_session
def user_reset(session: CliSession, name: str, yes: bool, as_json: bool) -> None:
    """Reset a user's password, end their sessions, and print a one-time link to choose a new one."""
    surely(
        speak(
            "Reset {name}'s password and sign them out everywhere?",
            "重置 {name} 的密码，并使其在所有地方退出登录？",
            name=name,
        ),
        yes,
    )
    path = f"{address(PATH, name)}/link"
    made = _known(session, name, lambda: session.ask(models.SignInAddress, "POST", path))
    _print_link(
        made,
        speak(
            "{name} no longer has a password and is signed out.",
            "{name} 的密码已失效，并已退出登录。",
            name=name,
        ),
        as_json,
    )


@user.command("rm")
@click.argument("name")
@yes_option
@pass_session
def user_rm(session: CliSession, name: str, yes: bool) -> None:
    """Remove a user; the name is never used again."""
    surely(
        speak(
            "Remove {name} with all keys and tokens? The name is never used again.",
            "移除 {name} 及其全部密钥和令牌？该用户名不会再被使用。",
            name=name,
        ),
        yes,
    )
    _known(session, name, lambda: session.client.people.delete(name))
    note(speak("Removed {name}.", "已移除 {name}。", name=name))


def about(one: models.User) -> Facts:
    """The facts of an account, for a list."""
    return [
        ("name|user", one.name),
        ("full name", one.display_name),
        ("address|email", one.email),
        ("role", show.word(one.role)),
        ("state", _state(one)),
        ("sign-in", _sign_in(one.sign_in)),
        ("groups", words(one.groups)),
        ("since", show.local(one.created_at)),
    ]


def _belongings(one: models.UserDetail) -> Facts:
    return [
        ("projects", belonging(one.projects)),
        ("active jobs", str(one.active_jobs)),
        ("SSH keys", str(one.keys)),
        ("tokens", str(one.tokens)),
        ("user id", str(one.uid)),
    ]


def belonging(projects: Sequence[Mapping[str, str]]) -> str:
    return spoken(
        listed(
            say(
                "{project} ({role})",
                "{project}（{role}）",
                project=one["project"],
                role=term(one["role"], "member"),
            )
            for one in projects
        )
    )


def _row(one: models.User) -> Cells:
    return [
        one.name,
        one.display_name,
        show.word(one.role),
        words(one.groups),
        _state(one),
        show.local(one.created_at),
    ]


def _state(one: models.User) -> str:
    if one.disabled:
        return show.word("disabled")
    return show.word("invited") if one.sign_in == "invited" else ""


def _sign_in(how: str) -> str:
    said = {
        "password": Words("password", "密码"),
        "provider": Words("provider", "统一认证"),
        "invited": Words("a link", "登录链接"),
    }
    return spoken(said.get(how) or same(how))


def _bulk(
    session: CliSession, names: Sequence[str], act: Mapping[str, object], done: str, as_json: bool
) -> None:
    """One act on all of them; failures are printed and set the exit code."""
    body = {"names": list(names), **act}
    found = session.listing(models.BulkOutcome, "users/bulk", method="POST", body=body)
    if as_json:
        print_json(found.raw)
    stop = speak(".", "。")
    for one in found.told:
        if not as_json:
            why = show.words(one.text) or one.error
            note(
                f"{spoken(done_said(done))} {one.name}{stop}"
                if one.ok
                else f"{one.name}{speak(': ', '：')}{why}{stop}"
            )
    if not all(one.ok for one in found.told):
        raise SystemExit(1)


def _asked_about_jobs(session: CliSession, names: Sequence[str]) -> str | None:
    """Ask what to do with active jobs, if there are any."""
    counts = {}
    for name in names:
        found = _known(session, name, functools.partial(session.client.people.get, name))
        counts[name] = 0 if found.disabled else found.active_jobs
    busy = {name: count for name, count in counts.items() if count}
    if not busy:
        return None
    who = listed(
        say("{name} has {count}", "{name} 有 {count} 个", name=name, count=count)
        for name, count in busy.items()
    )
    asked: str = click.prompt(
        speak(
            "Active jobs: {who}. Keep them running, or stop them?",
            "进行中的任务：{who}。保留运行（keep）还是停止（stop）？",
            who=who,
        ),
        type=WordParam(("keep", "stop")),
        err=True,
    )
    return asked


def _print_link(made: Answer[models.SignInAddress], sentence: str, as_json: bool) -> None:
    if as_json:
        print_json(made.raw)
        return
    until = show.local(made.told.expires_at)
    link = speak(
        "Send them this link; it works once, until {until}:",
        "请将此链接发给该用户；仅可使用一次，有效期至 {until}：",
        until=until,
    )
    note(f"{sentence} {link}")
    show.echo(made.told.url)


def _known(session: CliSession, name: str, act: Callable[[], T]) -> T:
    """Do something with one person; for an unknown name, suggest the nearest one."""
    try:
        return act()
    except NotFound as error:
        likely = near(name, [one.name for one in session.client.people.list()])
        hint = meant(
            likely,
            say("'danlu user ls' lists people.", "danlu user ls 列出所有人。"),
        )
        raise NotFound(
            say("there is no user '{name}'.{hint}", "没有用户“{name}”。{hint}", name=name, hint=hint)
        ) from error


def _password(from_stdin: bool) -> str | None:
    """From a pipe, or asked twice on a terminal."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if sys.stdin.isatty() and sys.stderr.isatty():
        asked: str = click.prompt(
            speak("Their password", "该用户的密码"), hide_input=True, confirmation_prompt=True, err=True
        )
        return asked
    return None


def _tell(made: object, sentence: str, as_json: bool) -> None:
    if as_json:
        print_json(made)
    else:
        note(sentence)
