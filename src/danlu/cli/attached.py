"""`danlu volume attach`, `check` and `login`: volumes whose data is at an address outside."""

from __future__ import annotations

import os
import sys
from typing import NoReturn, Sequence

import click

from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.crud import address
from danlu.cli.shared.options import json_option
from danlu.cli.words import speak
from danlu.sdk import NotAttachable, models

PATH = "volumes"
FAILED = 1
SECRET_VARIABLE = "DANLU_BUCKET_SECRET"
_LONGEST = 4096

_key = click.option("--key", metavar="KEY", help="The access key of the login.")
_stdin = click.option(
    "--secret-stdin",
    is_flag=True,
    help=f"Read the secret from standard input; else {SECRET_VARIABLE}, or asked for.",
)


@click.command("attach")
@click.argument("name")
@click.argument("place", metavar="ADDRESS")
@click.option("--endpoint", metavar="URL", help="Where the S3 API is; default: Amazon's.")
@click.option("--region", metavar="NAME", help="The bucket's region; default: us-east-1.")
@_key
@_stdin
@click.option(
    "--writable", is_flag=True, help="Whether files are written there through Danlu; else they are read."
)
@click.option("--uid", type=int, metavar="N", help="Read an NFS export as this user; administrators only.")
@click.option("--gid", type=int, metavar="N", help="Read an NFS export as this group; administrators only.")
@click.option(
    "--shareable",
    is_flag=True,
    help="It can be shared with others; else it is yours alone. Administrators only.",
)
@click.option("--description", metavar="TEXT", help="What it is for.")
@json_option
@pass_session
def attach(
    session: CliSession,
    name: str,
    place: str,
    endpoint: str | None,
    region: str | None,
    key: str | None,
    secret_stdin: bool,
    writable: bool,
    uid: int | None,
    gid: int | None,
    shareable: bool,
    description: str | None,
    as_json: bool,
) -> None:
    """Attach a bucket (s3://BUCKET/PREFIX) or an NFS export (nfs://HOST/EXPORT) as a volume.

    The address is looked at first: its name, the route there, the login, the bucket or export, the right to read.
    """
    place = _read_as(place, uid, gid)
    source = {"address": place, "endpoint": endpoint, "region": region}
    body = {
        "name": name,
        "kind": "nfs" if place.startswith("nfs:") else "bucket",
        "source": {
            **{field: value for field, value in source.items() if value},
            "writable": writable,
            "private": not shareable,
        },
        "description": description or "",
    }
    if key:
        body["login"] = {"key": key, "secret": _secret(secret_stdin)}
    try:
        made = session.ask(models.Volume, "POST", PATH, body=body)
    except NotAttachable as refused:
        _refuse(refused, as_json)
    if as_json:
        print_json(made.raw)
    else:
        note(
            speak(
                "Attached {place} as volume {name}.",
                "已将 {place} 接入为存储卷 {name}。",
                place=place,
                name=name,
            )
        )


@click.command("check")
@click.argument("name")
@json_option
@pass_session
def check(session: CliSession, name: str, as_json: bool) -> None:
    """Look whether the place that a volume is attached to can be used now, step by step."""
    report = session.ask(models.VolumeFindings, "POST", f"{address(PATH, name)}/check", harmless=True)
    if as_json:
        print_json(report.raw)
    else:
        _print(report.told.findings)
    if not report.told.ready:
        sys.exit(FAILED)


@click.command("login")
@click.argument("name")
@_key
@_stdin
@click.option("--remove", is_flag=True, help="Forget the login: the place needs none.")
@json_option
@pass_session
def login(
    session: CliSession, name: str, key: str | None, secret_stdin: bool, remove: bool, as_json: bool
) -> None:
    """Change what Danlu signs in with where a volume is attached to; it is tried first."""
    if remove == bool(key):
        raise click.UsageError(speak("give --key KEY, or --remove.", "请指定 --key KEY 或 --remove。"))
    body = None if remove else {"key": key, "secret": _secret(secret_stdin)}
    try:
        made = session.ask(
            models.Volume, "DELETE" if remove else "PUT", f"{address(PATH, name)}/login", body=body
        )
    except NotAttachable as refused:
        _refuse(refused, as_json)
    if as_json:
        print_json(made.raw)
    else:
        note(speak("Changed the login of volume {name}.", "已更改存储卷 {name} 的登录凭据。", name=name))


def _read_as(place: str, uid: int | None, gid: int | None) -> str:
    """The address of an export says as whom it is read."""
    asked = [f"{name}={number}" for name, number in (("uid", uid), ("gid", gid)) if number is not None]
    if not asked:
        return place
    if not place.startswith("nfs:"):
        raise click.UsageError(
            speak("--uid and --gid are for NFS exports (nfs://…).", "--uid 和 --gid 仅用于 NFS（nfs://…）。")
        )
    return place + ("&" if "?" in place else "?") + "&".join(asked)


def _secret(from_stdin: bool) -> str:
    """Never an argument: those are seen by everybody on the machine, and kept by shells."""
    if from_stdin:
        return sys.stdin.readline(_LONGEST).rstrip("\r\n")
    known = os.environ.get(SECRET_VARIABLE)
    if known:
        return known
    if not sys.stdin.isatty():
        raise click.UsageError(
            speak(
                "the secret is missing: use --secret-stdin, or set {name}.",
                "缺少 secret：请使用 --secret-stdin，或设置 {name}。",
                name=SECRET_VARIABLE,
            )
        )
    asked: str = click.prompt(speak("Secret", "Secret"), hide_input=True)
    return asked


def _refuse(refused: NotAttachable, as_json: bool) -> NoReturn:
    if as_json:
        found = [{"code": one.code, "level": one.level, "text": one.text} for one in refused.findings]
        print_json({"ready": False, "findings": found})
    else:
        _print(refused.findings)
        note(speak("Nothing was changed.", "未做任何更改。"))
    sys.exit(FAILED)


def _print(findings: Sequence[models.Finding]) -> None:
    for one in findings:
        fine = one.level == "ok"
        show.echo(f"{'✓' if fine else '✗'} {one.code}: {show.words(one.text)}", "green" if fine else "red")
