"""From the last lines of a log to the program's own failure, through what launchers print around it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from danlu.domain import reasons as why
from danlu.domain.failures.patterns import Pattern, SitePattern
from danlu.domain.failures.table import KNOWN, WEAK
from danlu.domain.reasons import FromLog, Reason
from danlu.domain.words import one_line

LAST_BYTES = 64 << 10
LAST_LINES = 200
"""How much of a log's end is looked at."""
_LONGEST_LINE = 2_000
_NEAR = 40
"""How far from the end a line counts that is not the end of a traceback."""
_QUOTED, _SHORT = 300, 160

_COLOUR = re.compile("\x1b\\[[0-9;:?]{0,40}[A-Za-z]")
_PREFIX = re.compile(r"\[(?:rank|default|worker)\d{1,6}\]: ?|\[\d{1,6},\d{1,6}\]<std(?:out|err)>: ?")
_EXCEPTION = re.compile(r"([A-Za-z_][\w.]{0,150}?)(?:: (.*)|:)?")
_NAMED = re.compile(r"[\w.]*(?:Error|Exception|Interrupt|Failure)")
_HEADER = "Traceback (most recent call last):"
_LAUNCHERS = (
    "torch/distributed/elastic/", "torch.distributed.elastic.", "[launch.py:", "torch/distributed/run.py",
    "Root Cause (first observed failure)", "<NO_OTHER_FAILURES>", "mpirun detected that", "mpirun noticed that",
    "Primary job  terminated normally", "MPI_ABORT was invoked", "Setting OMP_NUM_THREADS environment variable",
    "ChildFailedError", "failed (exitcode:", "returned non-zero exit status", "leaked semaphore objects",
    "resource_tracker.py", "Horovod detected that one or more processes exited",
)  # fmt: skip
_RULED = re.compile(r"[-=*]{8,}")
_FACT = re.compile(r"\s{1,4}(?:time|host|rank|exitcode|error_file|Exit code|Process name) {0,12}: ?")
_RECORDED = re.compile(r"\s{1,4}traceback {0,3}: ")
_OTHERS_FAULT = (
    "KeyboardInterrupt",
    "BrokenPipeError",
    "ConnectionResetError",
    "EOFError",
    "CalledProcessError",
)
_SECRET = re.compile(
    r"(?<=://)[^\s/@]{1,200}(?=@)"
    r"|(?i:(?<=token=)|(?<=password=)|(?<=secret=)|(?<=key=)|(?<=bearer ))[^\s&'\"]{1,300}"
    r"|\b(?:danlu|hf|sk|ghp|gho|glpat|xox[bp]|AKIA)[-_]?[A-Za-z0-9_-]{12,300}"
    r"|\b[A-Za-z0-9_+-]{40,300}"
)


@dataclass(frozen=True, slots=True)
class _Hit:
    """A line that tells of a failure."""

    kind: type[FromLog]
    found: Mapping[str, str]
    line: str
    weak: bool = False


def read_failure(
    reason: Reason, lines: Sequence[str], site: Sequence[SitePattern] = (), absent: Collection[str] = ()
) -> FromLog | None:
    """What the last lines of the log of the task that this reason is about tell; None where they tell nothing better,
    or where the reason is not the program's own end. `absent` names files that only code would have brought."""
    if not isinstance(reason, why.ExitCode | why.Signal | FromLog):
        return None
    where = {"task": reason.task, "node": reason.node, **_end_of(reason)}
    own = list(_own(_cleaned(line) for line in lines[-LAST_LINES:]))
    for line in reversed(own[-_NEAR:]):
        for one in site:
            if (found := one.pattern.match(line)) is not None:
                return _of_site(one, found, line, where)
    hits = _hits(own)
    hit = next((one for one in reversed(hits) if not one.weak), hits[-1] if hits else None) or _by_end(reason)
    if hit is None:
        return None
    known = {field.name for field in fields(hit.kind)}
    params: dict[str, Any] = {
        name: _quoted(text, _SHORT) for name, text in hit.found.items() if name in known
    }
    kind = hit.kind
    if kind is why.FileMissing and (lacking := _lacking(hit.found.get("path", ""), absent)):
        kind, params = why.NoCode, {"path": _quoted(lacking, _SHORT)}
    return kind(**where, line=_quoted(hit.line, _QUOTED), **params)


def _lacking(path: str, absent: Collection[str]) -> str | None:
    """The file of those that code would have brought, as the command names it."""
    return next((one for one in absent if path == one or path.endswith(f"/{one}")), None)


def _cleaned(line: str) -> str:
    """Without colours, what a progress bar wrote over, and the rank that a launcher puts before it."""
    line = _COLOUR.sub("", line[:_LONGEST_LINE]).rstrip()
    line = line.rpartition("\r")[2] if "\r" in line else line
    prefix = _PREFIX.match(line)
    return line[prefix.end() :] if prefix else line


def _own(lines: Iterable[str]) -> Iterable[str]:
    """The program's lines, without those of launchers."""
    for line in lines:
        recorded = _RECORDED.match(line)
        if recorded:
            yield line[recorded.end() :]
        elif (
            line
            and not _RULED.match(line)
            and not _FACT.match(line)
            and not any(map(line.__contains__, _LAUNCHERS))
        ):
            yield line


def _hits(lines: Sequence[str]) -> list[_Hit]:
    """Every line that tells of a failure, in order."""
    hits: list[_Hit] = []
    inside, since = False, LAST_LINES
    for at, line in enumerate(lines):
        if _HEADER in line:
            inside, since = True, LAST_LINES
            continue
        named = None if line[:1].isspace() else _exception(line, inside)
        if named is not None or not line[:1].isspace():
            inside = False
        since = 0 if named is not None else since + 1
        # A message of several lines goes on behind the end of its traceback.
        if named is not None or since <= 2 or len(lines) - at <= _NEAR:
            known = _known(line) or named
            hits += [known] if known is not None else []
    return hits


def _exception(line: str, inside: bool) -> _Hit | None:
    """The end of a traceback, or a line like it."""
    match = _EXCEPTION.fullmatch(line)
    if match is None or not (inside or _NAMED.fullmatch(match[1])):
        return None
    kind = match[1].rpartition(".")[2]
    if kind == "AssertionError":
        return _Hit(why.AssertionBroken, {"message": match[2] or ""}, line)
    if kind == "MemoryError":
        return _Hit(why.MemoryShort, {}, line)
    found = {"kind": match[1], "message": match[2] or ""}
    return _Hit(why.ProgramError, found, line, weak=kind in _OTHERS_FAULT)


def _known(line: str) -> _Hit | None:
    return _first(KNOWN, line, weak=False) or _first(WEAK, line, weak=True)


def _first(table: Sequence[tuple[Pattern, type[FromLog]]], line: str, *, weak: bool) -> _Hit | None:
    for pattern, kind in table:
        if (found := pattern.match(line)) is not None:
            return _Hit(kind, found, line, weak)
    return None


def _by_end(reason: Reason) -> _Hit | None:
    """What the way it ended tells, where its log does not."""
    match reason:
        case why.Signal(signal="SIGBUS") | why.ExitCode(exit_code=135):
            return _Hit(why.BusError, {}, "Bus error")
        case why.ExitCode(exit_code=137):
            return _Hit(why.Killed, {}, "Killed")
    return None


def _end_of(reason: why.ExitCode | why.Signal | FromLog) -> dict[str, Any]:
    """How a task ended, for those who ask for its exit code."""
    return {name: getattr(reason, name) for name in ("exit_code", "signal") if hasattr(reason, name)}


def _of_site(one: SitePattern, found: Mapping[str, str], line: str, where: Mapping[str, Any]) -> FromLog:
    short = {name: _quoted(text, _SHORT) for name, text in found.items()}
    headline, advice = one.headline.fill(**short), one.advice.fill(**short)
    return why.SiteFailure(
        **where,
        line=_quoted(line, _QUOTED),
        name=one.name,
        headline=headline.en,
        headline_zh=headline.zh,
        advice_en=advice.en,
        advice_zh=advice.zh,
    )


def _quoted(text: str, most: int) -> str:
    """Fit for a list that others may see: one line, cut, without control characters and what looks like a secret."""
    text = _SECRET.sub("…", one_line(text[:_LONGEST_LINE]).strip())
    return text if len(text) <= most else text[: most - 1] + "…"
