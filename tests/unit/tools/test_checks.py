"""The checks of our own find what they are for, and only that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.dev.check import Check, Verdict, chosen, line
from tools.dev.checks.class_names import repeated
from tools.dev.checks.client_modules import examine
from tools.dev.checks.docs_coverage import is_named
from tools.dev.checks.file_sizes import measured
from tools.dev.checks.lock_files import constraint_faults, npm_faults
from tools.dev.main import HABITS, overview, unknown
from tools.dev.steps import Stop, last_lines
from tools.dev.system import Need, missing_sentence


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for name in ("danlu", "danlu/sdk", "danlu/ports"):
        (tmp_path / "src" / name).mkdir(parents=True)
        (tmp_path / "src" / name / "__init__.py").write_text("")
    return tmp_path / "src"


def faults_with(source: Path, text: str) -> list[str]:
    (source / "danlu/sdk/client.py").write_text(text)
    return examine("danlu.sdk", set(), source)[0]


@pytest.mark.parametrize(
    "text",
    [
        "import json, http.client",
        "from . import client",
        "from danlu.sdk.client import thing",
        "def later():\n    import numpy",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import numpy",
        "try:\n    import numpy\nexcept ImportError:\n    numpy = None",
    ],
)
def test_the_client_may_import_the_standard_library_and_itself(source: Path, text: str):
    assert faults_with(source, text) == []


def test_a_package_in_the_client_is_found_at_its_line(source: Path):
    assert faults_with(source, "import json\nimport numpy.linalg\n") == [
        "src/danlu/sdk/client.py:2: imports numpy, which danlu.sdk must not import"
    ]


def test_a_package_that_comes_along_with_our_own_module_is_found(source: Path):
    (source / "danlu/ports/supervision.py").write_text("from pydantic import BaseModel\n")
    assert faults_with(source, "from danlu.ports import supervision\n") == [
        "src/danlu/ports/supervision.py:1: imports pydantic, which danlu.sdk must not import"
    ]


def test_a_package_that_comes_along_with_the_package_around_a_module_is_found(source: Path):
    (source / "danlu/ports/supervision.py").write_text("")
    (source / "danlu/ports/__init__.py").write_text("import sqlalchemy\n")
    assert len(faults_with(source, "from danlu.ports.supervision import Thing\n")) == 1


@pytest.mark.parametrize("text", ["see `danlu ls` for", "| danlu   ls |", "danlu ls"])
def test_a_command_named_whole_is_documented(text: str):
    assert is_named("danlu ls", text)


@pytest.mark.parametrize("text", ["danlu lsof", "danlu ls-all", "my-danlu ls"])
def test_a_longer_word_documents_nothing(text: str):
    assert not is_named("danlu ls", text)


def test_generated_files_may_be_long(tmp_path: Path):
    for name in ("console/src/api/schema.d.ts", "console/src/main.ts"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("line\n" * 501)
    assert measured(sorted(tmp_path.rglob("*.ts")), tmp_path) == {"console/src/main.ts": 501}


def test_a_class_name_of_two_modules_is_found_unless_it_crosses_the_wire(tmp_path: Path):
    for module, name in (
        ("domain/job.py", "Job"),
        ("server/jobs/models.py", "Job"),
        ("sdk/models/jobs.py", "Job"),
        ("domain/quota.py", "Standing"),
        ("control/queue.py", "Standing"),
    ):
        (tmp_path / module).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / module).write_text(f"class {name}: ...\n")
    assert repeated(tmp_path) == {"Standing": ["control/queue.py", "domain/quota.py"]}


def test_constraints_are_names_versions_and_hashes_only():
    hashes = f"--hash=sha256:{'0' * 64} --hash=sha256:{'f' * 64}"
    text = (
        f"click==8.1.7 {hashes}\n--index-url https://mirror.example\nclick>=8 {hashes}\nPyYAML==6.0.3 {hashes}\n"
        "bare==1.0\nshort==1.0 --hash=sha256:00\n"
    )
    assert [fault.partition(": ")[0] for fault in constraint_faults(text)] == [
        "constraints.txt:2",
        "constraints.txt:3",
        "constraints.txt:5",
        "constraints.txt:6",
    ]


def test_a_registry_in_a_lock_file_is_found_but_a_home_page_is_not():
    text = """{"packages": {
        "a": {"version": "1.0.0", "funding": {"url": "https://a.example"}},
        "b": {"version": "1.0.0", "resolved": "https://registry.example/b.tgz"}}}"""
    assert [fault.split()[0] for fault in npm_faults(text)] == ["b"]


def test_a_verdict_is_one_line_with_its_notes():
    verdict = Verdict(Check("sizes", []), 0, "note: 3 files above 300 lines\n", 0.25)
    assert line(verdict, 8) == "ok      sizes       0.2 s  3 files above 300 lines"


def test_a_misspelt_check_is_answered_with_the_likely_one():
    with pytest.raises(Stop, match="Did you mean 'format'"):
        chosen([Check("format", [])], ["formt"])


def test_checks_are_chosen_by_name():
    checks = [Check("console types", []), Check("lint", [])]
    assert chosen(checks, ["console-types"]) == checks[:1]
    assert chosen(checks, []) == checks


def test_a_misspelt_habit_is_answered_with_the_likely_one():
    assert unknown("tset") == "./dev: there is no command 'tset'. Did you mean './dev test'?"
    assert "The commands are: up, danlu" in unknown("xyzzy")


def test_the_list_of_habits_has_one_line_each():
    lines = [line for line in overview().splitlines() if line.startswith("  ./dev ")]
    assert len(lines) == len(HABITS)
    assert max(map(len, lines)) <= 110


def test_a_long_log_is_shown_by_its_end():
    shown = last_lines("\n".join(str(number) for number in range(10)), 2)
    assert shown.split() == ["…", "8", "lines", "before", "these", "8", "9"]


def test_what_is_missing_is_named_with_the_command_that_brings_it():
    sentence = missing_sentence([Need("bubblewrap", "bubblewrap"), Need("Chinese fonts", "fonts-noto-cjk")])
    assert sentence.endswith("apt-get install bubblewrap fonts-noto-cjk")


def test_a_command_on_the_path_meets_a_need():
    assert Need("a shell", "dash", ("sh",)).is_there()
    assert not Need("nothing", "nothing", ("no-such-command-anywhere",)).is_there()
