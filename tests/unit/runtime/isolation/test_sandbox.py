"""The command line that makes the view."""

import os

import pytest

from danlu.runtime.isolation.covers import Covers
from danlu.runtime.isolation.sandbox import Sandbox, host_name
from danlu.runtime.task import CannotStart, read_task

SANDBOX = Sandbox("/usr/bin/bwrap", ["--shared"], ["/usr"])


def task(**fields):
    content = {
        "v": 1,
        "attempt": "a",
        "task": "t",
        "log": "/l",
        "argv": ["x"],
        "cwd": "/data/w",
        "devices": [],
    }
    return read_task({**content, **fields}, "/")


def arguments(**fields):
    return SANDBOX.arguments(task(**fields), "/data/w/sub", 7)


def place(words, *wanted):
    """Where these words stand next to each other."""
    spots = [i for i in range(len(words)) if tuple(words[i : i + len(wanted)]) == wanted]
    assert spots, f"{wanted} not in {words}"
    return spots[0]


def test_what_is_hidden_covers_what_is_bound_and_the_working_directory_is_shown_last():
    words = arguments(binds=[["/data", "/data", "ro"]], hidden=["/data/runs"])
    bound, covered = place(words, "--ro-bind", "/data", "/data"), place(words, "--tmpfs", "/data/runs")
    shown = place(words, "--bind", "/data/w", "/data/w")
    assert bound < covered < shown
    place(words, "--chdir", "/data/w/sub")


def test_what_is_not_shown_needs_no_cover():
    assert "/srv/data" not in arguments(hidden=["/srv/data"])


def test_shared_memory_has_its_size_right_before_its_mount():
    place(arguments(limits={"shm": 4096}), "--size", "4096", "--perms", "1777", "--tmpfs", "/dev/shm")
    assert "--size" not in arguments()


def test_every_variable_is_passed():
    place(arguments(env={"A": "b"}), "--setenv", "A", "b")


def test_devices_are_bound_as_devices():
    place(arguments(devices=["/dev/nvidia0"]), "--dev-bind-try", "/dev/nvidia0", "/dev/nvidia0")


def test_a_program_outside_the_view_is_refused_by_name():
    with pytest.raises(CannotStart, match=r"/srv/tool exists on the machine, but tasks cannot see /srv/tool"):
        SANDBOX.check_visible("/srv/tool", task())
    SANDBOX.check_visible("/srv/tool", task(binds=[["/srv", "/srv", "ro"]]))
    SANDBOX.check_visible("/data/w/tool", task())


def test_a_program_below_something_closed_is_refused_with_the_remedy(tmp_path):
    (tmp_path / "closed").mkdir(mode=0o700)
    sandbox = Sandbox("/usr/bin/bwrap", [], [str(tmp_path)], Covers([str(tmp_path)]))
    with pytest.raises(CannotStart, match=r"closed is not readable for everyone; run chmod o\+rX"):
        sandbox.check_visible(f"{tmp_path}/closed/tool", task())
    sandbox.check_visible(f"{tmp_path}/closed/tool", task(binds=[[f"{tmp_path}/closed"] * 2 + ["ro"]]))


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
