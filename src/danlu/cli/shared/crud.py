"""One declaration for simple named resources: the same verbs for each, `ls show create edit rm`."""

from __future__ import annotations

from typing import Callable, Generic, Mapping, Sequence, TypeVar

import click

from danlu.cli.session import Answer, CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.asking import surely, yes_option
from danlu.cli.shared.options import json_option
from danlu.cli.shared.show import Cells, Facts
from danlu.cli.words import done_said, either, noun_said, speak, spoken
from danlu.domain.words import Words
from danlu.sdk.http.paths import segment

T = TypeVar("T")
Command = Callable[..., object]
Option = Callable[[Command], Command]
GivenOptions = Mapping[str, object]


class Crud(Generic[T]):
    """The commands of one kind of named resource, at one path of the API. Answers are read as the model that `kind`
    returns, loaded when first needed; `--json` prints the server's answer."""

    def __init__(self, group: click.Group, noun: str, path: str, kind: Callable[[], type[T]]) -> None:
        self._group = group
        self._noun = noun
        self._path = path
        self._kind = kind

    def ls(
        self,
        about: str,
        columns: Sequence[str],
        row: Callable[[T], Cells],
        empty: Words,
        right: Sequence[str] = (),
    ) -> None:
        """List all; `empty` says what to do where there are none."""

        def run(session: CliSession, as_json: bool) -> None:
            items = session.pages(self._kind(), self._path)
            print_list(items, as_json, spoken(empty), columns, row, right)

        self._command("ls", about, run, (json_option,))

    def show(self, about: str, pairs: Callable[[T], Facts]) -> None:
        """Show one: words and what they mean."""

        def run(session: CliSession, name: str, as_json: bool) -> None:
            found = session.ask(self._kind(), "GET", address(self._path, name))
            if as_json:
                print_json(found.raw)
            else:
                show.pairs(pairs(found.told))

        self._command("show", about, run, (click.argument("name"), json_option))

    def create(
        self,
        about: str,
        options: Sequence[Option],
        body: Callable[[GivenOptions], GivenOptions] | None = None,
        done: str = "Created",
    ) -> None:
        """Create one from the given options, or from what `body` makes of them."""

        def run(session: CliSession, /, name: str, as_json: bool, **options: object) -> None:
            sent = (body or said)(options)
            send(session, "POST", self._path, {"name": name, **sent}, told(done, self._noun, name), as_json)

        self._command("create", about, run, (click.argument("name"), *options, json_option))

    def edit(
        self,
        about: str,
        options: Sequence[Option],
        body: Callable[[GivenOptions], GivenOptions] | None = None,
        changes: Callable[[CliSession, str, GivenOptions], GivenOptions] | None = None,
    ) -> None:
        """Change one by the options that were given, or by what `body` makes of them, or `changes`, which may look at
        what there is."""

        def run(session: CliSession, /, name: str, as_json: bool, **options: object) -> None:
            sent = changes(session, name, options) if changes else (body or said)(options)
            something(sent, *option_names(command))
            send(
                session, "PATCH", address(self._path, name), sent, told("Changed", self._noun, name), as_json
            )

        command = self._command("edit", about, run, (click.argument("name"), *options, json_option))

    def rm(self, about: str, lost: Words) -> None:
        """Remove one, after asking; `lost` says what goes with it."""

        def run(session: CliSession, name: str, yes: bool) -> None:
            surely(_whether(self._noun, name, lost), yes)
            remove(session, self._noun, self._path, name)

        self._command("rm", about, run, (click.argument("name"), yes_option))

    def _command(
        self, verb: str, about: str, run: Callable[..., None], options: Sequence[Option]
    ) -> click.Command:
        wrapped: Command = pass_session(run)
        for option in reversed(options):
            wrapped = option(wrapped)
        return self._group.command(verb, help=about)(wrapped)


def renamed(group: click.Group, **verbs: str) -> None:
    """Former verbs (`add="create"`) still work, and print the new name."""
    for old, new in verbs.items():
        group.add_command(_former(old, group.commands[new]))


def _former(old: str, command: click.Command) -> click.Command:
    def run(*args: object, **options: object) -> object:
        say_now(command.name or "")
        return command.callback(*args, **options) if command.callback else None

    return click.Command(old, params=command.params, callback=run, help=command.help, hidden=True)


def say_now(verb: str) -> None:
    """What the command that runs is called now."""
    path = click.get_current_context().command_path
    new = f"{path.rpartition(' ')[0]} {verb}"
    note(speak("'{path}' is now '{new}'.", "“{path}”现在叫“{new}”。", path=path, new=new))


def option_names(command: click.Command) -> list[str]:
    """The options of a command, without those about its output."""
    return [
        name
        for option in command.params
        if isinstance(option, click.Option) and option.name not in ("as_json", "yes", "force")
        for name in (*option.opts, *option.secondary_opts)
        if name.startswith("--")
    ]


def print_list(
    items: Sequence[Answer[T]],
    as_json: bool,
    empty: str,
    columns: Sequence[str],
    row: Callable[[T], Cells],
    right: Sequence[str] = (),
) -> None:
    """All of a kind as a table, or what to do where there is none."""
    if as_json:
        print_json({"items": [one.raw for one in items]})
    elif not items:
        note(empty)
    else:
        show.table(columns, [row(one.told) for one in items], right)


def send(
    session: CliSession, method: str, path: str, body: GivenOptions, sentence: str, as_json: bool
) -> None:
    """Create or change one and report it."""
    made = session.do(method, path, body=dict(body))
    if as_json:
        print_json(made)
    else:
        note(sentence)


def told(done: str, noun: str, name: str) -> str:
    """`Created pool big.`"""
    return speak(
        "{done} {noun} {name}.",
        "{done}{noun} {name}。",
        done=done_said(done),
        noun=noun_said(noun),
        name=name,
    )


def _whether(noun: str, name: str, lost: Words) -> str:
    return speak(
        "Remove {noun} {name}? {lost}",
        "移除{noun} {name}？{lost}",
        noun=noun_said(noun),
        name=name,
        lost=lost,
    )


def remove(session: CliSession, what: str, path: str, name: str) -> None:
    session.do("DELETE", f"{path}/{segment(name)}")
    note(speak("Removed {what} {name}.", "已移除{what} {name}。", what=noun_said(what), name=name))


def said(options: GivenOptions, none: Sequence[str] = ()) -> dict[str, object]:
    """The options that were given; those named in `none` become null."""
    return {**{key: value for key, value in options.items() if value is not None}, **dict.fromkeys(none)}


def something(changes: GivenOptions, *options: str) -> GivenOptions:
    if not changes:
        raise click.UsageError(
            speak(
                "nothing to change: give {options}.",
                "没有要修改的内容：请给出 {options}。",
                options=either(*options),
            )
        )
    return changes


def address(path: str, name: str) -> str:
    return f"{path}/{segment(name)}"
