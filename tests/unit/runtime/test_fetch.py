"""Code brought from Danlu to where a task will run."""

import hashlib
import io
import json
import os
import stat
import subprocess
import sys
import tarfile
import threading

import pytest

from danlu.runtime.fetch import fetch, tell
from danlu.runtime.task import CannotStart
from tests.fakes.http_server import FakeServer, Reply, problem


def packed(**files):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(f"pkg/{name}")
            info.size, info.mode = len(text), 0o755 if text.startswith("#!") else 0o644
            tar.addfile(info, io.BytesIO(text.encode()))
    return buffer.getvalue()


ARCHIVE = packed(main="print(1)", run="#!/bin/sh", data=os.urandom(4096).hex())
DIGEST = hashlib.sha256(ARCHIVE).hexdigest()
WHOLE, CUT, WRONG = Reply(body=ARCHIVE), Reply(body=ARCHIVE, drop=True), Reply(body=b"abc")


@pytest.fixture
def server():
    found = FakeServer()
    yield found
    found.close()


@pytest.fixture
def env(server, tmp_path):
    return {
        "DANLU_URL": server.url,
        "DANLU_TASK_TOKEN": "danlu_task_j-1_x",
        "DANLU_CODE": json.dumps({"archive": DIGEST}),
        "DANLU_CODE_DIR": str(tmp_path / "code"),
    }


@pytest.fixture
def no_waiting(monkeypatch):
    """The pauses that were made, none of them real."""
    waits: list[float] = []
    monkeypatch.setattr("danlu.runtime.fetch.time.sleep", waits.append)
    return waits


def refusal(env, **keys):
    with pytest.raises(CannotStart) as caught:
        fetch(env, **keys)
    assert caught.value.reason == "code_failed"
    return str(caught.value)


def test_an_archive_is_fetched_by_the_tasks_token_and_unpacked(server, env, tmp_path):
    server.on("GET", f"code/{DIGEST}", WHOLE)
    fetch(env)
    assert (tmp_path / "code/pkg/main").read_text() == "print(1)"
    assert server.requests[0].headers["authorization"] == "Bearer danlu_task_j-1_x"
    assert [path.name for path in (tmp_path / "code").iterdir()] == ["pkg"]


def test_whoever_the_task_runs_as_may_change_its_code(server, env, tmp_path):
    server.on("GET", f"code/{DIGEST}", WHOLE)
    fetch(env)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "code").rglob("*")}
    assert modes == {"pkg": 0o777, "main": 0o666, "run": 0o777, "data": 0o666}


@pytest.mark.parametrize(
    "trouble",
    [CUT, WRONG, problem(503, "unavailable", "starting"), problem(429, "too_many", "slow down"), Reply(silent=True)],
    ids=["cut", "wrong bytes", "503", "429", "hung up"],
)  # fmt: skip
def test_trouble_that_passes_is_waited_out(server, env, tmp_path, no_waiting, trouble):
    server.on("GET", f"code/{DIGEST}", trouble, trouble, WHOLE)
    fetch(env)
    assert (tmp_path / "code/pkg/main").read_text() == "print(1)"
    assert no_waiting == [0.5, 1.0]


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (WRONG, f"the code that Danlu sent does not have the expected SHA-256 {DIGEST}"),
        (problem(503, "unavailable", "the database is gone"), "refused: 503 the database is gone"),
        (Reply(502, {}), "refused: 502 X"),
    ],
)  # fmt: skip
def test_trouble_that_stays_is_told_in_the_end(server, env, no_waiting, trouble, said):
    server.on("GET", f"code/{DIGEST}", trouble)
    assert said in refusal(env, patience_s=5.0)
    assert len(server.requests) == len(no_waiting) + 1 > 1


def test_a_danlu_that_is_not_there_is_named(env):
    gone = FakeServer()
    gone.close()
    said = refusal({**env, "DANLU_URL": gone.url}, patience_s=0.0)
    assert said.startswith(f"Danlu does not answer at {gone.url}: ")
    assert "Connection refused" in said


def test_the_pauses_grow_but_not_without_bound(server, env, no_waiting, monkeypatch):
    server.on("GET", f"code/{DIGEST}", *[WRONG] * 7, WHOLE)
    fetch(env)
    assert no_waiting == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_plain_no_is_not_asked_again(server, env, no_waiting, status):
    server.on("GET", f"code/{DIGEST}", problem(status, "no", "the attempt is over"))
    assert refusal(env) == f"Danlu at {server.url} refused: {status} the attempt is over"
    assert (len(server.requests), no_waiting) == (1, [])


def test_an_archive_that_is_none_says_so(server, env):
    junk = b"not a tar at all"
    digest = hashlib.sha256(junk).hexdigest()
    server.on("GET", f"code/{digest}", Reply(body=junk))
    said = refusal({**env, "DANLU_CODE": json.dumps({"archive": digest})})
    assert "the code archive cannot be unpacked" in said


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"DANLU_CODE": ""}, "DANLU_CODE is not set"),
        ({"DANLU_CODE": "{"}, "DANLU_CODE is not JSON"),
        ({"DANLU_CODE": "[]"}, "names neither an archive nor a Git repository"),
        ({"DANLU_CODE": "{}"}, "names neither an archive nor a Git repository"),
        ({"DANLU_CODE_DIR": ""}, "DANLU_CODE_DIR is not set"),
        ({"DANLU_CODE_DIR": "/proc/nowhere"}, "the code cannot be written to /proc/nowhere"),
        ({"DANLU_URL": ""}, "DANLU_URL is not set"),
    ],
)
def test_what_is_missing_is_named(env, changed, said):
    assert said in refusal({**env, **changed})


# ── Git ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def fake_git(tmp_path, monkeypatch):
    """A git that notes what it was asked, and whose checkout makes src/main.py."""
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    script = f'echo "$@" >> {tmp_path}/asked; case "$*" in *checkout*) mkdir "$2/src"; echo 1 > "$2/src/main.py";; esac'
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return tmp_path / "asked"


GIT = {"git": "https://example.org/x.git", "ref": "v2", "subdir": "src"}


def test_a_repository_is_cloned_at_its_revision(env, tmp_path, fake_git):
    fetch({**env, "DANLU_CODE": json.dumps(GIT)})
    assert (tmp_path / "code/src/main.py").read_text() == "1\n"
    assert "fetch --quiet --depth=1 -- https://example.org/x.git v2" in fake_git.read_text()


def test_a_folder_that_the_repository_lacks_is_named(env, fake_git):
    said = refusal({**env, "DANLU_CODE": json.dumps({**GIT, "subdir": "lib"})})
    assert said == "code.subdir lib does not exist in the code"


# ── as a program ─────────────────────────────────────────────────────────────────────────────────────


def run(env):
    command = [sys.executable, "-m", "danlu.runtime.fetch"]
    return subprocess.Popen(command, env={**os.environ, **env}, stderr=subprocess.PIPE, text=True)


def test_the_program_says_on_one_line_what_went_wrong(server, env):
    server.on("GET", f"code/{DIGEST}", problem(404, "not_found", "no\nsuch code"))
    process = run(env)
    said = process.communicate(timeout=30)[1]
    assert (process.returncode, said) == (1, f"Danlu at {server.url} refused: 404 no such code\n")


def test_the_program_ends_well_when_all_went_well(server, env):
    server.on("GET", f"code/{DIGEST}", WHOLE)
    process = run(env)
    assert (process.communicate(timeout=30)[1], process.returncode) == ("", 0)


def test_a_program_told_to_end_does_so_at_once(server, env):
    asked = threading.Event()

    def starting(_):
        asked.set()
        return problem(503, "unavailable", "starting")

    server.on("GET", f"code/{DIGEST}", starting)
    process = run(env)
    assert asked.wait(60)
    process.terminate()
    process.communicate(timeout=10)
    assert process.returncode == 143


def test_kubernetes_hears_the_last_words_where_it_listens(tmp_path, capsys):
    there = tmp_path / "termination-log"
    there.write_text("something longer than what follows")
    tell("a\nsentence", str(there))
    tell("another", str(tmp_path / "not-there"))
    assert there.read_text() == "a sentence"
    assert not (tmp_path / "not-there").exists()
    assert capsys.readouterr().err == "a sentence\nanother\n"
