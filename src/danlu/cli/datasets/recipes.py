"""`danlu dataset recipes` and `danlu dataset import`: public sets."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.entries import far
from danlu.cli.shared.options import json_option
from danlu.cli.words import speak
from danlu.sdk import models
from danlu.sdk.models import DatasetAct


@click.group("recipes", cls=HelpfulGroup)
def dataset_recipes() -> None:
    """Public sets that can be imported: CIFAR-10, COCO, ImageNet."""


@dataset_recipes.command("ls")
@json_option
@pass_session
def recipes_ls(session: CliSession, as_json: bool) -> None:
    """List public sets that can be imported."""
    found = session.client.datasets.recipes()
    if as_json:
        print_json({"items": [asdict(one) for one in found]})
        return
    rows = [[one.id, one.title, one.task, show.size(one.size), _origin(one), one.licence] for one in found]
    show.table(["RECIPE", "TITLE", "FOR", "SIZE|bytes", "COMES FROM", "LICENCE"], rows, right=["SIZE|bytes"])


@dataset_recipes.command("show")
@click.argument("recipe")
@json_option
@pass_session
def recipes_show(session: CliSession, recipe: str, as_json: bool) -> None:
    """Show a public set: its licence, its size, where it comes from, what you need, and its layout."""
    one = session.client.datasets.recipe(recipe)
    if as_json:
        print_json(asdict(one))
        return
    counts = one.stand_in
    images = speak(
        "{least} to {most} images", "{least} 到 {most} 张图像", least=counts.least, most=counts.most
    )
    show.pairs(
        [
            ("title", one.title),
            ("description", show.words(one.about)),
            ("task fit", one.task),
            ("licence", one.licence),
            ("home", one.home),
            ("size|bytes", show.size(one.size)),
            ("unpacked", show.size(one.unpacked)),
            ("needs", show.words(one.needs)),
            ("stand-in", images),
            *(("archive", f"{each.name}  {each.url or '-'}  {each.md5}".rstrip()) for each in one.archives),
            *(("layout", f"{each.path}: {show.words(each.holds)}") for each in one.layout),
        ]
    )


@click.command("import")
@click.argument("recipe")
@click.option("--name", metavar="NAME", default="", help="The dataset; default: called like the recipe.")
@click.option(
    "--into", metavar="PLACE", default="", help="The folder for its files; default: personal:/datasets/NAME."
)
@click.option(
    "--from",
    "source",
    metavar="SOURCE",
    default="",
    help="A folder with the archives: a URL or VOLUME:/path.",
)
@click.option("--stand-in", is_flag=True, help="Made-up images in the same layout instead of the original.")
@click.option("--size", type=int, metavar="COUNT", help="How many images the stand-in has.")
@click.option("--unchecked", is_flag=True, help="Archives may differ from the originals.")
@click.option("--user", metavar="NAME", help="The user to sign in with there; asks for the password.")
@click.option(
    "--token",
    is_flag=True,
    help="Sign in there with a token instead; asks for it. Both may be in DANLU_LOGIN_SECRET.",
)
@click.option("-d", "--detach", is_flag=True, help="Do not wait for its end.")
@json_option
@pass_session
def dataset_import(
    session: CliSession,
    recipe: str,
    name: str,
    into: str,
    source: str,
    stand_in: bool,
    size: int | None,
    unchecked: bool,
    user: str | None,
    token: bool,
    detach: bool,
    as_json: bool,
) -> None:
    """Import a public set as a dataset, or a stand-in of it. What there is: danlu dataset recipes ls.

    The server transfers the archives, unpacks them and makes a version; stopping this command does not stop that. One
    that failed goes on with: danlu dataset resume NAME."""
    login = _login(user, token)
    begun = session.client.datasets.import_recipe(
        recipe, name, into, source, stand_in, size, not unchecked, login, wait=False
    )
    assert begun.act is not None
    _followed(session, begun.title, begun.dataset, begun.act, detach, as_json)


@click.command("resume")
@click.argument("name")
@click.option("-d", "--detach", is_flag=True, help="Do not wait for its end.")
@json_option
@pass_session
def dataset_resume(session: CliSession, name: str, detach: bool, as_json: bool) -> None:
    """Go on with the last import of a dataset, which failed or was cancelled."""
    room = session.client.datasets
    last = next((one for one in room.acts(name) if one.recipe), None)
    if last is None:
        raise click.UsageError(speak("nothing was imported into {name}.", "{name} 没有导入记录。", name=name))
    act = room.resume_import(name, last.id, wait=False)
    _followed(session, name, name, act, detach, as_json)


def _followed(
    session: CliSession, title: str, ref: str, act: DatasetAct, detach: bool, as_json: bool
) -> None:
    if not detach:
        act = _waited(session, ref, act)
    if as_json:
        print_json({"dataset": title, "act": asdict(act)})
    elif detach:
        note(
            speak(
                "The import runs: danlu dataset acts {name}",
                "导入正在进行：danlu dataset acts {name}",
                name=title,
            )
        )
    else:
        note(
            speak(
                "Made {name}@{version}: {files} files, {size}.",
                "已生成 {name}@{version}：{files} 个文件，共 {size}。",
                name=title,
                version=act.version,
                files=f"{act.files:,}",
                size=show.size(act.bytes),
            )
        )


def _waited(session: CliSession, ref: str, act: DatasetAct) -> DatasetAct:
    shown = sys.stderr.isatty()

    def progress(now: DatasetAct) -> None:
        click.echo(f"\r\033[K{how_far(now)}", nl=False, err=True)

    try:
        return session.client.datasets.wait(ref, act, progress if shown else None)
    finally:
        if shown:
            click.echo("\r\033[K", nl=False, err=True)


def how_far(act: DatasetAct) -> str:
    if act.kind == "import":
        return speak(
            "part {part} of {parts}: {size}",
            "第 {part} 部分，共 {parts} 部分：{size}",
            part=min(act.parts + 1, act.parts_total),
            parts=act.parts_total,
            size=far(act.bytes, act.bytes_total),
        )
    return speak(
        "{files} files, {size}", "{files} 个文件，{size}", files=f"{act.files:,}", size=show.size(act.bytes)
    )


def _login(user: str | None, token: bool) -> tuple[str, str] | None:
    """What is secret is never in an argument, which others see."""
    if user and token:
        raise click.UsageError(speak("give --user or --token.", "请只给出 --user 或 --token 之一。"))
    if not user and not token:
        return None
    asked = speak("Token", "令牌") if token else speak("Password", "密码")
    return user or "", os.environ.get("DANLU_LOGIN_SECRET") or click.prompt(asked, hide_input=True, err=True)


def _origin(one: models.DatasetRecipe) -> str:
    if one.own:
        return speak("your own place", "自备")
    return one.archives[0].url.split("/")[2]
