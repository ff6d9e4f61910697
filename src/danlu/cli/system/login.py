"""`danlu login` and `danlu context`: which Danlu to use, and as whom."""

from __future__ import annotations

import os
import socket
import sys
from urllib.parse import urlsplit

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.session import CliSession, check_address, check_token, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.words import meant, speak
from danlu.domain.words import Words, same, say
from danlu.sdk.http import config
from danlu.sdk.http.errors import NotSignedIn, WrongCredentials


@click.command()
@click.argument("url", required=False)
@click.option("--name", metavar="USER", help="Your user name there.")
@click.option(
    "--token", metavar="TOKEN", help="A token instead of name and password; '-' reads it from standard input."
)
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
@click.option(
    "--expires", metavar="TIME", help="Stay signed in this long, such as 90d; default: as long as a browser."
)
@click.option("--as", "called", metavar="CONTEXT", help="The name of the context; default: the host name.")
@pass_session
def login(
    session: CliSession,
    url: str | None,
    name: str | None,
    token: str | None,
    password_stdin: bool,
    expires: str | None,
    called: str | None,
) -> None:
    """Sign in to a Danlu server and save it as a context."""
    where = config.normal_url(url) if url else config.resolve(session.url, None, session.context).url
    check_address(where)
    _warn_if_overheard(where)
    if token is not None:
        secret, person = _by_token(where, token)
    else:
        secret, person = _by_password(where, name, password_stdin, expires)
    called = called or _called(where)
    config.save_context(config.Context(called, where, secret, person))
    note(
        speak(
            "Signed in at {where} as {person}; context '{called}' is now in use.",
            "已以 {person} 登录 {where}；当前使用上下文“{called}”。",
            where=where,
            person=person,
            called=called,
        )
    )
    for variable in ("DANLU_URL", "DANLU_TOKEN"):
        if os.environ.get(variable):
            note(
                speak(
                    "But {variable} is set and takes precedence: unset {variable}",
                    "但已设置的 {variable} 优先于它：unset {variable}",
                    variable=variable,
                )
            )


@click.group(cls=HelpfulGroup)
def context() -> None:
    """Contexts: the servers that 'danlu login' and 'danlu up' saved."""


@context.command("ls")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, without the tokens.")
def context_ls(as_json: bool) -> None:
    """List contexts; the current one is marked."""
    found = config.load()
    rows = [found.contexts[name] for name in sorted(found.contexts)]
    if as_json:
        plain = [
            {"name": one.name, "url": one.url, "user": one.user, "current": one.name == found.current}
            for one in rows
        ]
        print_json({"items": plain})
    elif rows:
        marked = [
            ["*" if one.name == found.current else "", one.name, one.url, one.user or ""] for one in rows
        ]
        show.table(["", "NAME", "URL", "USER"], marked)
    else:
        note(
            speak(
                "There are no contexts. "
                "Sign in with 'danlu login URL', or start Danlu on this machine with 'danlu up'.",
                "没有上下文。请用 danlu login URL 登录，或用 danlu up 在本机启动丹炉。",
            )
        )


@context.command("use")
@click.argument("name")
def context_use(name: str) -> None:
    """Use this context from now on."""
    found = config.load()
    one = found.contexts.get(name)
    if one is None:
        raise click.UsageError(_no_context(name, found))
    config.save_context(one)
    note(speak("Using {name} ({url}).", "正在使用 {name}（{url}）。", name=name, url=one.url))


@context.command("rm")
@click.argument("name")
def context_rm(name: str) -> None:
    """Remove a context and its token."""
    found = config.load()
    if not config.forget_context(name):
        raise click.UsageError(_no_context(name, found))
    note(speak("Removed context {name}.", "已移除上下文 {name}。", name=name))


def _warn_if_overheard(where: str) -> None:
    parts = urlsplit(where)
    if parts.scheme == "http" and not config.is_loopback(parts.hostname or ""):
        note(
            speak(
                "Warning: {where} is not encrypted; others on the network can read the password and the token.",
                "警告：{where} 未加密，网络上的其他人能读到密码和令牌。",
                where=where,
            )
        )


def _by_token(where: str, token: str) -> tuple[str, str]:
    from danlu.sdk.client import Client
    from danlu.sdk.http.login import who

    secret = token if token != "-" else sys.stdin.readline().strip()
    check_token(secret, Words("standard input", "标准输入") if token == "-" else same("--token"))
    with Client(url=where, token=secret) as client:
        try:
            return secret, who(client.http).name
        except NotSignedIn:
            raise WrongCredentials(
                say(
                    "{where} does not accept this token; nothing was changed",
                    "{where} 不接受该令牌，未作任何更改",
                    where=where,
                )
            ) from None


def _by_password(where: str, name: str | None, password_stdin: bool, expires: str | None) -> tuple[str, str]:
    from danlu.sdk.http.login import sign_in

    if not sys.stdin.isatty() and not (name and password_stdin):
        raise click.UsageError(
            speak(
                "there is no terminal to ask for a password: give --token, or --name with --password-stdin.",
                "当前不是终端，无法询问密码：请给出 --token，或 --name 与 --password-stdin。",
            )
        )
    name = name or click.prompt(speak("Name", "用户名"), err=True)
    if password_stdin:
        password = sys.stdin.readline().rstrip("\r\n")
    else:
        password = click.prompt(speak("Password", "密码"), hide_input=True, err=True)
    called = f"danlu login on {socket.gethostname()}"
    user, token = sign_in(where, name, password, called, _new_password, expires_in=expires)
    return token.secret or "", user.name


def _new_password() -> str:
    note(speak("This password is temporary; choose your own.", "这是临时密码，请设置自己的密码。"))
    chosen: str = click.prompt(
        speak("New password", "新密码"), hide_input=True, confirmation_prompt=True, err=True
    )
    return chosen


def _called(url: str) -> str:
    host = urlsplit(url).hostname or "danlu"
    return "local" if config.is_loopback(host) else host.partition(".")[0] if host[0].isalpha() else host


def _no_context(name: str, found: config.Config) -> str:
    from danlu.cli.group import near

    likely = near(name, sorted(found.contexts))
    lists = Words("'danlu context ls' lists them.", "danlu context ls 列出全部。")
    hint = meant(likely, lists)
    return speak("there is no context '{name}'.{hint}", "没有上下文“{name}”。{hint}", name=name, hint=hint)
