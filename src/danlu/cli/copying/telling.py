"""How far a copy is, what it did, and with which code it ends."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from typing import Any, Callable, Iterator

import click

from danlu.cli.session import CliSession, flush_output, note, on_terminal, print_json
from danlu.cli.shared import show
from danlu.cli.shared.entries import far
from danlu.cli.shared.exit_codes import FAILED, NOTHING_DONE
from danlu.cli.shared.failures import complain, sentence
from danlu.cli.words import speak, spoken
from danlu.domain.words import Words, one_line, plain
from danlu.sdk.copying.options import Change, CopyProgress
from danlu.sdk.http.errors import DanluError

_MOST_SHOWN = 20
_EVERY_S = 0.2


class Bar:
    """A line on the terminal: bytes, files, rate, and the time that is left."""

    def __init__(self, progress: CopyProgress, quiet: bool) -> None:
        self._progress, self._done = progress, threading.Event()
        self._quiet = threading.Event()
        live = sys.stderr.isatty() and on_terminal() and not quiet
        self._thread = threading.Thread(target=self._draw, daemon=True) if live else None

    def __enter__(self) -> Bar:
        if self._thread:
            self._thread.start()
        return self

    def __exit__(self, *why: object) -> None:
        self.end()

    def end(self) -> None:
        self._done.set()
        if self._thread:
            self._thread.join()

    def paused(self, ask: Callable[[int], bool]) -> Callable[[int], bool]:
        """The question, on a line of its own."""

        def asked(count: int) -> bool:
            with self._hidden():
                return ask(count)

        return asked

    @contextlib.contextmanager
    def _hidden(self) -> Iterator[None]:
        self._quiet.set()
        if self._thread:
            time.sleep(_EVERY_S * 1.5)
            click.echo("\r\033[K", err=True, nl=False)
        try:
            yield
        finally:
            self._quiet.clear()

    def _draw(self) -> None:
        while not self._done.wait(_EVERY_S):
            if not self._quiet.is_set():
                click.echo(f"\r\033[K{line(self._progress)[:110]}", err=True, nl=False)
        click.echo("\r\033[K", err=True, nl=False)


class ChangeTeller:
    """A dry run tells every change as it is decided; others only the sum."""

    def __init__(self, dry_run: bool, as_json: bool) -> None:
        self.dry_run, self.as_json = dry_run, as_json
        self._began, self._lock = False, threading.Lock()

    def told(self, change: Change) -> None:
        if not self.dry_run:
            return
        with self._lock:
            if self.as_json:
                # Piece by piece: there may be millions.
                click.echo("," if self._began else '{"changes": [')
                print_json(change._asdict(), indent=None)
                self._began = True
            else:
                act = speak("delete", "删除") if change.act == "delete" else speak("copy", "复制")
                size = "" if change.act == "delete" or change.path.endswith("/") else show.size(change.size)
                click.echo(plain(f"{act}  {size:>10}  {one_line(change.to)}"))

    def broke_off(self, progress: CopyProgress) -> None:
        """What was done before it ended: that stays, and the same command goes on."""
        if self.as_json or not (progress.copied or progress.bytes or progress.resumed):
            return
        note(summary(progress, self.dry_run))
        note(speak("The same command goes on from here.", "再次运行同一命令即可从此处继续。"))

    def end(self, told: dict[str, Any]) -> None:
        if self.dry_run:
            if not self._began:
                click.echo('{"changes": [')
            click.echo('], "summary": ')
            print_json(told)
            click.echo("}")
        else:
            print_json(told)


def line(progress: CopyProgress) -> str:
    """One line while it goes on."""
    done = progress.bytes + progress.resumed
    files = f"{progress.copied + progress.skipped:,}/{progress.found:,}" + ("" if progress.listed else "+")
    parts = [
        far(min(done, progress.found_bytes), progress.found_bytes)
        if progress.found_bytes
        else show.size(done),
        speak("{files} files", "{files} 个文件", files=files),
        f"{show.size(int(progress.rate))}/s",
    ]
    if progress.left is not None:
        parts.append(speak("{left} left", "剩余 {left}", left=_time(progress.left)))
    if progress.failed:
        parts.append(speak("{count} failed", "{count} 个失败", count=progress.failed))
    return "  ".join(parts)


def summary(progress: CopyProgress, dry_run: bool) -> str:
    """One sentence in the end."""
    files = spoken((_FILE if progress.copied == 1 else _FILES).fill(count=f"{progress.copied:,}"))
    did = (
        speak("Would copy {files}", "将复制 {files}", files=files)
        if dry_run
        else speak("Copied {files}", "已复制 {files}", files=files)
    )
    parts = [f"{did} ({show.size(progress.bytes)}"]
    parts[0] += ")" if dry_run else f", {_time(progress.took)}, {show.size(int(progress.rate))}/s)"
    for count, words in (
        (progress.same, _THERE),
        (progress.kept, _KEPT),
        (progress.deleted, _TO_DELETE if dry_run else _DELETED),
        (progress.links, _LINKS),
        (progress.special, _SPECIAL),
        (progress.failed, _FAILED),
    ):
        if count:
            parts.append(spoken(words.fill(count=f"{count:,}")))
    if progress.resumed:
        parts.append(
            speak("{size} from an earlier run", "{size} 来自之前的运行", size=show.size(progress.resumed))
        )
    return speak("{parts}.", "{parts}。", parts=speak(", ", "，").join(parts))


def end(progress: CopyProgress, teller: ChangeTeller, session: CliSession) -> None:
    """The summary, the failures, and the code: 1 if some failed, 6 if nothing else was there."""
    if teller.as_json:
        teller.end(told(progress))
    else:
        flush_output()
        for one in progress.failures[:_MOST_SHOWN]:
            why = sentence(one.error, session) if isinstance(one.error, DanluError) else str(one.error)
            complain(f"{one.path}: {why}" if one.path else why)
        if progress.failed > _MOST_SHOWN:
            note(
                speak(
                    "{count} more failed; --json lists them.",
                    "另有 {count} 个失败；--json 可列出。",
                    count=progress.failed - _MOST_SHOWN,
                )
            )
        note(summary(progress, teller.dry_run))
    if progress.failed:
        raise click.exceptions.Exit(FAILED if progress.copied + progress.skipped else NOTHING_DONE)


def told(progress: CopyProgress) -> dict[str, Any]:
    return {
        "copied": progress.copied,
        "skipped": progress.skipped,
        "same": progress.same,
        "kept": progress.kept,
        "deleted": progress.deleted,
        "failed": progress.failed,
        "links": progress.links,
        "special": progress.special,
        "bytes": progress.bytes,
        "resumed": progress.resumed,
        "seconds": round(progress.took, 3),
        "failures": [
            {
                "path": one.path,
                "code": getattr(one.error, "code", "error"),
                "detail": str(getattr(one.error, "detail", one.error)),
            }
            for one in progress.failures
        ],
    }


def _time(seconds: float) -> str:
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}" if minutes else f"{rest} s"


_FILE = Words("{count} file", "{count} 个文件")
_FILES = Words("{count} files", "{count} 个文件")
_THERE = Words("{count} there already", "{count} 个已存在")
_KEPT = Words("{count} left as they are", "{count} 个保持原样")
_TO_DELETE = Words("{count} to be deleted", "将删除 {count} 个")
_DELETED = Words("{count} deleted", "已删除 {count} 个")
_LINKS = Words("{count} left out (links)", "略过 {count} 个链接")
_SPECIAL = Words("{count} left out (neither files nor folders)", "略过 {count} 个特殊文件")
_FAILED = Words("{count} failed", "{count} 个失败")
