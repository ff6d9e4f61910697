"""Many people at once: names as arguments, from a file, or from standard input."""

from __future__ import annotations

from typing import Callable, Mapping, Sequence, TypeVar

import click

from danlu.cli.session import CliSession, note, print_json
from danlu.cli.shared.files import load_plain
from danlu.cli.words import meant, speak
from danlu.domain.words import Words
from danlu.sdk import models

F = TypeVar("F", bound=Callable[..., object])
MOST_BYTES = 1 << 20


def roster_options(command: F) -> F:
    for option in (
        click.option("--preview", is_flag=True, help="Only show what would happen."),
        click.option(
            "--file", "path", metavar="FILE", help="Names in a text or CSV file; - is standard input."
        ),
        click.argument("names", metavar="[NAME...]", nargs=-1),
    ):
        command = option(command)
    return command


def roster(names: Sequence[str], path: str | None) -> dict[str, object]:
    """What is sent: a list of names, or a text that the server reads."""
    if path is None and list(names) == ["-"]:
        path, names = "-", ()
    if (path is None) == (not names):
        raise click.UsageError(
            speak(
                "give names, or --file FILE with names; - is standard input.",
                "请给出用户名，或用 --file 指定含用户名的文件；- 表示标准输入。",
            )
        )
    return {"names": list(names)} if path is None else {"text": _text(path)}


ADDED = Words("added to {name}", "加入 {name}")
REMOVED = Words("removed from {name}", "移出 {name}")
NOT_IN_IT = Words("Not in it", "不在其中")


def change_members(
    session: CliSession, path: str, body: Mapping[str, object], done: Words, already: Words, as_json: bool
) -> None:
    """Send it, and print who was added or removed; unknown names are printed and set the exit code."""
    found = session.ask(models.MembersChanged, "POST", f"{path}/members", body=body)
    told, preview = found.told, bool(body["preview"])
    if as_json:
        print_json(found.raw)
    else:
        changed = _several(told.changed)
        begun = Words(f"{done.en[0].upper()}{done.en[1:]}", f"已{done.zh}")
        note(
            speak("Would be {done}: {changed}.", "将{done}：{changed}。", done=done, changed=changed)
            if preview
            else speak("{begun}: {changed}.", "{begun}：{changed}。", begun=begun, changed=changed)
        )
        if told.already:
            note(
                speak("{already}: {who}.", "{already}：{who}。", already=already, who=_several(told.already))
            )
        for one in told.unknown:
            hint = meant(one.get("suggestion"))
            note(
                speak(
                    "There is no user '{name}'.{hint}",
                    "没有用户“{name}”。{hint}",
                    name=one["word"],
                    hint=hint,
                )
            )
    if told.unknown:
        raise SystemExit(1)


def _several(names: Sequence[str]) -> str:
    if not names:
        return speak("nobody", "无人")
    return (
        f"{', '.join(names)}"
        if len(names) <= 20
        else speak(
            "{names} and {more} more",
            "{names} 等另外 {more} 人",
            names=", ".join(names[:20]),
            more=len(names) - 20,
        )
    )


def _text(path: str) -> str:
    raw = load_plain(path, MOST_BYTES)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("gb18030", "replace")  # as a Chinese Excel saves it
