"""What the commands about projects, priority classes, pools, flavors and limits share."""

from __future__ import annotations

import sys
from typing import Any, Callable, Mapping, Sequence

import click

from danlu.cli.session import Session, note, on_terminal, print_json
from danlu.cli.shared import show
from danlu.sdk.http.paths import segment

CLASSES = ("workspace", "single", "distributed", "service")
Row = Callable[[Mapping[str, Any]], "list[str | show.Cell]"]


class Amounts(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """`A100=16,cpus=200,memory=1TiB`; nothing is no amount of anything."""

    name = "amounts"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        found: dict[str, Any] = {}
        for key, amount in split_pairs(value, param, ctx):
            found[key] = (
                amount if key == "memory" and not amount.isdigit() else self._number(amount, param, ctx)
            )
        return found

    def _number(self, text: str, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return int(text) if text.isdigit() else float(text)
        except ValueError:
            return self.fail(f"'{text}' is not a number.", param, ctx)


class Pairs(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """`org=public,rack=r1`; nothing is none."""

    name = "pairs"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return dict(split_pairs(value, param, ctx)) if isinstance(value, str) else value


class Words(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """`a,b,c`; nothing is none."""

    name = "words"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ARG002
        return (
            [word.strip() for word in value.split(",") if word.strip()] if isinstance(value, str) else value
        )


def split_pairs(
    value: str, param: click.Parameter | None, ctx: click.Context | None
) -> list[tuple[str, str]]:
    found = []
    for pair in value.split(","):
        key, equals, held = pair.strip().partition("=")
        if pair.strip() and not (key and equals):
            raise click.BadParameter(f"'{pair.strip()}' is not of the form NAME=VALUE.", ctx, param)
        if equals:
            found.append((key.strip(), held.strip()))
    return found


def print_list(
    session: Session,
    path: str,
    as_json: bool,
    empty: str,
    columns: Sequence[str],
    row: Row,
    right: Sequence[str] = (),
) -> None:
    """All of a kind as a table, or what to do where there is none."""
    items = list(session.client.pages(path, None, {}))
    if as_json:
        print_json({"items": items})
    elif not items:
        note(empty)
    else:
        show.table(columns, [row(one) for one in items], right)


def send(
    session: Session, method: str, path: str, body: Mapping[str, Any], sentence: str, as_json: bool
) -> None:
    """Make or change one and say so."""
    made = session.api(method, path, body=dict(body))
    if as_json:
        print_json(made)
    else:
        note(sentence)


def remove(session: Session, what: str, path: str, name: str, yes: bool) -> None:
    if not yes and sys.stdin.isatty() and on_terminal():
        click.confirm(f"Remove {what} {name}?", abort=True)
    session.api("DELETE", f"{path}/{segment(name)}")
    note(f"Removed {what} {name}.")


def said(options: Mapping[str, Any], none: Sequence[str] = ()) -> dict[str, Any]:
    """The options that were given; those named in `none` are taken away."""
    return {**{key: value for key, value in options.items() if value is not None}, **dict.fromkeys(none)}


def something(changes: dict[str, Any], options: str) -> dict[str, Any]:
    if not changes:
        raise click.UsageError(f"nothing to change: give {options}.")
    return changes


def address(path: str, name: str) -> str:
    return f"{path}/{segment(name)}"


def amounts(found: Mapping[str, Any] | None) -> str:
    """`8 A100, 200 cpus, 1 TiB memory`."""
    return ", ".join(
        f"{show.size(amount) if key == 'memory' else show.number(amount)} {key}"
        for key, amount in (found or {}).items()
    )


def pairs(found: Mapping[str, str] | None) -> str:
    return ", ".join(f"{key}={value}" for key, value in (found or {}).items())


def words(found: Sequence[str] | None, none: str = "") -> str:
    return ", ".join(found or ()) or none
