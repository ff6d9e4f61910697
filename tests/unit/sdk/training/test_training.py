"""What a training calls: cheap, harmless, and understood by whoever reads its reports."""

from __future__ import annotations

import decimal
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import danlu
from danlu.ports import reports

SOURCE = str(Path(danlu.__file__).parent.parent)


def run(program: str, folder: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """A training of its own, which reports into the folder."""
    told = {"DANLU_REPORTS": str(folder)} if folder else {}
    return subprocess.run(
        [sys.executable, "-c", "import danlu, os, sys, signal, threading, time\n" + program],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": SOURCE, **told, **env},
        capture_output=True,
        text=True,
        timeout=60,
    )


def steps(folder: Path) -> list[int]:
    return [point.step for point in reports.read_points(str(folder))[0]]


def test_what_was_logged_is_there_when_the_program_has_ended(tmp_path: Path):
    done = run('for step in range(1000): danlu.log(step, {"a/b": step}, loss=1 / (step + 1))', tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    points, _ = reports.read_points(str(tmp_path))
    assert [point.step for point in points] == list(range(1000))
    assert points[3].values == {"a/b": 3.0, "loss": 0.25}


def test_what_was_logged_can_be_seen_while_the_program_goes_on(tmp_path: Path):
    wait = "while not os.path.exists(os.environ['DANLU_REPORTS'] + '/metrics.jsonl'): time.sleep(0.01)\n"
    done = run("danlu.log(1, loss=1.0)\n" + wait + "os._exit(0)", tmp_path)
    assert (done.returncode, steps(tmp_path)) == (0, [1])


def test_a_checkpoint_is_written_at_once(tmp_path: Path):
    program = "danlu.checkpoint('/somewhere/7', step=7); danlu.checkpoint('relative'); os._exit(0)"
    assert run(program, tmp_path).returncode == 0
    saves, _ = reports.read_saves(str(tmp_path))
    assert [(save.step, save.path) for save in saves] == [
        (7, "/somewhere/7"),
        (None, f"{os.getcwd()}/relative"),
    ]


def test_threads_and_forked_children_report_everything_once(tmp_path: Path):
    program = """
def work(base):
    for step in range(500): danlu.log(base + step, x=1)
danlu.log(9999, x=1)
threads = [threading.Thread(target=work, args=(1000 * n,)) for n in range(3)]
for t in threads: t.start()
if os.fork() == 0:
    work(5000)
    sys.exit()
for t in threads: t.join()
os.wait()
"""
    done = run(program, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    wanted = [base + step for base in (0, 1000, 2000, 5000) for step in range(500)]
    assert sorted(steps(tmp_path)) == [*wanted, 9999]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_children_of_multiprocessing_report_before_they_leave(tmp_path: Path, method: str):
    (tmp_path / "child.py").write_text("import danlu\ndef work(): danlu.log(5, x=1)\n")
    program = f"""
import multiprocessing
sys.path.insert(0, {str(tmp_path)!r})
import child
danlu.log(1, x=1)
made = multiprocessing.get_context({method!r}).Process(target=child.work)
made.start(); made.join()
"""
    done = run(program, tmp_path)
    assert (done.returncode, sorted(steps(tmp_path))) == (0, [1, 5])


def test_outside_danlu_nothing_happens():
    done = run(
        "danlu.log(1, x=1); danlu.checkpoint('/x', 1); print(danlu.resume_from(), danlu.should_stop())"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "None False\n", "")


def test_trouble_with_the_disk_is_told_once_and_never_raised(tmp_path: Path):
    done = run("danlu.checkpoint('/x', 1); danlu.checkpoint('/y', 2)", tmp_path / "missing")
    assert done.returncode == 0
    assert done.stderr.count("danlu: metrics and checkpoints cannot be reported") == 1


def test_a_checkpoint_that_will_not_last_is_warned_of_once(tmp_path: Path):
    program = "danlu.checkpoint('/work/a.pt'); danlu.checkpoint('/work/b.pt'); danlu.checkpoint('/kept/c.pt')"
    done = run(program, tmp_path, HOME="/work", DANLU_SUPERVISED="a/b")
    assert done.stderr.count("working directory, which is deleted when the attempt ends") == 1
    assert len(reports.read_saves(str(tmp_path))[0]) == 3


def test_sigterm_asks_and_does_not_kill(tmp_path: Path):
    program = """
assert not danlu.should_stop()
os.kill(os.getpid(), signal.SIGTERM)
found = []
thread = threading.Thread(target=lambda: found.append(danlu.should_stop()))
thread.start(); thread.join()
print(danlu.should_stop(), found)
"""
    assert run(program).stdout == "True [True]\n"


def test_an_earlier_handler_is_called_as_well():
    program = """
signal.signal(signal.SIGTERM, lambda *_: print("earlier"))
danlu.should_stop()
os.kill(os.getpid(), signal.SIGTERM)
print(danlu.should_stop())
"""
    assert run(program).stdout == "earlier\nTrue\n"


def test_unless_somebody_asks_sigterm_ends_the_program():
    done = run("import danlu.sdk.training.training; os.kill(os.getpid(), signal.SIGTERM)")
    assert done.returncode == -signal.SIGTERM


@pytest.mark.parametrize(
    ("env", "found"),
    [
        ({}, None),
        ({"DANLU_RESUME_FROM": "/a", "DANLU_RESUME_STEP": "12"}, ("/a", 12)),
        ({"DANLU_RESUME_FROM": "/a", "DANLU_RESUME_STEP": ""}, ("/a", None)),
        ({"DANLU_RESUME_FROM": "/a"}, ("/a", None)),
    ],
)
def test_where_to_go_on_is_told_by_two_variables(monkeypatch: pytest.MonkeyPatch, env, found):
    for name in ("DANLU_RESUME_FROM", "DANLU_RESUME_STEP"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert danlu.resume_from() == found


@pytest.mark.parametrize("value", [1, True, np.float32(1), np.array([1.0]), np.int64(1), decimal.Decimal(1)])
def test_whatever_is_one_number_is_taken(value):
    danlu.log(np.int64(3), loss=value)


@pytest.mark.parametrize(
    ("arguments", "named", "kind", "says"),
    [
        ((1.5,), {"x": 1}, TypeError, "step must be a whole number, not float 1.5"),
        ((1 << 60,), {"x": 1}, ValueError, "out of range"),
        ((1,), {"x": "0.5"}, TypeError, "'x' must be one number, not str '0.5'"),
        ((1,), {"x": None}, TypeError, "'x' must be one number"),
        ((1,), {"x": np.zeros(3)}, TypeError, "'x' must be one number"),
        ((1, 0.5), {}, TypeError, "by name or as a mapping, not as float 0.5"),
        ((1,), {}, ValueError, "1 to 256 metrics"),
        ((1, {"": 1}), {}, ValueError, "1 to 200 printable characters"),
        ((1, {"a\nb": 1}), {}, ValueError, "printable characters"),
        ((1, {7: 1}), {}, ValueError, "the name of a metric"),
    ],
)
def test_mistakes_are_told_in_a_sentence(arguments, named, kind, says):
    with pytest.raises(kind, match=says):
        danlu.log(*arguments, **named)


def test_the_mistakes_of_a_checkpoint_too():
    with pytest.raises(ValueError, match="path is too long"):
        danlu.checkpoint("x" * 5_000)
    with pytest.raises(TypeError, match="step must be a whole number"):
        danlu.checkpoint("/x", step="many")
