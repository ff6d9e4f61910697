"""`./dev bench data [section…]`: how fast data comes and goes, beside cp, rclone and boto3 in one run.

All by turns on the same files, so that a busy machine is as unfair to each; the best of the rounds counts. Bounded by
--size, --files, --store-files and --most (seconds for each command); everything it makes is removed."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil

from bench.copies.timing import Took, compare, remove, timed
from bench.peers import copiers
from bench.table import Table
from tests.live import LiveServer, live_server
from tools.testing.s3 import S3Server, start_s3

WEB = Path(__file__).parent / "copies" / "web.py"
MIB = 1 << 20
SMALL = 4096


@dataclass(frozen=True)
class Ground:
    """What is copied, and within which bounds."""

    root: Path
    size: int
    files: int
    store_files: int
    entries: int
    rounds: int
    most: float

    @property
    def large(self) -> Path:
        """One file that nothing can compress."""
        path = self.root / "large"
        if not path.exists():
            with path.open("wb") as file:
                for _ in range(self.size // MIB):
                    file.write(os.urandom(MIB))
        return path

    def many(self, count: int) -> Path:
        """Small files, 500 to a folder."""
        folder = self.root / f"many-{count}"
        if not folder.exists():
            for number in range(count):
                below = folder / f"{number // 500:05}"
                if number % 500 == 0:
                    below.mkdir(parents=True)
                (below / f"{number:07}").write_bytes(os.urandom(SMALL))
        return folder

    def danlu(self, *words: str | Path, env: dict[str, str] | None = None, who: str = "danlu cp") -> Took:
        return timed(who, [sys.executable, "-m", "danlu.cli.main", *words], self.most, env)


def main() -> int:
    sections: dict[str, Callable[[Table, Ground], None]] = {
        "local": local,
        "store": store,
        "volumes": volumes,
        "web": web,
        "listing": listing,
    }
    parser = argparse.ArgumentParser(prog="./dev bench data", description=__doc__)
    parser.add_argument("sections", nargs="*", choices=[[], *sections], default=[])
    parser.add_argument("--size", type=int, default=1024, help="MiB of the large file")
    parser.add_argument("--files", type=int, default=100_000, help="small files from folder to folder")
    parser.add_argument("--store-files", type=int, default=2_000, help="small files to stores and volumes")
    parser.add_argument("--entries", type=int, default=1_000_000, help="entries of the folder that is listed")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--most", type=float, default=600, help="seconds for each command")
    parser.add_argument("--place", type=Path, help="where the files are made; by default a temporary folder")
    options = parser.parse_args()
    table = Table("./dev bench data")
    with tempfile.TemporaryDirectory(prefix="danlu-bench-", dir=options.place) as folder:
        ground = Ground(
            Path(folder),
            options.size * MIB,
            options.files,
            options.store_files,
            options.entries,
            options.rounds,
            options.most,
        )
        for name in options.sections or sections:
            print(f"{name} … (load {os.getloadavg()[0]:.1f})", flush=True)
            sections[name](table, ground)
    print("\n" + table.render())
    return 0


# ── from folder to folder ────────────────────────────────────────────────────────────────────────────


def local(table: Table, ground: Ground) -> None:
    target = ground.root / "target"
    for what, source, size in (
        (f"{ground.size // MIB} MiB, local to local", ground.large, ground.size),
        (f"{ground.files:,} files of 4 KiB, local to local", ground.many(ground.files), 0),
    ):
        runs = [
            partial(ground.danlu, "cp", source, target),
            partial(timed, "cp -r --preserve", ["cp", "-rp", source, target], ground.most),
            partial(timed, "rclone", _rclone(source, str(target)), ground.most),
        ]
        compare(table, what, target, runs, ground.rounds, size)
    ground.danlu("cp", ground.many(ground.files), target)
    again = ground.danlu("cp", ground.many(ground.files), target)
    rclone = timed("rclone", _rclone(ground.many(ground.files), str(target)), ground.most)
    table.add(f"the {ground.files:,} once more, nothing to do", again.shown(), "", rclone.shown())
    remove(target)


# ── to and from an object store ──────────────────────────────────────────────────────────────────────


def store(table: Table, ground: Ground) -> None:
    s3 = start_s3()
    try:
        env = copiers.variables(s3)
        for what, source, size in (
            (f"{ground.size // MIB} MiB", ground.large, ground.size),
            (f"{ground.store_files:,} files of 4 KiB", ground.many(ground.store_files), 0),
        ):
            bucket = _up(table, ground, s3, what, source, size, env)
            target = ground.root / "target"
            runs = [
                partial(ground.danlu, "cp", f"s3://{bucket}/ours", target, env=env),
                partial(timed, "rclone", _rclone(f"s:{bucket}/ours", str(target)), ground.most, env),
                partial(timed, "boto3", [*copiers.boto3(), "down", target, bucket, "ours"], ground.most, env),
            ]
            compare(table, f"{what}, S3 to local", target, runs, ground.rounds, size)
    finally:
        s3.stop()


def _up(
    table: Table, ground: Ground, s3: S3Server, what: str, source: Path, size: int, env: dict[str, str]
) -> str:
    """Each into a bucket of its own every time; the last of ours is what is read afterwards."""
    ours = ""

    def danlu() -> Took:
        nonlocal ours
        ours = s3.bucket()
        return ground.danlu("cp", source, f"s3://{ours}/ours", env=env)

    def rclone() -> Took:
        return timed("rclone", _rclone(source, f"s:{s3.bucket()}/theirs"), ground.most, env)

    def boto3() -> Took:
        return timed("boto3", [*copiers.boto3(), "up", source, s3.bucket(), "theirs"], ground.most, env)

    compare(table, f"{what}, local to S3", None, [danlu, rclone, boto3], ground.rounds, size)
    return ours


# ── to and from volumes ──────────────────────────────────────────────────────────────────────────────


def volumes(table: Table, ground: Ground) -> None:
    with _server(ground) as live:
        env, count = live.env(), 0

        def fresh() -> str:
            nonlocal count
            count += 1
            return f"personal:/{count}"

        def put(source: Path) -> Took:
            return ground.danlu("files", "put", source, fresh() + "/", env=env, who="danlu files put")

        for what, source, size in (
            (f"{ground.size // MIB} MiB", ground.large, ground.size),
            (f"{ground.store_files:,} files of 4 KiB", ground.many(ground.store_files), 0),
        ):
            with _watched(live) as server:
                runs = [
                    lambda source=source: ground.danlu("cp", source, fresh(), env=env),
                    lambda source=source: put(source),
                ]
                compare(table, f"{what}, local to volume", None, runs, ground.rounds, size)
            table.add(
                "  the server meanwhile", f"{server['peak'] / MIB:.0f} MiB at most, {server['cpu']:.1f} s CPU"
            )
            place = fresh()
            ground.danlu("cp", source, place, env=env)
            target = ground.root / "target"
            down = [
                partial(ground.danlu, "cp", place, target, env=env),
                partial(ground.danlu, "files", "get", place, "-o", target, env=env, who="danlu files get"),
            ]
            compare(table, f"{what}, volume to local", target, down, ground.rounds, size)
            there = [lambda place=place: ground.danlu("cp", place, fresh(), env=env)]
            compare(table, f"{what}, within a volume", None, there, 1, size)


@contextmanager
def _server(ground: Ground) -> Iterator[LiveServer]:
    root = ground.root / "server"
    root.mkdir()
    with live_server(root) as live:
        yield live
    remove(root)


@contextmanager
def _watched(live: LiveServer) -> Iterator[dict[str, float]]:
    """The most memory that the server has, looked at ten times a second, and the CPU it takes."""
    process, told, done = psutil.Process(live.pid), {"peak": 0.0, "cpu": 0.0}, threading.Event()

    def watch() -> None:
        while not done.wait(0.1):
            told["peak"] = max(told["peak"], process.memory_info().rss)

    before = sum(process.cpu_times()[:2])
    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield told
    finally:
        done.set()
        thread.join()
        told["cpu"] = sum(process.cpu_times()[:2]) - before


# ── from the web; a very large folder ────────────────────────────────────────────────────────────────


def web(table: Table, ground: Ground) -> None:
    source, target = ground.large, ground.root / "target"
    with subprocess.Popen([sys.executable, WEB, source.parent], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = f"http://127.0.0.1:{server.stdout.readline().strip()}/{source.name}"
            runs = [
                partial(ground.danlu, "cp", url, target),
                partial(timed, "curl", ["curl", "-sSf", "-o", target, url], ground.most),
                partial(timed, "rclone", [copiers.rclone(), "copyurl", url, target], ground.most),
            ]
            compare(
                table, f"{ground.size // MIB} MiB, http to local", target, runs, ground.rounds, ground.size
            )
        finally:
            server.kill()


def listing(table: Table, ground: Ground) -> None:
    with _server(ground) as live, live.client() as client:
        folder = live.data / "volumes" / "admin" / "wide"
        folder.mkdir(parents=True)
        for number in range(ground.entries):
            os.close(os.open(folder / f"{number:08}", os.O_CREAT | os.O_WRONLY, 0o644))
        pages = []
        query: dict[str, object] = {"path": "wide", "limit": 500}
        for _ in range(4):
            began = time.monotonic()
            page = client.http.json("GET", "volumes/personal/files", query)
            pages.append(time.monotonic() - began)
            query["cursor"] = page["next_cursor"]
        table.add(
            f"a page of 500 of a folder with {ground.entries:,} entries: the first; the next ones",
            f"{pages[0]:.2f} s; {', '.join(f'{one * 1000:.0f}' for one in pages[1:])} ms",
        )


def _rclone(source: str | Path, target: str) -> list[str | Path]:
    """As many at once as ours."""
    verb = "copyto" if isinstance(source, Path) and source.is_file() else "copy"
    return [copiers.rclone(), verb, "--transfers", "8", "--checkers", "8", source, target]


if __name__ == "__main__":
    sys.exit(main())
