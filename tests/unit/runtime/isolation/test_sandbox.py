"""The command line that makes the view."""

import functools
import os

import pytest

from danlu.runtime.isolation.person import Stage
from danlu.runtime.isolation.sandbox import Sandbox, host_name
from danlu.runtime.task import read_task

SANDBOX = Sandbox("/usr/bin/bwrap", ["--shared"], ["/usr"])


@pytest.fixture
def arguments(tmp_path):
    """The words for a task of these fields."""
    return functools.partial(words_for, tmp_path)


def task(folder, **fields):
    content = {
        "v": 1,
        "attempt": "a",
        "task": "t",
        "log": "/l",
        "argv": ["x"],
        "cwd": "/data/w",
        "devices": [],
    }
    return read_task({**content, **fields}, str(folder))


def words_for(folder, **fields):
    given = task(folder, **fields)
    return SANDBOX.arguments(given, "/data/w/sub", Stage(given.person), 7, 8)


def test_files_of_its_own_are_written_to_the_task_s_folder_and_nowhere_else(arguments, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    place(arguments(), "--ro-bind", str(tmp_path / "passwd"), "/etc/passwd")
    assert {path.name for path in tmp_path.iterdir()} == {"elsewhere", "passwd", "group"}
    assert not list(elsewhere.iterdir())


def place(words, *wanted):
    """Where these words stand next to each other."""
    spots = [i for i in range(len(words)) if tuple(words[i : i + len(wanted)]) == wanted]
    assert spots, f"{wanted} not in {words}"
    return spots[0]


def test_what_is_hidden_covers_what_is_bound_and_the_working_directory_is_shown_last(arguments):
    words = arguments(binds=[["/data", "/data", "ro"]], hidden=["/data/runs"])
    bound, covered = place(words, "--ro-bind", "/data", "/data"), place(words, "--tmpfs", "/data/runs")
    shown = place(words, "--bind", "/data/w", "/data/w")
    assert bound < covered < shown
    place(words, "--chdir", "/data/w/sub")


def test_what_is_not_shown_needs_no_cover(arguments):
    assert "/srv/data" not in arguments(hidden=["/srv/data"])


def test_shared_memory_has_its_size_right_before_its_mount(arguments):
    place(arguments(limits={"shm": 4096}), "--size", "4096", "--perms", "1777", "--tmpfs", "/dev/shm")
    assert "--size" not in arguments()


def test_every_variable_is_passed(arguments):
    place(arguments(env={"A": "b"}), "--setenv", "A", "b")


def test_devices_are_bound_as_devices(arguments):
    words = arguments(devices=["/dev/null", "/dev/no-such-card"])
    place(words, "--dev-bind", "/dev/null", "/dev/null")
    assert "/dev/no-such-card" not in words


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("worker-0", "worker-0"),
        ("w" * 61 + "-7", "w" * 61 + "-7"),
        ("w" * 63 + "-12", "w" * 60 + "-12"),
        ("w" * 59 + "--------12", "w" * 59 + "-12"),
        ("w" * 80, "w" * 63),
        ("丹" * 40 + "-3", "丹" * 20 + "-3"),
        ("-" + "1" * 90, "-" + "1" * 62),
    ],
)
def test_a_host_name_is_shortened_to_what_linux_takes_and_keeps_its_index(name, shown):
    assert host_name(name) == shown
    assert len(os.fsencode(shown)) <= 63
