"""What a pod mounts, fetched from a Danlu whose connections break, whose disks are damaged, and whose names lie."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from danlu.runtime.filling.filler import Filler, FillWish
from danlu.runtime.filling.wire import FillFailed, MountWire, Patience
from tests.fakes.http_server import FakeServer, Reply, Request, problem

LARGE = os.urandom(6 << 20)


class Danlu:
    """Serves one mount. `cut` are after how many bytes answers with contents break off, one after the other, of those that begin with the file `breaks`."""

    def __init__(self, server: FakeServer, files: dict[str, bytes], *more: dict[str, Any]) -> None:
        self.server, self.files = server, files
        self.lines = [*(told(path, data) for path, data in files.items()), *more]
        self.cut: list[int] = []
        self.breaks = next(iter(files), "")
        self.cut_manifest: list[int] = []
        self.asked: list[list[list[Any]]] = []
        self.sent: dict[str, bytes] = {}
        """What is sent in place of what a file should hold."""
        server.on("GET", "task/mounts/2/manifest", self.manifest)
        server.on("POST", "task/mounts/2/contents", self.contents)

    def manifest(self, request: Request) -> Reply:
        after = (request.query.get("after") or [""])[0]
        lines = [line for line in self.lines if line["path"] > after]
        body = b"".join(json.dumps(line).encode() + b"\n" for line in [*lines, {"end": True}])
        cut = self.cut_manifest.pop(0) if self.cut_manifest else None
        return Reply(body=body[:cut], drop=cut is not None)

    def contents(self, request: Request) -> Reply:
        wanted = request.json()["files"]
        self.asked.append(wanted)
        body = b""
        for path, _, size, offset in wanted:
            body += struct.pack(">BQ", 0, size - offset) + self.sent.get(path, self.files[path])[offset:]
        cut = self.cut.pop(0) if self.cut and wanted[0][0] == self.breaks else None
        return Reply(body=body[:cut], drop=cut is not None)


def told(path: str, data: bytes, **more: Any) -> dict[str, Any]:
    return {"path": path, "kind": "file", "size": len(data), "tag": hashlib.sha256(data).hexdigest(), **more}


@pytest.fixture
def server() -> Iterator[FakeServer]:
    found = FakeServer()
    yield found
    found.close()


class Time:
    now = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def filler(
    server: FakeServer, into: Path, *, kind: str = "dataset", bound: int = 0, said: Any = None
) -> Filler:
    time = Time()
    patience = Patience(60, lambda: time.now, time.sleep)
    into.mkdir(exist_ok=True)
    wire = MountWire(server.url, "danlu_task_j-1_x", 2, patience)
    return Filler(FillWish(2, str(into), kind, "lin:x@v1", bound), wire, patience, said or (lambda *_: None))


def tree(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_many_small_files_come_in_few_answers_and_a_large_one_in_its_own(
    server: FakeServer, tmp_path: Path
) -> None:
    files = {f"d{number % 7}/{number:04}": f"{number}".encode() for number in range(1200)}
    danlu = Danlu(server, {**dict(sorted(files.items())), "large": LARGE, "nothing": b""})
    heard: list[tuple[int, int]] = []
    filler(server, tmp_path / "into", said=lambda *figures: heard.append(figures)).fill()
    assert tree(tmp_path / "into") == danlu.files
    assert len(danlu.asked) == 4, [len(one) for one in danlu.asked]
    assert heard[0] == (0, heard[-1][1])
    assert heard[-1][0] == heard[-1][1]
    assert server.requests[0].headers["authorization"] == "Bearer danlu_task_j-1_x"


def test_nobody_writes_to_what_came_and_programs_stay_programs(server: FakeServer, tmp_path: Path) -> None:
    danlu = Danlu(server, {"plain": b"1"}, told("run", b"#!", executable=True, modified=1_000_000))
    danlu.files["run"] = b"#!"
    filler(server, tmp_path / "into").fill()
    modes = {name: stat.S_IMODE((tmp_path / "into" / name).stat().st_mode) for name in ("plain", "run")}
    assert modes == {"plain": 0o444, "run": 0o555}
    assert (tmp_path / "into" / "run").stat().st_mtime == 1000


def test_folders_and_links_of_a_version_are_there(server: FakeServer, tmp_path: Path) -> None:
    Danlu(
        server,
        {"a/x": b"1"},
        {"path": "b/link", "kind": "link", "target": "../a/x"},
        {"path": "empty/", "kind": "folder", "size": 0, "tag": ""},
    )
    filler(server, tmp_path / "into").fill()
    assert (tmp_path / "into" / "b" / "link").read_bytes() == b"1"
    assert (tmp_path / "into" / "empty").is_dir()


def test_what_came_before_a_connection_broke_does_not_come_again(server: FakeServer, tmp_path: Path) -> None:
    danlu = Danlu(server, {"large": LARGE, "small": b"2"})
    danlu.cut, danlu.cut_manifest = [3 << 20, 1 << 20], [40, 90]
    filler(server, tmp_path / "into").fill()
    assert tree(tmp_path / "into") == danlu.files
    offsets = [one[0][3] for one in danlu.asked if one[0][0] == "large"]
    assert offsets[0] == 0
    assert 0 < offsets[-1] < len(LARGE)
    assert offsets == sorted(offsets)


def test_a_content_that_is_wrong_once_is_fetched_again_and_for_good_it_is_damaged(
    server: FakeServer, tmp_path: Path
) -> None:
    danlu = Danlu(server, {"a": b"good", "b": b"also"})
    danlu.sent = {"a": b"evil"}
    with pytest.raises(FillFailed) as failed:
        filler(server, tmp_path / "into").fill()
    assert (failed.value.code, failed.value.en) == ("damaged", "'a'")
    asked = [path for one in danlu.asked for path, *_ in one]
    assert (asked.count("a"), asked.count("b")) == (3, 1)


def test_what_never_answers_is_given_up_and_says_so(server: FakeServer, tmp_path: Path) -> None:
    danlu = Danlu(server, {"a": b"1"})
    danlu.cut = [3] * 1000
    with pytest.raises(FillFailed) as failed:
        filler(server, tmp_path / "into").fill()
    assert failed.value.code == "unreachable"
    assert server.url in failed.value.en
    assert server.url in failed.value.zh


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (problem(403, "not_allowed", "no more", text={"en": "no more", "zh": "不能"}), "revoked"),
        (problem(401, "not_signed_in", "over"), "told"),
        (problem(404, "not_found", "none"), "told"),
    ],
)
def test_a_refusal_is_not_asked_again(server: FakeServer, tmp_path: Path, reply: Reply, code: str) -> None:
    Danlu(server, {"a": b"1"})
    server.on("POST", "task/mounts/2/contents", reply)
    with pytest.raises(FillFailed) as failed:
        filler(server, tmp_path / "into").fill()
    assert failed.value.code == code
    assert len(server.asked("POST", "task/mounts/2/contents")) == 1


def test_what_may_pass_is_waited_for(server: FakeServer, tmp_path: Path) -> None:
    Danlu(server, {"a": b"1"})
    outside = {"failed": {"code": "told", "en": "S3 is busy", "zh": "忙", "bound": 0, "again": True}}
    line = json.dumps(told("a", b"1")).encode()
    server.on(
        "GET",
        "task/mounts/2/manifest",
        Reply(body=json.dumps(outside).encode() + b"\n"),
        problem(503, "unavailable", "later"),
        Reply(body=line + b'\n{"end": true}\n'),
    )
    filler(server, tmp_path / "into").fill()
    assert tree(tmp_path / "into") == {"a": b"1"}


def test_while_danlu_has_its_hands_full_nobody_gives_up(server: FakeServer, tmp_path: Path) -> None:
    danlu = Danlu(server, {"a": b"1"})
    busy = [problem(429, "too_many_at_once", "wait")] * 20
    server.on("POST", "task/mounts/2/contents", *busy, danlu.contents)
    filler(server, tmp_path / "into").fill()
    assert tree(tmp_path / "into") == {"a": b"1"}


@pytest.mark.parametrize("name", ["../out", "/etc/out", "a/../../out", "a%00", ".", "x" * 300])
def test_a_name_that_leads_out_is_refused_and_nothing_is_written(
    server: FakeServer, tmp_path: Path, name: str
) -> None:
    danlu = Danlu(server, {name: b"1"})
    with pytest.raises(FillFailed):
        filler(server, tmp_path / "into").fill()
    assert (danlu.asked, tree(tmp_path)) == ([], {})


def test_a_link_never_leads_a_file_out(server: FakeServer, tmp_path: Path) -> None:
    Danlu(server, {"d/x": b"1"}, {"path": "d", "kind": "link", "target": "../.."})
    with pytest.raises(FillFailed):
        filler(server, tmp_path / "into").fill()
    assert tree(tmp_path) == {"into/d/x": b"1"}


def test_a_link_never_leads_another_link_out(server: FakeServer, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    link = {"path": "d", "kind": "link", "target": "../outside"}
    Danlu(server, {}, link, {"path": "d/x", "kind": "link", "target": "y"})
    with pytest.raises(FillFailed):
        filler(server, tmp_path / "into").fill()
    assert list(outside.iterdir()) == []


def test_of_an_object_and_a_folder_of_one_name_the_folder_is_there(
    server: FakeServer, tmp_path: Path
) -> None:
    Danlu(server, {"both": b"1", "both-x": b"2", "both/in": LARGE, "both/in/deep": b"3"})
    filler(server, tmp_path / "into", kind="bucket").fill()
    assert tree(tmp_path / "into") == {"both-x": b"2", "both/in/deep": b"3"}


def test_more_than_is_allowed_is_refused_before_anything_comes(server: FakeServer, tmp_path: Path) -> None:
    danlu = Danlu(server, {"large": LARGE})
    with pytest.raises(FillFailed) as failed:
        filler(server, tmp_path / "into", kind="bucket", bound=1000).fill()
    assert (failed.value.code, failed.value.size, failed.value.bound) == ("over_bound", len(LARGE), 1000)
    assert danlu.asked == []


def test_a_disk_without_room_is_told_before_anything_comes(server: FakeServer, tmp_path: Path) -> None:
    danlu = Danlu(server, {}, {"path": "huge", "kind": "file", "size": 1 << 60, "tag": "x"})
    with pytest.raises(FillFailed) as failed:
        filler(server, tmp_path / "into").fill()
    assert (failed.value.code, failed.value.size > 1 << 60) == ("disk_full", True)
    assert danlu.asked == []


def test_the_program_tells_how_far_it_is_and_why_it_could_not(server: FakeServer, tmp_path: Path) -> None:
    danlu = Danlu(server, {"large": LARGE})
    wish = {"number": 2, "into": str(tmp_path), "kind": "dataset", "title": "lin:x@v1", "bound": 0}
    env = {**os.environ, "DANLU_URL": server.url, "DANLU_TASK_TOKEN": "t", "DANLU_MOUNTS": json.dumps([wish])}
    command = [sys.executable, "-m", "danlu.runtime.fill"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=True)
    said = [json.loads(line.partition(" ")[2]) for line in done.stdout.splitlines()]
    assert [one["percent"] for one in said][-1] == 100
    assert said[0] == {"kind": "dataset", "title": "lin:x@v1", "percent": 0, "size": len(LARGE)}
    (tmp_path / "large").unlink()
    danlu.sent = {"large": bytes(len(LARGE))}
    failed = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    assert failed.returncode == 1
    word, _, rest = failed.stderr.strip().splitlines()[-1].partition(" ")
    assert (word, json.loads(rest)["why"], json.loads(rest)["said"]) == (
        "danlu-not-filled",
        "damaged",
        "'large'",
    )
