"""What a change can touch is found by imports, and the nearest tests are run first."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools.dev.steps import Stop
from tools.testing.changed import BUDGET_S, changed_files, choose, durations_of
from tools.testing.imports import Imports

SOURCES = {
    "src/danlu/__init__.py": "",
    "src/danlu/domain/job.py": "",
    "src/danlu/domain/state.py": "from danlu.domain import job",
    "src/danlu/runtime/enter.py": "from ..domain.state import State",
    "src/danlu/cli/main.py": 'COMMANDS = {"enter": "danlu.runtime.enter"}',
    "tests/conftest.py": "",
    "tests/unit/test_job.py": "import danlu.domain.job",
    "tests/unit/test_enter.py": "def test_it():\n    from danlu.runtime import enter",
    "tests/simulation/test_state.py": "from danlu.domain.state import State",
    "tests/e2e/test_pages.py": "import danlu.cli.main",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in SOURCES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def reached(root: Path, changed: str) -> dict[str, int]:
    return {file.as_posix(): far for file, far in Imports(root).reached_from([Path(changed)]).items()}


def test_a_change_reaches_its_importers_over_any_number_of_imports(root: Path):
    assert reached(root, "src/danlu/domain/state.py") == {
        "src/danlu/domain/state.py": 0,
        "src/danlu/runtime/enter.py": 1,
        "tests/simulation/test_state.py": 1,
        "src/danlu/cli/main.py": 2,
        "tests/unit/test_enter.py": 2,
        "tests/e2e/test_pages.py": 3,
    }


def test_a_package_is_run_on_the_way_to_what_is_inside(root: Path):
    assert "tests/unit/test_job.py" in reached(root, "src/danlu/__init__.py")


def test_a_module_that_loads_its_neighbours_by_name_is_reached_by_them(root: Path):
    (root / "src/danlu/cli/main.py").write_text("import importlib")
    (root / "src/danlu/cli/top.py").write_text("")
    assert "tests/e2e/test_pages.py" in reached(root, "src/danlu/cli/top.py")


def test_a_module_that_names_what_it_loads_is_reached_by_it(root: Path):
    (root / "src/danlu/cli/main.py").write_text('COMMANDS = {"enter": "danlu.runtime.enter:enter"}')
    assert "tests/e2e/test_pages.py" in reached(root, "src/danlu/runtime/enter.py")


def test_a_conftest_reaches_the_tests_below_it(root: Path):
    assert len(reached(root, "tests/conftest.py")) == 5


def test_nobody_is_reached_by_what_nobody_imports(root: Path):
    assert reached(root, "src/danlu/cli/main.py").keys() == {
        "src/danlu/cli/main.py",
        "tests/e2e/test_pages.py",
    }


def test_browsers_and_clusters_are_left_to_the_whole_run(root: Path):
    found = choose(root, ["src/danlu/domain/job.py", "docs/walk.md"], {})
    assert found.files == {
        "unit": ["tests/unit/test_job.py", "tests/unit/test_enter.py"],
        "simulation": ["tests/simulation/test_state.py"],
    }
    assert (found.left, found.console) == (0, [])


def test_the_nearest_are_run_while_the_time_lasts(root: Path):
    takes = {"tests/unit/test_job.py": BUDGET_S, "tests/simulation/test_state.py": 2 * BUDGET_S}
    found = choose(root, ["src/danlu/domain/job.py"], takes)
    assert found.files == {"unit": ["tests/unit/test_job.py", "tests/unit/test_enter.py"]}
    assert found.left == 1


def test_one_is_run_however_long_it_takes(root: Path):
    found = choose(root, ["tests/simulation/test_state.py"], {"tests/simulation/test_state.py": 9 * BUDGET_S})
    assert found.files == {"simulation": ["tests/simulation/test_state.py"]}


def test_a_removed_test_is_not_run(root: Path):
    (root / "tests/unit/test_job.py").unlink()
    assert choose(root, ["tests/unit/test_job.py"], {}).files == {}


def test_sources_of_the_console_are_left_to_vitest(root: Path):
    assert choose(root, ["console/src/app/live.ts", "console/README.md"], {}).console == [
        "console/src/app/live.ts"
    ]


def test_durations_are_added_up_by_file(tmp_path: Path):
    case = '<testcase classname="tests.unit.test_a" name="{}" time="{}"/>'
    (tmp_path / "unit-0.xml").write_text(f"<s>{case.format('test_x', 1.5)}{case.format('test_y', 2)}</s>")
    assert durations_of(tmp_path) == {"tests/unit/test_a.py": 3.5}


def git(root: Path, *words: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)


@pytest.fixture
def repository(root: Path) -> Path:
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def test_what_was_edited_removed_and_added_counts_as_changed(repository: Path):
    (repository / "src/danlu/domain/job.py").write_text("x = 1")
    (repository / "src/danlu/domain/new.py").write_text("")
    (repository / "tests/unit/test_enter.py").unlink()
    assert changed_files(repository, "") == [
        "src/danlu/domain/job.py",
        "src/danlu/domain/new.py",
        "tests/unit/test_enter.py",
    ]


def test_an_earlier_commit_can_be_named(repository: Path):
    (repository / "src/danlu/domain/job.py").write_text("x = 1")
    git(repository, "commit", "-qam", "second")
    assert changed_files(repository, "HEAD~1") == ["src/danlu/domain/job.py"]
    with pytest.raises(Stop, match="nothing differs"):
        changed_files(repository, "")
    with pytest.raises(Stop, match="no commit 'nosuch'"):
        changed_files(repository, "nosuch")
