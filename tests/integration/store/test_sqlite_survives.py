"""SQLite on a disk that fills up, and under a writer that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from danlu.domain.errors import DiskFull
from danlu.ports.store import JobQuery
from danlu.store.sql import SqlStore
from tests.contracts.store.building import NOW, added
from tests.effort import chance_of, rounds

WRITER = Path(__file__).with_name("writer.py")
ROOT = Path(__file__).parents[3]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path | None]:
    """A disk of two megabytes where one can be mounted, else None."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "danlu-test", disk], check=False, capture_output=True
    )
    if mounted.returncode:
        yield None
        return
    yield disk
    subprocess.run(["umount", disk], check=True)


def fill(store: SqlStore) -> list[str]:
    """Add jobs until there is no more room."""
    kept: list[str] = []
    while True:
        try:
            kept.append(added(store, description="x" * 5000).id)
        except DiskFull:
            return kept


def all_ids(store: SqlStore) -> list[str]:
    return [row.id for row in store.page(JobQuery(sort="created", limit=10_000)).rows]


def check(store: SqlStore) -> None:
    with store._database.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        assert connection.exec_driver_sql("PRAGMA foreign_key_check").first() is None


def test_a_full_disk_is_said_and_loses_nothing(small_disk: Path | None, tmp_path: Path):
    place = small_disk or tmp_path
    url = f"sqlite:///{place / 'danlu.db'}"
    ballast = place / "ballast"
    with closing(SqlStore.open(url)) as store:
        if small_disk:
            ballast.write_bytes(b"x" * 500_000)
        else:
            with store._database.writing() as connection:
                connection.exec_driver_sql("PRAGMA max_page_count=200")
        kept = fill(store)

        assert kept
        assert sorted(all_ids(store)) == sorted(kept)
        assert len(store.events_after(0, 10_000)) == len(kept)

        if small_disk:  # somebody makes room, and it goes on
            ballast.unlink()
            kept.append(added(store).id)
    with closing(SqlStore.open(url)) as store:
        check(store)
        assert sorted(all_ids(store)) == sorted(kept)


@pytest.mark.parametrize("number", range(rounds(2, 5)))
def test_a_killed_writer_leaves_whole_jobs_with_their_events(tmp_path: Path, number: int):
    """The writer tells of every job after its write returned: all it told of must be there."""
    url = f"sqlite:///{tmp_path / 'danlu.db'}"
    SqlStore.open(url).close()
    told = tmp_path / "told"
    with told.open("wb") as out:
        writer = subprocess.Popen([sys.executable, WRITER, url], stdout=out, cwd=ROOT, env=_environment())
        try:
            wanted, deadline = 14 * chance_of(number).randrange(20, 200), time.monotonic() + 60
            while told.stat().st_size < wanted and time.monotonic() < deadline:
                assert writer.poll() is None
                time.sleep(0.001)
        finally:
            os.kill(writer.pid, signal.SIGKILL)
            writer.wait()

    told_ids = [line for line in told.read_text().splitlines(keepends=True) if line.endswith("\n")]
    with closing(SqlStore.open(url)) as store:
        check(store)
        there = all_ids(store)
        assert told_ids
        assert {line.strip() for line in told_ids} <= set(there)
        assert store.page(JobQuery()).total == len(there)
        for id_ in there:
            job = store.get(id_)
            assert job is not None
            kinds = [event.kind for event in store.events_of(id_, 0, 10)]
            assert kinds[:1] == ["job_created"]
            assert len(kinds) == 1 + 2 * (job.version - 1)
        added(store, owner="wang", at=NOW + 1)


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
