"""`danlu audit`: who did what, from where, and whether the log is intact."""

from __future__ import annotations

import codecs
import sys
from typing import IO, Callable, Mapping, TypeVar

import click

from danlu.cli.group import HelpfulGroup
from danlu.cli.session import CliSession, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.crud import print_list
from danlu.cli.shared.options import WordParam, json_option
from danlu.cli.words import speak
from danlu.domain.words import plain
from danlu.sdk import models

F = TypeVar("F", bound=Callable[..., object])
COLUMNS = ("SEQ", "TIME", "FROM", "WHAT", "REASON")
BROKEN = 1


def filters(command: F) -> F:
    """The options that select entries."""
    for option in (
        click.option("--until", metavar="TIME", help="Only before this time."),
        click.option("--since", metavar="TIME", help="Only since this time, or since this long ago: 7d."),
        click.option(
            "--search", metavar="TEXT", help="Only with this text in person, action, subject or reason."
        ),
        click.option(
            "--subject", metavar="KIND:NAME", help="Only on this subject; 'project:' for all projects."
        ),
        click.option("--act", metavar="WORD", help="Only this action, such as edited."),
        click.option("--by", metavar="USER", help="Only by this person."),
    ):
        command = option(command)
    return command


@click.group(cls=HelpfulGroup)
def audit() -> None:
    """The audit log: who did what, from where, before and after."""


@audit.command("ls")
@filters
@click.option(
    "--limit", type=click.IntRange(1), default=50, show_default=True, help="List at most this many."
)
@click.option("--changes", is_flag=True, help="Show the values before and after.")
@json_option
@pass_session
def audit_ls(session: CliSession, /, limit: int, changes: bool, as_json: bool, **said: str | None) -> None:
    """List entries of the audit log, latest first."""
    items = session.pages(models.AuditEntry, "audit", limit, _wanted(said))
    if items and changes and not as_json:
        for one in items:
            _show_changes(one.told)
    else:
        print_list(
            items, as_json, speak("No entries match.", "没有匹配的条目。"), COLUMNS, _row, right=("SEQ",)
        )


@audit.command("export")
@filters
@click.option("--format", "form", type=WordParam(("jsonl", "csv")), default="jsonl", show_default=True)
@click.option(
    "-o", "--output", type=click.File("wb"), default="-", help="The file to write; default: standard output."
)
@pass_session
def audit_export(session: CliSession, /, form: str, output: IO[bytes], **said: str | None) -> None:
    """Export the whole log, oldest first; a jsonl file can be verified later."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace") if output.isatty() else None
    for piece in session.client.audit.export(form, **_wanted(said)):
        output.write(piece if decoder is None else plain(decoder.decode(piece)).encode())


@audit.command("verify")
@click.argument("file", type=click.File("r", encoding="utf-8"), required=False)
@click.option("--seq", type=click.IntRange(1), help="The number of an entry that you noted earlier.")
@click.option("--seal", metavar="HASH", help="The seal that it had then.")
@json_option
@pass_session
def audit_verify(
    session: CliSession, file: IO[str] | None, seq: int | None, seal: str | None, as_json: bool
) -> None:
    """Verify that no entry of the log was changed, removed or inserted.

    With FILE, an exported log is verified locally, without trusting the server. Keep the printed number and seal:
    with --seq and --seal, a later log can be compared with them."""
    from danlu.sdk.resources.audit import verify_lines

    if (seq is None) != (seal is None):
        raise click.UsageError(speak("--seq and --seal go together.", "--seq 与 --seal 必须同时给出。"))
    found = verify_lines(file, seq, seal) if file is not None else session.client.audit.verify(seq, seal)
    if as_json:
        print_json(
            {
                "ok": found.ok,
                "count": found.count,
                "seq": found.seq,
                "seal": found.seal,
                "broken": found.broken,
                "signed_since": found.signed_since,
            }
        )
    else:
        _tell_verdict(found)
    if not found.ok:
        sys.exit(BROKEN)


def _tell_verdict(found: models.AuditVerdict) -> None:
    if not found.ok:
        broken = found.broken or {}
        why = show.words(broken.get("text")) or str(broken.get("why"))
        at = broken.get("seq")
        note(speak("The log is BROKEN at {at}: {why}.", "日志在 {at} 处断裂：{why}。", at=at, why=why))
        note(speak("It is intact up to entry {seq}.", "条目 {seq} 及之前完好。", seq=found.seq))
        return
    if found.signed_since is not None:
        note(
            speak(
                "Entries from {seq} on are signed with the server's key.",
                "自条目 {seq} 起均有服务端密钥的签名。",
                seq=found.signed_since,
            )
        )
    note(
        speak(
            "The log is intact: {count} entries; the last is {seq}, with the seal",
            "日志完好：共 {count} 条，最后一条是 {seq}，其封印为",
            count=found.count,
            seq=found.seq,
        )
    )
    show.echo(found.seal)


def _wanted(said: Mapping[str, str | None]) -> dict[str, str]:
    found = {name: value for name, value in said.items() if value}
    for name in ("since", "until"):
        if found.get(name, "-")[:1].isdigit() and found[name][-1:] in "smhd":
            found[name] = f"-{found[name]}"
    return found


def _row(one: models.AuditEntry) -> show.Cells:
    where = f"{one.address} {one.means}".strip()
    return [str(one.seq), show.local(one.time), where, show.words(one.text), one.reason]


def _show_changes(one: models.AuditEntry) -> None:
    show.echo(f"{one.seq}  {show.local(one.time)}  {show.words(one.text)}")
    before, after = one.before or {}, one.after or {}
    for key in sorted({*before, *after}):
        if before.get(key) != after.get(key):
            show.echo(f"    {key}: {_value(before, key)} → {_value(after, key)}")


def _value(data: Mapping[str, object], key: str) -> str:
    import json

    return json.dumps(data[key], ensure_ascii=False) if key in data else "nothing"
