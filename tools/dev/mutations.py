"""Mistakes as a table, made and taken back; and what came of a run of them, kept to be compared with the next."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from tools.dev.steps import Stop


@dataclass(frozen=True)
class Mutation:
    """One mistake: `old` occurs exactly once in the file; `harm` is what a person would suffer."""

    id: str
    area: str
    file: str
    old: str
    new: str
    harm: str

    @property
    def of_console(self) -> bool:
        return self.file.startswith("console/")


@dataclass(frozen=True)
class Caught:
    tier: str
    test: str


@dataclass(frozen=True)
class Result:
    id: str
    area: str
    caught: Caught | None
    seconds: float

    @property
    def told(self) -> str:
        return f"caught by {self.caught.tier}: {self.caught.test}" if self.caught else "NOT CAUGHT"


@dataclass(frozen=True)
class Results:
    commit: str
    by_id: dict[str, Result]


def read(table: Path) -> list[Mutation]:
    return [Mutation(**one) for one in tomllib.loads(table.read_text())["mutation"]]


def choose(known: Sequence[Mutation], words: Collection[str]) -> list[Mutation]:
    """Those named by id or area; all without a word."""
    for word in words:
        if not any(word in (one.id, one.area) for one in known):
            raise Stop(f"there is no mutation or area '{word}'; see tools/dev/mutations.toml.")
    return [one for one in known if not words or one.id in words or one.area in words]


def misfits(chosen: Sequence[Mutation], root: Path) -> list[str]:
    """A line for each mutation whose text is not in its file exactly once."""
    lines = []
    for one in chosen:
        path = root / one.file
        count = path.read_text().count(one.old) if path.exists() else 0
        if count != 1:
            lines.append(f"{one.id}: in {one.file} {count} times: {one.old.strip()}")
    return lines


@contextmanager
def planted(mutation: Mutation, root: Path, *, whole: bool = False) -> Iterator[None]:
    """The mistake is in the checkout inside, and taken back after; with `whole`, nothing is changed."""
    path = root / mutation.file
    right = path.read_text()
    if right.count(mutation.old) != 1:
        raise Stop(f"{mutation.id}: its text is not in {mutation.file} exactly once.")
    try:
        if not whole:
            _write(path, right.replace(mutation.old, mutation.new))
        yield
    finally:
        _write(path, right)


def _write(path: Path, text: str) -> None:
    """Python trusts a compiled file whose source has the same second and size: it goes too."""
    path.write_text(text)
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink(missing_ok=True)


def output(command: Sequence[str], cwd: Path, env: Mapping[str, str], patience_s: float) -> tuple[int, str]:
    """Exit code and words of a command; one that does not end is ended with all that it started."""
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=patience_s)
    except BaseException as error:
        os.killpg(process.pid, signal.SIGKILL)
        said, _ = process.communicate()
        if not isinstance(error, subprocess.TimeoutExpired):
            raise
    return process.returncode, said.decode(errors="replace")


# ── results ──────────────────────────────────────────────────────────────────────────────────────────


def save(path: Path, results: Results) -> None:
    said = {"commit": results.commit, "mutations": [asdict(one) for one in results.by_id.values()]}
    path.write_text(json.dumps(said, indent=1) + "\n")


def load(path: Path) -> Results:
    try:
        said = json.loads(path.read_text())
        rows = [
            {**one, "caught": Caught(**one["caught"]) if one["caught"] else None} for one in said["mutations"]
        ]
        return Results(said["commit"], {one["id"]: Result(**one) for one in rows})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Stop(f"{path} does not contain results of ./dev mutants: {error}") from error


def table(results: Results, chosen: Sequence[Mutation], quick: Collection[str]) -> str:
    wide = max(len(one.id) for one in chosen)
    lines = [f"{'id':<{wide}}  {'area':<11}  caught by"]
    for one in chosen:
        lines.append(f"{one.id:<{wide}}  {one.area:<11}  {_by(results.by_id[one.id])}")
    caught = [by for one in chosen if (by := results.by_id[one.id].caught)]
    soon = sum(one.tier in quick for one in caught)
    return "\n".join([*lines, f"caught {len(caught)} of {len(chosen)}; by the ten-minute run {soon}"])


def compared(
    before: Results, after: Results, chosen: Sequence[Mutation], quick: Collection[str]
) -> tuple[bool, list[str]]:
    """Whether anything that was caught no longer is, and a line for each that is caught elsewhere."""
    lost, lines = False, []
    for one in chosen:
        old, new = before.by_id.get(one.id), after.by_id[one.id]
        if old is None or _where(old, quick) == _where(new, quick):
            continue
        lost |= old.caught is not None and new.caught is None
        lines.append(f"{one.id}: {_where(old, quick)} before, {_where(new, quick)} now")
    return lost, lines or ["Each is caught where it was before."]


def _by(result: Result) -> str:
    return f"{result.caught.tier}: {result.caught.test}" if result.caught else "NOT CAUGHT"


def _where(result: Result, quick: Collection[str]) -> str:
    if result.caught is None:
        return "not caught"
    return "caught in ten minutes" if result.caught.tier in quick else f"caught by {result.caught.tier}"
