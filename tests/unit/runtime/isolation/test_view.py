"""What a task finds by its own names, and what it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from danlu.runtime.isolation.sandbox import Sandbox
from danlu.runtime.isolation.view import WHOLE_MACHINE, Shown, TaskView
from danlu.runtime.task import CannotStart, read_task
from danlu.runtime.watching.command import CommandPlace, find_program, similar


def program(path: Path, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return path


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """Some folders of a machine: a system's, one that is closed, a person's and another's."""
    program(tmp_path / "usr" / "tool")
    program(tmp_path / "usr" / "closed" / "tool")
    (tmp_path / "usr" / "closed").chmod(0o700)
    program(tmp_path / "lin" / "train")
    program(tmp_path / "wang" / "layoffs-2027")
    return tmp_path


@pytest.fixture
def view(machine: Path) -> TaskView:
    return TaskView([Shown("/usr", f"{machine}/usr", public=True), Shown("/mnt/lin", f"{machine}/lin")])


def test_paths_are_those_of_the_task(view: TaskView, machine: Path) -> None:
    seen = view.look_at("/mnt/lin/train")
    assert seen is not None
    assert (seen.path, seen.is_program) == (f"{machine}/lin/train", True)
    assert view.look_at(f"{machine}/lin/train") is None
    folder = view.look_at("/mnt")
    assert folder is not None
    assert folder.is_folder
    assert view.look_at("/mnt/wang") is None
    assert view.names_in("/mnt/lin") == ["train"]
    assert view.names_in("/mnt") == []


@pytest.mark.parametrize("way", ["../../wang", "../../../{machine}/wang", "{machine}/wang"])
def test_links_lead_where_they_would_lead_the_task(view: TaskView, machine: Path, way: str) -> None:
    (machine / "lin" / "out").symlink_to(way.format(machine=machine))
    (machine / "lin" / "again").symlink_to("/mnt/lin/train")
    (machine / "lin" / "round").symlink_to("round")
    assert view.look_at("/mnt/lin/out/layoffs-2027") is None
    assert view.names_in("/mnt/lin/out") == []
    assert view.look_at("/mnt/lin/round") is None
    again = view.look_at("/mnt/lin/again")
    assert again is not None
    assert again.is_program


def test_what_is_not_open_to_everybody_is_not_seen(view: TaskView) -> None:
    assert view.look_at("/usr/tool") is not None
    assert view.look_at("/usr/closed/tool") is None
    assert view.names_in("/usr/closed") == []


def test_later_parts_lie_on_earlier_ones(machine: Path) -> None:
    view = TaskView(
        [Shown("/d", str(machine)), Shown("/d/wang", None), Shown("/d/wang/own/work", f"{machine}/lin")]
    )
    assert view.look_at("/d/lin/train") is not None
    assert view.look_at("/d/wang/layoffs-2027") is None
    assert view.look_at("/d/wang/own/work/train") is not None


def test_a_task_without_a_sandbox_sees_the_machine(machine: Path) -> None:
    assert WHOLE_MACHINE.look_at(f"{machine}/wang/layoffs-2027") is not None
    assert WHOLE_MACHINE.names_in(f"{machine}/wang") == ["layoffs-2027"]


# ── what is told of a command ────────────────────────────────────────────────────────────────────────


def place(view: TaskView, path: str = "/usr:/mnt/lin") -> CommandPlace:
    return CommandPlace(view, {"PATH": path}, "/mnt/lin")


def told(name: str, place: CommandPlace) -> str:
    with pytest.raises(CannotStart) as refused:
        find_program(name, place)
    return str(refused.value)


def test_a_program_is_found_on_the_path_or_by_its_own(view: TaskView) -> None:
    assert find_program("tool", place(view)) == "/usr/tool"
    assert find_program("./train", place(view)) == "/mnt/lin/train"
    assert similar("tolo", place(view)) == "tool"


def test_only_programs_of_the_view_are_suggested(view: TaskView, machine: Path) -> None:
    (machine / "lin" / "trian.txt").write_text("")
    assert similar("layoffs-2026", place(view, f"{machine}/wang:/mnt/wang")) == ""
    assert similar("trian", place(view)) == "train"
    assert similar("trian.txt", place(view, "/mnt/lin")) != "trian.txt"


def test_what_is_said_of_a_path_out_of_sight_does_not_depend_on_what_is_there(
    view: TaskView, machine: Path
) -> None:
    for there, nowhere in (("layoffs-2027", "nothing"), ("", "no-such")):
        paths = [f"{machine}/wang/{name}" for name in (there, nowhere)]
        one, other = (told(path, place(view)).replace(path.rstrip("/"), "X") for path in paths)
        assert one.replace("X/", "X") == other
        assert "tasks see only" in one


def test_of_a_closed_folder_of_the_system_nothing_is_told(tmp_path: Path) -> None:
    program(tmp_path / "closed" / "tool")
    tmp_path.chmod(0o755)
    (tmp_path / "closed").chmod(0o700)
    sandbox = Sandbox("/usr/bin/bwrap", [], [str(tmp_path)])
    content = {"v": 1, "attempt": "a", "task": "t", "log": "/l", "argv": ["x"], "cwd": "/data/w"}
    seen = place(sandbox.view(read_task(content, "/")))
    said = [told(f"{tmp_path}/closed/{name}", seen).replace(name, "X") for name in ("tool", "nothing")]
    assert said[0] == said[1]
    shown = read_task({**content, "binds": [[f"{tmp_path}/closed"] * 2 + ["ro"]]}, "/")
    assert find_program(f"{tmp_path}/closed/tool", place(sandbox.view(shown)))


def test_folders_and_files_of_the_view_are_named_as_what_they_are(view: TaskView, machine: Path) -> None:
    program(machine / "lin" / "data", 0o644)
    assert "is a directory" in told("/mnt/lin", place(view))
    assert "not executable" in told("./data", place(view))
    assert "not executable" in told("data", place(view))
